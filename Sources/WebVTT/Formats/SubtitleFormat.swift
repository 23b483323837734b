public import ByteScan

// To add a format of subtitles: a case and its row here, and a room beside SubRip with what makes WebVTT of it.

/// What a file of subtitles is, or what the URI of a track refers to.
public enum SubtitleFormat: UInt8, CaseIterable, Sendable {
    /// WebVTT, which begins with `WEBVTT`.
    case webVTT
    /// SubRip, which becomes WebVTT. A file that begins with `WEBVTT` is WebVTT all the same.
    case subRip
    /// A subtitle playlist, which lists files of WebVTT.
    case playlist

    /// What the format is called, how names of its files end, and its media types, of which the first is told.
    private typealias Row = (name: StaticString, suffixes: [StaticString], mediaTypes: [StaticString])

    private var row: Row {
        switch self {
        case .webVTT: ("vtt", ["vtt", "webvtt"], ["text/vtt"])
        case .subRip: ("srt", ["srt"], ["application/x-subrip", "application/srt", "text/srt"])
        case .playlist:
            (
                "m3u8", ["m3u8", "m3u"],
                ["application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl"]
            )
        }
    }

    /// What the format is called where a track's `type` is said: `vtt`, `srt` or `m3u8`.
    public var name: StaticString { row.name }

    /// The media type of the format's files.
    package var mediaType: StaticString { row.mediaTypes[0] }

    /// The format of files whose names end in a period and `suffix`, in any case; nil if there is none.
    public init?(suffix: ByteView) {
        guard let format = Self.first(where: { $0.suffixes }, suffix) else { return nil }
        self = format
    }

    /// The format of files of the media type `type`; nil for a type that no subtitles have.
    ///
    ///     text/vtt                          a WebVTT file
    ///     application/x-subrip              a SubRip file
    ///     application/vnd.apple.mpegurl     a subtitle playlist
    ///
    /// Case and parameters count for nothing (RFC 9110 8.3.1).
    public init?(mediaType type: ByteView) {
        let name = type.prefix(upTo: type.firstOffset(of: ASCII.semicolon) ?? type.count)
        guard let format = Self.first(where: { $0.mediaTypes }, name.trimmed) else { return nil }
        self = format
    }

    /// The format of which one of `words` is `name`, in any case.
    private static func first(where words: (Row) -> [StaticString], _ name: ByteView) -> SubtitleFormat? {
        allCases.first { words($0.row).contains { name.equalsIgnoringCase($0) } }
    }
}
