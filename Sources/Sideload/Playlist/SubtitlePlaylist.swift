public import ByteScan

/// The media playlist that puts WebVTT files beside a video: one line for each file, and nothing that changes later.
///
///     #EXTM3U
///     #EXT-X-VERSION:3
///     #EXT-X-TARGETDURATION:635
///     #EXT-X-MEDIA-SEQUENCE:0
///     #EXT-X-PLAYLIST-TYPE:VOD
///     #EXTINF:634.567,
///     https://example.com/en.vtt
///     #EXT-X-ENDLIST
///
/// The target duration is the longest segment's, rounded up to whole seconds (8216bis 4.4.3.1). Durations are written
/// with three decimals, or with as many as they take to be exact, nine at most. Lines end in a line feed. A value of this type is checked, and renders as often as asked.
public struct SubtitlePlaylist: Sendable {
    private let segments: [Segment]
    private let options: Options

    /// How many bytes the rendered playlist has.
    public let byteCount: Int

    /// A playlist of the one file at `uri`, for media that plays for `duration`.
    ///
    /// - Throws: ``SubtitlePlaylistError``; the segment it names is 0.
    public init(uri: [UInt8], duration: MediaDuration, options: Options = Options()) throws(SubtitlePlaylistError) {
        try self.init(segments: [Segment(uri: uri, duration: duration)], options: options)
    }

    /// A playlist of the one file at `uri`, for media that plays for `duration`.
    ///
    /// - Throws: ``SubtitlePlaylistError``; the segment it names is 0.
    public init(uri: String, duration: MediaDuration, options: Options = Options()) throws(SubtitlePlaylistError) {
        try self.init(uri: Array(uri.utf8), duration: duration, options: options)
    }

    /// A playlist of `segments`, in their order.
    ///
    /// - Throws: ``SubtitlePlaylistError``, for the first segment that cannot be written, or where there is none.
    public init(segments: [Segment], options: Options = Options()) throws(SubtitlePlaylistError) {
        guard !segments.isEmpty else { throw .noSegments }
        for (index, segment) in segments.enumerated() { try segment.check(index: index) }
        if let date = options.programDateTime, date.isEmpty || date.contains(where: Segment.breaksLine) {
            throw .programDateTime
        }
        self.segments = segments
        self.options = options
        var counter = ByteCount()
        Self.render(segments, options, into: &counter)
        byteCount = counter.count
    }

    /// The rendered playlist, in an array that is made in its final size.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        Self.render(segments, options, into: &bytes)
        return bytes
    }

    /// Appends the rendered playlist to `output`.
    public func write(into output: inout ReusableBuffer<UInt8>) { Self.render(segments, options, into: &output) }

    private static func render<Sink: ByteSink & ~Copyable>(
        _ segments: [Segment], _ options: Options, into sink: inout Sink
    ) {
        sink.append("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:")
        sink.append(decimal: targetDuration(of: segments))
        sink.append("\n#EXT-X-MEDIA-SEQUENCE:0\n")
        if let sequence = options.discontinuitySequence {
            sink.append("#EXT-X-DISCONTINUITY-SEQUENCE:")
            sink.append(decimal: sequence)
            sink.append("\n")
        }
        sink.append("#EXT-X-PLAYLIST-TYPE:VOD\n")
        if let date = options.programDateTime {
            sink.append("#EXT-X-PROGRAM-DATE-TIME:")
            sink.append(contentsOf: date)
            sink.append("\n")
        }
        for segment in segments {
            sink.append("#EXTINF:")
            sink.append(segment.duration)
            sink.append(options.omitsComma ? "\n" : ",\n")
            sink.append(contentsOf: segment.uri)
            sink.append("\n")
        }
        sink.append("#EXT-X-ENDLIST\n")
    }

    /// In whole seconds, at least 1; a duration cut off instead of rounded up would be shorter than its segment.
    private static func targetDuration(of segments: [Segment]) -> UInt64 {
        var longest: UInt64 = 1
        for segment in segments { longest = max(longest, segment.duration.secondsRoundedUp) }
        return longest
    }
}
