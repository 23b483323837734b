import Support
import Testing

@testable import WebVTT

@Suite struct SubRipTranscoderTests {
    typealias Cue = NaiveCues.Cue

    /// Files and the cues that a WebVTT parser must find in what they become.
    static let files: [(String, [Cue])] = [
        ("", []),
        ("\u{FEFF}", []),
        ("\n\n", []),
        ("no subtitles at all\n1\n2\n", []),
        ("1\n00:00:01,000 --> 00:00:02,000\nHello\n", [Cue("1", 1000, 2000, "Hello")]),
        ("\u{FEFF}1\n00:00:01,000 --> 00:00:02,000\nHello\n\n", [Cue("1", 1000, 2000, "Hello")]),
        ("1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\nyou\r\n\r\n", [Cue("1", 1000, 2000, "Hello\nyou")]),
        ("1\r00:00:01,000 --> 00:00:02,000\rHello\ryou", [Cue("1", 1000, 2000, "Hello\nyou")]),
        ("00:00:01,000 --> 00:00:02,000", [Cue("", 1000, 2000, "")]),
        // Blank lines that are missing, too many, or in every other place.
        (
            "1\n0:0:1,0 --> 0:0:2,0\na\n2\n0:0:3,0 --> 0:0:4,0\nb",
            [Cue("1", 1000, 2000, "a"), Cue("2", 3000, 4000, "b")]
        ),
        ("1\n0:0:1,0 --> 0:0:2,0\n2\n0:0:3,0 --> 0:0:4,0\nb", [Cue("1", 1000, 2000, ""), Cue("2", 3000, 4000, "b")]),
        ("0:0:1,0 --> 0:0:2,0\na\n0:0:3,0 --> 0:0:4,0\nb", [Cue("", 1000, 2000, "a"), Cue("", 3000, 4000, "b")]),
        (
            "\n\n\n7\n0:0:1,0 --> 0:0:2,0\n\n\na\n\n\n\n8\n0:0:3,0 --> 0:0:4,0",
            [Cue("7", 1000, 2000, "a"), Cue("8", 3000, 4000, "")]
        ),
        (
            "1\r\r\n0:0:1,0 --> 0:0:2,0\r\r\na\r\r\nb\r\r\n\r\r\n2\r\r\n0:0:3,0 --> 0:0:4,0\r\r\nc\r\r\n",
            [Cue("1", 1000, 2000, "a\nb"), Cue("2", 3000, 4000, "c")]
        ),
        // Text goes on after a blank line, and after a line of white space.
        (
            "1\n0:0:1,0 --> 0:0:2,0\na\n\nb\n \t\nc\n\n2\n0:0:3,0 --> 0:0:4,0\nd",
            [Cue("1", 1000, 2000, "a\nb\nc"), Cue("2", 3000, 4000, "d")]
        ),
        // Numbers that are text.
        (
            "1\n0:0:1,0 --> 0:0:2,0\n1984\n\n2\n0:0:3,0 --> 0:0:4,0\n2001\n",
            [Cue("1", 1000, 2000, "1984"), Cue("2", 3000, 4000, "2001")]
        ),
        (
            "1\n0:0:1,0 --> 0:0:2,0\n1984\n2\n0:0:3,0 --> 0:0:4,0\nb",
            [Cue("1", 1000, 2000, "1984"), Cue("2", 3000, 4000, "b")]
        ),
        (
            "1\n0:0:1,0 --> 0:0:2,0\na\n1984\n\n0:0:3,0 --> 0:0:4,0\nb",
            [Cue("1", 1000, 2000, "a\n1984"), Cue("", 3000, 4000, "b")]
        ),
        ("1\n0:0:1,0 --> 0:0:2,0\na\n\n1984\n\nb", [Cue("1", 1000, 2000, "a\n1984\nb")]),
        ("1\n0:0:1,0 --> 0:0:2,0\n3\n2\n1\n0\n", [Cue("1", 1000, 2000, "3\n2\n1\n0")]),
        // A number that the file ends with.
        ("1\n0:0:1,0 --> 0:0:2,0\na\n\n2\n", [Cue("1", 1000, 2000, "a")]),
        ("1\n0:0:1,0 --> 0:0:2,0\na\n2\n", [Cue("1", 1000, 2000, "a\n2")]),
        ("1\n0:0:1,0 --> 0:0:2,0\n\n2\n", [Cue("1", 1000, 2000, "2")]),
        // Counters of any kind, and what is none.
        (" 0012\t\n0:0:1,0 --> 0:0:2,0\na", [Cue("0012", 1000, 2000, "a")]),
        (
            "junk\n12\n0:0:1,0 --> 0:0:2,0\na\n\n\u{FEFF}1\n0:0:3,0 --> 0:0:4,0\nb",
            [Cue("12", 1000, 2000, "a"), Cue("1", 3000, 4000, "b")]
        ),
        (
            "#1\n0:0:1,0 --> 0:0:2,0\na\n2.\n0:0:3,0 --> 0:0:4,0\nb",
            [Cue("", 1000, 2000, "a\n2."), Cue("", 3000, 4000, "b")]
        ),
        // Words that mean something elsewhere in WebVTT.
        (
            "1\n0:0:1,0 --> 0:0:2,0\nNOTE x\n\nSTYLE\nREGION\nWEBVTT",
            [Cue("1", 1000, 2000, "NOTE x\nSTYLE\nREGION\nWEBVTT")]
        ),
        // Cues that end before they start, and out of order.
        ("0:0:9,0 --> 0:0:2,0\na\n\n0:0:1,0 --> 0:0:1,0\nb", [Cue("", 9000, 2000, "a"), Cue("", 1000, 1000, "b")]),
        // Markup across lines, and lines of which nothing is left.
        ("0:0:1,0 --> 0:0:2,0\n<i>a\n<font color=red>\nb</i>\n</font>", [Cue("", 1000, 2000, "<i>a\nb</i>")]),
        ("0:0:1,0 --> 0:0:2,0\n{\\an8}\na", [Cue("", 1000, 2000, "a", "line:0")]),
        ("0:0:1,0 --> 0:0:2,0\n\n  {\\an8} a", [Cue("", 1000, 2000, "   a", "line:0")]),
        ("0:0:1,0 --> 0:0:2,0\na\n{\\an8}b", [Cue("", 1000, 2000, "a\nb")]),
        ("0:0:1,0 --> 0:0:2,0\n<i>{\\an8}b", [Cue("", 1000, 2000, "<i>b")]),
        ("0:0:1,0 --> 0:0:2,0\n12\n{\\an8}b", [Cue("", 1000, 2000, "12\nb")]),
        (
            "0:0:1,0 --> 0:0:2,0\na {Y:i}b\n12\n{y:b}c\n\n3\n0:0:3,0 --> 0:0:4,0\nd",
            [
                Cue("", 1000, 2000, "a <i>b</i>\n<i>12</i>\n<i><b>c</b></i>"), Cue("3", 3000, 4000, "d"),
            ]
        ),
        // An arrow that is none: the whole cue is left out.
        (
            "1\n0:0:1,0 - > 0:0:2,0\na\n\n2\n0:0:3,0 --> 0:0:4,0\nb\n\n3\n0:0:5,0 -> 0:0:6,0\nc\n4\n",
            [Cue("2", 3000, 4000, "b")]
        ),
        ("2\n0:0:3,0 --> 0:0:4,0\n\n3\n0:0:5,0 -- > 0:0:6,0\n", [Cue("2", 3000, 4000, "")]),
        ("0:0:1,0 --> 0:0:2,0\na -->\n--> b", [Cue("", 1000, 2000, "a --&gt;\n--&gt; b")]),
    ]

