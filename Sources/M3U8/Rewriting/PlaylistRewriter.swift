public import ByteScan
internal import CByteScan

/// Rewrites a playlist while its bytes pass by: chunks of any size in, slices out, in a single pass.
///
/// Between two edits everything is one run, handed out as a range of the chunk it came in. The scanner looks for line
/// starts 64 bytes at a time and compares the head of a line only with the tags somebody selected; the rest of a line is
/// looked into only where its tag is one of them. All that is kept from one chunk to the next is the unfinished line of a
/// selected tag, or of one whose name is not whole yet, in one buffer that ``LineLimits`` bound. Where a chunk ends never
/// changes the output.
///
///     var rewriter = PlaylistRewriter(edits)
///     try rewriter.write(chunk) { slice in connection.send(slice) }
///     rewriter.finish { slice in connection.send(slice) }
///
/// Bytes that nobody asked to change are copied exactly. A text whose first line is not `#EXTM3U` (RFC 8216 4.3.1.1; a
/// BOM before it and white space with any text behind it are tolerated) passes through untouched.
public struct PlaylistRewriter: ~Copyable {
    /// Sees a selected line and decides what becomes of it. The rewriter's own edits have been noted by then.
    public typealias Handler = (_ line: SelectedLine, _ edits: inout LineEdits) -> Void

    /// Takes a slice of the output.
    public typealias Sink = (OutputSlice) -> Void

    /// What the next byte belongs to.
    enum Phase {
        /// The first line, not yet known to be `#EXTM3U`.
        case signature
        /// The start of a line.
        case lineStart
        /// A line that nobody selected.
        case insideLine
        /// A line whose beginning is held: of a selected tag, or of one whose name is not whole yet.
        case heldLine
        /// Text that is not edited: everything flows.
        case forwarding

        /// Whether bytes may be held, so that those behind them have to wait.
        @inline(__always)
        var isHolding: Bool { self == .signature || self == .heldLine }
    }

    let edits: PlaylistEdits
    let limits: LineLimits

    var phase = Phase.signature
    /// The tag met last: its index in the table.
    var tagIndex = 0
    var tag: TagPattern { @inline(__always) get { edits.tags.patterns[tagIndex] } }
    var held = ReusableBuffer<UInt8>()
    package internal(set) var lineEdits = LineEdits()
    var lastByte = ASCII.lineFeed

    /// Whether the verdict so far is one the edits are meant for.
    var appliesEdits = true
    /// Whether lines of selected tags are looked at: where edits apply, and where the handler reads on in a mixed playlist.
    var selectsTags = true

    /// The walk from one line to the next that may be selected, or change the verdict there is.
    var walk = LineWalk()
    /// Whether the walk's plain lines only get the standing item appended, and change nothing but themselves.
    var takesPlainLines = false

    /// What the playlist has turned out to be so far.
    public internal(set) var verdict = PlaylistVerdict.undecided

    /// How many bytes have been written to the rewriter.
    public internal(set) var position = 0

    /// Whether the playlist's first line ends in CRLF, which appended lines then do too.
    public internal(set) var usesCRLF = false
    var knowsLineEnding = false

    /// How many lines were to be edited but could not be: a quote is left open, or the tag has no attribute list.
    public internal(set) var uneditableLines = 0

    /// The stream position, in bytes, of the first such line.
    public internal(set) var firstUneditableLine: Int?

    /// The line at which the limits made the rewriter stop editing, where one did.
    public internal(set) var exceededLimit: LimitError?

    /// A rewriter for one playlist. Reset it to use it for another.
    public init(_ edits: PlaylistEdits, limits: LineLimits = LineLimits()) {
        self.edits = edits
        self.limits = limits
        walk.setPlainLines(edits.plainHead, lacking: edits.probePair, longest: limits.longestLine)
        walk.setPassedLines(edits.passedHeads, leaving: edits.interest(with: .multivariant))
        walk.setInterest(edits.interest(with: verdict))
        lineEdits.standingItem = edits.standingItem
    }

    /// Makes the rewriter as new; the memory it has is kept.
    public mutating func reset() {
        phase = .signature
        held.removeAll()
        lineEdits.reset()
        lineEdits.standingItem = edits.standingItem
        lineEdits.standingUses = 0
        lastByte = ASCII.lineFeed
        verdict = .undecided
        appliesEdits = true
        selectsTags = true
        lineEdits.areIgnored = false
        walk.setInterest(edits.interest(with: verdict))
        takesPlainLines = false
        position = 0
        usesCRLF = false
        knowsLineEnding = false
        uneditableLines = 0
        firstUneditableLine = nil
        exceededLimit = nil
    }

    /// Takes the next chunk, of any size, and hands out what is settled.
    ///
    /// - Throws: ``LimitError`` at a line longer than the limits allow, where their policy says so. Every byte received has
    ///   been handed out by then, and whatever is written afterwards passes through.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: Sink) throws(LimitError) {
        try unsafe write(chunk, deciding: { _, _ in }, body)
    }

    /// Takes the next chunk and shows `handler` every selected line.
    ///
    /// - Throws: ``LimitError``, as ``write(_:_:)``.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, deciding handler: Handler, _ body: Sink
    ) throws(LimitError) {
        let view = unsafe ByteView(chunk)
        guard !view.isEmpty else { return }
        let exceededBefore = exceededLimit != nil
        scan(view, handler, body)
        position += view.count
        lastByte = view[view.count - 1]
        if let exceededLimit, !exceededBefore, limits.policy == .fail { throw exceededLimit }
    }

    /// Ends the playlist: hands out what is held, then the lines to append.
    ///
    /// A limit that is exceeded only now, by a last line without a line ending, is not thrown; ``exceededLimit`` tells.
    public mutating func finish(_ body: Sink) {
        finish(deciding: { _, _ in }, body)
    }

    /// Ends the playlist and shows `handler` a selected last line that has no line ending.
    public mutating func finish(deciding handler: Handler, _ body: Sink) {
        let missing = finishLines(deciding: handler, body)
        guard appliesEdits, exceededLimit == nil, !edits.appendedLines.isEmpty else { return }
        if !missing.isEmpty { body(OutputSlice(library: missing)) }
        for line in edits.appendedLines {
            body(OutputSlice(library: line.view))
            body(OutputSlice(library: lineEnding))
        }
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

    /// Hands out what is held, and tells what the output then lacks of a line ending: lines can be appended behind it.
    package mutating func finishLines(deciding handler: Handler, _ body: Sink) -> ByteView {
        let isLeftOut = phase.isHolding && releaseAtEnd(handler, body)
        if isLeftOut || lastByte == ASCII.lineFeed { return ByteView() }
        return lastByte == ASCII.carriageReturn ? ByteView("\n") : lineEnding
    }

    /// Gives the lines of one tag that lack the probed attribute `item`, rendered as `,NAME=VALUE`, until the reset.
    package mutating func setStandingItem(_ item: ByteView) { lineEdits.standingItem = item }

    /// The line ending of the playlist's first line, for lines that are appended.
    package var lineEnding: ByteView { usesCRLF ? ByteView("\r\n") : ByteView("\n") }
}
