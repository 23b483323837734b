import Foundation
import Testing

@testable import surtitle

@Suite struct SegmentCommandTests {
    private static let ordered =
        "WEBVTT\n\nSTYLE\n::cue {}\n\n00:01.000 --> 00:07.000\na\n\n00:06.500 --> 00:09.250\nb\n"
    private static let disordered = "WEBVTT\n\n00:07.000 --> 00:09.000\na\n\n00:01.000 --> 00:06.500\nb\n"
    private static let head = "WEBVTT\n\nSTYLE\n::cue {}\n\n"
    private static let map = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n\nSTYLE\n::cue {}\n\n"

    private static let notWebVTT = "no WEBVTT signature, so this is not WebVTT; give a WebVTT or SubRip file"

    private func playlist(_ segments: [(String, String)], target: Int, more: String = "", comma: String = ",") -> String
    {
        let lines = segments.map { "#EXTINF:\($1)\(comma)\n\($0)\n" }.joined()
        return "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(target)\n#EXT-X-MEDIA-SEQUENCE:0\n\(more)"
            + "#EXT-X-PLAYLIST-TYPE:VOD\n\(lines)#EXT-X-ENDLIST\n"
    }

    @Test func cutsAtSixSeconds() throws {
        let scratch = try Scratch(["subs/en.vtt": Self.ordered])
        let ran = try Ran("segment", "subs/en.vtt", "-o", "out/deep", in: scratch)
        #expect(ran.status == 0 && ran.text == "" && ran.errors == "")
        #expect(scratch.files(in: "out/deep") == ["en-00000.vtt", "en-00001.vtt", "en.m3u8"])
        let first = "00:01.000 --> 00:07.000\na\n\n"
        #expect(try scratch.read("out/deep/en-00000.vtt") == Self.head + first)
        #expect(
            try scratch.read("out/deep/en-00001.vtt") == Self.head + first + "00:06.500 --> 00:09.250\nb\n\n")
        #expect(
            try scratch.read("out/deep/en.m3u8")
                == playlist([("en-00000.vtt", "6.000"), ("en-00001.vtt", "3.250")], target: 6))
    }

    /// A slash or a dot with a combining mark after it is a slash or a dot.
    @Test func namesMayBeginWithCombiningMarks() throws {
        let scratch = try Scratch(["subs/\u{301}a.vtt": Self.ordered])
        let ran = try Ran("segment", "subs/\u{301}a.vtt", "-o", "out/\u{308}deep", in: scratch)
        #expect(ran.status == 0 && ran.errors == "")
        // Foundation lists such names wrongly.
        let names = try Ran(shell: "LC_ALL=C ls out/\u{308}deep", in: scratch).text
        #expect(names == "\u{301}a-00000.vtt\n\u{301}a-00001.vtt\n\u{301}a.m3u8\n")
    }

    @Test func chunksChangeNothing() throws {
        let scratch = try Scratch(["en.vtt": Self.ordered, "sv.vtt": Self.disordered])
        for file in ["en", "sv"] {
            _ = try Ran("segment", "\(file).vtt", "-o", "whole", "--target=2.5", in: scratch)
            let ran = try Ran("segment", "\(file).vtt", "-o", "bytes", "--target=2.5", "--chunk=1", in: scratch)
            #expect(ran.status == 0)
        }
        #expect(scratch.files(in: "whole").count == 10)
        #expect(scratch.files(in: "whole") == scratch.files(in: "bytes"))
        for file in scratch.files(in: "whole") {
            #expect(try scratch.read("whole/\(file)") == scratch.read("bytes/\(file)"))
        }
    }

    /// Options, and what the playlist then says.
    @Test(
        arguments: [
            (["--target", "4"], [("4.000"), ("4.000"), ("1.250")], 4),
            (["--target=9.25"], ["9.250"], 10),
            (["--target=6.006"], ["6.006", "3.244"], 7),
            (["--target=5.966633"], ["5.966633", "3.283367"], 6),
            (["--media", "v.m3u8"], ["6.006", "5.500"], 7),
            (["--media", "v.m3u8", "--target", "5"], ["5.000", "5.000", "1.506"], 5),
        ] as [([String], [String], Int)])
    func durations(_ options: [String], _ durations: [String], _ target: Int) throws {
        let scratch = try Scratch(["a.vtt": Self.ordered, "v.m3u8": Samples.media])
        let ran = try Ran(["segment", "a.vtt", "-o", "out"] + options, in: scratch)
        #expect(ran.status == 0 && ran.errors == "")
        let segments = durations.enumerated().map { ("a-0000\($0.offset).vtt", $0.element) }
        #expect(try scratch.read("out/a.m3u8") == playlist(segments, target: target))
        #expect(scratch.files(in: "out") == segments.map(\.0) + ["a.m3u8"])
    }

    @Test func cuesOnce() throws {
        let scratch = try Scratch(["en.vtt": Self.ordered, "sv.vtt": Self.disordered])
        let ran = try Ran("segment", "en.vtt", "-o", "out", "--target=3", "--cues-once", in: scratch)
        #expect(ran.status == 0 && ran.errors == "")
        let cues = ["00:01.000 --> 00:07.000\na\n\n", "", "00:06.500 --> 00:09.250\nb\n\n", ""]
        for (number, cue) in cues.enumerated() {
            #expect(try scratch.read("out/en-0000\(number).vtt") == Self.head + cue)
        }
        #expect(
            try scratch.read("out/en.m3u8")
                == playlist(
                    zip(0..., ["3.000", "3.000", "3.000", "0.250"]).map { ("en-0000\($0).vtt", $1) }, target: 3))
        // Cut as a whole, because its cues are out of order.
        _ = try Ran("segment", "sv.vtt", "-o", "out", "--target=3", "--cues-once", in: scratch)
        #expect(try scratch.read("out/sv-00000.vtt") == "WEBVTT\n\n00:01.000 --> 00:06.500\nb\n\n")
        #expect(try scratch.read("out/sv-00001.vtt") == "WEBVTT\n\n")
        #expect(try scratch.read("out/sv-00002.vtt") == "WEBVTT\n\n00:07.000 --> 00:09.000\na\n\n")
    }

    /// A cue that ends an hour before it starts made 601 segments of these four.
    @Test func aCueThatNeverShowsMakesNoSegment() throws {
        let text = "WEBVTT\n\n00:00.000 --> 00:20.000\na\n\n01:00:00.456 --> 00:00:21.670\nb\n"
        let scratch = try Scratch(["en.vtt": text])
        #expect(try Ran("segment", "en.vtt", "-o", "out", "--target=6", in: scratch).status == 0)
        #expect(
            try scratch.read("out/en.m3u8")
                == playlist(
                    zip(0..., ["6.000", "6.000", "6.000", "2.000"]).map { ("en-0000\($0).vtt", $1) }, target: 6))
        #expect(try scratch.read("out/en-00003.vtt") == text + "\n")
    }

    @Test func keepsToTheVideo() throws {
        let media =
            "#EXTM3U\n#EXT-X-TARGETDURATION:12\n#EXT-X-DISCONTINUITY-SEQUENCE: 3 \n#EXT-X-PROGRAM-DATE-TIME:2024-02-29T00:00:00Z\n"
            + "#EXTINF:5.966633,\na.ts\n#EXTINF:0,\nb.ts\n#EXTINF:12.000000123,\nc.ts\n#EXT-X-ENDLIST\n"
        let scratch = try Scratch(["a.vtt": Self.ordered, "v.m3u8": media])
        let ran = try Ran("segment", "a.vtt", "--media=v.m3u8", "--no-comma", "-o", "out", in: scratch)
        #expect(ran.status == 0 && ran.errors == "")
        let text = try scratch.read("out/a.m3u8")
        #expect(text.contains("#EXTINF:5.966633\na-00000.vtt\n#EXTINF:12.000000123\na-00001.vtt\n#EXT-X-ENDLIST\n"))
        #expect(text.contains("#EXT-X-DISCONTINUITY-SEQUENCE:3\n"))
        #expect(text.contains("#EXT-X-PROGRAM-DATE-TIME:2024-02-29T00:00:00Z\n"))
    }

    @Test(arguments: [
        ("126000", "LOCAL:00:00:00.000,MPEGTS:126000"), ("0:01:00.000", "LOCAL:00:01:00.000,MPEGTS:0"),
        ("8589934591:10:00:00.500", "LOCAL:10:00:00.500,MPEGTS:8589934591"),
    ])
    func putsTheMapIn(_ option: String, _ line: String) throws {
        let scratch = try Scratch([
            "a.vtt": "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:7\n\n00:01.000 --> 00:02.000\n"
        ])
        let ran = try Ran("segment", "a.vtt", "--map", option, "-o", "out", in: scratch)
        #expect(ran.status == 0 && ran.errors == "")
        #expect(
            try scratch.read("out/a-00000.vtt") == "WEBVTT\nX-TIMESTAMP-MAP=\(line)\n\n00:01.000 --> 00:02.000\n\n")
        _ = try Ran("segment", "a.vtt", "-o", "kept", in: scratch)
        #expect(
            try scratch.read("kept/a-00000.vtt").hasPrefix("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:7\n\n"))
    }

    @Test func cuesOutOfOrder() throws {
        let scratch = try Scratch(["a.vtt": Self.disordered])
        let ran = try Ran("segment", "a.vtt", "-o", "out", in: scratch)
        #expect(ran.status == 0 && ran.errors == "")
        #expect(scratch.files(in: "out") == ["a-00000.vtt", "a-00001.vtt", "a.m3u8"])
        #expect(try scratch.read("out/a-00000.vtt") == "WEBVTT\n\n00:01.000 --> 00:06.500\nb\n\n")
        #expect(try scratch.read("out/a-00001.vtt") == Self.disordered + "\n")

        let piped = try Ran("segment", "-", "-o", "none", input: Array(Self.disordered.utf8), in: scratch)
        #expect(piped.status == 1)
        expectOneLine(piped.errors, about: "standard input", "at byte 35")
        #expect(scratch.files(in: "none") == [])
    }

    @Test func standardInput() throws {
        let scratch = try Scratch()
        let ran = try Ran(shell: "cat | $surtitle segment - -o out", input: Array(Self.ordered.utf8), in: scratch)
        #expect(ran.status == 0 && ran.errors == "")
        #expect(scratch.files(in: "out") == ["subtitles-00000.vtt", "subtitles-00001.vtt", "subtitles.m3u8"])
        #expect(try scratch.read("out/subtitles.m3u8").contains("\nsubtitles-00001.vtt\n"))
    }

    @Test func emptyStandardInput() throws {
        let scratch = try Scratch()
        let ran = try Ran("segment", "-", "-o", "out", in: scratch)
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: "standard input", "at byte 0: no WEBVTT signature: this is an empty file")
        #expect(scratch.files(in: "out") == [])
    }

    @Test func oddNames() throws {
        let name = "a b#{$é%:?"
        let scratch = try Scratch([name: Self.ordered])
        let ran = try Ran("segment", name, "-o", "out", in: scratch)
        #expect(ran.status == 0 && ran.errors == "")
        #expect(scratch.files(in: "out") == ["\(name)-00000.vtt", "\(name)-00001.vtt", "\(name).m3u8"])
        let text = try scratch.read("out/\(name).m3u8")
        #expect(text.contains("\na%20b%23%7B%24%C3%A9%25%3A%3F-00000.vtt\n"))
    }

    /// Input that is refused, and why. No file is left.
    @Test(arguments: [
        ("a.vtt", "WEBVTT\n\nNOTE x\n", [], "no cue shows"),
        ("a.vtt", "WEBVTT\n\n01:00:00.456 --> 00:00:21.670\nb\n", [], "no cue shows; give --media"),
        ("a.vtt", "WEBVTTX\n", [], "at byte 0: \(notWebVTT)"),
        ("a.vtt", "", ["--media", "v.m3u8"], "at byte 0: no WEBVTT signature: this is an empty file"),
        (
            "a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n\n00:03.000 --> 1234567890:00:00.000\n", ["--target=1"],
            "at byte 33: there would be more than 100000 segments"
        ),
        ("v.m3u8", "", [], "at byte 0"),
        ("gone", "", [], "no such file"),
        (
            "v.m3u8", "WEBVTT\n\n00:01.000 --> 00:02.000\n", ["--media", "a.vtt"],
            "at byte 0: the first line is not #EXTM3U"
        ),
    ])
    func refusals(_ file: String, _ text: String, _ options: [String], _ reason: String) throws {
        let scratch = try Scratch(["a.vtt": text, "v.m3u8": Samples.media])
        let ran = try Ran(["segment", file, "-o", "out"] + options, in: scratch)
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: options.last == "a.vtt" ? "a.vtt" : file, reason)
        #expect(scratch.files(in: "out") == [])
    }

    /// No cue, but content: segments that have only their headers.
    @Test func aVideoWithoutSubtitles() throws {
        let scratch = try Scratch(["a.vtt": "WEBVTT", "v.m3u8": Samples.media])
        let ran = try Ran("segment", "a.vtt", "--media", "v.m3u8", "-o", "out", in: scratch)
        #expect(ran.status == 0)
        for file in ["out/a-00000.vtt", "out/a-00001.vtt"] { #expect(try scratch.read(file) == "WEBVTT\n\n") }
    }

    @Test func nothingIsOverwrittenThatIsRead() throws {
        let scratch = try Scratch(["v.vtt": Self.ordered, "v.m3u8": Samples.media])
        let ran = try Ran("segment", "v.vtt", "--media", "v.m3u8", "-o", ".", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "v.m3u8", "would be overwritten by ./v.m3u8; give another directory with -o")
        #expect(scratch.files(in: ".") == ["v.m3u8", "v.vtt"])
        #expect(try scratch.read("v.m3u8") == Samples.media)

        try scratch.write("odd.m3u8", Array(Self.ordered.utf8))
        let odd = try Ran("segment", "odd.m3u8", "-o", ".", in: scratch)
        #expect(odd.status == 1)
        expectOneLine(odd.errors, about: "odd.m3u8", "would be overwritten by ./odd.m3u8")
        #expect(try scratch.read("odd.m3u8") == Self.ordered)
    }

    @Test(arguments: [
        [], ["a.vtt"], ["-o", "out"], ["a.vtt", "b.vtt", "-o", "out"], ["a.vtt", "-o", "out", "--target", "0"],
        ["a.vtt", "-o", "out", "--target", "six"], ["a.vtt", "-o", "out", "--target", "-6"],
        ["a.vtt", "-o", "out", "--map", "x"], ["a.vtt", "-o", "out", "--map", "+5"],
        ["a.vtt", "-o", "out", "--map", "5:1"], ["a.vtt", "-o", "out", "--map", "8589934592"],
        ["a.vtt", "-o", "out", "--map", ":00:00.000"],
        ["-", "--media", "-", "-o", "out"], ["a.vtt", "-o", "out", "--uri", "x"],
    ])
    func wrongArguments(_ words: [String]) throws {
        let scratch = try Scratch(["a.vtt": Self.ordered, "b.vtt": Self.ordered])
        let ran = try Ran(["segment"] + words, in: scratch)
        #expect(ran.status == 2 && ran.text == "" && ran.errors.hasPrefix("surtitle: "))
        #expect(scratch.files(in: "out") == [])
    }
}
