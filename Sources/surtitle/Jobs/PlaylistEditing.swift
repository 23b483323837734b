internal import ByteScan
internal import M3U8
internal import Sideload

/// The editing of a playlist, and what there is to say about it afterwards.
struct PlaylistEditing: ~Copyable {
    private(set) var pipeline: PlaylistPipeline
    private let unmet: UnmetEdits
    private var output = OutputPieces()
    private(set) var decidingLine = DecidingLine()
    private var lines = PlaylistTrace()
    private let trace: EditTrace?
    private let isFiltering: Bool
    private let isMapping: Bool

    /// The editing of one playlist by `recipe`, whose edits are called as in `named`. If there is a `trace`, it notes
    /// each candidate line.
    init(
        _ recipe: PlaylistRecipe, _ limits: PipelineLimits, named: [EditRequest.NamedEdit] = [], trace: EditTrace? = nil
    ) {
        self.trace = trace
        pipeline = PlaylistPipeline(recipe, limits: limits)
        unmet = UnmetEdits(named, comparing: recipe.condition?.attributeNames ?? [])
        isFiltering = recipe.condition != nil
        isMapping = recipe.mapping != nil
    }

    /// Edits the next chunk. Without a `writer` it is only found out what there is to say.
    mutating func write(_ bytes: UnsafeRawBufferPointer, to writer: ByteWriter?) {
        if let trace {
            unsafe note(bytes, in: trace, to: writer)
        } else {
            // Past a limit the bytes pass through under either policy, and the report tells.
            if unmet.isEmpty {
                try? unsafe pipeline.write(bytes, into: &output)
            } else {
                try? unsafe pipeline.write(bytes, deciding: { [unmet] line, _ in unmet.note(line) }, into: &output)
            }
            if let writer { for piece in output { writer.write(unsafe ByteView(piece.bytes(in: bytes))) } }
        }
        unsafe decidingLine.note(ByteView(bytes), decidedAt: pipeline.report.verdictPosition)
    }

    /// Ends the playlist.
    mutating func finish(to writer: ByteWriter?) {
        if let trace {
            unsafe note(nil, in: trace, to: writer)
            trace.finish()
        } else {
            pipeline.finish(deciding: { [unmet] line, _ in unmet.note(line) }, into: &output)
            if let writer { for case .own(let bytes) in output { writer.write(unsafe ByteView(bytes)) } }
        }
        decidingLine.note(ByteView(), decidedAt: pipeline.report.verdictPosition)
    }

    /// Edits the next chunk, or ends the playlist, and notes each candidate line in `trace`.
    private mutating func note(_ bytes: UnsafeRawBufferPointer?, in trace: EditTrace, to writer: ByteWriter?) {
        let entries = unsafe pipeline.write(
            bytes, tracedBy: &lines, deciding: { [unmet] line, _ in unmet.note(line) }
        ) { writer?.write($0.view) }
        entries.forEach(trace.note)
    }

    /// Throws why the playlist called `name`, or a line of it, could not be edited. `ending` says what became of what
    /// is no playlist. What may surprise is noted.
    func complain(about name: String, ending: String) throws(Failure) {
        let report = pipeline.report
        if decidingLine.lineCount == 0 { throw .refused(name, "at byte 0: the file is empty; give a playlist") }
        if report.verdict == .notPlaylist {
            throw .refused(
                name,
                "at byte 0: the first line is not #EXTM3U, so this is no playlist; give one; \(ending)")
        }
        if let limit = report.exceededLimit {
            throw .refused(name, "\(limit); from there on nothing is edited; make it shorter")
        }
        if isFiltering, report.keptVariants == 0, report.droppedVariants > 0 {
            throw .refused(name, "none of its \(report.droppedVariants) variants meets --keep-variants; ask for less")
        }
        if let position = report.firstUneditableLine {
            throw .refused(
                name,
                "at byte \(position): a line is left as it is (\(report.uneditableLines) in all), because a quote is left open there or "
                    + "the tag has no attributes; repair the line")
        }
        note(report, about: name)
    }

    /// Notes what has been done otherwise than one might think, or not at all.
    private func note(_ report: PlaylistReport, about name: String) {
        if report.verdict == .mixed {
            Console.note(
                "\(name): \(decidingLine.description) is for another kind of playlist than the tags before it; both parts "
                    + "were edited; make two playlists of it")
        }
        for option in unmet.options { Console.note("\(name): \(option) met no line") }
        if isFiltering, report.keptVariants > 0, !unmet.attributes.isEmpty {
            let names = unmet.attributes.map { String(decoding: $0, as: UTF8.self) }
            Console.note(
                "\(name): no variant has \(names.joined(separator: " or ")), by which --keep-variants compares; see what they have "
                    + "with surtitle inspect")
        }
        if isFiltering, report.keptVariants == 0 { Console.note("\(name): --keep-variants met no variant") }
        guard isMapping else { return }
        if let first = report.firstUnresolvedURI {
            Console.note(
                "\(name): at byte \(first): a URI is left as it is (\(report.unresolvedURIs) in all), because it refers to a "
                    + "variable to which no EXT-X-DEFINE before it gives a value")
        } else if report.mappedURIs == 0 {
            Console.note(
                "\(name): no URI was changed: none is of a role and a scheme that is asked for, or all are so already")
        }
    }
}
