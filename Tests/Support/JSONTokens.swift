/// Random JSON texts, nearly all of them right, the same ones in every run.
public enum JSONTokens {
    /// A text of values up to `depth` deep.
    public static func document(depth: Int = 4, using generator: inout SeededGenerator) -> [UInt8] {
        var text = space(&generator)
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &generator) {
        case 0, 1: text += string(using: &generator)
        case 2, 3: text += pick(numbers, &generator)
        case 4, 5: text += pick(words, &generator)
        case 6, 7: text += list("[", "]", depth, &generator) { document(depth: depth - 1, using: &$0) }
        default:
            text += list("{", "}", depth, &generator) {
                space(&$0) + string(using: &$0) + space(&$0) + Array(":".utf8) + document(depth: depth - 1, using: &$0)
            }
        }
        return text + space(&generator)
    }

    /// A configuration, mostly right.
    public static func configuration(using generator: inout SeededGenerator) -> [UInt8] {
        list("{", "}", 1, &generator) { generator in
            let value = document(depth: 1, using: &generator)
            return pick(keys, &generator) + (Int.random(in: 0..<4, using: &generator) == 0 ? value : [])
        }
    }

    /// A token, right or not.
    public static func token(using generator: inout SeededGenerator) -> [UInt8] { pick(tokens, &generator) }

    /// Bytes, not all of them UTF-8.
    public static func bytes(using generator: inout SeededGenerator) -> [UInt8] {
        let choices: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0], [0x7F],
            [0xC2, 0x85],
            [0xEF, 0xBB, 0xBF], [0xF0, 0x9F, 0x8E, 0xAC], [0xE2, 0x80, 0xA8],
        ]
        return choices[Int.random(in: 0..<choices.count, using: &generator)]
    }

    private static func string(using generator: inout SeededGenerator) -> [UInt8] {
        var text = Array("\"".utf8)
        for _ in 0..<Int.random(in: 0...3, using: &generator) { text += pick(pieces, &generator) }
        return text + Array("\"".utf8)
    }

    private static func list(
        _ opening: String, _ closing: String, _ depth: Int, _ generator: inout SeededGenerator,
        _ element: (inout SeededGenerator) -> [UInt8]
    ) -> [UInt8] {
        var text = Array(opening.utf8)
        for number in 0..<Int.random(in: 0...(depth + 1), using: &generator) {
            if number > 0 { text += Array(",".utf8) }
            text += element(&generator)
        }
        return text + space(&generator) + Array(closing.utf8)
    }

    private static func space(_ generator: inout SeededGenerator) -> [UInt8] {
        Int.random(in: 0..<4, using: &generator) == 0 ? pick([" ", "\n", "\r\n", "\t", "  "], &generator) : []
    }

    private static func pick(_ choices: [String], _ generator: inout SeededGenerator) -> [UInt8] {
        Array(choices[Int.random(in: 0..<choices.count, using: &generator)].utf8)
    }

    private static let words = ["true", "false", "null"]
    private static let numbers = [
        "0", "-0", "1", "-1", "90.5", "1e3", "1E-2", "0.5e+1", "123456789", "-12.000000001", "1.50", "65536",
    ]
    private static let pieces = [
        "a", "uri", "é", "字", "🎬", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\uD83C\\uDFAC", "\\u0000", "\\b",
        "e\u{301}",
        "\u{7F}", "\u{2028}", "en.m3u8", " ", "/",
    ]
    private static let tokens =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\uD800", "\\uDC00", "\\u12", "\\x", "tru", "nul", "-",
            "+", ".", "e",
            "01", "1.", ".5", "1e", "--1", "NaN", "Infinity", "//", "/*", "'", "\n", "\r", "\t", "\0", "\u{FEFF}",
            "\u{A0}", "0", "9",
            "[[[[[[[[", "{\"a\":", "\"a\":1,\"a\":2", "true", "null", " ",
        ] + numbers + pieces
    private static let keys = [
        "\"tracks\":[{\"uri\":\"en.m3u8\",\"language\":\"en\",\"default\":true}]",
        "\"tracks\":[{\"uri\":\"sv.vtt\",\"file\":\"sv.srt\",\"duration\":\"1:30.5\",\"kind\":\"captions\"}]",
        "\"edits\":[{\"set\":\"EXT-X-MEDIA:A=1\"},{\"drop\":\"EXT-X-KEY\"},{\"append-line\":\"#x\"}]",
        "\"map-uri\":\"https://a/b/\"", "\"scheme\":{\"key\":\"skd:https\"}", "\"host\":\"a.example:80\"",
        "\"append-query\":{\"all\":[\"a=1\",\"b=2\"],\"media\":\"c=3\"}", "\"keep-variants\":\"BANDWIDTH<=1\"",
        "\"limits\":{\"longest-line\":65536,\"past-limit\":\"fail\"}", "\"map\":\"900000:00:00:10.000\"",
        "\"segment\":true",
        "\"target\":6", "\"replace-default\":false", "\"trakcs\":[]", "\"tracks\":",
    ]
}
