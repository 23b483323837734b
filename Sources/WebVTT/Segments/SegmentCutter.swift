import ByteScan

/// Which cues go into which segment, while they come in the order of their segments.
struct SegmentCutter: ~Copyable {
    typealias Handler = (SegmentEvent) -> Void

    let boundaries: SegmentBoundaries
    let limits: Segmenter.Limits

    /// Whether a cue is only in the segment that it starts in.
    let cuesOnce: Bool

    /// The latest time in milliseconds at which content may end.
    private let latestContentEnd: Int64

    /// What is known of the file so far: all that a reset forgets, besides memory.
    struct Document {
        var bounds: SegmentBounds
        /// Where the chunk being scanned begins in the stream.
        var chunkPosition = 0
        /// Whether the first segment has begun.
        var hasBegun = false
        /// When the cue ends that ends last of those that ever show, in milliseconds.
        var contentEnd: Int64 = 0
        /// How many bytes segments have repeated of those before them.
        var repeatedBytes = 0
        /// Why the file cannot be cut, once it is known.
        var failure: SegmenterError?
    }

    var document: Document
    var head: SegmentHead
    var writer = SegmentWriter()
    var spanningCues = SpanningCues()
    private var waitingCues = WaitingCues()

    init(_ boundaries: SegmentBoundaries, maps: SegmentMaps, cuesOnce: Bool, limits: Segmenter.Limits) {
        self.boundaries = boundaries
        self.limits = limits
        self.cuesOnce = cuesOnce
        latestContentEnd = boundaries.latestEnd(ofSegments: limits.segments)
        document = Document(bounds: SegmentBounds(boundaries))
        head = SegmentHead(maps: maps, limit: limits.head)
        checkCount()
    }

    mutating func reset() {
        document = Document(bounds: SegmentBounds(boundaries))
        head.reset()
        spanningCues.removeAll()
        waitingCues.removeAll()
        checkCount()
    }

    /// How many bytes of cues are held.
    var heldBytes: Int { spanningCues.byteCount &+ waitingCues.byteCount }

    private mutating func checkCount() {
        if let count = boundaries.count, count > UInt64(limits.segments) {
            fail(.tooManySegments(limit: limits.segments), at: 0)
        }
    }

    /// Stops for good, unless something before has.
    @inline(never)
    mutating func fail(_ reason: SegmenterError.Reason, at position: Int) {
        if document.failure == nil { document.failure = SegmenterError(reason: reason, position: position) }
    }

    mutating func beginChunk(_ chunk: ByteView, at position: Int) {
        head.terminator.scan(chunk)
        document.chunkPosition = position
        writer.beginChunk(chunk)
    }

    /// Hands out what is left of the chunk, after which the stream goes on at `position`.
    mutating func endChunk(at position: Int, _ body: Handler) {
        writer.endChunk(body)
        document.chunkPosition = position
    }

    @inline(__always)
    mutating func handle(_ event: CueEvent, _ body: Handler) {
        guard document.failure == nil else { return }
        // Part by part: what was stored so is not copied in one piece without a wait.
        if case .cue(let cue) = event {
            handle(cue.bytes, at: cue.position, start: cue.start.milliseconds, end: cue.end.milliseconds, body)
        } else {
            handleOther(event)
        }
    }

    /// Handles whatever is no cue.
    mutating func handleOther(_ event: CueEvent) {
        switch event {
        case .header(let line):
            if !head.append(line) { fail(.headTooLong(limit: limits.head), at: line.position) }
        case .style(let block):
            if !head.append(block: block.bytes) { fail(.headTooLong(limit: limits.head), at: block.position) }
        case .region(let block):
            if !head.append(block: block.bytes) { fail(.headTooLong(limit: limits.head), at: block.position) }
        case .skipped(let block): fail(.blockTooLong(limit: limits.largestBlock), at: block.position)
        case .note, .unparsed, .cue: break
        }
    }

    @inline(__always)
    private mutating func handle(_ cue: ByteView, at position: Int, start: Int64, end: Int64, _ body: Handler) {
        guard end > start, waitingCues.isEmpty else {
            return handleUnusual(cue, at: position, start: start, end: end, body)
        }
        guard noteEnd(end, at: position) else { return }
        place(cue, at: position, start: start, end: end, body)
    }

    /// Writes a cue to the segment that it starts in.
    @inline(__always)
    private mutating func place(_ cue: ByteView, at position: Int, start: Int64, end: Int64, _ body: Handler) {
        if start >= document.bounds.laterStart || !document.hasBegun {
            advance(to: start, body)
            guard document.failure == nil else { return }
        }
        guard start >= document.bounds.earliestStart else { return refuse(at: position, start: start) }
        let offset = position &- document.chunkPosition
        if offset >= 0 {
            writer.write(offset, cue.count, head.terminator, body)
        } else {
            writer.write(cue, head.terminator, body)
        }
        if end > document.bounds.latestEnd, !cuesOnce { keep(cue, until: end, at: position) }
    }

