/// Memory to copy output to, page by page touched before anything is timed, and never given back.
///
/// Copies of the value share the memory.
public struct OutputBuffer {
    private let memory: UnsafeMutableRawBufferPointer

    /// How many bytes have been written.
    public private(set) var count = 0

    /// Room for `capacity` bytes.
    public init(capacity: Int) {
        memory = .allocate(byteCount: capacity, alignment: 4096)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// What has been written.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// The whole room, for a reference that does its own bookkeeping.
    public var room: UnsafeMutableRawBufferPointer { memory }

    /// Forgets what has been written.
    @inline(__always)
    mutating func removeAll() { count = 0 }

    /// Copies `slice` after what has been written.
    ///
    /// What does not fit is left out, which the check of the result shows.
    @inline(__always)
    mutating func append(_ slice: UnsafeRawBufferPointer) {
        guard let source = slice.baseAddress, slice.count <= memory.count - count, let base = memory.baseAddress else {
            return
        }
        (base + count).copyMemory(from: source, byteCount: slice.count)
        count += slice.count
    }
}
