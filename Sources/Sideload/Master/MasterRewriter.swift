public import ByteScan
public import M3U8

/// Sideloads subtitle tracks into a multivariant playlist while its bytes pass by, in a single pass.
///
/// Every variant ends up with one SUBTITLES attribute that names a declared group, and every group with every track: a
/// variant that names a group keeps its line byte for byte, one that names none gets the first group declared so far or
/// the fallback group, and the tracks' EXT-X-MEDIA tags come at the end of the playlist (8216bis 4.4.6.1, 4.4.6.2).
/// Applied to its own output it adds nothing.
///
///     var rewriter = MasterRewriter(tracks)
///     try rewriter.write(chunk) { slice in connection.send(slice) }
///     rewriter.finish { slice in connection.send(slice) }
///
/// A media playlist, and a text that is no playlist, pass through untouched; ``verdict`` tells. In a playlist with tags of
/// both kinds nothing is edited from the first tag of the second kind on, and groups named before are still declared, so far
/// as they are not declared behind it.
public struct MasterRewriter: ~Copyable {
    private var rewriter: PlaylistRewriter
    private var groups: SubtitleGroups
    private var declarations = ReusableBuffer<UInt8>()

    /// A rewriter for one playlist. Reset it to use it for another.
    public init(_ tracks: SubtitleTracks, limits: SideloadLimits = SideloadLimits()) {
        rewriter = PlaylistRewriter(tracks.edits, limits: limits.lines)
        rewriter.setStandingItem(tracks.fallbackAttribute.view)
        groups = SubtitleGroups(tracks, limits)
    }

    /// Makes the rewriter as new; the memory it has is kept.
    public mutating func reset() {
        rewriter.reset()
        rewriter.setStandingItem(groups.tracks.fallbackAttribute.view)
        groups.reset()
    }

    /// Takes the next chunk, of any size, and hands out what is settled.
    ///
    /// - Throws: ``LimitError`` where a limit is exceeded whose policy says so. Every byte received has been handed out by
    ///   then, and whatever is written afterwards passes through.
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

    /// Ends the playlist: hands out what is held, then the tags of the tracks.
    ///
    /// A limit that is exceeded only now, by a last line without a line ending, is not thrown, whatever the policy;
    /// ``exceededLimit`` tells.
    public mutating func finish(_ body: PlaylistRewriter.Sink) {
        Self.finish(&rewriter, &groups, &declarations, body)
    }

    private static func finish(
        _ rewriter: inout PlaylistRewriter, _ groups: inout SubtitleGroups,
        _ declarations: inout ReusableBuffer<UInt8>, _ body: PlaylistRewriter.Sink
    ) {
        let missing = rewriter.finishLines(
            deciding: { line, edits in groups.handle(line, &edits) }, body)
        var appended = ByteView()
        if groups.ledger.isEmpty {
            if rewriter.lineEdits.standingUses > 0 {
                appended = groups.tracks.declarations(usesCRLF: rewriter.usesCRLF)
            }
        } else {
            groups.noteFallback(uses: rewriter.lineEdits.standingUses)
            declarations.removeAll()
            groups.declare(lineEnding: rewriter.lineEnding, into: &declarations)
            appended = declarations.view
        }
        guard !appended.isEmpty else { return }
        if !missing.isEmpty { body(OutputSlice(library: missing)) }
        body(OutputSlice(library: appended))
    }

    /// The exact length, in bytes, of what a whole playlist becomes, ahead of handing out any of it.
    ///
    /// The rewriter is as new before and after.
    ///
    /// - Throws: ``LimitError``, as ``write(_:_:)``.
    public mutating func outputLength(of playlist: UnsafeRawBufferPointer) throws(LimitError) -> Int {
        var length = 0
        reset()
        defer { reset() }
        try unsafe write(playlist) { length += $0.count }
        finish { length += $0.count }
        return length
    }

    /// What the playlist has turned out to be so far.
    public var verdict: PlaylistVerdict { rewriter.verdict }

    /// How many bytes have been written to the rewriter.
    public var position: Int { rewriter.position }

    /// How many variants could not be given a group: a quote is left open, or the tag has no attribute list.
    public var uneditableLines: Int { rewriter.uneditableLines }

    /// The stream position, in bytes, of the first such variant.
    public var firstUneditableLine: Int? { rewriter.firstUneditableLine }

    /// The limit at which the rewriter stopped editing, where one was exceeded.
    public var exceededLimit: LimitError? { rewriter.exceededLimit }
}
