import ByteScan
import Support
import Testing

@testable import WebVTT

@Suite struct CueScannerTests {
    /// Compares the scanner with the oracle, and every way of cutting `file` with the file in one piece.
    static func check(_ file: [UInt8], sizes: some Sequence<Int>, _ name: @autoclosure () -> String = "") {
        let blocks = Transcript.blocks(of: file)
        let expected = Transcript.expected(file) ?? []
        if blocks != expected {
            let pairs = zip(blocks.map(\.description) + ["nothing"], expected.map(\.description) + ["nothing"])
            let first = pairs.first { $0 != $1 }
            Issue.record("\(name()) \(describe(file)): \(String(describing: first))")
        }
        checkSplits(file, sizes: sizes, name())
    }

    static func checkSplits(
        _ file: [UInt8], sizes: some Sequence<Int>, limits: CueLimits = CueLimits(),
        _ name: @autoclosure () -> String = ""
    ) {
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        let whole = Transcript.bytes(of: guarded.buffer, in: [0..<file.count], limits: limits)
        for size in sizes {
            let chunks = Splits.even(of: file.count, size: size)
            guard Transcript.bytes(of: guarded.buffer, in: chunks, limits: limits) != whole else { continue }
            Issue.record("\(name()) in chunks of \(size): \(describe(file))")
            return
        }
    }

    /// Every size up to 64 in a long run; otherwise two for each file, and together all of them.
    static func sizes(for file: WebVTTExpectation, _ number: Int) -> [Int] {
        if isLong { return Array(1...64) }
        return file.bytes.count < 20_000 ? [1 + number % 3, 4 + number % 61] : [17 + number % 48]
    }

    static func describe(_ file: [UInt8]) -> String {
        String(decoding: file.prefix(400), as: UTF8.self).debugDescription
    }

    // MARK: Fixtures, one for each rule

