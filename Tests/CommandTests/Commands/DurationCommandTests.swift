import Foundation
import Support
import Testing

@Suite struct DurationCommandTests {
    @Test(arguments: ["", "--chunk=1", "--chunk=5", "--budget=27", "--budget=100000"])
    func printsTheFinalCuesEnd(_ option: String) throws {
        let scratch = try Scratch(["a.vtt": Samples.webVTT])
        let options = option.isEmpty ? [] : [option]
        #expect(try Ran(["duration", "a.vtt"] + options, in: scratch).text == "4.500\n")
        let words = options.joined(separator: " ")
        for script in ["\"$surtitle\" duration - \(words) <a.vtt", "cat a.vtt | \"$surtitle\" duration - \(words)"] {
            #expect(try Ran(shell: script, in: scratch).text == "4.500\n")
        }
    }

    /// Only a line with an arrow can begin a cue: a long note says nothing about the end.
    @Test func aNoteTooLongLeavesNothingUndecided() throws {
        let note = "NOTE " + String(repeating: "long lines of text\n", count: 70_000)
        let scratch = try Scratch(["a.vtt": Samples.webVTT + "\n" + note])
        for option in ["--chunk=4096", "--chunk=65536", "--chunk=4194304"] {
            #expect(try Ran("duration", "a.vtt", "--latest", option, in: scratch).text == "9.000\n")
            let report = try Ran("inspect", "a.vtt", option, in: scratch).text
            #expect(report.contains("\nlatest    9.000\ntoo long  no cue, line 9, at byte 62\n"))
            let cues = try Ran("cues", "a.vtt", option, in: scratch)
            #expect(cues.status == 0 && cues.errors == "" && cues.text.hasSuffix("00:00:04.500  b\n"))
        }
        // A cue in a block too long to be read has its end all the same.
        let text = "00:20.000 --> 00:30.000\n" + String(repeating: "x\n", count: 600_000)
        try scratch.write("b.vtt", Array((Samples.webVTT + "\n" + text).utf8))
        #expect(try Ran("duration", "b.vtt", "--latest", in: scratch).text == "30.000\n")
    }

    /// A cue that never shows does not make the content longer.
    @Test func theLatestEndIsOfACueThatShows() throws {
        let scratch = try Scratch([
            "a.vtt": "WEBVTT\n\n00:00.000 --> 00:20.000\na\n\n01:00:00.456 --> 00:00:21.670\nb\n",
            "b.vtt": "WEBVTT\n\n01:00:00.456 --> 00:00:21.670\nb\n",
        ])
        #expect(try Ran("duration", "a.vtt", in: scratch).text == "21.670\n")
        #expect(try Ran("duration", "a.vtt", "--latest", in: scratch).text == "20.000\n")
        let ran = try Ran("duration", "b.vtt", "--latest", in: scratch)
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: "b.vtt", "no cue shows")
    }

    @Test func standardInputIsReadFromWhereItStands() throws {
        let scratch = try Scratch(["a.vtt": "junk\n" + Samples.webVTT])
        #expect(try Ran(shell: "(read line; \"$surtitle\" inspect -) <a.vtt", in: scratch).status == 0)
        let script = "(dd bs=5 count=1 >/dev/null 2>&1; \"$surtitle\" duration -) <a.vtt"
        #expect(try Ran(shell: script, in: scratch).text == "4.500\n")
    }

    @Test func printsTheLatestEnd() throws {
        let scratch = try Scratch(["a.vtt": Samples.webVTT])
        for option in ["--chunk=1", "--chunk=65536", "--budget=61"] {
            #expect(try Ran("duration", "a.vtt", "--latest", option, in: scratch).text == "9.000\n")
        }
    }

    @Test(arguments: [
        (["empty"], "empty", "at byte 0: no WEBVTT signature"), (["empty", "--latest"], "empty", "at byte 0"),
        (["m"], "m", "at byte 0: no WEBVTT signature"), (["m", "--latest"], "m", "at byte 0: no WEBVTT signature"),
        (["nocue"], "nocue", "no cue in the whole file"), (["nocue", "--latest"], "nocue", "no cue in the whole file"),
        (["a.vtt", "--budget=5"], "a.vtt", "undecided"), (["a.vtt", "--budget=60", "--latest"], "a.vtt", "undecided"),
        (["a.vtt", "--budget=5", "--chunk=1"], "a.vtt", "undecided"), (["missing"], "missing", "no such file"),
        (["."], ".", "is a directory"), (["-"], "standard input", "at byte 0: no WEBVTT signature"),
    ])
    func refusesInput(_ words: [String], _ file: String, _ reason: String) throws {
        let scratch = try Scratch([
            "a.vtt": Samples.webVTT, "m": Samples.master, "empty": "", "nocue": "WEBVTT\n\nNOTE\n",
        ])
        let ran = try Ran(["duration"] + words, in: scratch)
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: file, reason)
    }

    @Test(arguments: [
        ([], "FILE is missing"), (["a", "b"], "one operand too many"), (["a", "--budget=0"], "--budget is 0"),
        (["a", "--latest=yes"], "takes no value"), (["a", "--soon"], "unknown option"),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let ran = try Ran(["duration"] + words, in: Scratch())
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", reason)
    }

    @Test(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
    func agreesWithTheConformanceData() throws {
        let scratch = try Scratch()
        for (number, file) in try WebVTTExpectation.files().enumerated() {
            guard Samples.isLongRun || number % 8 == 0 else { continue }
            try scratch.write("f.vtt", file.bytes)
            let ran = try Ran(["duration", "f.vtt", "--chunk=\(number % 100 + 1)"], in: scratch)
            guard let end = file.finalCueEnd else {
                #expect(ran.status == 1 && ran.text == "", "\(file.name)")
                continue
            }
            let text = "\(end / 1000).\(String(end % 1000 + 1000).dropFirst())\n"
            #expect(ran.status == 0 && ran.text == text, "\(file.name)")
        }
    }
}
