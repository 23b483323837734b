#if !hasFeature(Embedded)
public import ByteScan

// Chunks and whole files that are arrays, slices, Foundation's Data, or any other collection of bytes.
//
// What does not lie in one piece is copied. Embedded Swift has the forms that take a RawSpan.

extension CueScanner {
    /// Scans the next chunk, of any size, and hands out the blocks that end in it.
    ///
    /// - Throws: ``CueLimitError``, as the form that takes a buffer.
    public mutating func scan(_ chunk: some Collection<UInt8>, _ body: Handler) throws(CueLimitError) {
        try unsafe chunk.withBytes { (chunk) throws(CueLimitError) in try unsafe scan(chunk, body) }
    }
}

extension CueTimingScanner {
    /// Scans the next chunk, of any size, and hands out the times on the lines that are whole.
    public mutating func scan(_ chunk: some Collection<UInt8>, _ body: Handler) {
        unsafe chunk.withBytes { unsafe scan($0, body) }
    }
}

/// The outlines of all cues of a whole file, in the order of the file; none if it has no signature.
///
/// A cue of more than 1 GiB is left out.
public func cueOutlines(in file: some Collection<UInt8>) -> [CueOutline] {
    unsafe file.withBytes { unsafe cueOutlines(in: $0) }
}

/// The time at which the final cue of a whole WebVTT file ends; nil if the file has no signature or no cue.
///
/// As the form that takes a buffer.
public func finalCueEnd(in file: some Collection<UInt8>) -> Timestamp? {
    unsafe file.withBytes { unsafe finalCueEnd(in: $0) }
}

/// The latest time at which any cue of a whole WebVTT file ends; nil if the file has no signature or no cue.
///
/// As the form that takes a buffer.
public func latestCueEnd(in file: some Collection<UInt8>) -> Timestamp? {
    unsafe file.withBytes { unsafe latestCueEnd(in: $0) }
}

extension FinalCueSearch {
    /// Takes the next block, which ends where the one before it begins: as the form that takes a buffer.
    @discardableResult
    public mutating func prepend(_ block: some Collection<UInt8>, startsFile: Bool = false) -> Answer {
        unsafe block.withBytes { unsafe prepend($0, startsFile: startsFile) }
    }
}

extension LatestEndSearch {
    /// Takes the next block, which ends where the one before it begins: as the form that takes a buffer.
    @discardableResult
    public mutating func prepend(
        _ block: some Collection<UInt8>, startsFile: Bool = false
    ) -> FinalCueSearch.Answer {
        unsafe block.withBytes { unsafe prepend($0, startsFile: startsFile) }
    }
}

extension SubRipTranscoder {
    /// Transcodes the next chunk, of any size.
    ///
    /// - Throws: ``TranscodingError``, as the form that takes a buffer.
    public mutating func write(_ chunk: some Collection<UInt8>, _ body: Sink) throws(TranscodingError) {
        try unsafe chunk.withBytes { (chunk) throws(TranscodingError) in try unsafe write(chunk, body) }
    }

    /// The WebVTT that a whole SubRip file becomes.
    ///
    /// - Throws: ``TranscodingError``, as `write(_:_:)` and ``finish(_:)``.
    public static func transcode(
        _ file: some Collection<UInt8>, limits: SubRipLimits = SubRipLimits()
    ) throws(TranscodingError) -> [UInt8] {
        try unsafe file.withBytes { (file) throws(TranscodingError) in try unsafe transcode(file, limits: limits) }
    }
}

extension Segmenter {
    /// Cuts the next chunk, of any size, and hands out what is decided, slice by slice.
    ///
    /// - Throws: ``SegmenterError``, as the form that takes a buffer.
    public mutating func write(_ chunk: some Collection<UInt8>, _ body: Handler) throws(SegmenterError) {
        try unsafe chunk.withBytes { (chunk) throws(SegmenterError) in try unsafe write(chunk, body) }
    }

    /// Cuts the next chunk, of any size, and collects what is decided in `output`, in place of what is there.
    ///
    /// Ranges of the chunk count from its first byte, whatever its indices are.
    ///
    /// - Throws: ``SegmenterError``, as the form that takes a buffer.
    public mutating func write(
        _ chunk: some Collection<UInt8>, into output: inout SegmentPieces
    ) throws(SegmenterError) {
        try unsafe chunk.withBytes { (chunk) throws(SegmenterError) in try unsafe write(chunk, into: &output) }
    }

    /// Cuts a whole file, whose cues may stand in any order.
    ///
    /// - Throws: ``SegmenterError``, as the form that takes a buffer.
    public mutating func segment(_ file: some Collection<UInt8>, _ body: Handler) throws(SegmenterError) {
        try unsafe file.withBytes { (file) throws(SegmenterError) in try unsafe segment(file, body) }
    }

    /// Cuts a whole file, whose cues may stand in any order, and collects its segments in `output`.
    ///
    /// Ranges of the file count from its first byte, whatever its indices are.
    ///
    /// - Throws: ``SegmenterError``, as the form that takes a buffer.
    public mutating func segment(
        _ file: some Collection<UInt8>, into output: inout SegmentPieces
    ) throws(SegmenterError) {
        try unsafe file.withBytes { (file) throws(SegmenterError) in try unsafe segment(file, into: &output) }
    }

    /// Cuts a whole file, whose cues may stand in any order, and copies its segments to `output`, one after the other.
    ///
    /// - Throws: `OutputError`, as the form that takes a buffer.
    public mutating func segment(
        _ file: some Collection<UInt8>, into output: inout OutputBuffer, _ body: (Segment, Range<Int>) -> Void
    ) throws(OutputError<SegmenterError>) {
        try unsafe file.withBytes { (file) throws(OutputError<SegmenterError>) in
            try unsafe segment(file, into: &output, body)
        }
    }
}

extension WebVTTSignature {
    /// Looks at the `head` of a file, of which ``decidingByteCount`` bytes are enough: as the form that takes a buffer.
    public init(head: some Collection<UInt8>, isWholeFile: Bool) {
        self = unsafe head.withBytes { unsafe WebVTTSignature(head: $0, isWholeFile: isWholeFile) }
    }
}
#endif
