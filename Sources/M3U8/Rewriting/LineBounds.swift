internal import ByteScan
internal import CByteScan

/// Where a selected line starts and ends, and what there is to know of it before it is edited.
struct LineBounds {
    /// What the line was selected as.
    let selection: Document.Selection
    /// Where the line starts.
    let start: Int
    /// Where its LF is, or the view's count if it has none.
    let end: Int
    /// Whether a quote is still open at its end.
    let endsInsideQuotes: Bool
    /// False if the line certainly lacks the prefilter's pair, and so the attribute that it stands for.
    let mayContainAttribute: Bool

    /// The bounds of the line of `view` that starts at `start`.
    @inline(__always)
    init(_ view: ByteView, from start: Int, as selection: Document.Selection, prefilter: BytePair) {
        let match = view.measureLine(from: start, lookingFor: prefilter)
        self.selection = selection
        self.start = start
        if match.ends != 0 {
            end = match.offset &+ match.ends.trailingZeroBitCount
            endsInsideQuotes = match.hasOddQuotes
            mayContainAttribute = match.mayContain
        } else {
            (end, endsInsideQuotes, mayContainAttribute) = Self.measureTail(view, match, prefilter)
        }
    }

    /// Measures what is left of a line that reaches into the last bytes of the view.
    @inline(never)
    private static func measureTail(
        _ view: ByteView, _ match: MeasuredLine, _ prefilter: BytePair
    ) -> (end: Int, endsInsideQuotes: Bool, mayContainAttribute: Bool) {
        let end = view.firstOffset(of: ASCII.lineFeed, from: match.offset) ?? view.count
        var isInsideQuotes = match.hasOddQuotes
        var mayContainAttribute = match.mayContain
        for offset in stride(from: match.offset, to: end, by: ByteView.blockSize) {
            let quotes = view.prefix(upTo: end).block(at: offset).equal(to: ASCII.quote)
            if isOddCount(quotes.bits) { isInsideQuotes.toggle() }
            if prefilter.matches(in: view, at: offset).isAnySet { mayContainAttribute = true }
        }
        return (end, isInsideQuotes, mayContainAttribute)
    }
}
