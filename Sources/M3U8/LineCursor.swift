internal import ByteScan
internal import CByteScan

/// Walks the lines of a view 64 bytes at a time.
struct LineCursor {
    /// A whole line, or the beginning of one.
    struct Line {
        /// Where the line starts.
        let start: Int
        /// Where its LF is, or the view's count where it has none.
        let end: Int
        /// Whether a quote is still open at its end.
        let endsInsideQuotes: Bool
        /// False where the line certainly lacks the probe.
        let mayHoldProbe: Bool
    }

    let view: ByteView
    /// The start of the block that `lineEnds` is about.
    private var base: Int
    /// The block's line ends that have not been passed yet, bit n for the byte at `base` + n.
    private var lineEnds: UInt64 = 0

    /// A cursor somewhere inside a line.
    @inline(__always)
    init(_ view: ByteView, from start: Int) {
        self.view = view
        base = start &- ByteView.blockSize
    }

    /// The offset of the next LF, or nil.
    @inline(__always)
    mutating func nextLineEnd() -> Int? {
        skipToLineEnd()
        return lineEnds == 0 ? nil : passLineEnd() &- 1
    }

    /// The start of the next line, or the view's count.
    @inline(__always)
    mutating func nextLine() -> Int {
        skipToLineEnd()
        return lineEnds == 0 ? view.count : passLineEnd()
    }

    /// The start of the next line that begins with `#`, or the view's count.
    ///
    /// With `onlyExtX`, of the next line that has a hyphen where `#EXT-X-` has its first, so far as the view tells.
    @inline(__always)
    mutating func nextTag(onlyExtX: Bool) -> Int {
        while true {
            if onlyExtX { skipToExtX() } else { skipToLineEnd() }
            if lineEnds == 0 { return view.count }
            let start = passLineEnd()
            if start >= view.count || view[start] == ASCII.hash { return start }
        }
    }

    @inline(__always)
    private mutating func passLineEnd() -> Int {
        let start = base &+ lineEnds.trailingZeroBitCount &+ 1
        lineEnds &= lineEnds &- 1
        return start
    }

    @inline(__always)
    private mutating func skipToLineEnd() {
        if lineEnds == 0 { take(view.firstBlock(with: ASCII.lineFeed, from: base &+ ByteView.blockSize)) }
    }

    /// A line end with the first hyphen of `#EXT-X-` behind it.
    private static var extX: BytePair {
        BytePair(first: ASCII.lineFeed, second: ASCII.hyphen, distance: 5)
    }

    @inline(__always)
    private mutating func skipToExtX() {
        if lineEnds == 0 { take(view.firstBlock(with: Self.extX, from: base &+ ByteView.blockSize)) }
    }

    /// Goes to the block that was found; where none was, through the last bytes of the view by their line ends.
    @inline(__always)
    private mutating func take(_ match: BlockMatch) {
        base = match.start
        lineEnds = match.bits
        if lineEnds == 0 { skipToLastLineEnds() }
    }

    @inline(never)
    private mutating func skipToLastLineEnds() {
        while base < view.count {
            lineEnds = view.block(at: base).equal(to: ASCII.lineFeed).bits
            if lineEnds != 0 { return }
            base &+= ByteView.blockSize
        }
    }

    /// The line that starts at `start`, with what there is to know before it is edited. The cursor then stands behind it.
    @inline(__always)
    mutating func selectLine(from start: Int, probe: BytePair) -> Line {
        let match = view.firstLineEnd(from: start, probing: probe)
        guard match.bits != 0 else { return selectLastLine(from: start, match, probe) }
        base = match.start
        lineEnds = match.bits & (match.bits &- 1)
        return Line(
            start: start, end: match.start &+ match.bits.trailingZeroBitCount, endsInsideQuotes: match.hasOddQuotes,
            mayHoldProbe: match.hasPair)
    }

    /// Goes on with a line that reaches into the last bytes of the view.
    @inline(never)
    private mutating func selectLastLine(from start: Int, _ match: LineMatch, _ probe: BytePair) -> Line {
        var isInsideQuotes = match.hasOddQuotes
        var mayHoldProbe = match.hasPair
        base = match.start
        while base < view.count {
            let block = view.block(at: base)
            let ends = block.equal(to: ASCII.lineFeed).bits
            let beforeEnd = (ends & (0 &- ends)) &- 1
            if isOddCount(block.equal(to: ASCII.quote).bits & beforeEnd) { isInsideQuotes.toggle() }
            if probe.matches(in: view, at: base).isAnySet { mayHoldProbe = true }
            if ends != 0 {
                lineEnds = ends & (ends &- 1)
                return Line(
                    start: start, end: base &+ ends.trailingZeroBitCount, endsInsideQuotes: isInsideQuotes,
                    mayHoldProbe: mayHoldProbe)
            }
            base &+= ByteView.blockSize
        }
        lineEnds = 0
        return Line(start: start, end: view.count, endsInsideQuotes: isInsideQuotes, mayHoldProbe: mayHoldProbe)
    }
}
