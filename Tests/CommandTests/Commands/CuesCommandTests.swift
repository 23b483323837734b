import Foundation
import Support
import Testing

@Suite struct CuesCommandTests {
    private static let strange: [UInt8] =
        Array("WEBVTT\n\nid\0".utf8) + [0xFF, 0xE2, 0x82]
        + Array("\"\\\n0:00:01.000 --> 100:00:02.500  \t a:\u{C}b \u{C}\r\n".utf8)
        + Array("tab\t\u{1B}\u{7F}".utf8) + [0x85, 0xC2, 0x85, 0x0D, 0x0D, 0x0A]
        + Array("x\n\n00:00.000-->00:00.000".utf8)

    @Test(arguments: ["--chunk=1", "--chunk=7", "--chunk=65536"])
    func writesJSON(_ option: String) throws {
        let scratch = try Scratch(["a.vtt": Samples.webVTT])
        try scratch.write("s.vtt", Self.strange)
        let expected = """
            {"start_ms":1000,"end_ms":9000,"id":"","settings":"","text":"a"}
            {"start_ms":2000,"end_ms":4500,"id":"","settings":"","text":"b"}

            """
        #expect(try Ran("cues", "a.vtt", "--json", option, in: scratch).text == expected)
        let strange = """
            {"start_ms":1000,"end_ms":360002500,"id":"id���\\"\\\\","settings":"a:\\u000Cb","text":"tab\\t\\u001B\\u007F�\\u0085"}
            {"start_ms":0,"end_ms":0,"id":"","settings":"","text":""}

            """
        #expect(try Ran("cues", "s.vtt", "--json", option, in: scratch).text == strange)
    }

    @Test(arguments: ["--chunk=1", "--chunk=65536"])
    func listsCues(_ option: String) throws {
        let scratch = try Scratch([
            "a.vtt": "\u{FEFF}WEBVTT\n\n7\n00:01.000 --> 00:09.000 align:start\n“One”\r\nand\rtwo\n"
        ])
        let expected = "00:00:01.000 --> 00:00:09.000  “One” / and / two\n"
        #expect(try Ran("cues", "a.vtt", option, in: scratch).text == expected)
        let script = "cat a.vtt | \"$surtitle\" cues - \(option)"
        #expect(try Ran(shell: script, in: scratch).text == expected)
        try scratch.write("s.vtt", Self.strange)
        #expect(
            try Ran("cues", "s.vtt", option, in: scratch).text
                == "00:00:01.000 --> 100:00:02.500  tab\\t\\u{1B}\\u{7F}�\\u{85}\n00:00:00.000 --> 00:00:00.000\n")
    }

    @Test func aFileWithoutCuesHasNone() throws {
        let ran = try Ran("cues", "a.vtt", in: Scratch(["a.vtt": "WEBVTT\n\nNOTE\n"]))
        #expect(ran.status == 0 && ran.text == "" && ran.errors == "")
    }

    @Test(arguments: [
        (["empty"], "empty", "at byte 0: no WEBVTT signature"), (["m"], "m", "at byte 0: no WEBVTT signature"),
        (["."], ".", "is a directory"), (["missing"], "missing", "no such file"),
        (["-"], "standard input", "at byte 0: no WEBVTT signature"),
    ])
    func refusesInput(_ words: [String], _ file: String, _ reason: String) throws {
        for options in [[], ["--json"], ["--chunk=1"]] {
            let ran = try Ran(["cues"] + words + options, in: Scratch(["empty": "", "m": Samples.master]))
            #expect(ran.status == 1 && ran.text == "")
            expectOneLine(ran.errors, about: file, reason)
        }
    }

    @Test func aBlockTooLongIsNamed() throws {
        let long = "00:02.000 --> 00:03.000\n" + String(repeating: "x", count: 1 << 20) + "\n\n"
        let scratch = try Scratch([
            "a.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n\(long)00:04.000 --> 00:05.000\nb\n"
        ])
        let ran = try Ran("cues", "a.vtt", in: scratch)
        #expect(ran.status == 1)
        #expect(ran.text == "00:00:01.000 --> 00:00:02.000  a\n00:00:04.000 --> 00:00:05.000  b\n")
        expectOneLine(ran.errors, about: "a.vtt", "line 6, at byte 35: the block is too long to be read")
    }

    @Test(arguments: [
        ([], "FILE is missing"), (["a", "b"], "one operand too many"), (["a", "--json=yes"], "takes no value"),
        (["a", "--chunk=0"], "--chunk is 0"), (["a", "--xml"], "unknown option"),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let ran = try Ran(["cues"] + words, in: Scratch())
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", reason)
    }

    private struct Line: Decodable, Equatable {
        let start_ms: Int64
        let end_ms: Int64
        let id: String
        let settings: String
        let text: String
    }

    @Test(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
    func agreesWithTheConformanceData() throws {
        let scratch = try Scratch()
        for (number, file) in try WebVTTExpectation.files().enumerated() {
            guard Samples.isLongRun || number % 8 == 0 else { continue }
            try scratch.write("f.vtt", file.bytes)
            let ran = try Ran("cues", "f.vtt", "--json", "--chunk=\(number % 100 + 1)", in: scratch)
            #expect(ran.status == (file.hasSignature ? 0 : 1), "\(file.name)")
            let lines = try ran.output.split(separator: 0x0A).map {
                try JSONDecoder().decode(Line.self, from: Data($0))
            }
            let expected = file.cues.map {
                Line(start_ms: $0.start, end_ms: $0.end, id: $0.identifier, settings: $0.settings, text: $0.text)
            }
            #expect(lines == expected, "\(file.name)")
        }
    }
}
