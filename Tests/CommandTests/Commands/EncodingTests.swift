import Foundation
import Testing

@testable import surtitle

/// Subtitles in other encodings than UTF-8, wherever a file of cues is read.
@Suite struct EncodingTests {
    /// An encoding, a text, and its bytes.
    private static let texts: [(String, String, [UInt8])] = [
        ("shift_jis", "字幕です", [0x8E, 0x9A, 0x96, 0x8B, 0x82, 0xC5, 0x82, 0xB7]),
        (
            "ISO-2022-JP", "字幕です",
            [0x1B, 0x24, 0x42, 0x3B, 0x7A, 0x4B, 0x6B, 0x24, 0x47, 0x24, 0x39, 0x1B, 0x28, 0x42]
        ),
        ("gb18030", "字幕𠀀", [0xD7, 0xD6, 0xC4, 0xBB, 0x95, 0x32, 0x82, 0x36]),
        // A mark is dropped at the beginning of the file, and nowhere else.
        ("gb18030", "a\u{FEFF}b", [0x61, 0x84, 0x31, 0x95, 0x33, 0x62]),
        ("windows-1251", "Привет", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]),
        ("iso-8859-9", "Işık", [0x49, 0xFE, 0xFD, 0x6B]),
        ("nf_z_62-010", "été", [0x7B, 0x74, 0x7B]),
        ("latin1", "Åse", [0xC5, 0x73, 0x65]),
        ("utf-8", "Åse", [0xC3, 0x85, 0x73, 0x65]),
    ]

    private static func subRip(_ text: [UInt8]) -> [UInt8] {
        Array("1\r\n00:00:01,000 --> 00:00:09,000\r\n".utf8) + text
            + Array("\r\n\r\n2\r\n00:00:02,000 --> 00:00:04,500\r\nc\r\n".utf8)
    }

    private static func webVTT(_ text: [UInt8]) -> [UInt8] {
        Array("WEBVTT\n\n1\n00:00:01.000 --> 00:00:09.000\n".utf8) + text
            + Array("\n\n2\n00:00:02.000 --> 00:00:04.500\nc\n".utf8)
    }

    private static func wide(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
        ((mark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit -> [UInt8] in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
            return bigEndian ? bytes : bytes.reversed()
        }
    }

    /// Everything that reads `file` gives what it gives for the same text in UTF-8.
    private func expectEverythingReads(
        _ file: String, as text: String, _ options: [String], in scratch: Scratch, encoding: String?
    ) throws {
        let webVTT = String(decoding: Self.webVTT(Array(text.utf8)), as: UTF8.self)
        for chunk in [1, 2, 3, 7, 65536] {
            let options = options + ["--chunk=\(chunk)"]
            let piped = try scratch.bytes(file)
            func run(_ words: String...) throws -> Ran {
                let ran = try Ran(words + [file] + options, input: piped, in: scratch)
                #expect(ran.status == 0 && ran.errors == "", "\(words) \(options): \(ran.errors)")
                return ran
            }
            #expect(try run("duration").text == "4.500\n")
            #expect(try run("duration", "--latest").text == "9.000\n")
            #expect(
                try run("cues").text
                    == "00:00:01.000 --> 00:00:09.000  \(text)\n00:00:02.000 --> 00:00:04.500  c\n")
            #expect(try run("playlist", "--uri=a.vtt").text.contains("#EXTINF:9.000,\na.vtt\n"))
            let report = try run("inspect").text
            #expect(report.contains("cues      2\nduration  4.500\nlatest    9.000\n"), "\(report)")
            if let encoding { #expect(report.contains("encoding  \(encoding)\n"), "\(report)") }
            #expect(!report.contains("encoding") || encoding != nil)
            for words in [["segment"], ["segment", "--target=60"]] {
                let ran = try Ran(words + [file, "-o", "cut"] + options, input: piped, in: scratch)
                #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
            }
            let stem = file == "-" ? "subtitles" : file.split(separator: ".").first.map { String($0) } ?? ""
            #expect(try scratch.read("cut/\(stem)-00000.vtt").contains("\n\(text)\n"))
            guard file != "-" else { continue }
            let ran = try Ran(["sideload", "m.m3u8", "--track=uri=s.vtt,file=\(file)", "-oout"] + options, in: scratch)
            #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
            #expect(try scratch.read("out/s.vtt") == webVTT)
            #expect(try scratch.read("out/s.m3u8").contains("#EXTINF:9.000,\ns.vtt\n"))
            let cut = try Ran(
                ["sideload", "m.m3u8", "--segment", "--track=uri=s.vtt,file=\(file)", "-oout"] + options, in: scratch)
            #expect(cut.status == 0 && cut.errors == "", "\(cut.errors)")
            #expect(try scratch.read("out/s-00000.vtt").contains("\n\(text)\n"))
        }
    }

    /// The option counts for what is not UTF-8: not valid, or with an escape.
    @Test(arguments: texts)
    func everyCommandReadsANamedEncoding(_ name: String, _ text: String, _ bytes: [UInt8]) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        try scratch.write("a.srt", Self.subRip(bytes))
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0x1B)
        let read = isUTF8 ? String(decoding: bytes, as: UTF8.self) : text
        let options = ["--from-encoding", name]
        try expectEverythingReads("a.srt", as: read, options, in: scratch, encoding: isUTF8 ? nil : name)
    }

    /// The encoding of one track counts for its file, whatever that looks like.
    @Test(arguments: texts)
    func aTrackHasItsEncoding(_ name: String, _ text: String, _ bytes: [UInt8]) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        try scratch.write("a.srt", Self.subRip(bytes))
        try scratch.write("b.vtt", Self.webVTT(bytes))
        let webVTT = String(decoding: Self.webVTT(Array(text.utf8)), as: UTF8.self)
        for file in ["a.srt", "b.vtt"] {
            for options in [[], ["--from-encoding=koi8-r"]] {
                let track = "--track=uri=s.vtt,file=\(file),encoding=\(name)"
                let ran = try Ran(["sideload", "m.m3u8", track, "-oout"] + options, in: scratch)
                #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
                #expect(try scratch.read("out/s.vtt") == webVTT)
                let cut = try Ran(["sideload", "m.m3u8", "--segment", track, "-oout"] + options, in: scratch)
                #expect(cut.status == 0 && cut.errors == "", "\(cut.errors)")
                #expect(try scratch.read("out/s-00000.vtt").contains("\n\(text)\n"))
            }
        }
    }

    /// Five good files and one that is not: the advice that the one gets leaves the five as they are.
    @Test func theAdviceForOneFileLeavesTheOthersAlone() throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        let good = ["sv.srt": Self.subRip, "de.srt": Self.subRip, "en.vtt": Self.webVTT, "fr.vtt": Self.webVTT]
        for (name, file) in good { try scratch.write(name, file(Array("Åse é".utf8))) }
        try scratch.write("zh.srt", Self.wide("1\n0:1 --> 0:2\n字\n", bigEndian: false, mark: true))
        try scratch.write("ru.srt", Self.subRip([0xCF, 0xF0, 0xE8]))
        let tracks = (good.keys.sorted() + ["zh.srt", "ru.srt"]).map { "--track=\($0)" }
        let refused = try Ran(["sideload", "m.m3u8", "-oout"] + tracks, in: scratch)
        #expect(refused.status == 1)
        expectOneLine(
            refused.errors, about: "ru.srt",
            "not UTF-8 but an 8-bit or East Asian encoding; name it: --from-encoding windows-1252")
        let made = try Ran(["sideload", "m.m3u8", "-oout", "--from-encoding=windows-1251"] + tracks, in: scratch)
        #expect(made.status == 0 && made.errors == "", "\(made.errors)")
        for name in ["sv", "de", "en", "fr"] { #expect(try scratch.read("out/\(name).vtt").contains("\nÅse é\n")) }
        #expect(try scratch.read("out/zh.vtt").contains("\n字\n") && scratch.read("out/ru.vtt").contains("\nПри\n"))
    }

    @Test func aTrackHasItsShift() throws {
        let scratch = try Scratch(["m.m3u8": Samples.master, "a.vtt": "WEBVTT\n\n00:10.000 --> 00:12.000\na\n"])
        let cases: [(track: String, option: [String], time: String)] = [
            ("shift=-1.4", [], "00:08.600 --> 00:10.600"), ("shift=1:00", [], "01:10.000 --> 01:12.000"),
            ("shift=-1.4", ["--shift=2"], "00:10.600 --> 00:12.600"),
            ("shift=0", ["--shift=2"], "00:12.000 --> 00:14.000"),
        ]
        for row in cases {
            let track = "--track=uri=s.vtt,file=a.vtt,\(row.track)"
            let ran = try Ran(["sideload", "m.m3u8", track, "-oout"] + row.option, in: scratch)
            #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
            #expect(try scratch.read("out/s.vtt") == "WEBVTT\n\n\(row.time)\na\n")
            let end = row.time.suffix(6)
            let seconds = row.time.contains("> 01") ? "72.000" : String(end.drop { $0 == "0" })
            #expect(try scratch.read("out/s.m3u8").contains("#EXTINF:\(seconds),\ns.vtt\n"))
        }
        let tracks = #"{"uri": "s.vtt", "file": "a.vtt", "shift": -1.4}, {"uri": "t.vtt", "file": "a.vtt"}"#
        try scratch.write("c.json", Array(#"{"tracks": [\#(tracks)]}"#.utf8))
        let ran = try Ran("sideload", "m.m3u8", "--config=c.json", "-oout", in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
        #expect(try scratch.read("out/s.vtt").contains("00:08.600 --> "))
        #expect(try scratch.read("out/t.vtt").contains("00:10.000 --> "))
    }

    @Test(arguments: [
        ("uri=s.vtt,file=b.vtt,encoding=klingon", "track 1: encoding: klingon is no encoding"),
        ("uri=s.vtt,duration=5,shift=1", "encoding= and shift= are for a local file; give file= with them"),
        ("uri=https://a.example/s.vtt,duration=5,encoding=latin1", "are for a local file"),
        ("uri=s.m3u8,shift=1", "shift is for a .vtt uri, and this one is a playlist"),
        ("uri=s.vtt,file=b.vtt,shift=1:60", "shift is 1:60, which is no number of seconds"),
    ])
    func aKeyThatCannotBeIsNoArgument(_ spec: String, _ words: String) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master, "b.vtt": Samples.webVTT])
        let ran = try Ran("sideload", "m.m3u8", "--track", spec, "-oout", in: scratch)
        #expect(ran.status == 2 && ran.text == "" && ran.errors.contains(words), "\(ran)")
    }

    @Test(arguments: [false, true])
    func utf16WithAMarkIsReadWithoutAsking(_ isBigEndian: Bool) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        let text = "Åse 字 🎬"
        let subRip = String(decoding: Self.subRip(Array(text.utf8)), as: UTF8.self)
        let webVTT = String(decoding: Self.webVTT(Array(text.utf8)), as: UTF8.self)
        try scratch.write("a.srt", Self.wide(subRip, bigEndian: isBigEndian, mark: true))
        try scratch.write("b.vtt", Self.wide(webVTT, bigEndian: isBigEndian, mark: true))
        try scratch.write("c.srt", Self.wide(subRip, bigEndian: isBigEndian, mark: false))
        try scratch.write("d.vtt", Self.wide(webVTT, bigEndian: isBigEndian, mark: false))
        let name = isBigEndian ? "UTF-16BE" : "UTF-16LE"
        for file in ["a.srt", "b.vtt"] {
            try expectEverythingReads(file, as: text, [], in: scratch, encoding: name)
            // A mark goes before the option.
            try expectEverythingReads(file, as: text, ["--from-encoding=latin1"], in: scratch, encoding: name)
        }
        for file in ["c.srt", "d.vtt"] {
            #expect(try Ran("cues", file, in: scratch).status == 1)
            try expectEverythingReads(file, as: text, ["--from-encoding", name], in: scratch, encoding: name)
        }
    }

    /// What begins with WEBVTT is UTF-8, whatever the option says.
    @Test func webVTTStaysWhatItIs() throws {
        let scratch = try Scratch()
        try scratch.write("b.vtt", Self.webVTT([0xC3, 0x85]))
        let ran = try Ran("cues", "b.vtt", "--from-encoding=latin1", in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.text.contains("  Å\n"))
    }

    @Test func aMarkOfTheNamedEncodingIsLeftOut() throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        try scratch.write("b.vtt", [0x84, 0x31, 0x95, 0x33] + Self.webVTT(Array("Ase".utf8)))
        let options = ["--from-encoding=GB18030", "--map=none"]
        let ran = try Ran(["sideload", "m.m3u8", "--track=uri=b.vtt,file=b.vtt", "-oout"] + options, in: scratch)
        #expect(ran.status == 0, "\(ran.errors)")
        #expect(try scratch.read("out/b.vtt").unicodeScalars.first == "W")
    }

    @Test func aMarkOfUTF8GoesBeforeTheOption() throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        try scratch.write("b.vtt", [0xEF, 0xBB, 0xBF] + Self.webVTT(Array("Åse".utf8)))
        let ran = try Ran("cues", "b.vtt", "--from-encoding=latin1", "--chunk=1", in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.text.contains("  Åse\n"))
    }

    @Test func standardInputIsDecoded() throws {
        let scratch = try Scratch()
        let file = Self.wide(String(decoding: Self.subRip([0x61]), as: UTF8.self), bigEndian: false, mark: true)
        try scratch.write("a", file)
        for command in ["cues", "duration", "duration --latest", "inspect", "playlist --uri=a.vtt"] {
            let ran = try Ran(shell: "cat a | \"$surtitle\" \(command) -", in: scratch)
            #expect(
                ran.status == 0 && ran.errors == "" && (ran.text.contains("4.500") || ran.text.contains("9.000")),
                "\(ran)")
        }
    }

    @Test(arguments: [1, 2, 3, 7, 65536])
    func whatIsNoCharacterIsCounted(_ chunk: Int) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        func expect(_ bytes: [UInt8], _ name: String, _ text: String, _ count: Int, first: Int) throws {
            let head = Self.subRip([]).firstRange(of: Array("\r\n\r\n2".utf8))?.lowerBound ?? 0
            try scratch.write("a.srt", Self.subRip(bytes))
            let options = ["--from-encoding=\(name)", "--chunk=\(chunk)"]
            let ran = try Ran(["cues", "a.srt"] + options, in: scratch)
            #expect(ran.status == 0)
            #expect(ran.text == "00:00:01.000 --> 00:00:09.000  \(text)\n00:00:02.000 --> 00:00:04.500  c\n")
            let note = "at byte \(head + first): not \(name); U+FFFD stands for what is no character, \(count) in all"
            ran.expectNote("a.srt", note)
            // A file that is read twice gets its note once.
            let made = try Ran(["sideload", "m.m3u8", "--track=uri=s.vtt,file=a.srt", "-oout"] + options, in: scratch)
            #expect(made.status == 0)
            made.expectNote("a.srt", note)
        }
        try expect([0x61, 0x81, 0x20, 0x62], "shift_jis", "a\u{FFFD} b", 1, first: 1)
        try expect([0x98, 0x98, 0xCF], "windows-1251", "\u{FFFD}\u{FFFD}П", 2, first: 0)
        try expect(
            [0x1B, 0x24, 0x42, 0x3B, 0x7A, 0xFF, 0x1B, 0x28, 0x42, 0x62], "ISO-2022-JP", "字\u{FFFD}b", 1, first: 5)
        try expect([0xC3, 0x85, 0xC3, 0x28], "utf-8", "Å\u{FFFD}(", 1, first: 2)
    }

    @Test(arguments: [1, 2, 3, 7, 65536])
    func theEndInsideACharacterIsCounted(_ chunk: Int) throws {
        let scratch = try Scratch()
        let head = Array("1\n00:00:01,000 --> 00:00:02,000\na".utf8)
        for (name, tail, text) in [
            ("shift_jis", [0x81], "a\u{FFFD}"), ("ISO-2022-JP", [0x1B], "a\u{FFFD}"),
            ("gb18030", [0x95, 0x32, 0x0A], "a\u{FFFD}2"),
        ] as [(String, [UInt8], String)] {
            try scratch.write("a.srt", head + tail)
            let ran = try Ran("cues", "a.srt", "--from-encoding", name, "--chunk=\(chunk)", in: scratch)
            #expect(ran.text == "00:00:01.000 --> 00:00:02.000  \(text)\n")
            ran.expectNote(
                "a.srt", "at byte \(head.count): not \(name); U+FFFD stands for what is no character, 1 in all")
        }
        // Half a unit, and half a pair of units.
        try scratch.write("w.srt", Self.wide("1\n0:1 --> 0:2\nab", bigEndian: false, mark: true) + [0x3D, 0xD8, 0x61])
        let ran = try Ran("cues", "w.srt", "--chunk=\(chunk)", in: scratch)
        #expect(ran.text == "00:00:01.000 --> 00:00:02.000  ab\u{FFFD}\u{FFFD}\n")
        ran.expectNote("w.srt", "at byte 34: not UTF-16LE; U+FFFD stands for what is no character, 2 in all")
    }

    @Test(arguments: ["--chunk=1", "--chunk=65536"])
    func webVTTThatIsNotUTF8GetsANote(_ chunk: String) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        try scratch.write("b.vtt", Self.webVTT([0x61, 0xE9, 0x62]))
        try scratch.write("cut.vtt", Array("WEBVTT\n\n0:00:00.000 --> 0:00:01.000\na".utf8) + [0xE5, 0xAD])
        for (words, text) in [
            (["cues", "b.vtt"], "a\u{FFFD}b"), (["inspect", "b.vtt"], "webvtt"),
            (["duration", "--latest", "b.vtt"], "9.000"),
            (["segment", "b.vtt", "-oout"], ""), (["sideload", "m.m3u8", "--track=uri=s.vtt,file=b.vtt", "-oout"], ""),
        ] {
            let ran = try Ran(words + [chunk], in: scratch)
            #expect(ran.status == 0 && ran.text.contains(text) || text == "", "\(ran)")
            // Only a track can be given an encoding, which counts for WebVTT too.
            let advice =
                words[0] == "sideload"
                ? ", or give the track its encoding=, such as windows-1252, shift_jis or gb18030" : " to UTF-8"
            ran.expectNote(
                "b.vtt",
                "at byte 41: not UTF-8, so that players show U+FFFD; if it is in another encoding, convert it\(advice)")
        }
        // What is copied stays as it is.
        #expect(try scratch.bytes("out/s.vtt") == Self.webVTT([0x61, 0xE9, 0x62]))
        try Ran("cues", "cut.vtt", chunk, in: scratch).expectNote("cut.vtt", "at byte 37: not UTF-8")
    }

    @Test(arguments: ["klingon", "utf-8//TRANSLIT", "a b", "latin1,x", "é"])
    func anUnknownEncodingIsNoArgument(_ name: String) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master, "b.vtt": Samples.webVTT])
        for words in [
            ["cues", "b.vtt"], ["duration", "b.vtt"], ["segment", "b.vtt", "-oout"], ["playlist", "b.vtt", "--uri=a"],
            ["inspect", "b.vtt"], ["sideload", "m.m3u8", "--track=uri=s.vtt,file=b.vtt", "-oout"],
        ] {
            let ran = try Ran(words + ["--from-encoding", name], in: scratch)
            #expect(ran.status == 2 && ran.text == "")
            expectOneLine(ran.errors, about: "--from-encoding", "is no encoding that this system's iconv knows")
        }
        let unused = try Ran(
            "sideload", "m.m3u8", "--track=uri=s.vtt,duration=1", "-oout", "--from-encoding=latin1", in: scratch)
        #expect(unused.status == 2)
        expectOneLine(unused.errors, about: "--from-encoding", "no track has file=")
    }

    @Test func aBudgetIsForAllOfWhatIsConverted() throws {
        let scratch = try Scratch()
        try scratch.write("b.srt", Self.subRip([0xE9]))
        let size = Self.subRip([0xE9]).count
        let option = "--from-encoding=latin1"
        #expect(try Ran("duration", "b.srt", option, "--budget=\(size)", in: scratch).text == "4.500\n")
        #expect(try Ran("duration", "b.srt", option, "--budget=\(size - 1)", in: scratch).status == 1)
    }

    @Test func inspectionGivesLinesOfWhatIsConverted() throws {
        let scratch = try Scratch()
        let text = "WEBVTT\nX-TIMESTAMP-MAP=é\n\n0 --> 1\né\n"
        try scratch.write("b.vtt", Self.wide(text, bigEndian: false, mark: true))
        try scratch.write("utf-8.vtt", Array(text.utf8))
        let report = try Ran("inspect", "b.vtt", in: scratch).text
        #expect(report.contains("bad timestamp map  line 2\n") && report.contains("first: line 4\n"), "\(report)")
        let other = try Ran("inspect", "utf-8.vtt", in: scratch).text
        #expect(other.contains("line 2, at byte 7\n") && other.contains("first: line 4, at byte 27\n"), "\(other)")
    }
}
