public import ByteScan
public import M3U8

// What a playlist goes through, in one pass: what is decided about a chunk goes on at once, and nothing is kept but
// unfinished lines.
//
//     recipe     path of a chunk
//     tracks     chunk ─▶ MasterRewriter ─▶ output
//     edits      chunk ─▶ PlaylistRewriter ─▶ output
//     both       chunk ─▶ PlaylistRewriter ─▶ blocks of 32 KiB ─▶ MasterRewriter ─▶ output
//
// The tracks see the playlist as it is once it has been edited: a variant that is dropped gets no group, and one that
// the edits take out of its group gets another. So the two cannot decide about a line together. Where a chunk ends
// never changes what a rewriter makes of a playlist, so the blocks change nothing either. If all that is edited is that
// lines are dropped which sideloading does not look at, the tracks' rewriter leaves them out, and there are no edits.

/// Edits a playlist, leaves variants out, maps its URIs and sideloads tracks, while its bytes pass by.
///
///     let recipe = try PlaylistRecipe(
///         edits: [.remove("EXT-X-STREAM-INF", name: Array("CLOSED-CAPTIONS".utf8))],
///         keeping: VariantExpression(Array("RESOLUTION<=720".utf8)),
///         mapping: URIMapping(base: Array("https://cdn.example.com/video/".utf8)), tracks: tracks)
///     var pipeline = PlaylistPipeline(recipe)                // one for each response; reset() and use again
///     var output = OutputPieces()
///     try pipeline.write(chunk, into: &output)               // any chunk, any number of times
///     for piece in output { connection.send(piece) }         // after the call, and before the next one
///     pipeline.finish(into: &output)                         // or abandon(into:), if the source has broken off
///     for piece in output { connection.send(piece) }
///
/// The output is what a `PlaylistRewriter` with a `VariantFilter` and a `URIMapper`, and then a
/// ``MasterRewriter``, would make of the playlist one after the other. Past a limit of the edits the tracks are
/// sideloaded all the same. What is told here of tracks alone holds too if all else is that lines are dropped, none of
/// EXT-X-STREAM-INF, EXT-X-MEDIA or EXT-X-DEFINE, and the limits of lines are those of the tracks.
public struct PlaylistPipeline: ~Copyable {
    /// Sees a selected line of the playlist, and decides what becomes of it before the recipe does.
    public typealias Handler = PlaylistRewriter.Handler

    private var editor: PlaylistRewriter?
    private var sideloader: MasterRewriter?
    private let decisions: LineDecisions

    /// Which of the two rewriters there are.
    private let hasEdits: Bool
    private let hasTracks: Bool

    /// What a call has made of the chunk before the tracks, and what it hands out slice by slice.
    private var edited = OutputPieces(mergingThreshold: .max)
    private var slices: OutputPieces?

    /// A pipeline for one playlist. Reset it to use it for another.
    public init(_ recipe: PlaylistRecipe, limits: PipelineLimits = PipelineLimits()) {
        let sideloading = limits.areAlike ? recipe.sideloading : nil
        let edits = sideloading == nil ? recipe.edits : nil
        editor = edits.map { PlaylistRewriter($0, limits: limits.lines) }
        sideloader = recipe.tracks.map {
            MasterRewriter($0, running: sideloading ?? .sideloading, limits: limits.tracks)
        }
        decisions = LineDecisions(recipe, limits.uris)
        hasEdits = edits != nil
        hasTracks = recipe.tracks != nil
    }

    /// Forgets the playlist, and keeps the memory for the next one.
    public mutating func reset() {
        editor?.reset()
        sideloader?.reset()
        decisions.reset()
    }

