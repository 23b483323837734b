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
        var drops = VariantDrops()
        var unmet: UnmetEdits

        /// What drops lines comes first: nothing is mapped on a line that goes.
        private mutating func decide(_ line: SelectedLine, _ edits: inout LineEdits) {
            unmet.note(line)
            filter?.filter(line, &edits)
            drops.follow(line, &edits)
            mapper?.map(line, &edits)
        }

        // Here, and not in PlaylistEditing, because a closure can capture the decisions alone while the rewriter is used.

        mutating func write(
            _ bytes: UnsafeRawBufferPointer, to rewriter: inout PlaylistRewriter, _ sink: PlaylistRewriter.Sink
        ) {
            // Past a limit the bytes pass through under either policy, and the rewriter remembers.
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
        rewriter = PlaylistRewriter(request.edits, limits: request.lineLimits)
        decisions = Decisions(
            mapper: request.mapping.map { URIMapper($0, limits: request.uriLimits) },
            filter: request.expression.map { VariantFilter($0) },
            unmet: UnmetEdits(request.named))
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

    /// Throws why the playlist called `name`, or a line of it, could not be edited. `ending` says what became of what is no playlist. What may
    /// surprise is noted.
    func complain(about name: String, ending: String) throws(Failure) {
        if rewriter.position == 0 { throw .refused(name, "at byte 0: the file is empty; give a playlist") }
        if rewriter.verdict == .notPlaylist {
            throw .refused(
                name,
                "at byte 0: the first line is not #EXTM3U, so this is no playlist; give one; \(ending)")
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
            throw .refused(
                name,
                "at byte \(position): a line is left as it is (\(uneditable) in all), because a quote is left open there or "
                    + "the tag has no attributes; repair the line")
        }
        note(about: name)
    }

    /// Notes what has been done otherwise than one might think, or not at all.
    private func note(about name: String) {
        if rewriter.verdict == .mixed {
            Console.note(
                "\(name): \(decidingLine.description) is for another kind of playlist than the tags before it; both parts "
                    + "were edited; make two playlists of it")
        }
        for option in decisions.unmet.options { Console.note("\(name): \(option) met no line") }
        if let filter = decisions.filter, filter.keptVariants == 0 {
            Console.note("\(name): --keep-variants met no variant")
        }
        switch decisions.mapper {
        case .some(let mapper): Self.note(about: name, mapper)
        case .none: return
        }
    }

    private static func note(about name: String, _ mapper: borrowing URIMapper) {
        if let first = mapper.firstUnresolvedURI {
            Console.note(
                "\(name): at byte \(first): a URI is left as it is (\(mapper.unresolvedURIs) in all), because it refers to a "
                    + "variable to which no EXT-X-DEFINE before it gives a value")
        } else if mapper.mappedURIs == 0 {
            Console.note(
                "\(name): no URI was changed: none is of a role and a scheme that is asked for, or all are so already")
        }
    }
}
