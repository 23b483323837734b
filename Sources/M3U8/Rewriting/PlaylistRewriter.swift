public import ByteScan
internal import CByteScan

/// Rewrites a playlist while its bytes pass by: chunks of any size in, few pieces out, in a single pass.
///
/// Everything between two edits is one run, handed out as a range of the chunk it came in. The scanner looks for line
/// starts 64 bytes at a time and compares the beginning of a line only with the tags that somebody selected; the rest
/// of a line is looked into only if its tag is one of them. All that is carried from one chunk to the next is the
/// unfinished line of a selected tag, or of one whose name is not whole yet, in one buffer that ``LineLimits`` bound.
/// Where a chunk ends never changes the output.
///
///     var rewriter = PlaylistRewriter(edits)
///     var output = OutputPieces()                            // used again
///     try rewriter.write(chunk, into: &output)
///     for piece in output { connection.send(piece) }         // after the call, and before the next one
///     rewriter.finish(into: &output)                         // or abandon(into:), if the source has broken off
///     for piece in output { connection.send(piece) }
///
/// Bytes that nobody asked to change are copied exactly. A text whose first line is not `#EXTM3U` (RFC 8216 4.3.1.1; a
/// BOM before it, and white space with any text after it, are tolerated) passes through untouched.
public struct PlaylistRewriter: ~Copyable {
    /// Sees a selected line and decides what becomes of it. The rewriter's own edits have been noted by then.
    public typealias Handler = (_ line: SelectedLine, _ edits: inout LineEdits) -> Void

    /// Receives a slice of the output.
    public typealias Sink = (OutputSlice) -> Void

    let program: EditProgram
    let limits: LineLimits

    /// What lines get appended that lack it, unless a handler changes it.
    private let appended: AppendedAttribute

    /// All that ``reset()`` forgets.
    var document: Document

    /// The unfinished line that is carried from chunk to chunk, if the document's state says that there is one.
    var carried = ReusableBuffer<UInt8>()

    /// What is decided about the line at hand.
    var lineEdits = LineEdits()

    /// Finds the next lines that may be selected, or change the document's kind.
    var finder: LineFinder

    /// Finds the tags of these.
    var matcher: TagMatcher

    /// What is done with a document of the kind that this one is so far.
    var mode: DocumentMode { @inline(__always) get { program.modes[document.kind.rawValue] } }

    /// A rewriter for one playlist. Reset it to use it for another.
    public init(_ edits: PlaylistEdits, limits: LineLimits = LineLimits()) {
        self.init(edits.program, limits: limits)
    }

    /// A rewriter that runs `program`, and appends its attribute to lines that lack it, or `appended`, whose bytes
    /// outlive the rewriter.
    package init(_ program: EditProgram, appending appended: AppendedAttribute? = nil, limits: LineLimits) {
        self.program = program
        self.limits = limits
        self.appended = appended ?? program.appended
        document = Document(appending: self.appended, leavesOut: program.leavesOut)
        matcher = TagMatcher(program.tags)
        finder = LineFinder(copying: program.finder, longest: limits.longestLine)
    }

    /// Makes the rewriter as new; the memory it has is kept.
    public mutating func reset() {
        document = Document(appending: appended, leavesOut: program.leavesOut)
        carried.removeAll()
        finder.setFilter(mode.filter)
    }

