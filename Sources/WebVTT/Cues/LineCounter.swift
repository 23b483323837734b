import ByteScan
import CByteScan

/// Counts line terminators, for the numbers of lines that are asked for now and then.
struct LineCounter {
    /// How many terminators come before ``end``.
    var count = 0

    /// Up to where terminators are counted.
    private(set) var end = 0

    /// Counts `lineCount` terminators more, those before `end`.
    @inline(__always)
    mutating func advance(to end: Int, by lineCount: Int) {
        count &+= lineCount
        self.end = end
    }

    mutating func shift(by count: Int) { end &-= count }

    /// Returns the number of the line that begins at `start`, which is in `chunk`; a file's first line has number 1.
    ///
    /// - Parameter lastByte: The byte before the chunk.
    /// - Complexity: O(*n*) in the bytes between `start` and ``end``.
    func lineNumber(at start: Int, in chunk: ByteView, after lastByte: UInt8) -> Int {
        guard start > end else { return count &+ 1 &- chunk.lineCount(in: start..<end) }
        let previous = end > 0 ? chunk[end &- 1] : lastByte
        // The terminator that a CR begins has been counted.
        let isPair = previous == ASCII.carriageReturn && chunk[end] == ASCII.lineFeed
        return count &+ 1 &+ chunk.lineCount(in: min(end &+ (isPair ? 1 : 0), start)..<start)
    }
}
