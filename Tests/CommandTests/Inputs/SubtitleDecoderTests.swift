import Testing
import WebVTT

@testable import surtitle

/// What a file is, by its first bytes and its name.
@Suite struct SubtitleDecoderTests {
    private static let subRip = "1\n00:00:01,000 --> 00:00:02,000\na"
    private static let other = String(repeating: "x", count: 255)
    private static let markup = "<" + String(repeating: "x", count: 254)

    /// A head, a name, and what the file is if that is all of it, and if more follows: 256 bytes decide.
    @Test(
        arguments: [
            ("WEBVTT\n", "a.srt", .known(.webVTT), .known(.webVTT)), ("WEBVTT", "a", .known(.webVTT), .undecided),
            (other, "a.vtt", .neither, .undecided), (other + "x", "a.vtt", .neither, .neither),
            (other, "a", .neither, .undecided), (other + "x", "a", .neither, .neither),
            (other, "a.SRT", .known(.subRip), .known(.subRip)), (markup, "a.srt", .known(.subRip), .undecided),
            (markup + "x", "a.srt", .known(.subRip), .known(.subRip)), ("<tt", "a.srt", .neither, .neither),
            ("<tt", "a.vtt", .neither, .neither), ("<tt", "a", .neither, .undecided),
            (subRip, "a.srt", .known(.subRip), .known(.subRip)), (subRip, "a", .known(.subRip), .undecided),
            (subRip, "a.vtt", .neither, .neither), (subRip, "a.m3u8", .known(.subRip), .undecided),
        ] as [(String, String, FormatReader.Form, FormatReader.Form)])
    func formats(_ head: String, _ name: String, _ whole: FormatReader.Form, _ begun: FormatReader.Form) {
        #expect(SubtitleDecoder.format(of: Array(head.utf8), isWhole: true, name: name) == whole)
        #expect(SubtitleDecoder.format(of: Array(head.utf8), isWhole: false, name: name) == begun)
    }

    @Test(arguments: [
        ("", ForeignFormat.empty), ("\u{1F}", nil), ("PK\u{3}\u{4}", .zip), ("PK\u{3}", nil),
        (subRip, .subtitles(.subRip)),
        ("\u{FEFF}\r\n\t [script INFO]", .subStation), ("[V4+ Styles]", .subStation), ("[V4 Styles]", nil),
        ("<tt>", .timedText), ("<?xml?><tt", .timedText), ("<?xml?><a xmlns='ns/ttml", .timedText), ("<?xml?><a", nil),
        ("x<tt", nil), ("<!DOCTYPE HTML", .page), ("<HTML", .page), ("<!DOCTYPE", nil), ("#EXTM3U", .playlist),
        ("#EXT", nil),
    ])
    func otherFormats(_ head: String, _ format: ForeignFormat?) {
        #expect(ForeignFormat(head: Array(head.utf8)) == format)
    }

    @Test(arguments: [
        ("", true), ("\u{FEFF} \n", true), ("<", true), ("[", true), ("#", true), ("P", true), ("\u{1F}", true),
        ("1", false),
        ("x<", false),
    ])
    func whatMayBeSomethingElse(_ head: String, _ may: Bool) {
        #expect(ForeignFormat.mayBe(head: Array(head.utf8)) == may)
    }

    @Test(arguments: [
        ("a.vtt", SubtitleFormat.webVTT), ("a.b.SRT", .subRip), ("a.m3u8", .playlist), ("vtt", nil), ("a.vtt.", nil),
        ("a.", nil), ("", nil),
    ])
    func names(_ name: String, _ format: SubtitleFormat?) { #expect(SubtitleFormat(fileName: name) == format) }
}
