internal import ByteScan
internal import CByteScan

/// Finds lines in a view, 64 bytes at a time. It remembers nothing: every search says where it starts.
struct LineCursor {
    /// A whole line, or the beginning of one, and where to go on.
    struct Line {
        /// Where the line starts.
        let start: Int
        /// Where its LF is, or the view's count where it has none.
        let end: Int
        /// Whether a quote is still open at its end.
        let endsInsideQuotes: Bool
        /// False where the line certainly lacks the probe.
        let mayHoldProbe: Bool
        /// The start of the next line of interest, or the view's count.
        let next: Int
    }

    /// A line end before any line.
    static var everyLine: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.lineFeed, distance: 0) }
    /// A line end before a tag or a comment.
    static var tags: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.hash, distance: 1) }
    /// A line end with the first hyphen of `#EXT-X-` behind it.
    static var extXTags: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.hyphen, distance: 5) }

    let view: ByteView

    init(_ view: ByteView) { self.view = view }

    /// The start of the next line of interest whose predecessor ends at or after `offset`, or the view's count.
    ///
    /// Near the end of the view every line is one of interest.
    @inline(__always)
    func nextLine(from offset: Int, stoppingAt stop: BytePair) -> Int {
        let match = view.firstBlock(with: stop, from: offset)
        if match.bits != 0 { return match.start &+ match.bits.trailingZeroBitCount &+ 1 }
        return nextLineNearEnd(from: match.start)
    }

    @inline(never)
    private func nextLineNearEnd(from offset: Int) -> Int {
        view.firstOffset(of: ASCII.lineFeed, from: offset).map { $0 + 1 } ?? view.count
    }

    /// The line that starts at `start`, with what there is to know before it is edited.
    @inline(__always)
    func line(from start: Int, probing probe: BytePair, stoppingAt stop: BytePair) -> Line {
        let match = view.passLine(from: start, probing: probe, stoppingAt: stop)
        guard match.isComplete else { return lineNearEnd(from: start, match, probe) }
        return Line(
            start: start, end: match.end, endsInsideQuotes: match.hasOddQuotes, mayHoldProbe: match.hasProbe,
            next: match.next)
    }

    /// Goes on with a line that reaches, or whose successors reach, into the last bytes of the view.
    @inline(never)
    private func lineNearEnd(from start: Int, _ match: LineMatch, _ probe: BytePair) -> Line {
        var end = match.end
        var isInsideQuotes = match.hasOddQuotes
        var mayHoldProbe = match.hasProbe
        if !match.hasEnd {
            let rest = end
            end = view.firstOffset(of: ASCII.lineFeed, from: rest) ?? view.count
            for offset in stride(from: rest, to: end, by: ByteView.blockSize) {
                let quotes = view.prefix(upTo: end).block(at: offset).equal(to: ASCII.quote)
                if isOddCount(quotes.bits) { isInsideQuotes.toggle() }
                if probe.matches(in: view, at: offset).isAnySet { mayHoldProbe = true }
            }
        }
        let next = match.hasEnd ? nextLineNearEnd(from: match.next) : min(end + 1, view.count)
        return Line(
            start: start, end: end, endsInsideQuotes: isInsideQuotes, mayHoldProbe: mayHoldProbe, next: next)
    }
}
