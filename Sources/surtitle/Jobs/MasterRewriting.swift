internal import ByteScan
internal import M3U8
internal import Sideload

/// The rewriting of a master playlist, and what there is to say about it afterwards.
struct MasterRewriting: ~Copyable {
    private var rewriter: MasterRewriter
    private var decidingLine = DecidingLine()

    /// The rewriting of one playlist that gets `tracks`.
    init(_ tracks: SubtitleTracks, limits: SideloadLimits) { rewriter = MasterRewriter(tracks, limits: limits) }

    /// Rewrites the next chunk.
    ///
    /// Without an `output` it is only found out what there is to say.
    mutating func write(_ bytes: UnsafeRawBufferPointer, to output: ByteWriter?) {
        // Past a limit the bytes pass through under either policy, and the rewriter remembers.
        try? unsafe rewriter.write(bytes) { output?.write($0.view) }
        unsafe decidingLine.note(ByteView(bytes), decidedAt: rewriter.verdictPosition)
    }

    /// Ends the playlist.
    mutating func finish(to output: ByteWriter?) {
        rewriter.finish { output?.write($0.view) }
        decidingLine.note(ByteView(), decidedAt: rewriter.verdictPosition)
    }

    /// Throws why the playlist called `name` could not be rewritten. `ending` says what became of a playlist of the wrong kind.
    func requireMaster(_ name: String, ending: String) throws(Failure) {
        if let limit = rewriter.exceededLimit {
            throw .refused(name, "\(limit); from there on nothing is edited; make it shorter")
        }
        try kind.requireMultivariant(name, ending: ending)
    }

    /// Throws if not every variant of the playlist called `name` has got the tracks: what could be done has been done. If there was
    /// nothing to do, that is noted.
    func requireVariants(_ name: String) throws(Failure) {
        if let position = rewriter.firstUneditableLine {
            throw .refused(
                name,
                "at byte \(position): a variant is left as it is (\(rewriter.uneditableLines) in all), because a quote is left "
                    + "open or stands astray there, or the tag has no attributes; repair the line")
        }
        if rewriter.variants == 0 {
            throw .refused(
                name,
                "\(decidingLine.description) makes this a multivariant playlist, but none of its \(decidingLine.lineCount) "
                    + "lines is EXT-X-STREAM-INF, so there is no variant to put tracks beside; give one with variants")
        }
        if rewriter.addedBytes == 0 {
            Console.note("\(name): every group has all the tracks already; no tag was added")
        }
    }

    private var kind: PlaylistKind {
        PlaylistKind(
            verdict: rewriter.verdict, decidingLine: decidingLine.description, lineCount: decidingLine.lineCount)
    }
}
