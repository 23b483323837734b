import ByteScan
import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// Cues that come one by one: formats, every split, and rule 23.
struct GrowingCuesTests {
    private static let begin: Int64 = 1_795_000_000_000_000_000

    private static func name() -> [UInt8] { Array("en".utf8) }

    /// The cues that a span from 0 to 1000 s has of `text`, fed in chunks.
    private static func made(
        _ bytes: [UInt8], _ format: GrowingConfiguration.Format, in chunks: [Range<Int>],
        finishes: Bool = true, limits: GrowingLimits = GrowingLimits(), unit: GrowingConfiguration.Unit = .seconds
    ) -> String {
        var cues = GrowingCues(
            GrowingConfiguration(name: name(), format: format, jsonUnit: unit, limits: limits))
        var failure: GrowingError?
        do {
            for chunk in chunks { try cues.append(Array(bytes[chunk]).span.bytes) }
            if finishes { try cues.finish() }
        } catch { failure = error }
        return text(of: cues, 0, 1000) + (failure.map { Self.word($0.reason) } ?? "")
    }

    private static func word(_ reason: GrowingError.Reason) -> String {
        switch reason {
        case .notWebVTT: "notWebVTT"
        case .encoding: "encoding"
        case .malformedLine: "malformedLine"
        case .blockTooLong(let limit): "blockTooLong(\(limit))"
        case .tooMuchKept(let limit): "tooMuchKept(\(limit))"
        @unknown default: "other"
        }
    }

    private static func text(of cues: borrowing GrowingCues, _ start: Int64, _ end: Int64) -> String {
        let span = LiveSpan(
            segment: 1, part: nil, cues: CueSpan(start: start * 1_000_000_000, end: end * 1_000_000_000),
            isKnown: true, life: 0)
        return text(of: cues, span)
    }

    private static func text(of cues: borrowing GrowingCues, _ span: LiveSpan) -> String {
        var output = OutputPieces()
        cues.write(span, into: &output)
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return output.reduce(into: "") { $0 += String(decoding: $1.bytes(in: nothing), as: UTF8.self) }
            .replacingOccurrences("WEBVTT\n\n", "")
    }

