internal import ByteScan
internal import CByteScan

/// Where a selected line starts and ends, and what there is to know of it before it is edited.
struct LineBounds {
    /// What the line was selected as.
    let selection: Document.Selection
    /// Where the line starts.
    let start: Int
    /// Where its LF is, or the view's count if it has none: a last line that is carried.
    let end: Int
    /// Whether a quote is still open at its end.
    let endsInsideQuotes: Bool
    /// False if the line certainly lacks the prefilter's pair, and so the attribute that it stands for.
    let mayContainAttribute: Bool

    /// The bounds of the line of `view` that starts at `start`; nil if it does not end there.
    @inline(__always)
    init?(_ view: ByteView, from start: Int, as selection: Document.Selection, prefilter: BytePair) {
        var line = view.measureLine(from: start, lookingFor: prefilter)
        if line.ends == 0 {
            guard let whole = Self.measureTail(view, line, prefilter) else { return nil }
            line = whole
        }
        self.init(line, from: start, as: selection, end: line.offset &+ line.ends.trailingZeroBitCount)
    }

    /// The bounds of the line that is carried, whether it has its line feed or ends without one.
    init(carried: inout ReusableBuffer<UInt8>, as selection: Document.Selection, prefilter: BytePair) {
        let line = carried.measureLine(lookingFor: prefilter)
        let end = line.ends == 0 ? carried.count : line.offset &+ line.ends.trailingZeroBitCount
        self.init(line, from: 0, as: selection, end: end)
    }

    @inline(__always)
    private init(_ line: MeasuredLine, from start: Int, as selection: Document.Selection, end: Int) {
        self.selection = selection
        self.start = start
        self.end = end
        endsInsideQuotes = line.hasOddQuotes
        mayContainAttribute = line.mayContain
    }

    /// Measures what is left of a line that reaches into the last bytes of the view; nil if it does not end there.
    @inline(never)
    private static func measureTail(_ view: ByteView, _ line: MeasuredLine, _ prefilter: BytePair) -> MeasuredLine? {
        guard view.firstOffset(of: ASCII.lineFeed, from: line.offset) != nil else { return nil }
        var tail = view.measureTail(from: line.offset, lookingFor: prefilter)
        tail.hasOddQuotes = tail.hasOddQuotes != line.hasOddQuotes
        tail.mayContain = tail.mayContain || line.mayContain
        return tail
    }
}
