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
        while lineEnds == 0 {
            base &+= ByteView.blockSize
            if base >= view.count { return }
            lineEnds = view.block(at: base).equal(to: ASCII.lineFeed).bits
        }
    }

    private static var hyphenBehindLineEnd: Int { 5 }

    @inline(__always)
    private mutating func skipToExtX() {
        while lineEnds == 0 {
            base &+= ByteView.blockSize
            if base >= view.count { return }
            var ends = view.block(at: base).equal(to: ASCII.lineFeed)
            let hyphens = base &+ Self.hyphenBehindLineEnd
            if hyphens &+ ByteView.blockSize <= view.count {
                ends = ends.and(view.block(at: hyphens).equal(to: ASCII.hyphen))
                if !ends.isAnySet { continue }
            }
            lineEnds = ends.bits
        }
    }

    /// The line that starts at `start`, with what there is to know before it is edited. The cursor then stands behind it.
    @inline(__always)
    mutating func selectLine(from start: Int, probe: Needle?) -> Line {
        var quotes = ByteLane.empty
        var probed = ByteLane.empty
        base = start
        while base < view.count {
            let block = view.block(at: base)
            let ends = block.equal(to: ASCII.lineFeed)
            let blockQuotes = block.equal(to: ASCII.quote)
            if let probe { probed = probed.or(probe.pair(block, in: view, at: base).foldedAny) }
            if ends.isAnySet {
                let bits = ends.bits
                let end = bits & (0 &- bits)
                lineEnds = bits & (bits &- 1)
                let odd = (blockQuotes.bits & (end &- 1)) ^ quotes.bits
                return Line(
                    start: start, end: base &+ bits.trailingZeroBitCount, endsInsideQuotes: isOddCount(odd),
                    mayHoldProbe: probe == nil || probed.isAnySet)
            }
            quotes = quotes.xor(blockQuotes.foldedOdd)
            base &+= ByteView.blockSize
        }
        lineEnds = 0
        return Line(
            start: start, end: view.count, endsInsideQuotes: isOddCount(quotes.bits),
            mayHoldProbe: probe == nil || probed.isAnySet)
    }
}
