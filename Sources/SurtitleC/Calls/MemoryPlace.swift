internal import CSurtitle

/// Where a caller wants output, and where it wants to be told how long that is.
@safe
struct MemoryPlace {
    let memory: UnsafeMutableRawBufferPointer
    private let written: UnsafeMutablePointer<Int>

    /// The caller's `capacity` bytes of memory, to which nothing is written yet.
    init(
        _ memory: UnsafeMutablePointer<UInt8>?, _ capacity: Int, _ written: UnsafeMutablePointer<Int>?
    ) throws(Refusal) {
        unsafe self.written = try unsafe Arguments.place(written)
        unsafe self.written.pointee = 0
        guard capacity >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        guard unsafe memory != nil || capacity == 0 else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        unsafe self.memory = unsafe UnsafeMutableRawBufferPointer(start: memory, count: capacity)
    }

    /// How many bytes the caller is told of: those that are written, or those that are needed.
    var count: Int {
        get { unsafe written.pointee }
        nonmutating set { unsafe written.pointee = newValue }
    }

    /// How many bytes there is room for.
    var capacity: Int { unsafe memory.count }
}
