import Foundation
import Testing

@testable import surtitle

/// `--shift`, wherever a file of cues is read.
@Suite struct ShiftTests {
    private static let webVTT =
        "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\n\n1\n00:00.500 --> 00:01.400\nad\n\n00:01.000 --> 00:09.000 line:0\n"
        + "a <00:02.000>b\n\n00:02.000 --> 00:04.500\nc\n"
    private static let earlier =
        "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\n\n\n00:00.000 --> 00:07.600 line:0\na <00:00.600>b\n\n"
        + "00:00.600 --> 00:03.100\nc\n"
    private static let subRip =
        "1\n00:00:00,500 --> 00:00:01,400\nad\n\n2\n00:00:01,000 --> 00:00:09,000\na\n\n3\n00:00:02,000 --> 00:00:04,500\nc\n"
    private static let note = "1 cue ends at or before 0 after --shift and was left out"

    private func scratch() throws -> Scratch {
        try Scratch(["a.vtt": Self.webVTT, "a.srt": Self.subRip, "m.m3u8": Samples.master, "v.m3u8": Samples.media])
    }

    @Test(arguments: [["--shift", "-1.4"], ["--shift=-1.4", "--chunk=1"], ["--shift=-1.400", "--chunk=7"]])
    func everyCommandReadsIt(_ options: [String]) throws {
        let scratch = try scratch()
        for file in ["a.vtt", "a.srt", "-"] {
            func run(_ words: String..., isTold: Bool = true) throws -> String {
                let ran = try Ran(words + [file] + options, input: Array(Self.webVTT.utf8), in: scratch)
                let notes = isTold ? ["\(file == "-" ? "standard input" : file): \(Self.note)"] : []
                #expect(ran.status == 0 && ran.errors == "" && ran.notes == notes, "\(words) \(file)")
                return ran.text
            }
            // WebVTT's final end is known from the tail; nobody has seen the cue that is left out.
            #expect(try run("duration", isTold: file == "a.srt") == "3.100\n")
            #expect(try run("duration", "--latest") == "7.600\n")
            #expect(try run("playlist", "--uri=a.vtt").contains("#EXTINF:7.600,\n"))
            let text = file == "a.srt" ? "a" : "a <00:00.600>b"
            #expect(
                try run("cues")
                    == "00:00:00.000 --> 00:00:07.600  \(text)\n00:00:00.600 --> 00:00:03.100  c\n")
            #expect(try run("inspect").contains("\nduration       3.100\n") || file == "a.srt")
            #expect(try run("inspect").hasSuffix("latest         7.600\n") || file == "a.srt")
            _ = try run("segment", "-o", "out-\(file)", "--target=6")
            let name = file == "-" ? "out--/subtitles" : "out-\(file)/a"
            #expect(try scratch.read("\(name).m3u8").contains("#EXTINF:6.000,\n"))
            #expect(try scratch.read("\(name).m3u8").contains("#EXTINF:1.600,\n"))
            #expect(try scratch.read("\(name)-00001.vtt").contains("0:00.000 --> 00:0"))
        }
    }

    @Test func sideloadWritesTheShiftedFile() throws {
        let scratch = try scratch()
        let ran = try Ran(
            "sideload", "m.m3u8", "--track=uri=en.vtt,file=a.vtt", "--track=uri=sv.vtt,file=a.srt,language=sv",
            "--shift",
            "-1.4", "-oout", in: scratch)
        // Each file is read twice, and told about once.
        ran.expectNote("a.vtt: \(Self.note)")
        ran.expectNote("a.srt: \(Self.note)")
        #expect(try scratch.read("out/en.vtt") == Self.earlier)
        #expect(try scratch.read("out/en.m3u8").contains("#EXTINF:11.506,\nen.vtt\n"))
        #expect(try scratch.read("out/sv.vtt").contains("2\n00:00:00.000 --> 00:00:07.600\na\n"))
        // What is written is not what was read.
        let inPlace = try Ran("sideload", "m.m3u8", "--track=uri=a.vtt,file=a.vtt", "--shift=1", "-o.", in: scratch)
        #expect(inPlace.status == 1)
        #expect(try scratch.read("a.vtt") == Self.webVTT)
    }

    @Test func later() throws {
        let scratch = try scratch()
        #expect(try Ran("duration", "a.vtt", "--shift", "2", in: scratch).text == "6.500\n")
        #expect(try Ran("duration", "a.srt", "--shift", "+0.001", in: scratch).text == "4.501\n")
        #expect(try Ran("duration", "a.vtt", "--shift", "0", in: scratch).text == "4.500\n")
        #expect(try Ran("duration", "a.vtt", "--shift", "1:00", in: scratch).text == "64.500\n")
        let ran = try Ran("cues", "a.vtt", "--shift", "3600", in: scratch)
        #expect(ran.errors == "" && ran.text.hasPrefix("01:00:00.500 --> 01:00:01.400  ad\n"))
    }

    /// If the shift leaves the final cue out, the one before it is the final one.
    @Test func theFinalCueMayBeLeftOut() throws {
        let text = "WEBVTT\n\n00:01.000 --> 00:09.000\na\n\n00:02.000 --> 00:03.000\nb\n\n00:00.500 --> 00:02.000\nad\n"
        let scratch = try Scratch(["a.vtt": text])
        for script in ["\"$surtitle\" duration a.vtt --shift -2", "cat a.vtt | \"$surtitle\" duration - --shift -2"] {
            #expect(try Ran(shell: script, in: scratch).text == "1.000\n")
        }
        let ran = try Ran("duration", "a.vtt", "--shift=-9", in: scratch)
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: "a.vtt", "no cue in the whole file")
    }

    @Test func aLineTooLongIsRefused() throws {
        let scratch = try Scratch(["a.vtt": "WEBVTT\n\nNOTE\n" + String(repeating: "x", count: 1 << 20 + 1) + "\n"])
        for words in [["cues", "a.vtt"], ["duration", "a.vtt", "--latest"], ["segment", "a.vtt", "-oout"]] {
            let ran = try Ran(words + ["--shift=1"], in: scratch)
            #expect(ran.status == 1)
            expectOneLine(ran.errors, about: "a.vtt", "at byte 13: the line is longer than the limit of 1048576 bytes")
        }
    }

    @Test(arguments: [
        ("1", 1000), ("-1.4", -1400), ("+2.05", 2050), ("0.001", 1), ("-0", 0),
        ("9999999999999.999", 9_999_999_999_999_999), ("1:00", 60_000), ("-1:00", -60_000), ("+0:01.5", 1500),
        ("-1:02:03.25", -3_723_250), ("90:00", 5_400_000),
    ])
    func parses(_ text: String, _ milliseconds: Int64) throws {
        var reading = SubtitleReading()
        try reading.shift(by: text)
        #expect(reading.shift == milliseconds)
    }

    @Test(arguments: [
        "", "-", "+", ".", "1.", ".5", "1,4", "1.2345", "--1", "1e3", "0x1", " 1", "1s", "99999999999999", "1.2.3", "١",
        "1:60", "1:0", "--1:00",
        "1:00.0001", ":30", "1:00s", "-1:-00",
    ])
    func refuses(_ text: String) {
        var reading = SubtitleReading()
        #expect(throws: Failure.self) { try reading.shift(by: text) }
    }

    @Test(arguments: [
        (["cues", "a.vtt", "--shift"], "--shift needs a value"),
        (["cues", "a.vtt", "--shift", "--json"], "--shift needs a value, but --json follows"),
        (["cues", "a.vtt", "--shift", "-x"], "--shift needs a value, but -x follows"),
        (["segment", "a.vtt", "-o", "-1.4"], "-o needs a value, but -1.4 follows"),
        (["inspect", "a.vtt", "--shift=1.2345"], "--shift is 1.2345, which is no number of seconds"),
        (
            ["sideload", "m.m3u8", "--track=uri=https://e.example/en.vtt,duration=5", "--shift=1", "-oout"],
            "--shift is for the tracks'"
        ),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let ran = try Ran(words, in: scratch())
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", reason)
    }
}
