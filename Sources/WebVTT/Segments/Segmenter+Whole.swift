public import ByteScan

extension Segmenter {
    /// Cuts a whole file in memory, whose cues may stand in any order.
    ///
    /// Each segment has its cues in the order of the file. If the cues come in the order of their segments, the
    /// segments are those of `write(_:_:)`, exactly. The segmenter is reset before and after.
    ///
    /// - Throws: ``SegmenterError``, for anything but the order, and before anything has been handed out.
    /// - Complexity: O(*n* log *n*) in the number of cues, and O(*n*) in the bytes.
    public mutating func segment(_ file: UnsafeRawBufferPointer, _ body: Handler) throws(SegmenterError) {
        reset()
        cutter.cutWhole(unsafe ByteView(file), body)
        let failure = cutter.document.failure
        reset()
        if let failure { throw failure }
    }

    /// Cuts a whole file in memory, whose cues may stand in any order.
    ///
    /// - Throws: ``SegmenterError``, as the form that takes a buffer.
    public mutating func segment(_ file: RawSpan, _ body: Handler) throws(SegmenterError) {
        try unsafe file.withUnsafeBytes { (file) throws(SegmenterError) in try unsafe segment(file, body) }
    }

    /// Cuts a whole file in memory, whose cues may stand in any order, and collects its segments in `output`; ranges
    /// are of `file`.
    ///
    /// - Throws: ``SegmenterError``, as the form that takes a buffer.
    public mutating func segment(_ file: RawSpan, into output: inout SegmentPieces) throws(SegmenterError) {
        try unsafe file.withUnsafeBytes { (file) throws(SegmenterError) in try unsafe segment(file, into: &output) }
    }

    /// Cuts a whole file in memory, whose cues may stand in any order, and copies its segments to `output`, one after
    /// the other.
    ///
    /// - Throws: `OutputError`, as the form that takes a buffer.
    public mutating func segment(
        _ file: RawSpan, into output: inout OutputBuffer, _ body: (Segment, Range<Int>) -> Void
    ) throws(OutputError<SegmenterError>) {
        try unsafe file.withUnsafeBytes { (file) throws(OutputError<SegmenterError>) in
            try unsafe segment(file, into: &output, body)
        }
    }
}

extension SegmentCutter {
    /// Where a cue of a whole file is, and when it shows, in milliseconds.
    private struct Place {
        let position: Int
        let count: Int
        let start: Int64
        let end: Int64

        /// Whether the cue ever shows.
        var isShown: Bool { end > start }
    }

    fileprivate mutating func cutWhole(_ file: ByteView, _ body: Handler) {
        var scanner = CueScanner(limits: CueLimits(largestBlock: limits.largestBlock))
        var cues: [Place] = []
        beginChunk(file, at: 0)
        scanner.scan(file) { event in note(event, in: &cues) }
        scanner.end { event in note(event, in: &cues) }
        guard case .valid = scanner.signature else { return fail(.notWebVTT, at: 0) }
        guard document.failure == nil, boundaries.isEndKnown || document.contentEnd > 0 else { return }
        // By their start, and if that is the same by their number: sorting has one result then.
        let byStart = cues.indices.sorted { (cues[$0].start, $0) < (cues[$1].start, $1) }
        checkRepeated(cues, byStart, in: file)
        if document.failure == nil { write(cues, byStart, body) }
    }

    /// Goes through all segments, and fails at the first that repeats more than the limit allows.
    ///
    /// What a segment repeats of cues are those that have started before it less those that have ended by then.
    private mutating func checkRepeated(_ cues: [Place], _ byStart: [Int], in file: ByteView) {
        let starting = cuesOnce ? [] : byStart.filter { cues[$0].isShown }
        let ending = starting.sorted { cues[$0].end < cues[$1].end }
        let first = document.bounds
        var (started, ended, bytes) = (0, 0, 0)
        head.begin(segment: first.index)
        while hasNext {
            let bounds = document.bounds
            while started < starting.count, cues[starting[started]].start < bounds.laterStart {
                bytes &+= count(of: cues[starting[started]], in: file)
                started += 1
            }
            while ended < ending.count, cues[ending[ended]].end <= bounds.latestEnd {
                bytes &-= count(of: cues[ending[ended]], in: file)
                ended += 1
            }
            document.bounds.advance()
            head.begin(segment: document.bounds.index)
            guard noteRepeated(bytes) else {
                let toBlame = cues.first {
                    !cuesOnce && $0.isShown && $0.start < bounds.laterStart && $0.end > bounds.latestEnd
                }
                return fail(.tooManyRepeatedBytes(limit: limits.repeatedBytes), at: toBlame?.position ?? 0)
            }
        }
        document.bounds = first
        head.rewind()
    }

    /// How many bytes a segment gets that has the cue, with the blank line after it.
    private func count(of cue: Place, in file: ByteView) -> Int {
        cue.count &+ head.terminator.countBehindCue(endingWith: file[cue.position &+ cue.count &- 1])
    }

    private mutating func note(_ event: CueEvent, in cues: inout [Place]) {
        guard document.failure == nil else { return }
        guard case .cue(let cue) = event else { return handleOther(event) }
        let (start, end) = (cue.start.milliseconds, cue.end.milliseconds)
        guard end <= start || noteEnd(end, at: cue.position) else { return }
        cues.append(Place(position: cue.position, count: cue.bytes.count, start: start, end: end))
    }

    /// Writes all segments: to each go the cues of the one before that go on, and those that start in it.
    private mutating func write(_ cues: [Place], _ byStart: [Int], _ body: Handler) {
        var next = 0
        var shown: [Int] = []
        while true {
            let first = next
            while next < byStart.count,
                !hasNext || cues[byStart[next]].start < document.bounds.laterStart
            {
                next += 1
            }
            shown = Self.merge(shown, byStart[first..<next].sorted())
            head.begin(segment: document.bounds.index)
            writer.begin(document.bounds.index, head: head.bytes, spanningCues, body)
            for index in shown { writer.write(cues[index].position, cues[index].count, head.terminator, body) }
            guard hasNext else { break }
            writer.end(document.bounds, at: document.bounds.end, head.terminator, body)
            shown.removeAll { cuesOnce || cues[$0].end <= document.bounds.latestEnd }
            document.bounds.advance()
        }
        writer.end(document.bounds, at: end, head.terminator, body)
        writer.endChunk(body)
    }

    /// The numbers of two sorted lists in one.
    private static func merge(_ left: [Int], _ right: [Int]) -> [Int] {
        guard !left.isEmpty else { return right }
        var merged: [Int] = []
        merged.reserveCapacity(left.count + right.count)
        var index = 0
        for number in left {
            while index < right.count, right[index] < number {
                merged.append(right[index])
                index += 1
            }
            merged.append(number)
        }
        return merged + right[index...]
    }
}
