internal import ByteScan
internal import M3U8

/// Edits the lines and URIs of one playlist after the other, as a configuration says.
struct PlaylistEditor: ~Copyable {
    private var rewriter: PlaylistRewriter
    private var decisions: Decisions

    /// What is decided line by line.
    private struct Decisions: ~Copyable {
        var mapper: URIMapper?
        var filter: VariantFilter?
        var drops = VariantDrops()

        /// What drops lines comes first: nothing is mapped on a line that goes.
        private mutating func decide(_ line: SelectedLine, _ edits: inout LineEdits) {
            filter?.filter(line, &edits)
            drops.follow(line, &edits)
            mapper?.map(line, &edits)
        }

        // Here, and not in PlaylistEditor, because a closure can capture the decisions alone while the rewriter is used.

        mutating func write(
            _ chunk: UnsafeRawBufferPointer, to rewriter: inout PlaylistRewriter, into output: inout OutputPieces
        ) throws(LimitError) {
            try unsafe rewriter.write(chunk, deciding: { line, edits in decide(line, &edits) }, into: &output)
        }

        mutating func finish(_ rewriter: inout PlaylistRewriter, into output: inout OutputPieces) {
            rewriter.finish(deciding: { line, edits in decide(line, &edits) }, into: &output)
        }

        mutating func reset() {
            mapper?.reset()
            filter?.reset()
            drops.reset()
        }
    }

    init(_ edits: ConfigurationHandle.Edits, limits: LineLimits) {
        rewriter = PlaylistRewriter(edits.edits, limits: limits)
        decisions = Decisions(
            mapper: edits.mapping.map { URIMapper($0, limits: edits.uriLimits) },
            filter: edits.condition.map { VariantFilter($0) })
    }

    mutating func write(_ chunk: UnsafeRawBufferPointer, into output: inout OutputPieces) throws(LimitError) {
        try unsafe decisions.write(chunk, to: &rewriter, into: &output)
    }

    mutating func finish(into output: inout OutputPieces) { decisions.finish(&rewriter, into: &output) }

    mutating func abandon(into output: inout OutputPieces) { rewriter.abandon(into: &output) }

    mutating func reset() {
        rewriter.reset()
        decisions.reset()
    }

    /// What there is to say of the playlist so far.
    var report: RewriterReport {
        var report = RewriterReport()
        report.verdict = rewriter.verdict
        report.verdictPosition = rewriter.verdictPosition
        report.heldBytes = rewriter.heldBytes
        report.isSettled = rewriter.isSettled
        report.noteUneditable(rewriter.uneditableLines, first: rewriter.firstUneditableLine)
        report.exceededLimit = rewriter.exceededLimit
        if let filter = decisions.filter {
            report.noteUneditable(filter.unreadableLines, first: filter.firstUnreadableLine)
            report.droppedVariants = filter.droppedVariants
        }
        switch decisions.mapper {
        case .some(let mapper): report.mappedURIs = mapper.mappedURIs
        case .none: break
        }
        return report
    }
}