    static let fixtures: [(String, [String])] = [
        ("", []),
        ("WEBVTX\n\n00:01.000 --> 00:02.000\n", []),
        ("WEBVTT", []),
        ("WEBVTT\n", []),
        ("WEBVTT 00:01.000 --> 00:02.000\n", []),
        // The header ends with a blank line or an arrow, and its lines are never identifiers.
        ("WEBVTT\nKind: captions\n\n", [#"header @7 line 2 "Kind: captions""#]),
        (
            "WEBVTT\nKind: captions\n00:01.000 --> 00:02.000\nx",
            [#"header @7 line 2 "Kind: captions""#, #"cue @22 "" 1000 --> 2000 "" "x""#]
        ),
        ("WEBVTT\n00:01.000 --> 00:02.000\n", [#"cue @7 "" 1000 --> 2000 "" """#]),
        ("WEBVTT\nx --> y\n", [#"malformedTiming @7 line 2 "x --> y""#]),
        ("WEBVTT\n \n\n", [#"header @7 line 2 " ""#]),
        // Terminators.
        (
            "\u{FEFF}WEBVTT\r\n\r\nid\r\n00:01.000 --> 00:02.000 line:0 \r\na\r\nb\r\n\r\n",
            [#"cue @13 "id" 1000 --> 2000 "line:0" "a\nb""#]
        ),
        ("WEBVTT\r\rid\r00:01.000 --> 00:02.000\ra\rb\r\r", [#"cue @8 "id" 1000 --> 2000 "" "a\nb""#]),
        ("WEBVTT\n\r00:01.000 --> 00:02.000\n\rx", [#"cue @8 "" 1000 --> 2000 "" """#, #"noTiming @33 line 5 "x""#]),
        // Identifiers: the line above, at a block's start only.
        (
            "WEBVTT\n\na\nb\n00:01.000 --> 00:02.000\nx\n",
            [#"noTiming @8 line 3 "a\nb""#, #"cue @12 "" 1000 --> 2000 "" "x""#]
        ),
        (
            "WEBVTT\n\n00:01.000 --> 00:02.000\nx\n00:03.000 --> 00:04.000\ny\n",
            [#"cue @8 "" 1000 --> 2000 "" "x""#, #"cue @34 "" 3000 --> 4000 "" "y""#]
        ),
        ("WEBVTT\n\nNOTE x\n00:01.000 --> 00:02.000\ny\n", [#"cue @8 "NOTE x" 1000 --> 2000 "" "y""#]),
        ("WEBVTT\n\n \n00:01.000 --> 00:02.000\n", [#"cue @8 " " 1000 --> 2000 "" """#]),
        // A line that fails costs its own block only.
        (
            "WEBVTT\n\nid\n00:01.000 --> 00:60.000\nx\n\n00:03.000 --> 00:04.000\n",
            [#"malformedTiming @8 line 3 "id\n00:01.000 --> 00:60.000\nx""#, #"cue @38 "" 3000 --> 4000 "" """#]
        ),
        (
            "WEBVTT\n\n-->\n00:03.000 --> 00:04.000\n",
            [#"malformedTiming @8 line 3 "-->""#, #"cue @12 "" 3000 --> 4000 "" """#]
        ),
        // Notes, styles, regions.
        (
            "WEBVTT\n\nNOTE\n\nNOTE a\nb\n\nNOTEx\n",
            [#"note @8 line 0 """#, #"note @14 line 0 "a\nb""#, #"noTiming @24 line 8 "NOTEx""#]
        ),
        ("WEBVTT\n\nNOTE\ta\rb", [#"note @8 line 0 "a\nb""#]),
        ("WEBVTT\n\nSTYLE \t\n::cue{}\na\n\n", [#"style @8 line 0 "::cue{}\na""#]),
        ("WEBVTT\n\nSTYLE\n\n", [#"emptyStyle @8 line 3 "STYLE""#]),
        ("WEBVTT\n\nSTYLEx\ny\n", [#"noTiming @8 line 3 "STYLEx\ny""#]),
        (
            "WEBVTT\n\nSTYLE\na\n/* --> */\nb\n",
            [#"style @8 line 0 "a""#, #"malformedTiming @16 line 5 "/* --> */\nb""#]
        ),
        ("WEBVTT\n\nSTYLE\n00:03.000 --> 00:04.000\nx\n", [#"cue @8 "STYLE" 3000 --> 4000 "" "x""#]),
        (
            "WEBVTT\n\n00:01.000 --> 00:02.000\n\nSTYLE\na\n\nREGION\nb\n\nREGION\n",
            [
                #"cue @8 "" 1000 --> 2000 "" """#, #"styleAfterCue @33 line 5 "STYLE\na""#,
                #"regionAfterCue @42 line 8 "REGION\nb""#, #"emptyRegion @52 line 11 "REGION""#,
            ]
        ),
        ("WEBVTT\n\nREGION\nid:a\nlines:3\n", [#"region @8 line 0 "id:a\nlines:3""#]),
        // Settings, decoding, order.
        (
            "WEBVTT\n\n00:01.000 --> 00:02.000align:start \t --> x \nx\n",
            [#"cue @8 "" 1000 --> 2000 "align:start \t --> x" "x""#]
        ),
        ("WEBVTT\n\n00:09.000 --> 00:02.000\na\0b\n \n", [#"cue @8 "" 9000 --> 2000 "" "a\u{FFFD}b\n ""#]),
    ]

    @Test(arguments: fixtures)
    func fixture(text: String, expected: [String]) {
        let file = Array(text.utf8)
        #expect(
            Transcript.blocks(of: file).map(\.description)
                == expected.map { $0.replacing(#"\u{FFFD}"#, with: "\u{FFFD}") })
        Self.check(file, sizes: 1...64)
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        let whole = Transcript.bytes(of: guarded.buffer, in: [0..<file.count])
        for chunks in Splits.all(of: file.count) {
            #expect(Transcript.bytes(of: guarded.buffer, in: chunks) == whole)
            #expect(Transcript.bytes(of: guarded.leadingBuffer, in: chunks) == whole)
        }
    }

    @Test func randomFiles() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<(isLong ? 200_000 : 1500) {
            let file = WebVTTTokens.file(upTo: 40, using: &generator)
            Self.check(file, sizes: [1, Int.random(in: 2...64, using: &generator)])
        }
    }

    @Test(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
    func everyConformanceFile() throws {
        for (number, file) in try (WebVTTExpectation.files() + WebVTTExpectation.corpus()).enumerated() {
            Self.check(file.bytes, sizes: Self.sizes(for: file, number), file.name)
        }
    }
}
