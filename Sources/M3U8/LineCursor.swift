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
        guard lineEnds == 0 else { return }
        let lastFull = view.count &- ByteView.blockSize
        while base &+ ByteView.blockSize <= lastFull {
            base &+= ByteView.blockSize
            let ends = unsafe view.uncheckedBlock(at: base).equal(to: ASCII.lineFeed)
            if ends.isAnySet {
                lineEnds = ends.bits
                return
            }
        }
        skipToLastLineEnds()
    }

    /// A line end with the first hyphen of `#EXT-X-` behind it.
    private static var extX: BytePair { BytePair(ASCII.lineFeed, ASCII.hyphen, distance: 5) }

    @inline(__always)
    private mutating func skipToExtX() {
        guard lineEnds == 0 else { return }
        let lastFull = view.count &- ByteView.blockSize &- Self.extX.distance
        while base &+ ByteView.blockSize <= lastFull {
            base &+= ByteView.blockSize
            let heads = unsafe Self.extX.matches(view.uncheckedBlock(at: base), in: view, at: base)
            if heads.isAnySet {
                lineEnds = heads.bits
                return
            }
        }
        skipToLastLineEnds()
    }

    /// The same by line ends alone, for the last bytes of the view.
    @inline(never)
    private mutating func skipToLastLineEnds() {
        while lineEnds == 0, base &+ ByteView.blockSize < view.count {
            base &+= ByteView.blockSize
            lineEnds = view.block(at: base).equal(to: ASCII.lineFeed).bits
        }
    }

    /// The line that starts at `start`, with what there is to know before it is edited. The cursor then stands behind it.
    @inline(__always)
    mutating func selectLine(from start: Int, probe: BytePair) -> Line {
        var quotes = ByteLane.empty
        var probed = ByteLane.empty
        base = start
        let lastFull = view.count &- ByteView.blockSize &- probe.distance
        while base <= lastFull {
            let block = unsafe view.uncheckedBlock(at: base)
            let ends = block.equal(to: ASCII.lineFeed)
            let blockQuotes = block.equal(to: ASCII.quote)
            probed = unsafe probed.or(probe.matches(block, in: view, at: base).foldedAny)
            if ends.isAnySet { return endLine(start, ends.bits, blockQuotes.bits, quotes, probed) }
            quotes = quotes.xor(blockQuotes.foldedOdd)
            base &+= ByteView.blockSize
        }
        return selectLastLine(start, quotes, probed, probe)
    }

    /// Goes on with a line that reaches into the last bytes of the view.
    @inline(never)
    private mutating func selectLastLine(
        _ start: Int, _ quotes: ByteLane, _ probed: ByteLane, _ probe: BytePair
    ) -> Line {
        var quotes = quotes
        var probed = probed
        while base < view.count {
            let block = view.block(at: base)
            let ends = block.equal(to: ASCII.lineFeed)
            let blockQuotes = block.equal(to: ASCII.quote)
            probed = probed.or(probe.matchesAtEnd(of: view, at: base).foldedAny)
            if ends.isAnySet { return endLine(start, ends.bits, blockQuotes.bits, quotes, probed) }
            quotes = quotes.xor(blockQuotes.foldedOdd)
            base &+= ByteView.blockSize
        }
        lineEnds = 0
        return Line(
            start: start, end: view.count, endsInsideQuotes: isOddCount(quotes.bits), mayHoldProbe: probed.isAnySet)
    }

    /// The line that ends at the first of `ends` in the block at `base`.
    @inline(__always)
    private mutating func endLine(
        _ start: Int, _ ends: UInt64, _ blockQuotes: UInt64, _ quotes: ByteLane, _ probed: ByteLane
    ) -> Line {
        let beforeEnd = (ends & (0 &- ends)) &- 1
        lineEnds = ends & (ends &- 1)
        return Line(
            start: start, end: base &+ ends.trailingZeroBitCount,
            endsInsideQuotes: isOddCount((blockQuotes & beforeEnd) ^ quotes.bits), mayHoldProbe: probed.isAnySet)
    }
}
