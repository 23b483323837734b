internal import ByteScan
internal import CSurtitle
internal import WebVTT

/// Checks of what callers hand over: each says what there is, or throws a status.
enum Arguments {
    /// The caller's bytes.
    static func bytes(_ bytes: UnsafePointer<UInt8>?, _ count: Int) throws(Refusal) -> UnsafeRawBufferPointer {
        // A size_t above PTRDIFF_MAX comes as a negative number.
        guard count >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        guard unsafe bytes != nil || count == 0 else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        return unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    }

    /// A pointer that may not be NULL.
    static func required<Value>(_ pointer: UnsafePointer<Value>?) throws(Refusal) -> UnsafePointer<Value> {
        guard let pointer = unsafe pointer else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        return unsafe pointer
    }

    /// A place for a result.
    static func place<Value>(_ pointer: UnsafeMutablePointer<Value>?) throws(Refusal) -> UnsafeMutablePointer<Value> {
        guard let pointer = unsafe pointer else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        return unsafe pointer
    }

    /// Checks the size with which a struct begins, if there is a struct.
    static func check<Value>(_ pointer: UnsafePointer<Value>?) throws(Refusal) {
        guard let pointer = unsafe pointer else { return }
        let size = unsafe UnsafeRawPointer(pointer).load(as: Int.self)
        guard size >= MemoryLayout<Value>.size else { throw Refusal(SURTITLE_STRUCT_SIZE) }
    }

    /// A struct that begins with its size, and may not be NULL.
    static func sized<Value>(_ pointer: UnsafePointer<Value>?) throws(Refusal) -> UnsafePointer<Value> {
        try unsafe check(pointer)
        return try unsafe required(pointer)
    }

    /// A place for a struct that begins with its size.
    static func sizedPlace<Value>(
        _ pointer: UnsafeMutablePointer<Value>?
    ) throws(Refusal) -> UnsafeMutablePointer<Value> {
        try unsafe check(pointer)
        return try unsafe place(pointer)
    }

    /// A text; nil if it is not given.
    static func text(_ text: surtitle_text) throws(Refusal) -> [UInt8]? {
        guard unsafe text.count >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        guard let bytes = unsafe text.bytes else {
            guard unsafe text.count == 0 else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
            return nil
        }
        let view = unsafe ByteView(UnsafeRawBufferPointer(start: bytes, count: text.count))
        let valid = view.validUTF8Count
        guard valid == view.count else { throw Refusal(SURTITLE_INVALID_UTF8, nil, at: valid) }
        return Array(view)
    }

    /// The bytes of a text that need not be UTF-8, such as a URL; nil if it is not given.
    static func bytes(of text: surtitle_text) throws(Refusal) -> [UInt8]? {
        let start = unsafe text.bytes.map { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
        let view = try unsafe ByteView(bytes(start, text.count))
        return unsafe start == nil ? nil : Array(view)
    }

    /// A text that must be given.
    static func requiredText(_ text: surtitle_text) throws(Refusal) -> [UInt8] {
        guard let text = try unsafe self.text(text) else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        return text
    }

    /// A number that says yes or no.
    static func truth(_ number: Int32) throws(Refusal) -> Bool {
        guard number == 0 || number == 1 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        return number == 1
    }

    /// A limit; `standard` if it is 0.
    static func limit(_ number: Int, or standard: Int) throws(Refusal) -> Int {
        guard number >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        return number == 0 ? standard : number
    }
}

/// An array of structs that begin with their size, as the caller lays it out: C structs inside types that are marked as safe.
@safe
struct SizedArray<Element> {
    private let start: UnsafeRawPointer?
    private let stride: Int
    let count: Int

    /// Checks that all have the same size.
    init(_ elements: UnsafeRawPointer?, _ count: Int) throws(Refusal) {
        guard count >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        self.count = count
        unsafe start = elements
        guard count > 0 else {
            stride = 0
            return
        }
        guard let start = unsafe start else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        stride = unsafe start.load(as: Int.self)
        guard stride >= MemoryLayout<Element>.size, stride % MemoryLayout<Element>.alignment == 0,
            !stride.multipliedReportingOverflow(by: count).overflow
        else { throw Refusal(SURTITLE_STRUCT_SIZE) }
        for index in 0..<count where unsafe (start + index * stride).load(as: Int.self) != stride {
            throw Refusal(SURTITLE_STRUCT_SIZE)
        }
    }

    /// The element at `index`, which must be in `0..<count`.
    subscript(index: Int) -> Element? {
        precondition(index >= 0 && index < count, "index outside the array")
        return unsafe start.map { unsafe ($0 + index * stride).load(as: Element.self) }
    }
}
