import ByteScan
import Testing

@testable import WebVTT

/// What a file is by the end of its name, and by its media type.
@Suite struct SubtitleFormatTests {
    @Test(arguments: [
        ("vtt", SubtitleFormat.webVTT), ("webvtt", .webVTT), ("VTT", .webVTT), ("srt", .subRip), ("Srt", .subRip),
        ("m3u8", .playlist), ("m3u", .playlist), ("", nil), ("vt", nil), ("vtts", nil), (".vtt", nil), ("ttml", nil),
    ])
    func ofASuffix(_ suffix: String, _ expected: SubtitleFormat?) {
        #expect(suffix.withView { SubtitleFormat(suffix: $0) } == expected)
    }

    @Test(arguments: [
        ("text/vtt", SubtitleFormat.webVTT), ("Text/VTT; charset=utf-8", .webVTT), (" text/vtt ;", .webVTT),
        ("application/x-subrip", .subRip), ("application/srt", .subRip), ("text/srt", .subRip),
        ("application/vnd.apple.mpegurl", .playlist), ("application/x-mpegurl", .playlist),
        ("audio/mpegurl", .playlist), ("audio/x-mpegurl", .playlist), ("", nil), ("text", nil), ("text/vt", nil),
        ("application/ttml+xml", nil), (";text/vtt", nil),
    ])
    func ofAMediaType(_ type: String, _ expected: SubtitleFormat?) {
        #expect(type.withView { SubtitleFormat(mediaType: $0) } == expected)
    }

    /// What is said of each, and of all.
    @Test(
        arguments: zip(
            SubtitleFormat.allCases, [("WebVTT", false, true), ("SubRip", true, true), ("a playlist", false, false)])
    )
    func facts(_ format: SubtitleFormat, _ facts: (title: String, isConverted: Bool, isFile: Bool)) {
        #expect("\(format.title)" == facts.title && format.isConverted == facts.isConverted)
        #expect(SubtitleFormat.ofFiles.contains(format) == facts.isFile)
        #expect((SubtitleFormat.assumed == format) == (format == .subRip))
    }

    @Test func endings() {
        #expect("\(SubtitleFormat.endings())" == ".vtt, .srt or .m3u8")
        #expect("\(SubtitleFormat.endings(of: SubtitleFormat.ofFiles, last: " and "))" == ".vtt and .srt")
    }

    /// What a format is called is how its files end, and the first type is of it.
    @Test(arguments: SubtitleFormat.allCases)
    func itself(_ format: SubtitleFormat) {
        #expect(SubtitleFormat(suffix: ByteView(format.name)) == format)
        #expect(SubtitleFormat(mediaType: ByteView(format.mediaType)) == format)
    }
}
