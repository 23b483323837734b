import ByteScan
import Delivery
import Foundation
import M3U8
import Support
import Testing

/// RFC 8259, section by section.
@Suite struct JSONReaderTests {
    static let accepted: [(String, [String])] = [
        // 2: any value, white space of four kinds around every token.
        ("null", ["null"]), (" \t\r\ntrue\n", ["true"]), ("false", ["false"]), ("0", ["number 0"]),
        ("\"\"", ["string "]),
        ("[ ]", ["[", "]"]), ("{ }", ["{", "}"]), ("[1 , 2]", ["[", "number 1", "number 2", "]"]),
        ("{ \"a\" : [ ] , \"b\" : { } }", ["{", "key a", "[", "]", "key b", "{", "}", "}"]),
        // 4: the same key in different objects, and keys that only begin alike.
        (
            "{\"a\":{\"a\":1},\"aa\":{\"a\":2},\"\":3}",
            [
                "{", "key a", "{", "key a", "number 1", "}", "key aa", "{", "key a", "number 2", "}", "key ",
                "number 3", "}",
            ]
        ),
        // Equal to readers, not the same key.
        ("{\"é\":1,\"e\u{301}\":2}", ["{", "key <e9>", "number 1", "key e<301>", "number 2", "}"]),
        // 6: numbers are not converted.
        (
            "[-0,1.50,1e3,1E+2,-0.0e-0]",
            ["[", "number -0", "number 1.50", "number 1e3", "number 1E+2", "number -0.0e-0", "]"]
        ),
        ("123456789012345678901234567890", ["number 123456789012345678901234567890"]),
        // 7: every escape, and what need not be escaped.
        ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", ["string \"\\/<8><c><a><d><9>"]),
        ("\"\\u0041\\u00e9\\u00E9\\u0000\"", ["string A<e9><e9><0>"]),
        ("\"/'\u{7F}\u{2028}\u{85}\"", ["string /'<7f><2028><85>"]),
        ("\"a\\u0062c\"", ["string abc"]), ("\"\\uD83C\\uDFAC🎬\"", ["string <1f3ac><1f3ac>"]),
        ("\"\\uDBFF\\uDFFF\\uFFFF\"", ["string <10ffff><ffff>"]), ("{\"\\u0061\":1}", ["{", "key a", "number 1", "}"]),
        // 8.1: a byte order mark may be ignored.
        ("\u{FEFF}[]", ["[", "]"]), ("\"\u{FEFF}\"", ["string <feff>"]),
    ]

    @Test(arguments: accepted)
    func reads(_ text: String, _ events: [String]) throws {
        #expect(try Transcript.events(Array(text.utf8)) == events)
        #expect(NaiveJSON(Array(text.utf8)).map { Transcript.events($0) } == events)
    }

    static let refused: [(String, JSONError.Reason, Int)] = [
        ("", .unexpectedEnd, 0), (" \n", .unexpectedEnd, 2), ("\u{FEFF}", .unexpectedEnd, 3),
        ("\u{FEFF}\u{FEFF}1", .value, 3),
        ("nul", .value, 0), ("True", .value, 0), ("nullx", .extraText, 4), ("1 2", .extraText, 2),
        ("[]]", .extraText, 2),
        ("{}\0", .extraText, 2), ("'a'", .value, 0), ("NaN", .value, 0), ("/**/1", .value, 0), ("\u{A0}1", .value, 0),
        ("\u{0C}1", .value, 0),
        // 4 and 5
        ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3), ("[,]", .value, 1),
        ("[1,]", .trailingComma, 2),
        ("[1 , ]", .trailingComma, 3), ("[1 2]", .comma, 3), ("[1}", .comma, 2), ("[1:2]", .comma, 2),
        ("[1,,2]", .value, 3), ("]", .value, 0),
        ("{", .unexpectedEnd, 1), ("{\"a\"", .unexpectedEnd, 4), ("{\"a\":", .unexpectedEnd, 5),
        ("{\"a\":1", .unexpectedEnd, 6),
        ("{a:1}", .key, 1), ("{1:1}", .key, 1), ("{,}", .key, 1), ("{\"a\" 1}", .colon, 5), ("{\"a\",1}", .colon, 4),
        ("{\"a\":}", .value, 5),
        ("{\"a\":1,}", .trailingComma, 6), ("{\"a\":1,1}", .key, 7), ("{\"a\":1]", .comma, 6),
        ("{\"a\":1 \"b\":2}", .comma, 7), ("{]", .key, 1),
        ("{\"a\":1,\"a\":2}", .duplicateKey, 7), ("{\"a\":1,\"\\u0061\":2}", .duplicateKey, 7),
        ("{\"\":1, \"\":2}", .duplicateKey, 7),
        ("{\"a\":{\"b\":1},\"c\":[{\"a\":0}],\"a\":2}", .duplicateKey, 27),
        // 6
        ("-", .unexpectedEnd, 1), ("-a", .number, 1), ("+1", .value, 0), (".5", .value, 0), ("1.", .unexpectedEnd, 2),
        ("1.e1", .number, 2),
        ("01", .number, 1), ("-01", .number, 2), ("00", .number, 1), ("1e", .unexpectedEnd, 2),
        ("1e+", .unexpectedEnd, 3), ("[1e+]", .number, 4),
        ("1e5.2", .extraText, 3), ("--1", .number, 1), ("0x10", .extraText, 1), ("1_000", .extraText, 1),
        ("-Infinity", .number, 1),
        // 7 and 8.2
        ("\"", .unexpectedEnd, 1), ("\"a", .unexpectedEnd, 2), ("\"\\", .unexpectedEnd, 2),
        ("\"\\\"", .unexpectedEnd, 3),
        ("\"a\nb\"", .controlCharacter, 2), ("\"\t\"", .controlCharacter, 1), ("\"\0\"", .controlCharacter, 1),
        ("\"\u{1F}\"", .controlCharacter, 1),
        ("\"\\x\"", .escape, 1), ("\"a\\'\"", .escape, 2), ("\"\\\n\"", .escape, 1), ("\"\\U0041\"", .escape, 1),
        ("\"\\u12\"", .escape, 1),
        ("\"\\u12G4\"", .escape, 1), ("\"\\u 123\"", .escape, 1), ("\"\\u+123\"", .escape, 1), ("\"\\u\"", .escape, 1),
        ("\"\\uD800\"", .surrogate, 1), ("\"x\\uDC00\"", .surrogate, 2), ("\"\\uD800\\uD800\"", .surrogate, 1),
        ("\"\\uD800\\u0041\"", .surrogate, 1),
        ("\"\\uD800x\"", .surrogate, 1), ("\"\\uDFAC\\uD83C\"", .surrogate, 1), ("\"\\uD83C\\uDFA\"", .surrogate, 1),
        ("{\"\\uD800\":1}", .surrogate, 2),
    ]

    @Test(arguments: refused)
    func refuses(_ text: String, _ reason: JSONError.Reason, _ position: Int) {
        let error = Transcript.refusal(Array(text.utf8))
        #expect(error?.reason == reason && error?.location.position == position, "\(error.debugDescription)")
        #expect(NaiveJSON(Array(text.utf8)) == nil)
        #expect(error.map { !"\($0)".isEmpty } == true)
    }

    static let malformed: [([UInt8], Int)] = [
        ([0x80], 0), ([0xC3], 0), ([0x61, 0xC0, 0x80], 1), ([0xE0, 0x80, 0x80], 0), ([0xED, 0xA0, 0x80], 0),
        ([0xF4, 0x90, 0x80, 0x80], 0),
        ([0xFF], 0), ([0xC3, 0xA9, 0xC3, 0x28], 2), ([0x5C, 0x6E, 0xC3], 2), ([0xF0, 0x9F, 0x8E], 0),
    ]

    @Test(arguments: malformed)
    func refusesWhatIsNotUTF8(_ bytes: [UInt8], _ offset: Int) {
        let error = Transcript.refusal(Array("[\"".utf8) + bytes + Array("\"]".utf8))
        #expect(error?.reason == .encoding && error?.location.position == offset + 2)
    }

    /// UTF-16, and bytes outside strings.
    @Test(
        arguments: [[0xFF, 0xFE, 0x31, 0], [0xFE, 0xFF, 0, 0x31], [0x31, 0], [0, 0x31], [0x5B, 0xC3, 0xA9, 0x5D]]
            as [[UInt8]])
    func refusesOtherEncodings(_ bytes: [UInt8]) {
        #expect(Transcript.refusal(bytes) != nil)
        #expect(NaiveJSON(bytes) == nil)
    }

    @Test func numbersAreExact() throws {
        func number(_ text: String) -> (integer: Int?, nanoseconds: UInt64?) {
            let bytes = GuardedBytes(Array(text.utf8))
            var reader = unsafe JSONReader(ByteView(bytes.buffer))
            guard case .number(let number) = try? reader.next() else { return (nil, nil) }
            return (Int(decimal: number), DecimalSeconds(number)?.nanoseconds)
        }
        let integers: [(String, Int?)] = [
            ("0", 0), ("-0", nil), ("7", 7), ("-7", nil), ("9223372036854775807", .max), ("9223372036854775808", nil),
            ("99999999999999999999999", nil), ("1.0", nil), ("1e2", nil),
        ]
        for (text, integer) in integers { #expect(number(text).integer == integer, "\(text)") }
        let seconds: [(String, UInt64?)] = [
            ("0", 0), ("6", 6_000_000_000), ("90.5", 90_500_000_000), ("5.966633333", 5_966_633_333),
            ("0.1", 100_000_000),
            ("0.0000000019", 1), ("18446744073.709551615", .max), ("99999999999999", .max), ("-1", nil), ("1e3", nil),
            ("-0", nil),
        ]
        for (text, nanoseconds) in seconds { #expect(number(text).nanoseconds == nanoseconds, "\(text)") }
    }

    static let places: [(String, Int, Int, Int)] = [
        ("?", 0, 1, 1), ("[\n?", 2, 2, 1), ("[\r?", 2, 2, 1), ("[\r\n?", 3, 2, 1), ("[\n\r\n\n  ?", 7, 4, 3),
        ("\u{FEFF}?", 3, 1, 1),
        ("\u{FEFF}\n ?", 5, 2, 2), ("[\"é字🎬\" ?", 13, 1, 8), ("[\"e\u{301}\",?", 7, 1, 7),
        ("{\n  \"a\": 1,\n  \"b\" 2\n}", 18, 3, 7), ("[1,", 3, 1, 4),
    ]

    @Test(arguments: places)
    func tellsThePlace(_ text: String, _ position: Int, _ line: Int, _ column: Int) {
        let place = Transcript.refusal(Array(text.utf8))?.location
        #expect(
            place?.position == position && place?.line == line && place?.column == column, "\(place.debugDescription)")
    }
}

