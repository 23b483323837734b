import Foundation
import Testing

@testable import WebVTT
@testable import surtitle

extension FormatReader.Form {
    fileprivate static var webVTT: Self { .known(.webVTT) }
    fileprivate static var subRip: Self { .known(.subRip) }
}

/// SubRip wherever a WebVTT file is asked for.
@Suite struct SubRipInputTests {
    private static let subRip =
        "\u{FEFF}1\r\n00:00:01,000 --> 00:00:09,000\r\n{\\an8}a & <font>b</font>\r\n\r\n2\r\n0:0:2,0 --> 0:0:4,500\r\nc\r\n"
    private static let webVTT =
        "WEBVTT\n\n1\n00:00:01.000 --> 00:00:09.000 line:0\na &amp; b\n\n2\n00:00:02.000 --> 00:00:04.500\nc\n"

    @Test(arguments: [
        ("WEBVTT", "a.vtt", FormatReader.Form.webVTT), ("\u{FEFF}WEBVTT\n\n", "a.srt", .webVTT),
        ("WEBVTT", "standard input", .webVTT), ("1\n00:00:01,000 --> 00:00:02,000\n", "a.srt", .subRip),
        ("\n", "a.SRT", .subRip), ("#EXTM3U", "a.srt", .neither), ("WEBVTTX", "a.srt", .subRip),
        ("1\n00:00:01,000 --> 00:00:02,000\n", "standard input", .subRip),
        ("\u{FEFF}\r\n \r\n12 \r\n 0:1,0-->2\r\n", "a.txt", .subRip), ("1\r0:0:1 --> 2\r", "a", .subRip),
        ("1\n00:00:01,000 --> 00:00:02,000\n", "a.vtt", .neither), ("00:01.000 --> 00:02.000\na", "a", .neither),
        ("1\na\n0:1 --> 0:2\n", "a", .neither), ("1", "a", .neither), ("", "a", .neither), ("", "a.vtt", .neither),
        ("#EXTM3U\n#EXTINF:1,\n", "a.m3u8", .neither), ("1\n--> 2\n", "a", .neither),
    ])
    func theFormatIsTold(_ text: String, _ name: String, _ format: FormatReader.Form) throws {
        #expect(SubtitleDecoder.format(of: Array(text.utf8), isWhole: true, name: name) == format)
        for size in [1, 3, 300] {
            let decoder = try SubtitleDecoder(name)
            var out: [UInt8] = []
            let bytes = Array((text + String(repeating: "\n", count: 300)).utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
                    try decoder.write($0) { out += $0 }
                }
            }
            try? decoder.finish { out += $0 }
            #expect(decoder.format == (text == "WEBVTT" ? .webVTT : format))
            if format != .subRip { #expect(out == bytes) }
        }
    }

    private func scratch() throws -> Scratch {
        let scratch = try Scratch([
            "m.m3u8": Samples.master, "a.srt": Self.subRip, "noname": Self.subRip, "w.srt": Samples.webVTT,
            "empty.srt": "",
            "nocue.srt": "Hello\n", "vtt.vtt": Self.subRip,
        ])
        try scratch.write(
            "latin.srt",
            Array("1\n0:0:1,0 --> 0:0:2,0\nok\n\n2\n0:0:3,0 --> 0:0:4,0\nc\n\n3\n0:0:5,0 --> 0:0:6,0\nd".utf8) + [
                0xE9, 0x0A,
            ])
        try scratch.write(
            "wide.srt", Array(Self.subRip.dropFirst().utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        return scratch
    }

    @Test(arguments: ["--chunk=1", "--chunk=7", "--chunk=65536"])
    func everyCommandReadsIt(_ option: String) throws {
        let scratch = try scratch()
        for file in ["a.srt", "noname", "-"] {
            func run(_ words: String...) throws -> Ran {
                let ran = try Ran(words + [file, option], input: Array(Self.subRip.utf8), in: scratch)
                #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
                return ran
            }
            #expect(try run("duration").text == "4.500\n")
            #expect(try run("duration", "--latest").text == "9.000\n")
            #expect(
                try run("cues").text == "00:00:01.000 --> 00:00:09.000  a &amp; b\n00:00:02.000 --> 00:00:04.500  c\n")
            #expect(try run("playlist", "--uri=a.vtt").text.contains("#EXTINF:9.000,\na.vtt\n"))
            #expect(
                try run("inspect").text
                    == "kind      subrip\nbytes     94\ncues      2\nduration  4.500\nlatest    9.000\n")
        }
        #expect(try Ran(shell: "cat a.srt | \"$surtitle\" duration - \(option)", in: scratch).text == "4.500\n")
        #expect(try Ran("duration", "a.srt", "--budget=94", option, in: scratch).text == "4.500\n")
        let ran = try Ran("sideload", "m.m3u8", "--track=uri=s/en.vtt,file=a.srt", "-oout", option, in: scratch)
        #expect(ran.status == 0 && ran.errors == "")
        #expect(scratch.files(in: "out") == ["en.m3u8", "m.m3u8", "s/en.vtt"])
        #expect(try scratch.read("out/s/en.vtt") == Self.webVTT)
        #expect(try scratch.read("out/en.m3u8").contains("#EXTINF:9.000,\ns/en.vtt\n"))
    }

