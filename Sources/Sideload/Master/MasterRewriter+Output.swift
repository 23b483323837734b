public import ByteScan
public import M3U8

// The forms that collect output, besides the closure.

// Output in few pieces, to be sent after the call.
extension MasterRewriter: StreamRewriter {
    /// What writing throws.
    public typealias Failure = LimitError
}

// Output straight into memory of the caller's.
extension MasterRewriter {
    /// Rewrites the next chunk, of any size, and copies what is decided to `output`.
    ///
    /// - Throws: `OutputError.tooSmall(needed:available:)`, before anything is taken, if there is less room than
    ///   ``outputBound(for:)`` says; else as the other forms.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, into output: inout OutputBuffer
    ) throws(OutputError<LimitError>) {
        // Where there is room whatever the chunk has, nobody looks at it. Where there is room for twice the chunk or
        // so, its lines need not be counted.
        if outputBound(forChunkOf: chunk.count) > output.available {
            let view = unsafe ByteView(chunk)
            let source = heldBytes + view.count
            let most = source + gained(byLines: source / Self.shortestVariant, rewriter.appendedBytes)
            if most > output.available || mayGainMore(view) {
                try output.require(unsafe outputBound(for: chunk), or: LimitError.self)
            }
        }
        try unsafe writeFitting(chunk, into: &output)
    }

    /// Ends the playlist, and copies what is carried and then the tags of the tracks to `output`.
    ///
    /// - Throws: `OutputError.tooSmall(needed:available:)` if there is not room for the rest, of which nothing has
    ///   been written then. `needed` is exact: make room and call again, or collect it in pieces. A rewriter can do
    ///   nothing else until it is reset.
    public mutating func finish(into output: inout OutputBuffer) throws(OutputError<LimitError>) {
        if unsent.isEmpty {
            var rest = ReusableBuffer<UInt8>()
            swap(&rest, &unsent)
            finish { rest.append($0.view) }
            swap(&rest, &unsent)
        }
        try output.require(unsent.count, or: LimitError.self)
        output.append(unsent.view)
        unsent.removeAll()
    }

    /// The most bytes that the next chunk can become, whatever is in it, if it has `count` bytes; what is carried
    /// counts too.
    ///
    /// It is high as long as the playlist has declared no group of subtitles, because the chunk may declare one whose
    /// long name every variant then gets. ``outputBound(for:)`` looks at the chunk, and `outputLength(of:)` is exact
    /// for a whole playlist.
    public func outputBound(forChunkOf count: Int) -> Int {
        let source = heldBytes + count
        return source + gained(byLines: source / Self.shortestVariant, longestAttribute)
    }

    /// The most bytes that `chunk` can become; what is carried counts too.
    ///
    /// Seldom much higher than what it becomes: each line counts as a variant's that gains the attribute.
    ///
    /// - Complexity: O(*n*) for a chunk of *n* bytes, and much faster than rewriting it.
    public func outputBound(for chunk: UnsafeRawBufferPointer) -> Int {
        let view = unsafe ByteView(chunk)
        let source = heldBytes + view.count
        let lines = min(source / Self.shortestVariant, view.count(of: ASCII.lineFeed))
        return source + gained(byLines: lines, mayGainMore(view) ? longestAttribute : rewriter.appendedBytes)
    }

    /// Whether a variant may gain more than the attribute of the tracks' own group, because `chunk` may declare
    /// another.
    private func mayGainMore(_ chunk: ByteView) -> Bool {
        guard rewriter.mayStillEdit, longestAttribute > rewriter.appendedBytes else { return false }
        guard let subtitles = Self.subtitles else { return true }
        let carried = rewriter.carriedBytes
        return carried.firstOffset(of: subtitles) != nil || carried.ends(with: subtitles, continuedIn: chunk)
            || chunk.firstOffset(of: subtitles) != nil
    }

    /// The length of `#EXT-X-STREAM-INF:` and a line feed.
    private static var shortestVariant: Int { 19 }

    /// What a line that declares a group has.
    private static let subtitles = Needle(Array(ByteView("SUBTITLES")))

    /// The longest attribute that a variant of the next chunk may gain.
    private var longestAttribute: Int {
        let named = ByteView(",SUBTITLES=\"\"").count + groups.limits.longestGroupID
        return groups.ledger.templateGroup == nil ? max(rewriter.appendedBytes, named) : rewriter.appendedBytes
    }

    private func gained(byLines lines: Int, _ attribute: Int) -> Int {
        rewriter.mayStillEdit ? lines.times(attribute) ?? .max / 4 : 0
    }
}

// What is held, and what is still to come.
extension MasterRewriter {
    /// How many bytes are carried, which have been written and not been handed out.
    public var heldBytes: Int { rewriter.heldBytes }

    /// Whether all that is still to come passes through unchanged, and nothing is carried or will be appended: a proxy
    /// can step aside.
    ///
    /// So it is with a media playlist from its first tag that tells on, and with what is no playlist. A multivariant
    /// playlist is never settled, unless it exceeds a limit, or has turned out to be mixed, before a variant or a group
    /// has been seen.
    public var isSettled: Bool { rewriter.isSettled && rewriter.appendedCount == 0 && groups.ledger.groupCount == 0 }

    /// Breaks the playlist off, because its source has. Hands out the unfinished line as it came, and appends nothing.
    ///
    /// A playlist that breaks off is not a finished one. What is written or finished after this passes through; a reset
    /// makes the rewriter as new.
    public mutating func abandon(_ body: PlaylistRewriter.Sink) {
        if unsent.isEmpty { rewriter.abandon(body) } else { sendUnsent(body) }
    }
}