/// The limits, the naive form, and a second opinion.
@Suite struct JSONAgreementTests {
    @Test func theTextMayBeAsLongAsTheLimit() throws {
        for text in ["[1, 2]", "\"abcdef\"", "   1   ", "\u{FEFF}[]"].map({ Array($0.utf8) }) {
            for limit in [text.count, text.count + 1] {
                #expect(try !Transcript.events(text, JSONLimits(bytes: limit)).isEmpty)
            }
            let error = Transcript.refusal(text, JSONLimits(bytes: text.count - 1))
            #expect(error?.reason == .length && error?.location.position == text.count - 1)
        }
        #expect(JSONLimits(bytes: 0, depth: -1) == JSONLimits(bytes: 1, depth: 1))
        #expect(JSONLimits().bytes == 1 << 20 && JSONLimits().depth == 32)
    }

    @Test func asManyMayBeOpenAsTheLimit() throws {
        for depth in 1...40 {
            let text = Array(
                (String(repeating: "[{\"a\":", count: 20) + "[]" + String(repeating: "}]", count: 20)).utf8)
            let error = Transcript.refusal(text, JSONLimits(depth: depth))
            // Each pair takes six bytes, and the object begins at the second.
            #expect(error?.reason == .depth && error?.location.position == depth / 2 * 6 + depth % 2)
            #expect(NaiveJSON(text, depth: depth) == nil)
        }
        // What is closed does not count.
        let flat = Array(("[" + Array(repeating: "[]", count: 100).joined(separator: ",") + "]").utf8)
        #expect(try Transcript.events(flat, JSONLimits(depth: 2)).count == 202)
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
        #expect(Transcript.refusal(deep)?.location.position == 32)
    }