    /// Rewrites the next chunk, of any size, and collects what is decided in `output`, in place of what is there.
    ///
    /// With edits and tracks all of it is copied; else slices of `OutputPieces.mergingThreshold` bytes stay ranges of
    /// the chunk.
    ///
    /// The handler sees the lines of the tags that the recipe observes, before anything else is decided about them.
    ///
    /// - Throws: `LimitError` if a limit is exceeded whose policy says so. All bytes received are in `output` by
    ///   then, or have been handed out before. The edits end there or the tracks, whichever met the limit; the other
    ///   goes on.
    /// - Complexity: O(*n*) for a chunk of *n* bytes.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, deciding handler: Handler, into output: inout OutputPieces
    ) throws(LimitError) {
        try unsafe write(chunk, handler, atOnce: false, into: &output)
    }

    private mutating func write(
        _ chunk: UnsafeRawBufferPointer, _ handler: Handler, atOnce: Bool, into output: inout OutputPieces
    ) throws(LimitError) {
        guard hasEdits else {
            try unsafe sideloader?.write(chunk, into: &output)
            return
        }
        guard hasTracks else {
            try unsafe Self.edit(chunk, by: &editor, decisions, handler, atOnce: atOnce, into: &output)
            return
        }
        var failure: LimitError?
        do throws(LimitError) {
            try unsafe Self.edit(chunk, by: &editor, decisions, handler, atOnce: atOnce, into: &edited)
        } catch {
            failure = error
        }
        let later = Self.sideload(edited, by: &sideloader, nil, into: &output)
        if let failure = failure ?? later { throw failure }
    }

    private static func edit(
        _ chunk: UnsafeRawBufferPointer, by editor: inout PlaylistRewriter?, _ decisions: LineDecisions,
        _ handler: Handler, atOnce: Bool, into output: inout OutputPieces
    ) throws(LimitError) {
        if atOnce {
            try editor.use { (editor) throws(LimitError) in
                try unsafe decisions.decideAtOnce(chunk, by: &editor, into: &output)
            }
        } else {
            try unsafe editor?.write(chunk, deciding: { decisions.decide($0, &$1, after: handler) }, into: &output)
        }
    }

    /// Ends the playlist, shows `handler` a selected last line that has no line ending, and collects the rest of the
    /// output: what is carried, the lines that the edits append, and the tags of the tracks.
    ///
    /// A limit that is exceeded only now is not thrown; ``report`` tells.
    public mutating func finish(deciding handler: Handler, into output: inout OutputPieces) {
        guard hasEdits else {
            sideloader?.finish(into: &output)
            return
        }
        if hasTracks {
            Self.finish(&editor, decisions, handler, into: &edited)
            _ = Self.sideload(edited, by: &sideloader, .finished, into: &output)
        } else {
            Self.finish(&editor, decisions, handler, into: &output)
        }
    }

    private static func finish(
        _ editor: inout PlaylistRewriter?, _ decisions: LineDecisions, _ handler: Handler,
        into output: inout OutputPieces
    ) {
        editor?.finish(deciding: { decisions.decide($0, &$1, after: handler) }, into: &output)
    }

    /// Breaks the playlist off, because its source has, and collects what is held in `output`, in place of what is
    /// there.
    public mutating func abandon(into output: inout OutputPieces) {
        switch (hasEdits, hasTracks) {
        case (true, true):
            editor?.abandon(into: &edited)
            _ = Self.sideload(edited, by: &sideloader, .abandoned, into: &output)
        case (true, false): editor?.abandon(into: &output)
        case (false, _): sideloader?.abandon(into: &output)
        }
    }

    /// How a playlist ends.
    private enum Ending { case finished, abandoned }

    /// Gives what has been edited to the tracks, and then ends the playlist. Returns the limit that is exceeded, if
    /// that is to be thrown.
    private static func sideload(
        _ edited: OutputPieces, by rewriter: inout MasterRewriter?, _ ending: Ending?, into output: inout OutputPieces
    ) -> LimitError? {
        var failure: LimitError?
        var pieces = output.begin(copiesAll: true)
        for case .own(let bytes) in edited {
            do throws(LimitError) {
                try unsafe rewriter?.write(bytes, to: &pieces)
            } catch {
                failure = error
            }
        }
        switch ending {
        case .finished: rewriter?.finish { pieces.append($0) }
        case .abandoned: rewriter?.abandon { pieces.append($0) }
        case nil: break
        }
        pieces.end()
        return failure
    }
}

// Why lines are edited, or not: for those who debug.
extension PlaylistPipeline {
    /// Edits the lines that end in `chunk`, or at the end of the playlist if it is nil, and returns what was decided
    /// about them. Only for recipes without tracks.
    package mutating func write(
        _ chunk: UnsafeRawBufferPointer?, tracedBy trace: inout PlaylistTrace, deciding handler: Handler,
        _ body: PlaylistRewriter.Sink
    ) -> [TraceEntry] {
        guard var rewriter = editor.take() else { return [] }
        let decide: Handler = { [decisions] in decisions.decide($0, &$1, after: handler) }
        let entries =
            if let chunk = unsafe chunk {
                unsafe trace.write(chunk, to: &rewriter, deciding: decide, body)
            } else {
                trace.finish(&rewriter, deciding: decide, body)
            }
        editor = consume rewriter
        return entries
    }
}

