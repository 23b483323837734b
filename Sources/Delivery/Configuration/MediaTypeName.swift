internal import ByteScan
internal import M3U8
public import Sideload

extension TrackConfiguration.Source {
    /// What a file of the media type `type` is; nil for a type that no subtitles have.
    ///
    ///     text/vtt                          a WebVTT file
    ///     application/x-subrip              a SubRip file
    ///     application/vnd.apple.mpegurl     a subtitle playlist
    ///
    /// Case and parameters count for nothing (RFC 9110 8.3.1).
    public init?(mediaType type: [UInt8]) {
        let name = type.prefix { $0 != HTTPSyntax.semicolon }
        let names: [(StaticString, Self)] = [
            ("text/vtt", .webVTT), ("application/x-subrip", .subRip), ("application/srt", .subRip),
            ("text/srt", .subRip),
            ("application/vnd.apple.mpegurl", .playlist), ("application/x-mpegurl", .playlist),
            ("audio/mpegurl", .playlist), ("audio/x-mpegurl", .playlist),
        ]
        let found = Array(name).withView { name in names.first { name.trimmed.equalsIgnoringCase($0.0) } }
        guard let found else { return nil }
        self = found.1
    }
}

extension TrackConfiguration {
    /// The configuration of a track that is described in code: what its file is tell ``SubtitleTrack/sourceType``, or the media type, or
    /// the end of its URI, in this order.
    ///
    /// Nil if none of them tells.
    public init?(_ track: SubtitleTrack, mediaType: [UInt8]? = nil) {
        let uri = TrackURI(Array(track.uri.utf8))
        let told: Source? =
            switch track.sourceType {
            case .webVTT: .webVTT
            case .playlist: .playlist
            case nil: nil
            }
        guard let source = told ?? mediaType.flatMap({ Source(mediaType: $0) }) ?? uri.source else { return nil }
        self.init(track, source: source)
        kind = track.kind == .captions ? .captions : .subtitles
        duration = track.duration.flatMap { DecimalSeconds($0) }
    }
}

extension DecimalSeconds {
    /// The same time; nil for one below 0, or of more than 584 years.
    fileprivate init?(_ duration: MediaDuration) {
        guard let milliseconds = UInt64(exactly: duration.milliseconds) else { return nil }
        let (whole, isTooLarge) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflows) = whole.addingReportingOverflow(UInt64(duration.nanosecondRest.magnitude))
        if isTooLarge || overflows { return nil }
        self.init(nanoseconds: sum)
    }
}
