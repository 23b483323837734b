import ByteScan

/// Cuts a WebVTT file into the segments of an HLS rendition while its bytes pass by: chunks of any size in, segments
/// out (RFC 8216 3.5).
///
///     guard let boundaries = SegmentBoundaries(every: 6_000_000_000) else { return }
///     var segmenter = Segmenter(boundaries, map: TimestampMap(mpegTS: 126_000))
///     var output = SegmentPieces()
///     try segmenter.write(chunk, into: &output)
///     for piece in output {
///         switch piece {
///         case .began(let index): file = storage.create("en-\(index).vtt")
///         case .bytes(let piece): file.append(piece.bytes(in: chunk))
///         case .ended(let segment): durations.append(segment.duration)
///         }
///     }
///     try segmenter.finish(into: &output)                    // and the same loop again
///
/// - **Cues** are in every segment in which they show, byte for byte as they stand in the file and with their full
///   times. A cue that ends exactly where a segment begins is not in it. One that ends at its start or before it, and
///   so never shows, is in the segment its start lies in, or in the last one if that is behind the content's end. If
///   cues are wanted once, each is only in the segment it starts in, for players that show what is repeated twice.
/// - **Segments** begin with `WEBVTT`, the timestamp map (the one given, else the file's own), and all styles and
///   regions. The file's other header lines, notes, and blocks that a parser leaves out are in none. After every cue
///   goes one blank line. Segments without a cue have no more than their head.
/// - **The last segment** ends where the boundaries end, or else where the cue ends that ends last of those that ever
///   show. If the boundaries have no end and no cue shows, there is no segment.
/// - **Lines** that are added are ended as the file's first one is.
///
/// Cues must come in the order of the segments they start in, which is less than sorted; `segment(_:_:)` cuts a
/// whole file in any order. Memory holds the cues that go on in the next segment, and those that never show and start
/// behind all others, within ``Limits``. Where a chunk ends never changes what a segment holds. A segmenter that is
/// reset and used again allocates nothing.
public struct Segmenter: ~Copyable {
    /// Receives what is handed out.
    public typealias Handler = (SegmentEvent) -> Void

    var scanner: CueScanner
    var cutter: SegmentCutter

    /// A segmenter for one file, whose map, if one is given, takes the place of the file's own. Reset it to use it for
    /// another.
    ///
    /// With `cuesOnce` a cue is only in the segment that it starts in. Players that show a cue again for each segment
    /// that has it, as Chromecast, ffmpeg and GStreamer do, need that; others then miss it if they start in a later
    /// segment.
    public init(
        _ boundaries: SegmentBoundaries, map: TimestampMap? = nil, cuesOnce: Bool = false, limits: Limits = Limits()
    ) {
        let maps = SegmentMaps(first: map, prefersOwn: map == nil)
        self.init(boundaries, maps: maps, cuesOnce: cuesOnce, limits: limits)
    }

    /// A segmenter for one file, whose segments get `maps`. Reset it to use it for another.
    public init(_ boundaries: SegmentBoundaries, maps: SegmentMaps, cuesOnce: Bool = false, limits: Limits = Limits()) {
        scanner = CueScanner(limits: CueLimits(largestBlock: limits.largestBlock))
        cutter = SegmentCutter(boundaries, maps: maps, cuesOnce: cuesOnce, limits: limits)
    }

    /// Makes the segmenter as new; the memory it has is kept.
    public mutating func reset() {
        scanner.reset()
        cutter.reset()
    }

    /// The file's own map, once its header has been scanned; nil if it has none, or another is given instead of it.
    public var ownMap: TimestampMap? { cutter.head.own }

    /// How many bytes have been written to the segmenter.
    public var position: Int { scanner.position }

    /// Cuts the next chunk, of any size, and hands out what is decided, slice by slice.
    ///
    /// For counting and copying. **Do not send from `body`, and call nothing there that may use the segmenter again**,
    /// not even to read a property: the call is changing it, and Swift ends the process at such an access. Slices are
    /// valid during the call that hands them out. To send, collect the output: `write(_:into:)`.
    ///
    /// - Throws: ``SegmenterError``, once what came before the cue to blame has been handed out. Nothing more is then:
    ///   every further call throws the same error, until the reset.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: Handler) throws(SegmenterError) {
        Self.scan(unsafe ByteView(chunk), &scanner, &cutter, body)
        if let failure = cutter.document.failure { throw failure }
    }

    /// Ends the file: hands out the rest.
    ///
    /// - Throws: ``SegmenterError``, as `write(_:_:)`.
    public mutating func finish(_ body: Handler) throws(SegmenterError) {
        Self.finish(&scanner, &cutter, body)
        if let failure = cutter.document.failure { throw failure }
    }

    /// Breaks the file off, because its source has: what is held is never handed out, and the segment that has begun
    /// never ended.
    ///
    /// A file that breaks off is not a finished one: half a cue would show half a sentence, and nobody knows how long
    /// the segment is. Every further call throws ``SegmenterError/Reason/brokenOff``, until the reset.
    public mutating func abandon() { cutter.fail(.brokenOff, at: scanner.position) }

    /// How many bytes of the file are held: of a block that has not ended, of cues that go on in the next segment, and
    /// of those that never show and wait for content to go on to their start. Timestamp map, styles and regions, which
    /// are kept for all segments, do not count.
    public var heldBytes: Int { cutter.document.failure == nil ? scanner.carry.view.count + cutter.heldBytes : 0 }

    private static func scan(
        _ chunk: ByteView, _ scanner: inout CueScanner, _ cutter: inout SegmentCutter, _ body: Handler
    ) {
        cutter.beginChunk(chunk, at: scanner.position)
        scanner.scanInlined(chunk) { event in cutter.handle(event, body) }
        cutter.endChunk(at: scanner.position, body)
        if scanner.signature == .invalid { cutter.fail(.notWebVTT, at: 0) }
    }

    private static func finish(_ scanner: inout CueScanner, _ cutter: inout SegmentCutter, _ body: Handler) {
        scanner.end { event in cutter.handle(event, body) }
        guard case .valid = scanner.signature else { return cutter.fail(.notWebVTT, at: 0) }
        cutter.finish(body)
    }
}