    @Test(arguments: files)
    func cues(file: String, cues: [Cue]) {
        let run = SubRipRun(checking: Array(file.utf8))
        #expect(run.error == nil)
        #expect(run.cueCount == cues.count)
        #expect(NaiveCues.cues(in: run.output) == cues)
        // The oracle must know the rules that the files spell out.
        #expect(NaiveSubRip.transcode(Array(file.utf8)) == run.output)
    }

    @Test func theWholeOutput() throws {
        let file = "1\r\n00:00:01,000 --> 00:00:02,000 X1:1 Y1:2\r\n{\\an9}<B>Hi</B> & bye\r\n\r\n00:03 --> 00:04\r\n"
        let output = try Array(file.utf8).withUnsafeBytes { try SubRipTranscoder.transcode($0) }
        #expect(
            String(decoding: output, as: UTF8.self) == """
                WEBVTT

                1
                00:00:01.000 --> 00:00:02.000 line:0 position:95% align:right
                <b>Hi</b> &amp; bye

                00:00:03.000 --> 00:00:04.000

                """)
    }

    /// Output is put together 16 KiB at a time, whether cues are taken whole or line by line.
    @Test(arguments: ["\n", "\r\n", "\r"], ["Text", "<b>x</b>"])
    func piecesOfTheOutput(end: String, text: String) throws {
        let cues = (1000..<2000).map { "\($0)\n00:00:01,000 --> 00:00:02,000\n\(text)\n\n" }.joined()
        var counts: [Int] = []
        var transcoder = SubRipTranscoder()
        try Array(cues.replacing("\n", with: end).utf8).withUnsafeBytes {
            try transcoder.write($0) { counts.append($0.count) }
        }
        // A cue becomes as many bytes as it has with LF.
        let cue = 36 + text.utf8.count + 1
        #expect(counts.count == (1000 * cue + 7) / 16_384 + 1)
        #expect(counts.dropLast().allSatisfy { (16_384..<(16_384 + cue)).contains($0) }, "\(counts)")
    }

    @Test func randomFiles() {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<(isLong ? 3000 : 400) {
            let file = SubRipTokens.file(using: &generator)
            let run = SubRipRun(checking: file, isThorough: false)
            let name = String(decoding: file, as: UTF8.self).debugDescription
            // A NUL among the first bytes is another matter.
            guard run.error == nil else {
                #expect(file.prefix(4).contains(0), "\(name): \(run)")
                continue
            }
            #expect(run.output == NaiveSubRip.transcode(file), "\(name)")
            let cues = NaiveCues.cues(in: run.output)
            #expect(cues?.count == run.cueCount, "\(name): \(run)")
            // No line of the output is lost on the way through a parser.
            let parsed = (cues ?? []).reduce(2) { sum, cue in
                sum + 2 + (cue.identifier.isEmpty ? 0 : 1)
                    + (cue.text.isEmpty ? 0 : cue.text.utf8.count { $0 == 0x0A } + 1)
            }
            #expect(NaiveTimings.cues(in: run.output)?.count == run.cueCount)
            #expect(parsed == run.output.count { $0 == 0x0A } + 1, "\(name): \(run)")
        }
    }

    @Test func randomBytes() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<(isLong ? 20_000 : 1000) {
            var file = SubRipTokens.file(using: &generator)
            for _ in 0..<Int.random(in: 0...3, using: &generator) where !file.isEmpty {
                file[Int.random(in: 0..<file.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let limits = SubRipLimits(longestLine: 64, policy: Bool.random(using: &generator) ? .fail : .breakLine)
            let run = SubRipRun(checking: file, limits: limits, isThorough: false)
            if run.error == nil { #expect(NaiveCues.cues(in: run.output)?.count == run.cueCount) }
        }
    }
}
