internal import ByteScan
internal import CByteScan

/// Where a line ends, and what there is to know of it before it is edited.
struct LineExtent {
    /// Where the line starts.
    let start: Int
    /// Where its LF is, or the view's count where it has none.
    let end: Int
    /// Whether a quote is still open at its end.
    let endsInsideQuotes: Bool
    /// False where the line certainly lacks the probe.
    let mayHoldProbe: Bool

    /// The extent of the line of `view` that starts at `start`.
    @inline(__always)
    init(_ view: ByteView, from start: Int, probing probe: BytePair) {
        let match = view.measureLine(from: start, probing: probe)
        self.start = start
        if match.ends != 0 {
            end = match.offset &+ match.ends.trailingZeroBitCount
            endsInsideQuotes = match.hasOddQuotes
            mayHoldProbe = match.mayHoldProbe
        } else {
            (end, endsInsideQuotes, mayHoldProbe) = Self.goOn(view, match, probe)
        }
    }

    /// Goes on with a line that reaches into the last bytes of the view.
    @inline(never)
    private static func goOn(_ view: ByteView, _ match: LineMatch, _ probe: BytePair) -> (Int, Bool, Bool) {
        let end = view.firstOffset(of: ASCII.lineFeed, from: match.offset) ?? view.count
        var isInsideQuotes = match.hasOddQuotes
        var mayHoldProbe = match.mayHoldProbe
        for offset in stride(from: match.offset, to: end, by: ByteView.blockSize) {
            let quotes = view.prefix(upTo: end).block(at: offset).equal(to: ASCII.quote)
            if isOddCount(quotes.bits) { isInsideQuotes.toggle() }
            if probe.matches(in: view, at: offset).isAnySet { mayHoldProbe = true }
        }
        return (end, isInsideQuotes, mayHoldProbe)
    }
}
