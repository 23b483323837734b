import ByteScan
import CByteScan

/// The block that has not ended, or the blank lines before one.
///
/// Offsets here and in ``OpenLine`` and ``LineCounter`` count from the start of the chunk being scanned. What is of
/// earlier chunks is below 0, because all of them shift when a chunk has been scanned.
struct OpenBlock {
    /// What the block is, as far as the lines that have come tell.
    enum Content {
        /// The lines of metadata below the signature.
        case header
        /// Not known: no line had an arrow.
        case unknown
        /// A cue, after its timing line.
        case cue
        /// A block after a line that has an arrow and is no timing line.
        case malformed
        /// A block that began before the slice that is scanned. Who scans the slice before hands it out.
        case fromEarlierSlice
    }

    var content = Content.header

    /// Where the block begins.
    var start = 0

    /// What can no longer be looked up of a block that begins in an earlier chunk; of any other it says nothing.
    private var secondLineStart: Int?
    private(set) var lineNumber = 1

    /// Begins a block, or the blank lines before one.
    @inline(__always)
    mutating func begin(at start: Int) {
        content = .unknown
        self.start = start
    }

    /// Where the second line begins; nil if it does not begin in `chunk` or before.
    func startOfSecondLine(in chunk: ByteView) -> Int? {
        if start < 0, let secondLineStart { return secondLineStart }
        return chunk.firstLineEnd(from: max(start, 0)).map { chunk.offsetAfterLineEnd(at: $0) }
    }

    /// Remembers what can no longer be looked up when the chunk that the block begins in has gone: the number of its
    /// first line, and if that line has ended, where the second one begins.
    mutating func rememberFirstLine(number: Int, secondLineStart: Int?) {
        lineNumber = number
        self.secondLineStart = secondLineStart
    }

    /// Moves on to the next chunk, `count` bytes after this one's start.
    mutating func shift(by count: Int) {
        start &-= count
        secondLineStart = secondLineStart.map { $0 &- count }
    }

    /// Moves what begins with the chunk after the chunk's first byte, a line feed of the terminator before.
    mutating func moveAfterLineFeed() {
        if start == 0 { start = 1 }
        if secondLineStart == 0 { secondLineStart = 1 }
    }
}

/// The line that has not ended at the end of a chunk.
struct OpenLine {
    /// Where the line begins.
    var start = 0

    /// Whether it has an arrow, so that it is to be scanned once it is whole.
    var hasArrow = false

    mutating func shift(by count: Int) { start &-= count }

    mutating func moveAfterLineFeed() { if start == 0 { start = 1 } }
}

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
