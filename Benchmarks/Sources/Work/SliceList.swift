/// Slices noted by address and length, as a proxy notes them for a gathering write: nothing is copied.
///
/// It has room for 1024, as many as Linux accepts in one call, and then starts again from the front. Its memory is
/// never freed, and copies of the value share it.
struct SliceList {
    private let slices: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>

    /// How many slices there were in all.
    private(set) var count = 0
    /// How many bytes they span in all.
    private(set) var byteCount = 0

    /// An empty list.
    init() {
        slices = .allocate(capacity: 1024)
        slices.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// Forgets the slices.
    @inline(__always)
    mutating func removeAll() {
        count = 0
        byteCount = 0
    }

    /// Notes a slice.
    @inline(__always)
    mutating func append(_ slice: UnsafeRawBufferPointer) {
        slices[count & 1023] = slice
        count &+= 1
        byteCount &+= slice.count
    }
}