    /// Rewrites the next chunk, of any size, and hands out what has been decided, slice by slice.
    ///
    /// For counting and copying. **Do not send from `sink`, and call nothing there that may use the rewriter again**,
    /// not even to read a property: the call is changing it, and Swift ends the process at such an access. Slices are
    /// valid during the call that hands them out. To send, collect the output: `write(_:into:)`.
    ///
    /// - Throws: ``LimitError`` at a line longer than the limits allow, if their policy says so. Every byte received
    ///   has been handed out by then, and whatever is written afterwards passes through.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, _ sink: Sink) throws(LimitError) {
        try unsafe write(chunk, deciding: { _, _ in }, sink)
    }

    /// Rewrites the next chunk and shows `handler` every selected line.
    ///
    /// - Throws: ``LimitError``, as ``write(_:_:)``.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, deciding handler: Handler, _ sink: Sink
    ) throws(LimitError) {
        try unsafe write(chunk, handler, sink, nil)
    }

    /// Rewrites the next chunk and shows `handler` every selected line, with output to pieces or to memory.
    @unsafe
    package mutating func write(
        _ chunk: UnsafeRawBufferPointer, deciding handler: Handler, to pieces: UnsafeMutablePointer<PieceWriter>
    ) throws(LimitError) {
        try unsafe write(chunk, handler, { unsafe pieces.pointee.append($0) }, pieces)
    }

    @inline(__always)
    private mutating func write(
        _ chunk: UnsafeRawBufferPointer, _ handler: Handler, _ sink: Sink, _ pieces: UnsafeMutablePointer<PieceWriter>?
    ) throws(LimitError) {
        try unsafe writeChunk(chunk) { unsafe $0.scan($1, handler, sink, pieces) }
    }

    /// Lets `scan` go over the chunk, and notes that it has.
    @inline(__always)
    mutating func writeChunk(
        _ chunk: UnsafeRawBufferPointer, _ scan: (inout PlaylistRewriter, ByteView) -> Void
    ) throws(LimitError) {
        let view = unsafe ByteView(chunk)
        guard !view.isEmpty else { return }
        scan(&self, view)
        document.position &+= view.count
        document.lastByte = view[view.count - 1]
        if document.newLimit != .none, let error = takeNewLimit() { throw error }
    }

    /// The limit that has been exceeded by the chunk, if its policy is that it is thrown.
    @inline(never)
    private mutating func takeNewLimit() -> LimitError? {
        let isOfLeavingOut = document.newLimit == .ofLeavingOut
        document.newLimit = .none
        guard limits.policy == .fail else { return nil }
        return isOfLeavingOut ? leavingOutLimit : document.exceededLimit
    }

    /// Ends the playlist: hands out the unfinished line, then the lines to append.
    ///
    /// A limit that is exceeded only now, by a last line without a line ending, is not thrown; ``exceededLimit`` tells.
    public mutating func finish(_ sink: Sink) { finish(deciding: { _, _ in }, sink) }

    /// Ends the playlist and shows `handler` a selected last line that has no line ending.
    public mutating func finish(deciding handler: Handler, _ sink: Sink) {
        let ending = finishLines(deciding: handler, sink)
        guard mode.editing == .edits, document.exceededLimit == nil, !isAbandoned, !program.appendedLines.isEmpty
        else { return }
        if !ending.missing.isEmpty { sink(OutputSlice(library: ending.missing)) }
        for line in program.appendedLines {
            sink(OutputSlice(library: line.view))
            sink(OutputSlice(library: ending.lineEnding))
        }
    }

    /// What there is to know once a playlist has ended, for lines that are appended to it.
    package struct Ending {
        /// What the output lacks of a line ending.
        package let missing: ByteView
        /// Whether the playlist's first line ends in CRLF.
        package let usesCRLF: Bool
        /// How many lines have got the appended attribute.
        package let appendedCount: Int
        /// Whether the playlist has been broken off, so that nothing is to be appended.
        package let isAbandoned: Bool

        /// The line ending of the playlist's first line.
        package var lineEnding: ByteView { usesCRLF ? ByteView("\r\n") : ByteView("\n") }
    }

    /// Hands out what is carried, and tells how the output ends.
    ///
    /// All at once: each property that a caller in another module asks for copies the whole rewriter, 728 bytes.
    package mutating func finishLines(deciding handler: Handler, _ sink: Sink) -> Ending {
        let isLeftOut = document.isCarrying && releaseAtEnd(handler, sink)
        let hasEnded = isLeftOut || document.lastByte == ASCII.lineFeed
        let isCutShort = document.lastByte == ASCII.carriageReturn
        return Ending(
            missing: hasEnded ? ByteView() : usesCRLF && !isCutShort ? ByteView("\r\n") : ByteView("\n"),
            usesCRLF: usesCRLF, appendedCount: document.appended.uses, isAbandoned: isAbandoned)
    }
}

// What there is to say about the playlist.
extension PlaylistRewriter {
    /// What the playlist has turned out to be so far.
    public var verdict: PlaylistVerdict { document.verdict }

    /// The stream position, in bytes, of the first byte of the line that decided the verdict.
    ///
    /// Of a mixed playlist that is the first tag of the second kind; of a text that is no playlist, the first line. Nil
    /// as long as the verdict is ``PlaylistVerdict/undecided``. Past a limit the verdict stays as it is.
    public var verdictPosition: Int? { document.verdictPosition }

    /// How many bytes have been written to the rewriter.
    public var position: Int { document.position }

    /// Whether the playlist's first line ends in CRLF, which appended lines then do too.
    public var usesCRLF: Bool { document.usesCRLF ?? false }

    /// How many lines were to be edited but could not be: a quote is left open or stands where none may be, or the tag
    /// has no attribute list.
    public var uneditableLines: Int { document.uneditable.count }

    /// The stream position, in bytes, of the first such line.
    public var firstUneditableLine: Int? { document.uneditable.first }

    /// How many of ``uneditableLines`` are among the ``VariantFilter/unreadableLines`` of the filter that saw them too.
    package var uneditableForFilter: Int { document.uneditableForFilter }

    /// How many lines have got the appended attribute.
    package var appendedCount: Int { document.appended.uses }

    /// How many lines had the attribute that the handler knew in its place.
    package var knownCount: Int { document.appended.knownUses }

    /// The line at which the limits made the rewriter stop editing, if one did.
    public var exceededLimit: LimitError? { document.exceededLimit }

    /// The line at which they made it stop leaving lines out, if one did.
    package var leavingOutLimit: LimitError? { document.leavingOutEnd.map { tooLong(at: $0) } }
}
