internal import ByteScan
internal import CSurtitle

/// Where a caller wants a value.
public typealias Place<Value> = UnsafeMutablePointer<Value>

/// Where a caller wants to be told where an array starts.
public typealias StartPlace<Element> = UnsafeMutablePointer<UnsafePointer<Element>?>

/// Where a caller wants to be told of an array: where it starts, and how many elements it has.
@safe
struct ArrayPlace<Element: BitwiseCopyable> {
    private let start: StartPlace<Element>
    private let count: Place<Int>

    /// The caller's two places, which say that there is nothing yet.
    init(_ start: StartPlace<Element>?, _ count: Place<Int>?) throws(Refusal) {
        unsafe self.start = try unsafe Arguments.required(start)
        unsafe self.count = try unsafe Arguments.required(count)
        unsafe give(UnsafeBufferPointer(start: nil, count: 0))
    }

    func give(_ elements: UnsafeBufferPointer<Element>) {
        unsafe start.pointee = elements.baseAddress
        unsafe count.pointee = elements.count
    }
}

/// Where a caller wants output, and where it wants to be told how long that is.
@safe
struct MemoryPlace {
    let memory: UnsafeMutableRawBufferPointer
    private let written: Place<Int>

    /// The caller's `capacity` bytes of memory, to which nothing is written yet.
    init(_ memory: UnsafeMutableRawPointer?, _ capacity: Int, _ written: Place<Int>?) throws(Refusal) {
        unsafe self.written = try unsafe Arguments.required(written)
        unsafe self.written.pointee = 0
        unsafe _ = try Arguments.bytes(memory, capacity)
        unsafe self.memory = unsafe UnsafeMutableRawBufferPointer(start: memory, count: capacity)
    }

    /// How many bytes the caller is told of: those that are written, or those that are needed.
    var count: Int {
        get { unsafe written.pointee }
        nonmutating set { unsafe written.pointee = newValue }
    }

    /// The memory behind what is written.
    var rest: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[min(count, memory.count)...])
    }

    /// Adds as many of the bytes as there is room for, and returns their number.
    @discardableResult
    func append(_ bytes: ByteView) -> Int {
        let fitting = unsafe bytes.prefix(upTo: min(bytes.count, rest.count))
        if !fitting.isEmpty { unsafe rest.copyMemory(from: fitting.buffer) }
        count += fitting.count
        return fitting.count
    }

    /// Gives all of a text, or nothing if there is no room for it, and tells how long it is in any case.
    func give(_ text: [UInt8]) -> surtitle_status {
        if unsafe text.count <= memory.count { text.withView { _ = append($0) } }
        count = text.count
        return status
    }

    /// What a call returns whose output is all that the caller has been told of.
    var status: surtitle_status { unsafe count <= memory.count ? SURTITLE_OK : SURTITLE_TOO_SMALL }
}
