internal import ByteScan
internal import M3U8

/// The editing of a playlist, and what there is to say about it afterwards.
struct PlaylistEditing: ~Copyable {
    private var rewriter: PlaylistRewriter
    private var decisions: Decisions
    private var decidingLine = DecidingLine()
    private var lines = PlaylistTrace()
    private let trace: EditTrace?

    /// What is decided line by line.
    private struct Decisions: ~Copyable {
        var mapper: URIMapper?
        var filter: VariantFilter?

        private mutating func decide(_ line: SelectedLine, _ edits: inout LineEdits) {
            mapper?.map(line, &edits)
            filter?.filter(line, &edits)
        }

        // Here, and not in PlaylistEditing, because a closure can capture the decisions alone while the rewriter is used.

        mutating func write(
            _ bytes: UnsafeRawBufferPointer, to rewriter: inout PlaylistRewriter, _ sink: PlaylistRewriter.Sink
        ) {
            // Under the default policy nothing is thrown: past a limit the bytes pass through, and the rewriter remembers.
            try? unsafe rewriter.write(bytes, deciding: { line, edits in decide(line, &edits) }, sink)
        }

        mutating func finish(_ rewriter: inout PlaylistRewriter, _ sink: PlaylistRewriter.Sink) {
            rewriter.finish(deciding: { line, edits in decide(line, &edits) }, sink)
        }

        mutating func write(
            _ bytes: UnsafeRawBufferPointer, to rewriter: inout PlaylistRewriter, tracedBy lines: inout PlaylistTrace,
            _ sink: PlaylistRewriter.Sink
        ) -> [TraceEntry] {
            unsafe lines.write(bytes, to: &rewriter, deciding: { line, edits in decide(line, &edits) }, sink)
        }

        mutating func finish(
            _ rewriter: inout PlaylistRewriter, tracedBy lines: inout PlaylistTrace, _ sink: PlaylistRewriter.Sink
        ) -> [TraceEntry] {
            lines.finish(&rewriter, deciding: { line, edits in decide(line, &edits) }, sink)
        }
    }

    /// The editing of one playlist as `request` says. If there is a `trace`, it notes each candidate line.
    init(_ request: EditRequest.Compiled, trace: EditTrace?) {
        self.trace = trace
        rewriter = PlaylistRewriter(request.edits)
        decisions = Decisions(
            mapper: request.mapping.map { URIMapper($0) }, filter: request.expression.map { VariantFilter($0) })
    }

    /// Edits the next chunk.
    mutating func write(_ bytes: UnsafeRawBufferPointer, to output: ByteWriter) {
        let sink = { (slice: OutputSlice) in output.write(slice.view) }
        if let trace {
            unsafe decisions.write(bytes, to: &rewriter, tracedBy: &lines, sink).forEach(trace.note)
        } else {
            unsafe decisions.write(bytes, to: &rewriter, sink)
        }
        unsafe decidingLine.note(ByteView(bytes), decidedAt: rewriter.verdictPosition)
    }

    /// Ends the playlist.
    mutating func finish(to output: ByteWriter) {
        let sink = { (slice: OutputSlice) in output.write(slice.view) }
        if let trace {
            decisions.finish(&rewriter, tracedBy: &lines, sink).forEach(trace.note)
            trace.finish()
        } else {
            decisions.finish(&rewriter, sink)
        }
        decidingLine.note(ByteView(), decidedAt: rewriter.verdictPosition)
    }

    /// Throws why the playlist called `name` could not be edited, or warns of lines that were left as they are.
    func complain(about name: String) throws(Failure) {
        if rewriter.position == 0 { throw .refused(name, "at byte 0: the file is empty; give a playlist") }
        if rewriter.verdict == .notPlaylist {
            throw .refused(
                name,
                "at byte 0: the first line is not #EXTM3U, so this is no playlist; give one; the bytes were passed on "
                    + "unchanged")
        }
        if let limit = rewriter.exceededLimit {
            throw .refused(name, "\(limit); from there on nothing is edited; make it shorter")
        }
        if let filter = decisions.filter, filter.keptVariants == 0, filter.droppedVariants > 0 {
            throw .refused(name, "none of its \(filter.droppedVariants) variants meets --keep-variants; ask for less")
        }
        let uneditable = rewriter.uneditableLines + (decisions.filter?.unreadableLines ?? 0)
        let positions = [rewriter.firstUneditableLine, decisions.filter?.firstUnreadableLine].compactMap { $0 }
        if let position = positions.min() {
            Console.complain(
                "\(name): at byte \(position): a line is left as it is (\(uneditable) in all), because a quote is left "
                    + "open there or the tag has no attributes; repair the line")
        } else if rewriter.verdict == .mixed {
            Console.complain(
                "\(name): \(decidingLine.description) is for another kind of playlist than the tags before it; make two "
                    + "playlists of it")
        }
    }
}
