public import ByteScan
public import M3U8

/// Sideloads subtitle tracks into a multivariant playlist while its bytes pass by, in a single pass.
///
/// Every variant ends up with one SUBTITLES attribute that names a declared group, and every group with every track: a
/// variant that names a group keeps its line byte for byte, one that names none gets the first group declared so far or
/// the fallback group, and the tracks' EXT-X-MEDIA tags come at the end of the playlist (8216bis 4.4.6.1, 4.4.6.2).
/// Applied to its own output it adds nothing.
///
///     var rewriter = MasterRewriter(tracks)                  // one for each response; reset() and use again
///     var output = OutputPieces()                            // one for each worker, used again
///     try rewriter.write(chunk, into: &output)                      // any chunk, any number of times
///     for piece in output { connection.send(piece) }         // a range of the chunk, or bytes of the output's own
///     rewriter.finish(into: &output)                         // or abandon(into:), if the source has broken off
///     for piece in output { connection.send(piece) }
///
/// A media playlist, and a text that is no playlist, pass through untouched; ``verdict`` tells. In a playlist with tags
/// of both kinds nothing is edited from the first tag of the second kind on. Groups named before it are still declared,
/// unless the playlist declares them after it.
public struct MasterRewriter: ~Copyable {
    var rewriter: PlaylistRewriter
    var groups: SubtitleGroups
    private var declarations = ReusableBuffer<UInt8>()

    /// What a finish that did not fit has left to be handed out: all that is carried, edited, and the tags.
    var unsent = ReusableBuffer<UInt8>()

    /// How many bytes of tags ``finish(into:)-(OutputPieces)`` has added to the playlist; 0 if every group had every
    /// track already.
    public private(set) var addedBytes = 0

    /// Makes a rewriter for one playlist. Reset it to use it for another.
    public init(_ tracks: SubtitleTracks, limits: SideloadLimits = SideloadLimits()) {
        self.init(tracks, running: .sideloading, limits: limits)
    }

    /// The same with a program that leaves lines out as well.
    init(_ tracks: SubtitleTracks, running program: EditProgram, limits: SideloadLimits) {
        rewriter = tracks.rewriter(program, limits.lines)
        groups = SubtitleGroups(tracks, limits)
    }

    /// Forgets the playlist, and keeps the memory for the next one.
    public mutating func reset() {
        rewriter.reset()
        groups.reset()
        unsent.removeAll()
        addedBytes = 0
    }

    /// Rewrites the next chunk, of any size, and hands out what is decided, slice by slice.
    ///
    /// For counting and copying. **Do not send from `body`, and call nothing there that may use the rewriter again**,
    /// not even to read ``verdict``: the call is changing it, and Swift ends the process at such an access. Slices are
    /// valid during the call that hands them out. To send, collect the output: `write(_:into:)`.
    ///
    /// - Throws: `LimitError` if a limit is exceeded whose policy says so. All bytes received have been handed out by
    ///   then, and later ones pass through.
    /// - Complexity: O(*n*) for a chunk of *n* bytes.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, _ body: PlaylistRewriter.Sink
    ) throws(LimitError) {
        try unsafe Self.write(chunk, &rewriter, &groups, body)
    }

    /// The parts apart, so that the closure captures none but the groups.
    private static func write(
        _ chunk: UnsafeRawBufferPointer, _ rewriter: inout PlaylistRewriter, _ groups: inout SubtitleGroups,
        _ body: PlaylistRewriter.Sink
    ) throws(LimitError) {
        try unsafe rewriter.write(
            chunk, deciding: { line, edits in groups.handle(line, &edits) }, body)
    }

    /// Rewrites the next chunk, of any size, and writes what is decided to `pieces`.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, to pieces: inout PieceWriter) throws(LimitError) {
        try unsafe Self.write(chunk, &rewriter, &groups, to: &pieces)
    }

    private static func write(
        _ chunk: UnsafeRawBufferPointer, _ rewriter: inout PlaylistRewriter, _ groups: inout SubtitleGroups,
        to pieces: inout PieceWriter
    ) throws(LimitError) {
        try unsafe rewriter.write(chunk, deciding: { line, edits in groups.handle(line, &edits) }, to: &pieces)
    }

    /// Ends the playlist: hands out the unfinished line, then the tags of the tracks, slice by slice.
    ///
    /// For counting and copying, as ``write(_:_:)``. If a last line without a line ending exceeds a limit, nothing
    /// is thrown, whatever the policy: see ``exceededLimit``.
    ///
    /// - Complexity: O(*n*) for *n* bytes of tags, and for each track the number of the playlist's renditions.
    public mutating func finish(_ body: PlaylistRewriter.Sink) {
        if !unsent.isEmpty { return sendUnsent(body) }
        addedBytes = Self.finish(&rewriter, &groups, &declarations, body)
    }

    private static func finish(
        _ rewriter: inout PlaylistRewriter, _ groups: inout SubtitleGroups,
        _ declarations: inout ReusableBuffer<UInt8>, _ body: PlaylistRewriter.Sink
    ) -> Int {
        let ending = rewriter.finishLines(
            deciding: { line, edits in groups.handle(line, &edits) }, body)
        var appended = ByteView()
        if groups.ledger.isEmpty {
            if ending.appendedCount > 0 {
                appended = groups.tracks.declarations(usesCRLF: ending.usesCRLF)
            }
        } else {
            groups.noteFallback(uses: ending.appendedCount)
            declarations.removeAll()
            groups.declare(lineEnding: ending.lineEnding, into: &declarations)
            appended = declarations.view
        }
        guard !appended.isEmpty, !ending.isAbandoned else { return 0 }
        if !ending.missing.isEmpty { body(OutputSlice(library: ending.missing)) }
        body(OutputSlice(library: appended))
        return appended.count
    }

    /// Hands out what a finish that did not fit has left.
    mutating func sendUnsent(_ body: PlaylistRewriter.Sink) {
        body(OutputSlice(library: unsent.view))
        unsent.removeAll()
        rewriter.abandon { _ in }
    }

    /// What the playlist has turned out to be so far.
    public var verdict: PlaylistVerdict { rewriter.verdict }

    /// The stream position, in bytes, of the first byte of the line that decided the verdict; nil as long as it is
    /// undecided.
    public var verdictPosition: Int? { rewriter.verdictPosition }

    /// The number of bytes that have been written to the rewriter.
    public var position: Int { rewriter.position }

    /// The number of variants, EXT-X-STREAM-INF tags, as long as the playlist is a multivariant one.
    ///
    /// Those that could not be edited count too. Without a variant nothing that is sideloaded is ever played.
    public var variants: Int {
        rewriter.appendedCount + rewriter.knownCount + groups.variantsWithGroup + rewriter.uneditableLines
    }

    /// The number of variants that could not be given a group, or whose group could not be read: a quote is left open
    /// or stands where none may be, the group's name holds a control character, or the tag has no attribute list.
    public var uneditableLines: Int { rewriter.uneditableLines }

    /// The stream position, in bytes, of the first such variant.
    public var firstUneditableLine: Int? { rewriter.firstUneditableLine }

    /// The limit that was exceeded, if any; editing ended there.
    public var exceededLimit: LimitError? { rewriter.exceededLimit }
}
