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
