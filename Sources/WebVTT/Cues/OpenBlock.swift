import ByteScan

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

    mutating func moveAfterLineFeed() {
        if start == 0 { start = 1 }
    }
}
