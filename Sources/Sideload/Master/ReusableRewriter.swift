public import ByteScan
public import M3U8

/// A rewriter and its output in one object, to be kept and used again: a pool of them is an array.
///
///     let rewriter = pool.popLast() ?? ReusableRewriter(tracks)
///     try rewriter.write(chunk)
///     for piece in rewriter.output { connection.send(piece) }
///     rewriter.finish()                                      // or abandon(), if the source has broken off
///     for piece in rewriter.output { connection.send(piece) }
///     rewriter.reset()
///     pool.append(rewriter)
///
/// Whoever sends may come back to it in the middle of the loop, to read ``verdict`` or even to write: between calls
/// nothing is being changed, and the loop goes on over the pieces it has begun with.
public final class ReusableRewriter {
    private var rewriter: MasterRewriter

    /// What the last call has handed out; each call replaces it.
    public private(set) var output: OutputPieces

    /// A rewriter for one playlist, which collects in `output`. Reset it to use it for another.
    public init(
        _ tracks: SubtitleTracks, limits: SideloadLimits = SideloadLimits(), output: OutputPieces = OutputPieces()
    ) {
        rewriter = MasterRewriter(tracks, limits: limits)
        self.output = output
    }

    /// Rewrites the next chunk, of any size.
    ///
    /// - Throws: `LimitError`, as `MasterRewriter.write(_:into:)`.
    public func write(_ chunk: UnsafeRawBufferPointer) throws(LimitError) {
        try unsafe rewriter.write(chunk, into: &output)
    }

    /// Rewrites the next chunk, of any size.
    ///
    /// - Throws: `LimitError`, as `MasterRewriter.write(_:into:)`.
    public func write(_ chunk: RawSpan) throws(LimitError) { try rewriter.write(chunk, into: &output) }

    #if !hasFeature(Embedded)
    /// Rewrites the next chunk, of any size.
    ///
    /// - Throws: `LimitError`, as `MasterRewriter.write(_:into:)`.
    public func write(_ chunk: some Collection<UInt8>) throws(LimitError) { try rewriter.write(chunk, into: &output) }
    #endif

    /// Ends the playlist: what is carried, then the tracks' tags.
    public func finish() { rewriter.finish(into: &output) }

    /// Breaks the playlist off, because its source has: what is carried, unedited, and nothing else.
    public func abandon() { rewriter.abandon(into: &output) }

    /// Forgets the playlist and its output, and keeps the memory for the next one.
    public func reset() {
        rewriter.reset()
        output.removeAll()
    }

    /// What the playlist has turned out to be so far.
    public var verdict: PlaylistVerdict { rewriter.verdict }

    /// How many bytes are carried, which have been written and not been handed out.
    public var heldBytes: Int { rewriter.heldBytes }

    /// Whether all that is still to come passes through unchanged: a proxy can step aside.
    public var isSettled: Bool { rewriter.isSettled }

    /// The limit that was exceeded, if any; editing ended there.
    public var exceededLimit: LimitError? { rewriter.exceededLimit }

    /// The number of variants that could not be given a group, or whose group could not be read.
    public var uneditableLines: Int { rewriter.uneditableLines }

    /// How many bytes of tags ``finish()`` has added.
    public var addedBytes: Int { rewriter.addedBytes }
}
