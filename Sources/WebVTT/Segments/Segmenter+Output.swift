public import ByteScan

// Output in few pieces, to be sent or stored after the call, and that of a whole file in memory of the caller's.
extension Segmenter {
    /// Cuts the next chunk, of any size, and collects what is decided in `output`, in place of what is there.
    ///
    /// - Throws: ``SegmenterError``, as `write(_:_:)`; what came before the cue to blame is in `output`.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, into output: inout SegmentPieces
    ) throws(SegmenterError) {
        var writer = output.begin()
        defer { output.end(&writer) }
        try unsafe write(chunk) { writer.append($0) }
    }

    /// Cuts the next chunk, of any size, and collects what is decided in `output`, in place of what is there.
    ///
    /// - Throws: ``SegmenterError``, as the form that takes a buffer.
    public mutating func write(_ chunk: RawSpan, into output: inout SegmentPieces) throws(SegmenterError) {
        try unsafe chunk.withUnsafeBytes { (chunk) throws(SegmenterError) in try unsafe write(chunk, into: &output) }
    }

    /// Cuts the next chunk, of any size, and hands out what is decided, slice by slice.
    ///
    /// - Throws: ``SegmenterError``, as the form that takes a buffer.
    public mutating func write(_ chunk: RawSpan, _ body: Handler) throws(SegmenterError) {
        try unsafe chunk.withUnsafeBytes { (chunk) throws(SegmenterError) in try unsafe write(chunk, body) }
    }

    /// Ends the file, and collects the rest in `output`, in place of what is there.
    ///
    /// If the source has broken off, ``abandon()`` in place of this.
    ///
    /// - Throws: ``SegmenterError``, as `write(_:_:)`.
    public mutating func finish(into output: inout SegmentPieces) throws(SegmenterError) {
        var writer = output.begin()
        defer { output.end(&writer) }
        try finish { writer.append($0) }
    }

    /// Cuts a whole file in memory, whose cues may stand in any order, and collects its segments in `output`; ranges
    /// are of `file`.
    ///
    /// - Throws: ``SegmenterError``, as `segment(_:_:)`.
    public mutating func segment(
        _ file: UnsafeRawBufferPointer, into output: inout SegmentPieces
    ) throws(SegmenterError) {
        var writer = output.begin()
        defer { output.end(&writer) }
        try unsafe segment(file) { writer.append($0) }
    }

    /// Cuts a whole file in memory, whose cues may stand in any order, and copies its segments to `output`, one after
    /// the other.
    ///
    /// `body` gets each segment, and where it is in `OutputBuffer.bytes`. Do not send from it: the output is being
    /// written.
    ///
    /// - Throws: `OutputError.tooSmall(needed:available:)` with exactly as many bytes as are needed: then nothing
    ///   counts as written, and `body` has got the segments for which there was room. Otherwise ``SegmenterError``, as
    ///   `segment(_:_:)`.
    public mutating func segment(
        _ file: UnsafeRawBufferPointer, into output: inout OutputBuffer, _ body: (Segment, Range<Int>) -> Void
    ) throws(OutputError<SegmenterError>) {
        let (first, available) = (output.count, output.available)
        var writer = output.begin()
        var (start, length) = (0, 0)
        do throws(SegmenterError) {
            try unsafe segment(file) { event in
                switch event {
                case .began: start = length
                case .bytes(let slice):
                    length += slice.count
                    if length <= available { writer.append(slice) }
                case .ended(let segment):
                    if length <= available { body(segment, (first + start)..<(first + length)) }
                }
            }
        } catch { throw .failed(error) }
        try output.require(length, or: SegmenterError.self)
        output.end(writer)
    }

    /// A number that is another if the segments may be: for ETag and cache keys. It depends on boundaries, maps, limits
    /// and whether cues are wanted once.
    ///
    /// The same in every run and on every machine.
    public var fingerprint: UInt64 {
        var fingerprint = Fingerprint(of: "segments", version: Self.outputVersion)
        cutter.boundaries.add(to: &fingerprint)
        cutter.head.maps.add(to: &fingerprint)
        fingerprint.add(cutter.cuesOnce)
        let limits = cutter.limits
        for limit in [
            limits.largestBlock, limits.head, limits.spanningCues, limits.segments, limits.repeatedBytes,
        ] {
            fingerprint.add(limit)
        }
        return fingerprint.value
    }

    /// A number that goes up whenever the same configuration makes other segments of some file.
    package static var outputVersion: Int { 1 }
}

extension SegmentBoundaries {
    /// Adds the boundaries to `fingerprint`.
    fileprivate func add(to fingerprint: inout Fingerprint) {
        switch kind {
        case .every(let step, let end):
            fingerprint.add(true)
            fingerprint.add(step)
            fingerprint.add(ifThere: end)
        case .durations(let durations):
            fingerprint.add(false)
            fingerprint.add(durations.count)
            for duration in durations { fingerprint.add(duration) }
        }
    }
}

extension SegmentMaps {
    /// Adds the maps to `fingerprint`.
    fileprivate func add(to fingerprint: inout Fingerprint) {
        fingerprint.add(prefersOwn)
        fingerprint.add(later.count)
        for timeline in [Timeline(firstSegment: 0, map: first)] + later {
            fingerprint.add(timeline.firstSegment)
            fingerprint.add(timeline.map == nil)
            timeline.map?.add(to: &fingerprint)
        }
    }
}
