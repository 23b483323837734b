/// Collects a rewriter's output, and finds fault with slices that break their promises.
///
/// Slices of the chunk lie inside it, in order and without overlap, and are as long as they can be: two that touch would
/// have been one. Slices of the library's own lie elsewhere. None is empty.
public struct SliceLog {
    /// The output so far.
    public private(set) var bytes: [UInt8] = []
    /// What was wrong, in words.
    public private(set) var faults: [String] = []
    /// How many slices there were of the chunks.
    public private(set) var chunkSlices = 0
    /// How many slices there were of the library's own.
    public private(set) var librarySlices = 0

    private var chunk = UnsafeRawBufferPointer(start: nil, count: 0)
    private var end = 0
    private var lastWasChunk = false

    /// An empty log.
    public init() {}

    /// Says which chunk is being written; at the end of the text there is none.
    public mutating func begin(_ chunk: UnsafeRawBufferPointer) {
        self.chunk = chunk
        end = 0
        lastWasChunk = false
    }

    /// Takes a slice and, where it is said to be of the chunk, its place there.
    public mutating func take(_ slice: UnsafeRawBufferPointer, chunkRange: Range<Int>?) {
        if slice.isEmpty { faults.append("an empty slice") }
        if let range = chunkRange {
            chunkSlices += 1
            if range.lowerBound < end { faults.append("\(range) overlaps what ended at \(end)") }
            if range.lowerBound == end, lastWasChunk { faults.append("\(range) could have been one with the last") }
            if range.upperBound > chunk.count {
                faults.append("\(range) is outside the chunk of \(chunk.count)")
            } else if chunk.baseAddress.map({ $0 + range.lowerBound }) != slice.baseAddress
                || range.count != slice.count
            {
                faults.append("\(range) is not where the slice is")
            }
            end = range.upperBound
        } else {
            librarySlices += 1
            if let base = chunk.baseAddress, let start = slice.baseAddress, start >= base, start < base + chunk.count {
                faults.append("a slice of the chunk is said to be the library's")
            }
        }
        lastWasChunk = chunkRange != nil
        bytes += slice
    }
}
