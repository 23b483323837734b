public import ByteScan

// To add a format of subtitles: a case and its row here, a room beside SubRip with a transcoder, and that transcoder in
// FormatReader.

/// What a file of subtitles is, or what the URI of a track refers to.
public enum SubtitleFormat: UInt8, CaseIterable, Sendable {
    /// WebVTT, which begins with `WEBVTT`.
    case webVTT
    /// SubRip, which becomes WebVTT. A file that begins with `WEBVTT` is WebVTT all the same.
    case subRip
    /// A subtitle playlist, which lists files of WebVTT.
    case playlist

    /// What the format is called where a track's `type` is said, and in sentences; how names of its files end; its
    /// media types, of which the first is told; and for one of which WebVTT is made, whether a file begins like it.
    private typealias Row = (
        name: StaticString, title: StaticString, suffixes: [StaticString], mediaTypes: [StaticString],
        begins: ((ByteView) -> Bool)?
    )

    private var row: Row {
        switch self {
        case .webVTT: ("vtt", "WebVTT", ["vtt", "webvtt"], ["text/vtt"], nil)
        case .subRip:
            (
                "srt", "SubRip", ["srt"], ["application/x-subrip", "application/srt", "text/srt"],
                SubRipTranscoder.begins
            )
        case .playlist:
            (
                "m3u8", "a playlist", ["m3u8", "m3u"],
                ["application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl"], nil
            )
        }
    }

    /// What the format is called where a track's `type` is said: `vtt`, `srt` or `m3u8`.
    public var name: StaticString { row.name }

    /// What the format is called in sentences: `WebVTT`, `SubRip`.
    package var title: StaticString { row.title }

    /// Whether its files become WebVTT before a player gets them.
    package var isConverted: Bool { row.begins != nil }

    /// Of which formats files of subtitles are.
    package static var ofFiles: [SubtitleFormat] { allCases.filter { $0 != .playlist } }

    /// How names of files end: `.vtt, .srt or .m3u8`, with `last` before the last of them.
    package static func endings(of formats: [SubtitleFormat] = allCases, last: StaticString = " or ") -> Message {
        Message(choiceOf: formats.map { $0.row.suffixes[0] }, between: (".", ""), last: last)
    }

    /// What a local file is taken for that does not begin as WebVTT, if its name does not tell.
    package static var assumed: SubtitleFormat { .subRip }

    /// The format, of those of which WebVTT is made, that a file looks like which begins with `head`; nil if none.
    package init?(head: ByteView) {
        guard let format = Self.allCases.first(where: { $0.row.begins?(head) == true }) else { return nil }
        self = format
    }

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
