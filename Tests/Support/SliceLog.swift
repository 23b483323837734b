import ByteScan

/// Collects a rewriter's output, and reports slices that are not as promised.
///
/// Slices of the chunk lie inside it, in order and without overlap, and no two of them touch. Slices of the library's
/// own memory lie outside. None is empty.
public struct SliceLog {
    /// The output so far.
    public private(set) var bytes: [UInt8] = []
    /// What was wrong, in words.
    public private(set) var faults: [String] = []
    /// How many slices there were of the chunks.
    public private(set) var chunkSlices = 0

    private var chunk = UnsafeRawBufferPointer(start: nil, count: 0)
    private var end = 0
    private var lastWasChunk = false

    /// An empty log.
    public init() {}

    /// Writes `text` cut as `split` by `write`, each chunk next to a page that cannot be read, and then calls `finish`.
    ///
    /// Returns the error that was thrown, which may not happen twice.
    @discardableResult
    public mutating func collect<Failure: Error>(
        _ text: [UInt8], _ split: [Range<Int>], in window: GuardedWindow, isLeading: Bool,
        write: (UnsafeRawBufferPointer, (OutputSlice) -> Void) throws(Failure) -> Void,
        finish: ((OutputSlice) -> Void) -> Void
    ) -> Failure? {
        var failure: Failure?
        for range in split {
            window.with(text[range], isLeading: isLeading) { chunk in
                begin(chunk)
                do throws(Failure) {
                    try write(chunk) { record($0) }
                } catch {
                    if failure != nil { faults.append("thrown twice") }
                    failure = error
                }
            }
        }
        begin(UnsafeRawBufferPointer(start: nil, count: 0))
        finish { record($0) }
        return failure
    }

    /// Says which chunk is being written; at the end of the text there is none.
    private mutating func begin(_ chunk: UnsafeRawBufferPointer) {
        self.chunk = chunk
        end = 0
        lastWasChunk = false
    }

    private mutating func record(_ output: OutputSlice) {
        let slice = output.bytes
        if slice.isEmpty { faults.append("an empty slice") }
        switch output.source {
        case .chunk(let range):
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
            lastWasChunk = true
        case .library:
            if let base = chunk.baseAddress, let start = slice.baseAddress, start >= base, start < base + chunk.count {
                faults.append("a slice of the chunk is said to be the library's")
            }
            lastWasChunk = false
        }
        bytes += slice
    }
}