    @Test func theSignatureGoesBeforeTheName() throws {
        let scratch = try scratch()
        #expect(try Ran("duration", "w.srt", in: scratch).text == "4.500\n")
        _ = try Ran("sideload", "m.m3u8", "--track=uri=en.vtt,file=w.srt", "-oout", in: scratch)
        #expect(try scratch.read("out/en.vtt") == Samples.webVTT)
    }

    @Test(arguments: [
        (
            "latin.srt",
            "at byte 74: not UTF-8 but an 8-bit or East Asian encoding; name it: --from-encoding windows-1252, shift_jis"
        ),
        ("wide.srt", "at byte 1: not UTF-8; looks like UTF-16LE; if it is, give --from-encoding UTF-16LE"),
        ("empty.srt", "at byte 0: no WEBVTT signature: this is an empty file"),
        ("nocue.srt", "at byte 0: no cue in the whole file"),
        ("vtt.vtt", "at byte 0: no WEBVTT signature"),
    ])
    func whatIsNoSubRipIsRefused(_ file: String, _ reason: String) throws {
        let scratch = try scratch()
        for words in [
            ["duration", file], ["duration", file, "--latest", "--chunk=1"], ["playlist", file, "--uri=a"],
            ["playlist", file, "--uri=a", "--duration=5"], ["cues", file, "--json", "--chunk=1"],
            ["sideload", "m.m3u8", "--track=uri=en.vtt,file=\(file)", "-oout"],
            ["sideload", "m.m3u8", "--track=uri=en.vtt,duration=5,file=\(file)", "-oout"],
        ] {
            let ran = try Ran(words, in: scratch)
            #expect(ran.status == 1, "\(words)")
            // The cues before the wrong byte are listed.
            let isListed = words[0] == "cues" && file == "latin.srt"
            #expect(
                ran.text
                    == (isListed
                        ? "{\"start_ms\":1000,\"end_ms\":2000,\"id\":\"1\",\"settings\":\"\",\"text\":\"ok\"}\n" : ""))
            expectOneLine(ran.errors, about: file, reason)
            #expect(!scratch.exists("out"))
        }
    }

    @Test func inspectionRefusesOnlyEncodings() throws {
        let scratch = try scratch()
        try scratch.write("m.srt", Array(Samples.media.utf8) + [0xFF])
        #expect(try Ran("inspect", "m.srt", in: scratch).text.hasPrefix("kind      media\n"))
        #expect(try Ran("inspect", "empty.srt", in: scratch).text == "kind   neither\nbytes  0\n")
        #expect(try Ran("inspect", "nocue.srt", in: scratch).text == "kind   neither\nbytes  6\n")
        let ran = try Ran("inspect", "wide.srt", in: scratch)
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: "wide.srt", "looks like UTF-16LE")
    }

    @Test(arguments: ["--chunk=1", "--chunk=65536"])
    func cuesWithABrokenArrowAreReported(_ chunk: String) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        let text = "1\n0:0:1,0 --> 0:0:2,0\na\n\n2\n0:0:3,0 - > 0:0:4,0\nb\n\n3\n0:0:5,0 -> 0:0:6,0\nc\n"
        try scratch.write("b.srt", Array(text.utf8))
        try scratch.write("w.srt", ("\u{FEFF}" + text).utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        try scratch.write("none.srt", Array("1\n0:0:3,0 - > 0:0:4,0\nb\n".utf8))
        for (file, location) in [("b.srt", "at byte 27"), ("w.srt", "at byte 27 of its text in UTF-8")] {
            let report = try Ran("inspect", file, chunk, in: scratch)
            #expect(report.status == 0)
            #expect(
                report.text.contains("cues      1\nunparsed  2\nduration  2.000\nlatest    2.000\n\nunparsed\n"),
                "\(report.text)")
            let row = "  2  broken arrow, such as - >, between the times  first: \(location)\n"
            #expect(report.text.hasSuffix(row), "\(report.text)")
            for words in [
                ["inspect", file], ["cues", file], ["duration", file], ["segment", file, "-oout"],
                ["sideload", "m.m3u8", "--track=uri=s.vtt,file=\(file)", "-oout"],
            ] {
                let ran = try Ran(words + [chunk], in: scratch)
                #expect(ran.status == 0 && !ran.text.contains("b\n"))
                ran.expectNote(
                    file, "\(location): left out for a broken arrow, such as - >: 2 in all; write -->")
            }
        }
        #expect(try Ran("inspect", "none.srt", in: scratch).text.contains("kind      subrip\n"))
        let none = try Ran("duration", "none.srt", in: scratch)
        #expect(none.status == 1)
        expectOneLine(none.errors, about: "none.srt", "at byte 2: left out for a broken arrow, such as - >: 1 in all")
    }

    @Test func aBudgetIsForAllOfIt() throws {
        let ran = try Ran("duration", "a.srt", "--budget=93", in: scratch())
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: "a.srt", "undecided")
    }

    @Test func itIsNotOverwritten() throws {
        let scratch = try scratch()
        let ran = try Ran("sideload", "m.m3u8", "--track=uri=out/a.srt,type=vtt,file=a.srt", "-o.", in: scratch)
        #expect(ran.status == 1)
        let inPlace = try Ran(
            shell: "mkdir d; cp m.m3u8 d/o; \"$surtitle\" sideload d/o --track=uri=a.srt,type=vtt,file=a.srt -o .",
            in: scratch)
        #expect(inPlace.status == 1)
        expectOneLine(inPlace.errors, about: "a.srt", "would be overwritten by ./a.srt")
        #expect(try scratch.read("a.srt") == Self.subRip)
    }
}
