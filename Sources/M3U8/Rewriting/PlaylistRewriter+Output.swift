public import ByteScan

// The forms that collect output, besides the closure. All end in the one core that hands out slices.
//
// Each closure of the library's own that is given to the core may make the compiler copy all of the core, so there is
// one for pieces and one for a buffer, and no more.

// Output in few pieces, to be sent after the call.
extension PlaylistRewriter: StreamRewriter {
    /// What writing throws.
    public typealias Failure = LimitError

    /// Rewrites the next chunk, of any size, and writes what is decided to `pieces`.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, to pieces: inout PieceWriter) throws(LimitError) {
        try unsafe write(chunk, deciding: { _, _ in }, to: &pieces)
    }

    /// Rewrites the next chunk, shows `handler` every selected line, and collects what is decided in `output`.
    ///
    /// - Throws: ``LimitError`` at a line longer than the limits allow, if their policy says so. Every byte received is
    ///   in `output` by then, or has been handed out before, and whatever is written afterwards passes through.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, deciding handler: Handler, into output: inout OutputPieces
    ) throws(LimitError) {
        var pieces = output.begin()
        defer { pieces.end() }
        try unsafe write(chunk, deciding: handler, to: &pieces)
    }

    /// Ends the playlist, shows `handler` a selected last line that has no line ending, and collects the rest of the
    /// output.
    public mutating func finish(deciding handler: Handler, into output: inout OutputPieces) {
        var pieces = output.begin()
        finish(deciding: handler) { pieces.append($0) }
        pieces.end()
    }
}

// Output straight into memory of the caller's.
extension PlaylistRewriter {
    /// Ends the playlist, and copies the rest of the output to `output`.
    ///
    /// - Throws: `OutputError.tooSmall(needed:available:)`, before anything is done, if there is less room than the
    ///   rest may need.
    public mutating func finish(into output: inout OutputBuffer) throws(OutputError<LimitError>) {
        var needed = heldBytes + program.growth.largest + 2
        for line in program.appendedLines { needed += line.view.count + 2 }
        try output.require(needed, or: LimitError.self)
        var pieces = output.begin()
        finish { pieces.append($0) }
        output.end(pieces)
    }

    /// The most bytes that the next chunk can become, if it has `count` bytes and no handler decides.
    ///
    /// What is carried counts too. It is not exact: `outputLength(of:)` is, for a whole playlist.
    public func outputBound(forChunkOf count: Int) -> Int {
        let source = heldBytes + count
        return mayStillEdit ? program.growth.bound(of: source) : source
    }
}

// What is held, and what is still to come.
extension PlaylistRewriter {
    /// How many bytes are carried, which have been written and not been handed out.
    public var heldBytes: Int { carried.count }

    /// What is carried: valid until the next call.
    package var carriedBytes: ByteView { carried.view }

    /// Whether all that is still to come passes through unchanged, and nothing is carried or will be appended: a proxy
    /// can step aside.
    ///
    /// So it is past the first tag that tells, if the edits are meant for another kind of playlist; past a first line
    /// that makes it no playlist; and past a limit. The verdict may change all the same, since a mixed playlist shows
    /// late. Handlers are shown nothing any more that counts.
    public var isSettled: Bool { heldBytes == 0 && !mayStillEdit }

    /// Breaks the playlist off, because its source has. Hands out the unfinished line as it came, and appends nothing.
    ///
    /// A playlist that breaks off is not a finished one. What is written or finished after this passes through; a reset
    /// makes the rewriter as new.
    public mutating func abandon(_ sink: Sink) {
        // A line that was to be left out stays, and tells what it is.
        if document.state == .selectedLine(.leftOut) { _ = noteTag(at: document.position - carried.count) }
        if !carried.isEmpty { sink(OutputSlice(library: carried.view)) }
        carried.removeAll()
        document.state = .abandoned
    }

    /// Whether anything may be edited from here on.
    package var mayStillEdit: Bool {
        (mode.mayStillEdit || document.leavesOut) && document.state != .passingThrough && !isAbandoned
    }

    /// The length of what lines get appended that lack it.
    package var appendedBytes: Int { document.appended.bytes.count }

    /// Whether the playlist has been broken off.
    var isAbandoned: Bool { document.state == .abandoned }
}

/// How much the lines of a playlist can grow by what a program does to them; what handlers decide is not included.
struct LineGrowth: Sendable {
    /// For each tag whose lines can grow, the shortest such line with its line feed, and the most that it gains.
    private var tags: [(shortest: Int, gain: Int)] = []

    /// The most that one line gains.
    private(set) var largest = 0

    /// Notes that lines of at least `shortest` bytes gain at most `gain` bytes.
    mutating func note(shortest: Int, gain: Int) {
        guard gain > 0 else { return }
        tags.append((shortest, gain))
        largest = max(largest, gain)
    }

    /// The most bytes that whole lines of `count` bytes together can become.
    func bound(of count: Int) -> Int {
        var gained = 0
        // All lines may be of the tag that gains most for its length.
        for (shortest, gain) in tags { gained = max(gained, (count / shortest + 1).times(gain) ?? .max) }
        return count.times(1, plus: gained) ?? .max
    }
}
