import ByteScan

/// Hands out the bytes of segments: what lies together in a chunk, in one slice.
///
/// After every cue goes one blank line, after the last one too: a player that takes segments one by one shows a cue
/// when it comes to the blank line (GStreamer's subparse). If the chunk has just that after a cue, it leaves with the
/// cue, and with the next one if that follows in the segment:
///
///     1⏎00:01.000 --> 00:02.000⏎Hello⏎⏎2⏎00:03.000 --> 00:04.000⏎there⏎⏎NOTE⏎…
///     └───────────────────────── one slice ──────────────────────────┘
struct SegmentWriter: ~Copyable {
    typealias Handler = (SegmentEvent) -> Void

    private var chunk = ByteView()

    /// What of the chunk is to be handed out next.
    private var runStart = 0
    private var runEnd = 0

    /// Whether nothing but the head has been written to the segment.
    private var isBlank = true

    /// The last byte of the cue that was handed out last, where the run is empty.
    private var lastByte: UInt8 = 0

    /// How many cues the segment has so far.
    private var cueCount = 0

    /// Makes `chunk` the one that ranges are of.
    @inline(__always)
    mutating func beginChunk(_ chunk: ByteView) {
        self.chunk = chunk
        (runStart, runEnd) = (0, 0)
    }

    /// Hands out what is left of the chunk.
    mutating func endChunk(_ body: Handler) {
        flush(body)
        beginChunk(ByteView())
    }

    /// Begins a segment with `head`, and after it the cues that go on in it.
    mutating func begin(_ index: Int, head: ByteView, _ spanning: borrowing SpanningCues, _ body: Handler) {
        body(.began(index))
        body(.bytes(OutputSlice(library: head)))
        isBlank = spanning.isEmpty
        cueCount = spanning.count
        let cues = spanning.bytes
        if let last = cues.last {
            body(.bytes(OutputSlice(library: cues)))
            lastByte = last
        }
    }

    /// Ends the segment at `end`, and its last cue with a blank line.
    @inline(__always)
    mutating func end(
        _ bounds: SegmentBounds, at end: UInt64, _ terminator: LineTerminator, _ body: Handler
    ) {
        endLastCue(terminator, body)
        body(
            .ended(
                Segment(
                    index: bounds.index, start: bounds.start, duration: end &- bounds.start, cueCount: cueCount)))
    }

    @inline(__always)
    private mutating func endLastCue(_ terminator: LineTerminator, _ body: Handler) {
        guard !isBlank else { return }
        if runEnd > runStart {
            let count = terminator.blankLine(after: chunk[runEnd &- 1]).count
            if runEnd <= chunk.count &- count, isBlankLine(runEnd, runEnd &+ count, terminator) {
                runEnd &+= count
                return flush(body)
            }
        }
        flush(body)
        body(.bytes(OutputSlice(library: terminator.blankLine(after: lastByte))))
    }

    /// Writes the cue at `offset` of the chunk.
    @inline(__always)
    mutating func write(_ offset: Int, _ count: Int, _ terminator: LineTerminator, _ body: Handler) {
        cueCount &+= 1
        let end = offset &+ count
        if runEnd > runStart, isBlankLine(runEnd, offset, terminator) {
            runEnd = end
            if !ASCII.isLineEnd(chunk[end &- 1]) { endLine(terminator, body) }
            return
        }
        separate(terminator, body)
        (runStart, runEnd) = (offset, end)
        if !ASCII.isLineEnd(chunk[end &- 1]) { endLine(terminator, body) }
    }

    /// Whether what is between two cues of the chunk is the blank line that would be written there.
    @inline(__always)
    private func isBlankLine(_ start: Int, _ end: Int, _ terminator: LineTerminator) -> Bool {
        // As in nearly all files.
        if end &- start == 1, terminator == .lineFeed {
            return chunk[start] == ASCII.lineFeed && chunk[start &- 1] == ASCII.lineFeed
        }
        return hasBlankLine(start, end, terminator)
    }

    private func hasBlankLine(_ start: Int, _ end: Int, _ terminator: LineTerminator) -> Bool {
        let blank = terminator.blankLine(after: chunk[start &- 1])
        return end &- start == blank.count && chunk.hasBytes(blank, at: start)
    }

    /// Writes a cue that is not in the chunk.
    mutating func write(_ cue: ByteView, _ terminator: LineTerminator, _ body: Handler) {
        cueCount &+= 1
        separate(terminator, body)
        body(.bytes(OutputSlice(library: cue)))
        lastByte = cue[cue.count &- 1]
        if !ASCII.isLineEnd(lastByte) { endLine(terminator, body) }
    }

    /// Hands out the run, and a blank line unless the segment has only its head.
    private mutating func separate(_ terminator: LineTerminator, _ body: Handler) {
        flush(body)
        if !isBlank { body(.bytes(OutputSlice(library: terminator.blankLine(after: lastByte)))) }
        isBlank = false
    }

    /// Ends the line that the file ends with and has not ended.
    private mutating func endLine(_ terminator: LineTerminator, _ body: Handler) {
        flush(body)
        body(.bytes(OutputSlice(library: terminator.bytes)))
    }

    @inline(__always)
    private mutating func flush(_ body: Handler) {
        guard runEnd > runStart else { return }
        body(.bytes(OutputSlice(chunkAt: runStart, chunk[runStart..<runEnd])))
        lastByte = chunk[runEnd &- 1]
        runStart = runEnd
    }
}
