internal import ByteScan
internal import CSurtitle

/// Checks of what callers hand over: each says what there is, or throws a status.
enum Arguments {
    /// What may not be NULL.
    static func required<Value>(_ value: Value?) throws(Refusal) -> Value {
        guard let value else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        return value
    }

    /// The caller's array.
    static func array<Element>(
        _ start: UnsafePointer<Element>?, _ count: Int
    ) throws(Refusal) -> UnsafeBufferPointer<Element> {
        // A size_t above PTRDIFF_MAX comes as a negative number.
        guard count >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        guard unsafe start != nil || count == 0 else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        return unsafe UnsafeBufferPointer(start: start, count: count)
    }

    static func bytes(_ bytes: UnsafeRawPointer?, _ count: Int) throws(Refusal) -> UnsafeRawBufferPointer {
        try unsafe UnsafeRawBufferPointer(array(bytes?.assumingMemoryBound(to: UInt8.self), count))
    }

    /// Checks the size with which a struct begins, if there is a struct.
    static func check<Value>(_ pointer: UnsafePointer<Value>?) throws(Refusal) {
        guard let pointer = unsafe pointer else { return }
        let size = unsafe UnsafeRawPointer(pointer).load(as: Int.self)
        guard size >= MemoryLayout<Value>.size else { throw Refusal(SURTITLE_STRUCT_SIZE) }
    }

    /// A struct that begins with its size, and may not be NULL.
    static func sized<Value>(_ pointer: UnsafePointer<Value>?) throws(Refusal) -> Value {
        try unsafe check(pointer)
        return try unsafe required(pointer).pointee
    }

    /// A place for a struct that begins with its size.
    static func sizedPlace<Value>(_ pointer: Place<Value>?) throws(Refusal) -> Place<Value> {
        try unsafe check(pointer)
        return try unsafe required(pointer)
    }

    /// The bytes of a text, whatever they are; nil if it is not given.
    static func view(_ text: surtitle_text) throws(Refusal) -> ByteView? {
        let bytes = try unsafe UnsafeRawBufferPointer(array(text.bytes, text.count))
        return unsafe text.bytes == nil ? nil : ByteView(bytes)
    }

    /// A copy of them, such as a URL.
    static func bytes(of text: surtitle_text) throws(Refusal) -> [UInt8]? { try unsafe view(text).map { Array($0) } }

    /// A text; nil if it is not given.
    static func text(_ text: surtitle_text) throws(Refusal) -> [UInt8]? {
        guard let view = try unsafe view(text) else { return nil }
        let valid = view.validUTF8Count
        guard valid == view.count else { throw Refusal(SURTITLE_INVALID_UTF8, nil, at: valid) }
        return Array(view)
    }

    /// Calls `body` with the name and the value of each of the caller's header field lines.
    static func forEach(
        _ fields: UnsafePointer<surtitle_field>?, _ count: Int, _ body: (ByteView, ByteView) -> Void
    ) throws(Refusal) {
        let fields = try unsafe array(fields, count)
        for index in fields.indices {
            let field = unsafe fields[index]
            let name = try unsafe view(surtitle_text(bytes: field.name, count: field.name_count))
            let value = try unsafe view(surtitle_text(bytes: field.value, count: field.value_count))
            body(name ?? ByteView(), value ?? ByteView())
        }
    }

    /// A number that says yes or no.
    static func truth(_ number: Int32) throws(Refusal) -> Bool {
        guard number == 0 || number == 1 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        return number == 1
    }

    /// A limit of at most 1 GiB, so that no sum of limits is too large for a number; `standard` if it is 0.
    static func limit(_ number: Int, or standard: Int) throws(Refusal) -> Int {
        guard number >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        guard number <= 1 << 30 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        return number == 0 ? standard : number
    }
}

extension UnsafeMutablePointer {
    /// Fills a caller's struct, but for the size with which it begins.
    func fill(_ value: Pointee) {
        let size = unsafe UnsafeRawPointer(self).load(as: Int.self)
        unsafe pointee = value
        unsafe UnsafeMutableRawPointer(self).storeBytes(of: size, as: Int.self)
    }
}

/// An array of structs that begin with their size, as the caller lays it out.
@safe
struct SizedArray<Element> {
    private let start: UnsafeRawPointer?
    private var stride = 0
    let count: Int

    /// Checks that all have the same size.
    init(_ elements: UnsafePointer<Element>?, _ count: Int) throws(Refusal) {
        unsafe start = UnsafeRawPointer(try Arguments.array(elements, count).baseAddress)
        self.count = count
        guard count > 0, let start = unsafe start else { return }
        stride = unsafe start.load(as: Int.self)
        guard stride >= MemoryLayout<Element>.size, stride % MemoryLayout<Element>.alignment == 0,
            !stride.multipliedReportingOverflow(by: count).overflow
        else { throw Refusal(SURTITLE_STRUCT_SIZE) }
        for index in 0..<count where unsafe (start + index * stride).load(as: Int.self) != stride {
            throw Refusal(SURTITLE_STRUCT_SIZE)
        }
    }

    /// Calls `body` with each element. What it refuses is refused of that element of the array `name`.
    func forEach(_ name: StaticString, _ body: (Element) throws(Refusal) -> Void) throws(Refusal) {
        guard let start = unsafe start else { return }
        for index in 0..<count {
            do throws(Refusal) { try body(unsafe (start + index * stride).load(as: Element.self)) } catch {
                throw error.of(name, index)
            }
        }
    }
}