    static let rows: [(GrowingConfiguration.Format, String, String)] = [
        (
            .webVTT, "WEBVTT\n\n00:01.000 --> 00:02.000 line:0\nHello\nyou\n\n",
            "en.1\n00:00:01.000 --> 00:00:02.000 line:0\nHello\nyou\n\n"
        ),
        (
            .webVTT,
            "WEBVTT\r\n\r\nid\r\n00:01.000 --> 00:02.000\r\na\r\n\r\nNOTE x\r\n\r\n00:03.000 --> 00:04.000\r\nb\r\n",
            "en.1.id\n00:00:01.000 --> 00:00:02.000\na\n\nen.2\n00:00:03.000 --> 00:00:04.000\nb\n\n"
        ),
        (
            .webVTT, "WEBVTT\n\nSTYLE\n::cue {}\n\n00:01.000 --> 00:02.000\n\n00:03.000 --> 00:03.000\nnever\n\n",
            "STYLE\n::cue {}\n\nen.1\n00:00:01.000 --> 00:00:02.000\n\n"
        ),
        (.webVTT, "00:01.000 --> 00:02.000\na\n\n", "notWebVTT"),
        (.webVTT, "", ""), (.webVTT, "WEBV", "notWebVTT"), (.webVTT, "WEBVTT", ""),
        (
            .subRip,
            "1\n00:00:01,000 --> 00:00:02,000\nHello <b>you</b>\n\n2\n00:00:03,000 --> 00:00:04,000\n{\\an8}top\n",
            "en.1.1\n00:00:01.000 --> 00:00:02.000\nHello <b>you</b>\n\nen.2.2\n00:00:03.000 --> 00:00:04.000 line:0\ntop\n\n"
        ),
        (
            .subRip, "\u{FEFF}1\r\n0:0:1,0 --> 0:0:2,0\r\na\r\n \r\nlost\r\n\r\n",
            "en.1.1\n00:00:01.000 --> 00:00:02.000\na\n\n"
        ),
        (
            .jsonLines, #"{"start":1.5,"end":2,"text":"a & <b> -->"}"# + "\n",
            "en.1\n00:00:01.500 --> 00:00:02.000\na &amp; &lt;b> --&gt;\n\n"
        ),
        (
            .jsonLines, #"{"start":1,"end":2,"text":"a-> -- > ->"}"# + "\n",
            "en.1\n00:00:01.000 --> 00:00:02.000\na-> -- > ->\n\n"
        ),
        (
            .jsonLines,
            #"{"text":"a\n\n \r\nb\u0000","end":2e3,"start":1000,"unit":"ms","x":{"y":[1]}}"# + "\r\n\n"
                + #"{"final":false,"start":1}"# + "\n" + #"{"start":3,"end":4,"text":""}"#,
            "en.1\n00:00:01.000 --> 00:00:02.000\na\nb\u{FFFD}\n\nen.2\n00:00:03.000 --> 00:00:04.000\n\n"
        ),
        (
            .jsonLines, #"{"start":1,"text":"open"}"# + "\n" + #"{"start":5,"end":6,"text":"b"}"# + "\n",
            "en.1.1\n00:00:01.000 --> 00:00:05.000\nopen\n\nen.2\n00:00:05.000 --> 00:00:06.000\nb\n\n"
        ),
        (
            .jsonLines, #"{"start":1,"end":2,"text":"a"}"# + "\n[]\n",
            "en.1\n00:00:01.000 --> 00:00:02.000\na\n\nmalformedLine"
        ),
        (.jsonLines, #"{"start":"1","end":2,"text":"a"}"# + "\n", "malformedLine"),
        (.jsonLines, #"{"start":1e99,"end":2,"text":"a"}"# + "\n", "malformedLine"),
        (.jsonLines, #"{"start":-1,"end":2,"text":"a"}"# + "\n", "en.1\n00:00:00.000 --> 00:00:02.000\na\n\n"),
        (.jsonLines, #"{"start":1,"end":2,"text":"a"#, "malformedLine"),
    ]

    @Test(arguments: rows)
    func everySplitIsTheWhole(_ format: GrowingConfiguration.Format, _ text: String, _ expected: String) {
        let bytes = Array(text.utf8)
        for split in Splits.all(of: bytes.count) + [1, 2, 3, 7].map({ Splits.even(of: bytes.count, size: $0) }) {
            #expect(Self.made(bytes, format, in: split) == expected, "\(split)")
        }
    }

    /// What an object of JSON may be, in milliseconds unless it says otherwise; nil where it is no cue's.
    @Test(
        arguments: [
            (#"{"start":1000,"end":2000,"text":"a"}"#, "00:00:01.000 --> 00:00:02.000\na"),
            (#"{"start":1,"end":2,"text":"a","unit":"s"}"#, "00:00:01.000 --> 00:00:02.000\na"),
            (#"{"unit":"ms","start":1.4999,"end":2.5,"text":"a"}"#, "00:00:00.001 --> 00:00:00.003\na"),
            (#"{"start":1000,"end":2000,"text":"a","unit":"m"}"#, nil),
            (#"{"start":1000,"end":2000,"text":"a","unit":1}"#, nil),
            (#"{"start":1000,"end":2000,"text":"a","final":true}"#, "00:00:01.000 --> 00:00:02.000\na"),
            (#"{"start":1000,"end":2000,"text":"a","final":1}"#, nil), (#"{"final":false}"#, ""),
            (#"{"final":true}"#, nil),
            (#"{"start":1000,"end":null,"text":"a"}"#, "00:00:01.000 --> 00:00:31.000\na"),
            (#"{"start":null,"end":2000,"text":"a"}"#, nil), (#"{"start":1000,"end":"2","text":"a"}"#, nil),
            (#"{"start":1000,"end":2000}"#, nil), (#"{"end":2000,"text":"a"}"#, nil),
            (#"{"start":1,"end":2,"text":1}"#, nil),
            (#"{"start":[1],"end":2000,"text":"a"}"#, nil), (#"{"start":1000,"end":2000,"text":["a"]}"#, nil),
            (
                #"{"start":1000,"end":2000,"text":"a","x":{"start":5,"text":"b"},"y":[1,{"end":3}]}"#,
                "00:00:01.000 --> 00:00:02.000\na"
            ),
            (#"{"x":[],"start":1000,"end":2000,"text":"a"}"#, "00:00:01.000 --> 00:00:02.000\na"),
            (#"{"start":1000,"end":2000,"text":"a","end":3000}"#, nil),
            (#"[{"start":1000,"end":2000,"text":"a"}]"#, nil),
            ("7", nil), ("[]", nil), ("\"a\"", nil), ("{}", nil), (" \t\r", ""),
            (#"{"start":1000,"end":2000,"text":"a"}x"#, nil),
        ] as [(String, String?)])
    func objectsOfCues(_ line: String, _ expected: String?) {
        let bytes = Array((line + "\n").utf8)
        let made = Self.made(bytes, .jsonLines, in: [0..<bytes.count], unit: .milliseconds)
        let cue = expected.map { $0.isEmpty ? "" : ($0.hasSuffix("31.000\na") ? "en.1.1\n" : "en.1\n") + $0 + "\n\n" }
        #expect(made == cue ?? "malformedLine")
    }

    /// Words: markup is escaped, lines that are blank are left out.
    @Test(arguments: [
        (#"a\nb"#, "a\nb\n\n"), (#"a\r\nb"#, "a\nb\n\n"), (#"\n\n a \n \t\nb\n"#, " a \nb\n\n"), (#" "#, "\n"),
        (#""#, "\n"),
        (#"-->"#, "--&gt;\n\n"), (#"->"#, "->\n\n"), (#"a>"#, "a>\n\n"), (#"-\n->"#, "-\n->\n\n"),
        (#"---->"#, "----&gt;\n\n"),
        (#"-- >"#, "-- >\n\n"), (#"- ->"#, "- ->\n\n"), (#"<i>&amp;"#, "&lt;i>&amp;amp;\n\n"),
        (#"\u0000"#, "\u{FFFD}\n\n"),
        (#"\u0001"#, "\u{1}\n\n"), (#" \u0020x"#, "  x\n\n"),
    ])
    func wordsOfCues(_ words: String, _ expected: String) {
        let bytes = Array("{\"start\":1,\"end\":2,\"text\":\"\(words)\"}\n".utf8)
        let made = Self.made(bytes, .jsonLines, in: [0..<bytes.count])
        #expect(made == "en.1\n00:00:01.000 --> 00:00:02.000\n" + expected)
    }

    @Test func anotherWriterMayHaveAnotherForm() throws {
        var cues = GrowingCues(GrowingConfiguration(name: Self.name(), format: .jsonLines))
        try cues.append(Array("{\"start\":1,\"end\":2,\"text\":\"a\"}\n{\"start\":2,".utf8).span.bytes)
        cues.begin(.webVTT)
        try cues.append(Array("WEBVTT\n\n00:03.000 --> 00:04.000\nb\n\n00:05.000 --> ".utf8).span.bytes)
        cues.begin(.subRip)
        try cues.append(Array("1\n00:00:06,000 --> 00:00:07,000\nc\n".utf8).span.bytes)
        try cues.finish()
        #expect(
            Self.text(of: cues, 0, 1000) == """
                en.1
                00:00:01.000 --> 00:00:02.000
                a

                en.2
                00:00:03.000 --> 00:00:04.000
                b

                en.3.1
                00:00:06.000 --> 00:00:07.000
                c


                """)
    }

    @Test(arguments: [
        ("vtt", "text/vtt; charset=utf-8", GrowingConfiguration.Format.webVTT),
        ("SRT", "Application/X-SubRip", .subRip),
        ("jsonl", " application/jsonl", .jsonLines), ("JsonL", "application/x-ndjson;x", .jsonLines),
        ("m3u8", "application/vnd.apple.mpegurl", nil), ("json", "application/json", nil), ("", "", nil),
    ])
    func aFormIsTold(_ suffix: String, _ type: String, _ format: GrowingConfiguration.Format?) {
        #expect(Array(suffix.utf8).withView { GrowingConfiguration.Format(suffix: $0) } == format)
        #expect(Array(type.utf8).withView { GrowingConfiguration.Format(mediaType: $0) } == format)
    }

    @Test func whatIsNotUTF8IsRefused() {
        for format in GrowingConfiguration.Format.allCases {
            let good = Self.rows.first { $0.0 == format }?.1 ?? ""
            let bytes = Array(good.utf8) + [0xFF] + Array(good.utf8)
            for split in Splits.all(of: bytes.count) {
                let made = Self.made(bytes, format, in: split)
                #expect(made.hasSuffix("encoding") && made.hasPrefix("en.1"), "\(made) \(split)")
            }
        }
    }

    @Test func limitsOneBelowAtAndAboveThem() {
        let line = Array(#"{"start":1,"end":2,"text":"abc"}"#.utf8)
        for split in Splits.all(of: line.count + 1) {
            func made(_ limits: GrowingLimits) -> String {
                Self.made(line + [0x0A], .jsonLines, in: split, limits: limits)
            }
            #expect(made(GrowingLimits(block: line.count)).hasPrefix("en.1"))
            #expect(made(GrowingLimits(block: line.count - 1)) == "blockTooLong(\(line.count - 1))")
            #expect(made(GrowingLimits(kept: 3)).hasPrefix("en.1"))
            #expect(made(GrowingLimits(kept: 2)) == "tooMuchKept(2)")
        }
        // The blank line is of the block.
        let block = Array("1\n0:1,0 --> 0:2,0\na\n\n".utf8)
        for split in Splits.all(of: block.count) {
            let isWhole = Self.made(block, .subRip, in: split, limits: GrowingLimits(block: block.count))
            let isTorn = Self.made(block, .subRip, in: split, limits: GrowingLimits(block: block.count - 1))
            #expect(isWhole.hasPrefix("en.1.1\n") && isTorn == "blockTooLong(\(block.count - 1))")
        }
        let text = Array("WEBVTT\n\n00:01.000 --> 00:02.000\nabcdefgh\n\n00:03.000 --> 00:04.000\na\n\n".utf8)
        for split in Splits.all(of: text.count) {
            #expect(Self.made(text, .webVTT, in: split, limits: GrowingLimits(block: 33)).hasPrefix("en.1"))
            #expect(Self.made(text, .webVTT, in: split, limits: GrowingLimits(block: 30)) == "blockTooLong(30)")
        }
    }

    /// What is refused first is told, wherever chunks end: no room for a cue before a line that is none, and the other
    /// way round.
    @Test func whatComesFirstIsRefused() {
        func line(_ text: String) -> String { #"{"start":1,"end":2,"text":""# + text + "\"}\n" }
        let rows: [(GrowingConfiguration.Format, String, String)] = [
            (.jsonLines, line("abcd") + line("efgh") + "[]\n" + line("i"), "tooMuchKept(7) at 34"),
            (.jsonLines, line("abcd") + "[]\n" + line("efgh"), "malformedLine at 34"),
            (.subRip, "1\n0:1,0 --> 0:2,0\nabcd\n\n2\n0:1,0 --> 0:2,0\nefgh\n\n", "tooMuchKept(7) at 24"),
            (.webVTT, "WEBVTT\n\n0:01.000 --> 0:02.000\na\n\n", ""),
            (.webVTT, "WEBVTT\n\n00:01.000 --> 00:02.000\nabcd\n\n00:01.000 --> 00:01.000\nnever\n\n", ""),
            (.webVTT, "WEBVTT\n\nSTYLE\nabcdefgh\n\n", "tooMuchKept(7) at 8"),
            (.webVTT, "WEBVTT\n\nREGION\nid:abcdefgh\n\n", "tooMuchKept(7) at 8"),
            (.webVTT, "WEBVTT\n\n00:01.000 --> 00:02.000\nabcdefgh\n\n", "tooMuchKept(7) at 8"),
        ]
        for (format, text, expected) in rows {
            let bytes = Array(text.utf8)
            for split in Splits.all(of: bytes.count) + [1, 2, 3].map({ Splits.even(of: bytes.count, size: $0) }) {
                var cues = GrowingCues(
                    GrowingConfiguration(name: Self.name(), format: format, limits: GrowingLimits(kept: 7)))
                var failure = ""
                for chunk in split {
                    do {
                        try cues.append(Array(bytes[chunk]).span.bytes)
                    } catch { failure = "\(Self.word(error.reason)) at \(error.position)" }
                }
                #expect(failure == expected, "\(split)")
                #expect(cues.cueCount <= 1)
            }
        }
    }

    /// A character that is not whole is not seen, so it counts for no limit.
    @Test func aTornCharacterCountsForNoLimit() {
        let bytes = Array(repeating: ASCII.space, count: 4) + [0xE2, 0x82, ASCII.space]
        for format in GrowingConfiguration.Format.allCases where format != .webVTT {
            for split in Splits.all(of: bytes.count) + [Splits.even(of: bytes.count, size: 1)] {
                #expect(Self.made(bytes, format, in: split, limits: GrowingLimits(block: 4)) == "encoding")
            }
        }
    }

    /// A cue counts as soon as its blank line, or JSON line, is there.
    @Test(arguments: [
        (GrowingConfiguration.Format.webVTT, "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n"),
        (.subRip, "1\n00:00:01,000 --> 00:00:02,000\na\n\n"), (.jsonLines, #"{"start":1,"end":2,"text":"a"}"# + "\n"),
    ])
    func aCueCountsWhenItIsWhole(_ format: GrowingConfiguration.Format, _ text: String) throws {
        var cues = GrowingCues(GrowingConfiguration(name: Self.name(), format: format))
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            #expect(cues.cueCount == 0)
            try cues.append([byte].span.bytes)
            #expect(cues.cueCount == (index == bytes.count - 1 ? 1 : 0))
        }
        // What is broken off is none; the next writer goes on with the numbers.
        let torn = Array(bytes.dropLast(2))
        try cues.append(torn.span.bytes)
        cues.abandon()
        #expect(cues.cueCount == 1)
        if format == .webVTT { try cues.append(Array(text.utf8).span.bytes) } else { try cues.append(bytes.span.bytes) }
        #expect(cues.cueCount == 2 && Self.text(of: cues, 0, 9).contains("en.2"))
    }

    /// What is forgotten is gone, and numbers go on. Styles and room for cues are as at the beginning.
    @Test func resetForgetsAllButNumbers() throws {
        var cues = GrowingCues(GrowingConfiguration(name: Self.name(), limits: GrowingLimits(kept: 40)))
        // The style takes 21 bytes, the words 10.
        func append(_ text: String) throws { try cues.append(Array(text.utf8).span.bytes) }
        try append("WEBVTT\n\nSTYLE\n::cue { a:b }\n\n00:01.000 --> 00:02.000\n0123456789\n\n00:03")
        #expect(cues.cueCount == 1 && cues.heldBytes > 40)
        cues.reset()
        #expect(cues.cueCount == 0 && cues.heldBytes == 0 && Self.text(of: cues, 0, 1000).isEmpty)
        try append("WEBVTT\n\nSTYLE\n::cue { b:c }\n\n00:01.000 --> 00:02.000\n9876543210\n\n")
        #expect(
            Self.text(of: cues, 0, 1000)
                == "STYLE\n::cue { b:c }\n\nen.2\n00:00:01.000 --> 00:00:02.000\n9876543210\n\n")
    }

    /// Styles of another writer come too late for segments that have cues.
    @Test func stylesBehindCuesAreLeftOut() throws {
        let (style, cue) = ("STYLE\nb\n\n", "en.1\n00:00:01.000 --> 00:00:02.000\na\n\n")
        for (end, expected) in [("2", cue), ("1", style)] {
            var cues = GrowingCues(GrowingConfiguration(name: Self.name(), format: .jsonLines))
            try cues.append(Array("{\"start\":1,\"end\":\(end),\"text\":\"a\"}\n".utf8).span.bytes)
            cues.begin(.webVTT)
            try cues.append(Array("WEBVTT\n\n\(style)".utf8).span.bytes)
            #expect(Self.text(of: cues, 0, 1000) == expected)
        }
    }

    /// So many bytes of words, and one cue more than a 64th of that number, each at and one over.
    @Test(arguments: [(63, 1), (64, 2), (127, 2), (128, 3)])
    func asManyCuesAsTheLimitAllows(_ kept: Int, _ most: Int) throws {
        var cues = GrowingCues(
            GrowingConfiguration(name: Self.name(), format: .jsonLines, limits: GrowingLimits(kept: kept)))
        let line = Array((#"{"start":1,"end":2,"text":"a"}"# + "\n").utf8)
        for _ in 0..<most { try cues.append(line.span.bytes) }
        let never = Array((#"{"start":1,"end":1,"text":"never"}"# + "\n").utf8)
        try cues.append(never.span.bytes)
        #expect(throws: GrowingError(reason: .tooMuchKept(limit: kept), position: 31 * most + 35)) {
            try cues.append(line.span.bytes)
        }
        #expect(cues.cueCount == most && cues.leftOutCount == 1)
        // Together in one chunk they are as many.
        cues.reset()
        let lines = [[UInt8]](repeating: line, count: most + 1).flatMap { $0 }
        #expect(throws: GrowingError(reason: .tooMuchKept(limit: kept), position: 31 * most)) {
            try cues.append(lines.span.bytes)
        }
        #expect(cues.cueCount == most)
    }

    /// Words, identifiers, settings and styles share the room.
    @Test(arguments: [(23, true), (22, false)])
    func allBytesCountForTheRoom(_ kept: Int, _ isTaken: Bool) {
        // 7 + 2 of the style, 3 + 6 + 5 of the cue.
        let text = Array("WEBVTT\n\nSTYLE\na\n\nabc\n00:01.000 --> 00:02.000 line:0\nwords\n\n".utf8)
        let made = Self.made(text, .webVTT, in: [0..<text.count], limits: GrowingLimits(kept: kept))
        #expect(
            made == "STYLE\na\n\n"
                + (isTaken ? "en.1.abc\n00:00:01.000 --> 00:00:02.000 line:0\nwords\n\n" : "tooMuchKept(\(kept))"))
    }

    // Rule 23.

    /// A channel and cues that come beside it, as they are sealed.
    private struct Beside: ~Copyable {
        var run: LiveRun
        var cues: GrowingCues
        /// What segments held when they were sealed.
        var sealed: [UInt64: String] = [:]

        init(
            _ change: (inout LiveOrigin.Kind) -> Void = { _ in }, late: GrowingConfiguration.Late = .spoken,
            latency: Int64? = nil
        ) {
            var kind = LiveOrigin.Kind()
            kind.durations = [6_000_000_000]
            change(&kind)
            run = LiveRun(kind, anchor: .date(begin), zero: begin)
            cues = GrowingCues(
                GrowingConfiguration(
                    name: name(), format: .jsonLines, jsonUnit: .milliseconds, late: late, latency: latency))
        }

        mutating func say(_ start: Int64, _ end: Int64, _ words: String) throws {
            try cues.append(Array("{\"start\":\(start),\"end\":\(end),\"text\":\"\(words)\"}\n".utf8).span.bytes)
        }

        mutating func seal() { cues.seal(run.channel) }

        /// One more segment; what is sealed never changes.
        mutating func advance(_ count: Int = 1) throws {
            for _ in 0..<count {
                try run.run(1, checksTimes: false)
                seal()
                for number in run.channel.listed.map(Array.init) ?? [] {
                    let text = segment(number)
                    #expect(sealed[number] ?? text == text, "\(number)")
                    sealed[number] = text
                }
            }
        }

        func segment(_ number: UInt64) -> String {
            guard case .span(let span) = run.channel.find("\(number).vtt") else { return "none" }
            return GrowingCuesTests.text(of: cues, span)
        }

        /// The segments that have the words.
        func places(of words: String) -> [UInt64] {
            (run.channel.listed.map(Array.init) ?? []).filter { segment($0).contains("\n\(words)\n") }
        }
    }

    @Test func rule23ACueInTimeIsWhereItShows() throws {
        var beside = Beside()
        try beside.advance(3)
        try beside.say(17_000, 25_000, "a")
        try beside.say(31_000, 32_000, "ahead")
        #expect(beside.places(of: "a") == [])
        try beside.advance(4)
        #expect(beside.places(of: "a") == [3, 4] && beside.places(of: "ahead") == [5])
        #expect(beside.segment(3).contains("00:00:17.000 --> 00:00:25.000"))
    }

    @Test func rule23ALateCueIsInWhatIsSealedNextWithItsOwnTimes() throws {
        var beside = Beside()
        try beside.advance(5)
        try beside.say(24_000, 26_000, "late")
        try beside.advance(2)
        #expect(beside.places(of: "late") == [5] && beside.segment(5).contains("00:00:24.000 --> 00:00:26.000"))
        // Older than two target durations: shifted.
        try beside.say(24_000, 25_000, "older")
        try beside.advance(2)
        #expect(beside.places(of: "older") == [7] && beside.segment(7).contains("00:00:42.000 --> 00:00:43.000"))
    }

    /// Cues that are odd: each gets what is said of it.
    @Test func oddCues() throws {
        var beside = Beside()
        try beside.advance(6)
        try beside.say(50_000, 49_000, "backward")
        try beside.say(50_000, 50_000, "empty")
        #expect(beside.cues.leftOutCount == 2 && beside.cues.cueCount == 0)
        try beside.say(47_000, 48_000, "second")
        try beside.say(43_000, 44_000, "first")
        try beside.say(6_000, 8_000, "30 s late")
        try beside.say(7_236_000, 7_238_000, "two hours ahead")
        try beside.cues.append(Array("{\"start\":44000,\"end\":45000,\"text\":\"torn".utf8).span.bytes)
        try beside.advance(2)
        #expect(beside.places(of: "first") == [7] && beside.places(of: "second") == [7])
        #expect(beside.segment(6).contains("00:00:36.000 --> 00:00:38.000\n30 s late"))
        #expect(beside.places(of: "torn") == [] && beside.cues.cueCount == 4)
        #expect(beside.cues.leftOutCount == 2)
        try beside.advance(1199)
        #expect(beside.places(of: "two hours ahead") == [1206])
        let long = GrowingLimits().block
        #expect(throws: GrowingError.self) {
            try beside.cues.append(Array(repeating: UInt8(ascii: "a"), count: long + 1).span.bytes)
        }
    }

    /// Nothing but the work stands between a cue and the answer that has it.
    @Test func aCueIsInTheNextAnswerWithinAMillisecond() throws {
        var beside = Beside()
        for number in 0..<1000 { try beside.say(8_000_000 + Int64(number), 9_000_000, "kept") }
        var fastest = Duration.seconds(60)
        for number in 0..<40 as Range<UInt64> {
            try beside.run.run(1, checksTimes: false)
            let begin = ContinuousClock.now
            try beside.say(Int64(number) * 6000 + 1000, Int64(number) * 6000 + 2000, "now")
            beside.seal()
            let text = beside.segment(number)
            fastest = min(fastest, ContinuousClock.now - begin)
            #expect(text.contains("\nnow\n"))
        }
        #expect(fastest <= .milliseconds(1), "\(fastest)")
    }

    @Test func rule23ShiftAndDrop() throws {
        var shifting = Beside(late: .shift)
        try shifting.advance(5)
        try shifting.say(24_000, 24_300, "short")
        try shifting.say(20_000, 29_000, "long")
        try shifting.advance(2)
        #expect(shifting.segment(5).contains("00:00:30.000 --> 00:00:31.000\nshort"))
        #expect(shifting.segment(5).contains("00:00:30.000 --> 00:00:37.000\nlong"))
        #expect(shifting.places(of: "long") == [5, 6])
        var dropping = Beside(late: .drop)
        try dropping.advance(5)
        try dropping.say(24_000, 24_300, "short")
        try dropping.say(30_000, 30_300, "in time")
        try dropping.advance(2)
        #expect(dropping.places(of: "short") == [] && dropping.places(of: "in time") == [5])
        #expect(dropping.cues.leftOutCount == 1)
    }

    /// Late by two target durations a cue keeps its times; later it is shown anew, for 1 to 7 s.
    @Test(arguments: [
        (24_000, 22_000, "00:00:22.000 --> 00:00:24.000"), (23_999, 22_999, "00:00:36.000 --> 00:00:37.000"),
        (23_000, 22_001, "00:00:36.000 --> 00:00:37.000"), (23_000, 21_999, "00:00:36.000 --> 00:00:37.001"),
        (23_000, 16_000, "00:00:36.000 --> 00:00:43.000"), (23_000, 15_999, "00:00:36.000 --> 00:00:43.000"),
    ])
    func rule23TwoTargetDurations(_ end: Int64, _ start: Int64, _ times: String) throws {
        var beside = Beside()
        try beside.advance(6)
        try beside.say(start, end, "late")
        try beside.advance()
        #expect(beside.segment(6).contains("\(times)\nlate\n"), "\(beside.segment(6))")
    }

    /// A cue whose end nobody has told lasts 30 s, or until the next.
    @Test func aCueWithoutAnEndLastsThirtySeconds() throws {
        var beside = Beside()
        try beside.advance(5)
        try beside.cues.append(Array(#"{"start":30000,"text":"open"}"#.utf8 + [0x0A]).span.bytes)
        try beside.advance(7)
        #expect(
            beside.places(of: "open") == [6, 7, 8, 9] && beside.segment(9).contains("00:00:54.000 --> 00:01:00.000"))
    }

    /// One that is shifted ends where that says: what the next one says does not change what is sealed.
    @Test func aCueWithoutAnEndThatIsShiftedHasOne() throws {
        var beside = Beside(late: .shift)
        try beside.advance(9)
        try beside.cues.append(Array(#"{"start":10000,"text":"open"}"#.utf8 + [0x0A]).span.bytes)
        try beside.advance(1)
        let segment = beside.segment(9)
        #expect(segment.hasSuffix("\n\nen.1\n00:00:54.000 --> 00:01:01.000\nopen\n\n"))
        try beside.say(59_000, 60_500, "next")
        try beside.advance(1)
        #expect(beside.segment(9) == segment && beside.places(of: "open") == [9, 10])
    }

    /// What comes of numbers that hardly fit.
    @Test(arguments: [
        ("36028797018.963967", "10007999:10:18.964"), ("36028797018.963968", nil), ("3602879701896396.8e-5", nil),
        ("36028797018", "10007999:10:18.000"), ("36028797019", nil),
        ("3602879701896396.7e-5", "10007999:10:18.964"), ("9e9", "2500000:00:00.000"), ("1e-99", "00:00:00.000"),
        ("1e99", nil), ("1e-100", nil), ("1e100", nil), ("0.0004999", "00:00:00.000"), ("0.0005", "00:00:00.001"),
    ])
    func timesOfJSONHaveALimit(_ start: String, _ expected: String?) {
        var cues = GrowingCues(GrowingConfiguration(name: Self.name(), format: .jsonLines))
        try? cues.append(Array(#"{"start":\#(start),"text":"a"}"#.utf8 + [0x0A]).span.bytes)
        #expect(cues.cueCount == (expected == nil ? 0 : 1))
        for index in 0..<cues.cueCount {
            #expect("\(Timestamp(milliseconds: cues.entries[index].start))" == expected)
        }
    }

    @Test func rule23AHoleBetweenTwoDatesLosesNoCue() throws {
        // Dates jump by 100 ms at each segment: a cue of 50 ms falls between two.
        var beside = Beside { ($0.durations, $0.gain) = ([6_000_000_000], 20_000) }
        try beside.advance(5)
        let hole = Int64(6000 * 5 + 600)
        let span = try #require(beside.run.channel.span(4)?.cues.end) / 1_000_000
        try beside.say(span + 20, span + 60, "hole")
        try beside.advance(2)
        #expect(beside.places(of: "hole") == [5], "\(hole) \(span)")
    }

    @Test func rule23PartsAreSealedOneByOne() throws {
        var beside = Beside { $0.parts = 4 }
        try beside.advance(4)
        func take(_ parts: Int) throws {
            let version = beside.run.origin.version(openParts: parts)
            try beside.run.take(version)
            beside.seal()
        }
        func part(_ number: Int) -> String {
            guard case .span(let span) = beside.run.channel.find("4.\(number).vtt") else { return "none" }
            return Self.text(of: beside.cues, span)
        }
        try take(1)
        try beside.say(24_500, 26_500, "b")
        try beside.say(24_100, 24_200, "late")
        try take(2)
        #expect(!part(0).contains("b") && part(1).contains("\nb\n") && part(1).contains("\nlate\n"))
        try take(3)
        #expect(!part(2).contains("late") && !part(2).contains("\nb\n"))
        try beside.advance()
        // The whole segment has what its parts have.
        #expect(beside.segment(4).contains("\nb\n") && beside.segment(4).contains("\nlate\n"))
    }

    /// A cue without an end has another identifier in each span, in parts too.
    @Test func aCueWithoutAnEndIsInParts() throws {
        var beside = Beside { $0.parts = 4 }
        try beside.advance(4)
        try beside.cues.append(Array(#"{"start":25000,"text":"open"}"#.utf8 + [0x0A]).span.bytes)
        try beside.advance()
        func part(_ number: Int) -> String {
            guard case .span(let span) = beside.run.channel.find("4.\(number).vtt") else { return "none" }
            return Self.text(of: beside.cues, span)
        }
        #expect(part(0).hasSuffix("\n\nen.1.4.0\n00:00:25.000 --> 00:00:25.500\nopen\n\n"))
        #expect(part(1).hasSuffix("\n\nen.1.4.1\n00:00:25.500 --> 00:00:27.000\nopen\n\n"))
        #expect(part(3).hasSuffix("\n\nen.1.4.3\n00:00:28.500 --> 00:00:30.000\nopen\n\n"))
        #expect(beside.segment(4).hasSuffix("\n\nen.1.4\n00:00:25.000 --> 00:00:30.000\nopen\n\n"))
        // The next cue ends it, but not in what is sealed.
        try beside.say(29_000, 33_000, "next")
        try beside.advance(2)
        #expect(beside.segment(4).hasSuffix("\n\nen.1.4\n00:00:25.000 --> 00:00:30.000\nopen\n\n"))
        #expect(beside.places(of: "open") == [4] && beside.places(of: "next") == [5])
        // One that ends a later one ends it there.
        try beside.cues.append(Array(#"{"start":43000,"text":"second"}"#.utf8 + [0x0A]).span.bytes)
        try beside.say(44_000, 45_000, "third")
        try beside.advance()
        #expect(beside.segment(7).contains("en.3.7\n00:00:43.000 --> 00:00:44.000\nsecond\n"))
    }

    /// Where parts are left out, or a version has nothing but parts.
    @Test func partsAreSealedWhereTheyAreListed() throws {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=1\n"
        let parts = "#EXT-X-PART:DURATION=1,URI=\"a\"\n#EXT-X-PART:DURATION=1,URI=\"b\"\n"
        for (lowLatency, edge) in [(.mirror, 2000), (.strip, nil)] as [(LiveConfiguration.LowLatency, Int64?)] {
            var channel = LiveChannel(LiveConfiguration(anchor: .segment(0), map: .none, lowLatency: lowLatency))
            var cues = GrowingCues(GrowingConfiguration(name: Self.name(), format: .jsonLines))
            _ = try channel.take(head)
            cues.seal(channel)
            #expect(cues.edge == nil && cues.unlisted == .first)
            _ = try channel.take(head + parts)
            cues.seal(channel)
            #expect(cues.edge == edge && cues.unlisted == LivePosition(life: 0, part: 2, segment: 0))
            _ = try channel.take(head + parts + "#EXTINF:4,\n0.ts\n" + parts)
            cues.seal(channel)
            #expect(cues.edge == (edge == nil ? 4000 : 6000))
            #expect(cues.unsealed == LivePosition(life: 0, part: 2, segment: 1) && cues.unsealed == cues.unlisted)
        }
    }

    @Test func rule23ARestartSealsAnew() throws {
        var beside = Beside()
        try beside.advance(20)
        try beside.say(118_000, 131_000, "across")
        beside.run.origin.restart(at: 0, after: 0, ticks: 9)
        beside.sealed = [:]
        for _ in 0..<2 {
            beside.run.origin.advance()
            let version = beside.run.origin.version()
            try beside.run.take(version)
            beside.seal()
        }
        try beside.advance(2)
        #expect(beside.places(of: "across") == [0, 1])
        // The numbers of the life before are higher.
        #expect(beside.cues.unsealed == LivePosition(life: 1, part: 0, segment: beside.run.channel.current.end))
    }

    @Test func cuesWithoutTimesShowFromTheEdge() throws {
        var beside = Beside(latency: 3000)
        try beside.say(0, 2000, "early")
        try beside.advance(5)
        try beside.say(100_000, 102_000, "now")
        try beside.advance(2)
        #expect(beside.places(of: "now") == [5] && beside.segment(5).contains("00:00:27.000 --> 00:00:29.000"))
    }

    @Test func cuesWithoutTimesShowFromTheBeginningIfTheEdgeIsYoung() throws {
        var beside = Beside(latency: 30_000)
        try beside.advance(2)
        try beside.say(100_000, 102_000, "now")
        try beside.advance()
        #expect(beside.places(of: "now") == [2] && beside.segment(2).contains("00:00:00.000 --> 00:00:02.000\nnow\n"))
    }

    /// Styles that come between versions change no segment that was sealed.
    @Test func stylesThatComeLaterAreInLaterSegments() throws {
        var cues = GrowingCues(GrowingConfiguration(name: Self.name()))
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0), map: .none))
        func segment(_ number: Int, _ channel: borrowing LiveChannel, _ cues: borrowing GrowingCues) -> String {
            guard case .span(let span) = channel.find(Array("\(number).vtt".utf8).span.bytes) else { return "none" }
            return Self.text(of: cues, span)
        }
        func version(_ count: Int) -> [UInt8] {
            let segments = (0..<count).map { "#EXTINF:6,\n\($0).ts\n" }.joined()
            return Array("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:EVENT\n\(segments)".utf8)
        }
        try cues.append(Array("WEBVTT\n\nSTYLE\na\n\n".utf8).span.bytes)
        _ = try channel.take(version(1).span.bytes)
        cues.seal(channel)
        try cues.append(Array("STYLE\nb\n\n".utf8).span.bytes)
        _ = try channel.take(version(2).span.bytes)
        cues.seal(channel)
        #expect(segment(0, channel, cues) == "STYLE\na\n\n")
        #expect(segment(1, channel, cues) == "STYLE\na\n\nSTYLE\nb\n\n")
    }

    /// Cues whose spans have gone by are forgotten once they take more than 4096 bytes, 64 of them for each cue, and
    /// more than a quarter of all.
    @Test(arguments: [
        (63, 0, false), (64, 0, true), (64, 191, true), (64, 192, false), (65, 192, true),
    ])
    func whenCuesAreForgotten(_ gone: Int, _ others: Int, _ areForgotten: Bool) throws {
        var beside = Beside()
        for number in 0..<gone { try beside.say(Int64(number), 5000, "\(number % 10)") }
        for _ in 0..<others { try beside.say(1_000_000, 1_001_000, "z") }
        for _ in 0..<30 {
            let first = beside.run.channel.firstHeld
            try beside.run.run(1, checksTimes: false)
            beside.seal()
            if first == 0, beside.run.channel.firstHeld == 0 { #expect(beside.cues.cueCount == gone + others) }
        }
        #expect(beside.run.channel.firstHeld > 0)
        #expect(beside.cues.cueCount == others + (areForgotten ? 0 : gone))
        // What is kept has its own words, and there is room again.
        try beside.say(1_000_000, 1_001_000, "last")
        let span = CueSpan(start: 1_000_000_000_000, end: 1_001_000_000_000)
        let text = Self.text(of: beside.cues, LiveSpan(segment: 166, part: nil, cues: span, isKnown: true, life: 0))
        #expect(text.components(of: "\nz\n") == others && text.hasSuffix(".000\nlast\n\n"))
    }

    /// A late cue is in a span that comes after it: it is kept for ten minutes more.
    @Test func lateCuesAreKeptForLonger() throws {
        var beside = Beside()
        try beside.advance(6)
        for _ in 0..<64 { try beside.say(30_000, 32_000, "a") }
        try beside.advance(1)
        #expect(beside.places(of: "a") == [6])
        var before: UInt64 = 0
        while beside.cues.cueCount > 0, before < 150 {
            before = beside.run.channel.firstHeld
            try beside.run.run(1, checksTimes: false)
            beside.seal()
        }
        // The spans of 6 s that are held begin more than 600 s after its end.
        #expect(before * 6 <= 632 && beside.run.channel.firstHeld * 6 > 632)
    }

    @Test func memoryIsBounded() throws {
        var beside = Beside { $0.window = 5 }
        try beside.advance(5)
        var most = 0
        for index in 0..<(isLong ? 20_000 : 300) {
            let start = Int64(index + 5) * 6000
            let words = String(repeating: "word ", count: 15 + index % 7) + "\(index)"
            try beside.say(start, start + 2000, words)
            try beside.advance()
            #expect(beside.places(of: words) == [UInt64(index + 5)])
            most = max(most, beside.cues.heldBytes)
        }
        #expect(most < 60_000, "\(most)")
    }
}

extension String {
    /// How often the text has `part`.
    fileprivate func components(of part: String) -> Int {
        split(separator: part, omittingEmptySubsequences: false).count - 1
    }

    fileprivate func replacingOccurrences(_ old: String, _ new: String) -> String {
        split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}