    /// Handles a cue that never shows, and any other while some wait.
    @inline(never)
    private mutating func handleUnusual(
        _ cue: ByteView, at position: Int, start: Int64, end: Int64, _ body: Handler
    ) {
        if end > start, !noteEnd(end, at: position) { return }
        guard waitingCues.isEmpty || start >= waitingCues.earliestStart else {
            return refuse(at: position, start: start)
        }
        if end > start {
            // The content goes on to this cue, and so to all that wait.
            placeWaiting(body)
            guard document.failure == nil else { return }
        } else if let segment = boundaries.segment(at: start), !waitingCues.isEmpty || mayBeBehindEnd(start) {
            guard cue.count <= limits.spanningCues &- waitingCues.byteCount else {
                return fail(.hiddenCuesTooLong(limit: limits.spanningCues), at: position)
            }
            return waitingCues.keep(cue, from: start, segmentStart: segment.start)
        }
        place(cue, at: position, start: start, end: end, body)
    }

    /// Whether the segment that holds `start` is there only if the content goes on longer than is known.
    private func mayBeBehindEnd(_ start: Int64) -> Bool {
        start >= document.contentEnd && (start >= document.bounds.laterStart || !document.hasBegun)
    }

    /// Writes the cues that wait, each to the segment it starts in, or to the last one.
    private mutating func placeWaiting(_ body: Handler) {
        guard !waitingCues.isEmpty else { return }
        // Taken out of self while the others of its parts change.
        var waiting = WaitingCues()
        swap(&waiting, &waitingCues)
        waiting.forEach { cue, start in
            if !document.hasBegun { advance(to: 0, body) }
            while start >= document.bounds.laterStart, hasNext { advance(body) }
            guard document.failure == nil else { return }
            writer.write(cue, head.terminator, body)
        }
        waiting.removeAll()
        swap(&waiting, &waitingCues)
    }

    /// Notes until when a cue shows, and tells whether the limit of segments allows it.
    @inline(__always)
    mutating func noteEnd(_ end: Int64, at position: Int) -> Bool {
        guard end > document.contentEnd else { return true }
        document.contentEnd = end
        if end > latestContentEnd { fail(.tooManySegments(limit: limits.segments), at: position) }
        return end <= latestContentEnd
    }

    private mutating func refuse(at position: Int, start: Int64) {
        if let segment = boundaries.segment(at: start) {
            return fail(.outOfOrder(segment: Int(clamping: segment.index)), at: position)
        }
        // The segment that the cue starts in is found from the beginning, this once.
        var earlier = SegmentBounds(boundaries)
        while start >= earlier.laterStart, !earlier.isLast { earlier.advance() }
        fail(.outOfOrder(segment: earlier.index), at: position)
    }

    @inline(__always)
    private mutating func keep(_ cue: ByteView, until end: Int64, at position: Int) {
        if cue.count > limits.spanningCues &- spanningCues.byteCount {
            // Some may have ended since the segment began.
            spanningCues.close(at: document.bounds.latestEnd)
            guard cue.count <= limits.spanningCues &- spanningCues.byteCount else {
                return fail(.spanningCuesTooLong(limit: limits.spanningCues), at: position)
            }
        }
        spanningCues.keep(cue, at: position, until: end, head.terminator)
    }

    /// Goes on to the segment that holds `time`, in milliseconds, and first begins the first one.
    private mutating func advance(to time: Int64, _ body: Handler) {
        while document.failure == nil {
            if !document.hasBegun {
                document.hasBegun = true
            } else if time >= document.bounds.laterStart, !document.bounds.isLast {
                end(body)
            } else {
                return
            }
            begin(body)
        }
    }

    /// Ends the segment and begins the next one.
    private mutating func advance(_ body: Handler) {
        end(body)
        begin(body)
    }

    @inline(__always)
    private mutating func end(_ body: Handler) {
        writer.end(document.bounds, at: document.bounds.end, head.terminator, body)
        spanningCues.close(at: document.bounds.latestEnd)
        document.bounds.advance()
    }

    @inline(__always)
    private mutating func begin(_ body: Handler) {
        head.begin(segment: document.bounds.index)
        guard noteRepeated(spanningCues.byteCount) else { return refuseRepeated() }
        writer.begin(document.bounds.index, head: head.bytes, spanningCues, body)
    }

    @inline(never)
    private mutating func refuseRepeated() {
        fail(.tooManyRepeatedBytes(limit: limits.repeatedBytes), at: spanningCues.firstPosition ?? 0)
    }

    /// Notes that the segment which begins repeats its head and `cueBytes` of cues, unless it is the first one, and
    /// tells whether the limit allows it.
    mutating func noteRepeated(_ cueBytes: Int) -> Bool {
        guard document.bounds.index > 0 else { return true }
        document.repeatedBytes &+= head.bytes.count &+ cueBytes
        return document.repeatedBytes <= limits.repeatedBytes
    }

    /// Ends the last segment, and those before it that no cue has started in.
    mutating func finish(_ body: Handler) {
        guard document.failure == nil, boundaries.isEndKnown || document.contentEnd > 0 else { return }
        if !document.hasBegun { advance(to: 0, body) }
        placeWaiting(body)
        while hasNext { advance(body) }
        guard document.failure == nil else { return }
        writer.end(document.bounds, at: end, head.terminator, body)
    }

    /// Whether the content goes on after the segment; after a failure nothing does.
    var hasNext: Bool {
        !document.bounds.isLast && document.failure == nil
            && (boundaries.isEndKnown || document.contentEnd > document.bounds.latestEnd)
    }

    /// When the last segment ends, in nanoseconds. The limit of segments leaves no time that does not fit.
    var end: UInt64 {
        boundaries.isEndKnown ? document.bounds.end : UInt64(document.contentEnd) &* SegmentBounds.millisecond
    }
}