    @Test func everyReasonIsAnother() {
        let reasons: [JSONError.Reason] = [
            .value, .key, .colon, .comma, .trailingComma, .extraText, .unexpectedEnd, .number, .controlCharacter,
            .escape, .surrogate, .encoding, .duplicateKey, .depth, .length,
        ]
        #expect(Set(reasons.map { "\($0)" }).count == reasons.count)
    }

    /// Random documents, whole, cut off anywhere, and with a token or a byte put in.
    @Test func agreesWithTheNaiveForm() {
        var generator = SeededGenerator(seed: 8259)
        var accepted = 0
        for round in 0..<4000 {
            var text = JSONTokens.document(using: &generator)
            switch round % 4 {
            case 0: break
            case 1: text.removeLast(Int.random(in: 0...text.count, using: &generator))
            case 2:
                text.insert(
                    contentsOf: JSONTokens.token(using: &generator),
                    at: Int.random(in: 0...text.count, using: &generator))
            default:
                text.insert(
                    contentsOf: JSONTokens.bytes(using: &generator),
                    at: Int.random(in: 0...text.count, using: &generator))
            }
            let naive = NaiveJSON(text).map { Transcript.events($0) }
            let events = try? Transcript.events(text)
            #expect(events == naive, "\(String(decoding: text, as: UTF8.self))")
            if let value = NaiveJSON(text) {
                accepted += 1
                #expect((try? Transcript.events(Array(value.text.utf8))) == events)
            }
        }
        // Neither answer is rare.
        #expect((1000...3000).contains(accepted), "\(accepted)")
    }
}