// The other forms.
extension PlaylistPipeline: StreamRewriter {
    /// What writing throws.
    public typealias Failure = LimitError

    /// Rewrites the next chunk, of any size, and collects what is decided in `output`, in place of what is there.
    ///
    /// - Throws: `LimitError`, as ``write(_:deciding:into:)``.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, into output: inout OutputPieces) throws(LimitError) {
        try unsafe write(chunk, { _, _ in }, atOnce: decisions.areMadeAtOnce, into: &output)
    }

    /// Ends the playlist, and collects the rest of the output, as ``finish(deciding:into:)``.
    public mutating func finish(into output: inout OutputPieces) { finish(deciding: { _, _ in }, into: &output) }

    /// Rewrites the next chunk, of any size, and hands out what is decided, slice by slice.
    ///
    /// - Throws: `LimitError`, as ``write(_:deciding:into:)``.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: PlaylistRewriter.Sink) throws(LimitError) {
        var output = slices.take() ?? OutputPieces()
        defer {
            for piece in output { body(unsafe OutputSlice(piece, in: chunk)) }
            slices = output
        }
        try unsafe write(chunk, into: &output)
    }

    /// Ends the playlist, and hands out the rest of the output, slice by slice.
    public mutating func finish(_ body: PlaylistRewriter.Sink) { handOut(body) { $0.finish(into: &$1) } }

    /// Breaks the playlist off, because its source has. Hands out the unfinished line as it came, and appends nothing.
    public mutating func abandon(_ body: PlaylistRewriter.Sink) { handOut(body) { $0.abandon(into: &$1) } }

    private mutating func handOut(_ body: PlaylistRewriter.Sink, _ end: (inout Self, inout OutputPieces) -> Void) {
        var output = slices.take() ?? OutputPieces()
        end(&self, &output)
        for case .own(let bytes) in output { body(unsafe OutputSlice(library: ByteView(bytes))) }
        slices = output
    }

    /// Rewrites the next chunk, of any size, and copies what is decided to `output`: if tracks are all there is.
    ///
    /// - Throws: As `MasterRewriter.write(_:into:)`; with edits always
    ///   `OutputError.tooSmall(needed:available:)`, before anything is taken.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, into output: inout OutputBuffer
    ) throws(OutputError<LimitError>) {
        if hasEdits { try output.require(.max, or: LimitError.self) }
        try unsafe sideloader?.write(chunk, into: &output)
    }

    /// Ends the playlist, and copies the rest to `output`: if tracks are all there is.
    ///
    /// - Throws: As ``MasterRewriter/finish(into:)-(OutputBuffer)``; with edits always
    ///   `OutputError.tooSmall(needed:available:)`, before anything is done.
    public mutating func finish(into output: inout OutputBuffer) throws(OutputError<LimitError>) {
        if hasEdits { try output.require(.max, or: LimitError.self) }
        try sideloader?.finish(into: &output)
    }

    /// The most bytes that the next chunk can become, if it has `count` bytes. With edits there is no bound: `Int.max`.
    public func outputBound(forChunkOf count: Int) -> Int {
        switch sideloader {
        case .some(let sideloader) where !hasEdits: sideloader.outputBound(forChunkOf: count)
        default: .max
        }
    }

    /// How many bytes are carried, which have been written and not been handed out.
    public var heldBytes: Int { report.heldBytes }

    /// Whether all that is still to come passes through unchanged, and nothing is carried or will be appended: a proxy
    /// can step aside.
    public var isSettled: Bool { report.isSettled }

    /// What there is to say of the playlist so far.
    public var report: PlaylistReport {
        var report = editingReport
        switch sideloader {
        case .some(let sideloader): report.add(sideloader)
        case .none: break
        }
        return report
    }

    /// What there is to say of the playlist before it gets tracks.
    package var editingReport: PlaylistReport {
        var report = PlaylistReport()
        switch editor {
        case .some(let editor): report.add(editor, decisions)
        case .none: break
        }
        return report
    }
}
