import Testing

@testable import surtitle

/// `surtitle edit --trace`.
@Suite struct EditTraceTests {
    @Test(arguments: [
        ("", ""), ("#EXTM3U", "#EXTM3U"), ("a\u{1B}\t\r\u{7F}b", "a\\u{1B}\\t\\r\\u{7F}b"),
        (String(repeating: "é", count: 80), String(repeating: "é", count: 80)),
        (String(repeating: "é", count: 81), String(repeating: "é", count: 80) + "…"),
        (String(repeating: "x", count: 100_000), String(repeating: "x", count: 80) + "…"),
    ])
    func linesAreShortened(_ line: String, _ expected: String) {
        #expect(EditTrace.shortened(Array(line.utf8)) == expected)
    }

    /// The trace changes neither the output nor the exit status, and comes out the same wherever chunks end.
    @Test(arguments: [Samples.master, Samples.media, Samples.mixed, Samples.undecided, "hello\n", ""])
    func theOutputStaysAsItIs(_ text: String) throws {
        let scratch = try Scratch(["m": text])
        let words = ["edit", "m", "--set=EXT-X-STREAM-INF:A=1", "--map-uri=http://h/", "--drop=EXTINF"]
        let plain = try Ran(words, in: scratch)
        var traces: Set<String> = []
        for chunk in ["--chunk=1", "--chunk=7", "--chunk=65536"] {
            let ran = try Ran(words + ["--trace", chunk], in: scratch)
            #expect(ran.status == plain.status && ran.output == plain.output)
            #expect(ran.errors.hasSuffix(plain.errors))
            traces.insert(ran.errors)
        }
        #expect(traces.count == 1)
    }

    /// What each option does to a line, and what the trace says of it.
    @Test(
        arguments: [
            ("--set=EXT-X-STREAM-INF:A=1", "byte 8: A appended (rule of #EXT-X-STREAM-INF, "),
            ("--set=EXT-X-STREAM-INF:BANDWIDTH=2", "byte 8: BANDWIDTH replaced (rule of #EXT-X-STREAM-INF, "),
            ("--replace=EXT-X-STREAM-INF:A=1", "byte 8: A absent (rule of #EXT-X-STREAM-INF, "),
            ("--remove=EXT-X-STREAM-INF:BANDWIDTH", "byte 8: BANDWIDTH removed (rule of #EXT-X-STREAM-INF, "),
            ("--drop=EXT-X-STREAM-INF", "byte 8: dropped (rule of #EXT-X-STREAM-INF, "),
            ("--drop=EXT-X-KEY", "byte 8: left alone (rule of #EXT-X-STREAM-INF, it makes the playlist multivariant)"),
        ] as [(String, String)])
    func tellsWhatWasDecidedAndWhy(_ option: String, _ expected: String) throws {
        let ran = try Ran("edit", "--trace", option, input: Array(Samples.master.utf8), in: Scratch())
        let lines = ran.errors.split(separator: "\n")
        #expect(
            lines.contains { $0.hasPrefix(expected) && $0.hasSuffix(": #EXT-X-STREAM-INF:BANDWIDTH=1") },
            "\(ran.errors)")
    }

    @Test func tellsWhatBecomesOfURIs() throws {
        let ran = try Ran("edit", "--trace", "--map-uri=http://h/", input: Array(Samples.master.utf8), in: Scratch())
        #expect(ran.errors.contains("replaced by http://h/"))
        #expect(ran.errors.contains("(a line that is no tag with a rule)"))
    }

    @Test func tellsWhyALineIsNotEditable() throws {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:A=\"\na\n#EXT-X-STREAM-INF\nb\n"
        let ran = try Ran("edit", "--trace", "--set=EXT-X-STREAM-INF:B=1", input: Array(text.utf8), in: Scratch())
        #expect(ran.errors.contains("byte 8: not editable, a quote is open ("))
        #expect(ran.errors.contains("byte 32: not editable, it has no attributes ("))
    }
}
