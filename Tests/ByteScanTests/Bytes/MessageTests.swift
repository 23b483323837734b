import ByteScan
import Testing

/// Words with values put in: what is escaped, quoted and cut short.
@Suite struct MessageTests {
    private struct Place: Described {
        let line: Int

        var message: Message { "line \(line)" }
    }

    @Test func valuesArePutIn() {
        let place: Message = "\(Place(line: 7)): "
        let message: Message = "\(place)key \(quoted: Array("b".utf8)) at \(Array("é/字".utf8)), \(Int.min) and \(0)"
        #expect(Self.text(message) == "line 7: key \"b\" at é/字, -9223372036854775808 and 0")
        #expect(Self.text("") == "")
        #expect("\(Place(line: -3))" == "line -3" && Place(line: 10).description == "line 10")
    }

    @Test func choices() {
        let words: [StaticString] = ["vtt", "srt", "m3u8"]
        #expect(Message(choiceOf: words).description == "vtt, srt or m3u8")
        #expect(Message(choiceOf: Array(words[..<2])).description == "vtt or srt")
        #expect(Message(choiceOf: Array(words[..<1])).description == "vtt" && Message(choiceOf: []) == "")
        #expect(
            Message(choiceOf: words, between: ("<", ">"), last: " and ").description == "<vtt>, <srt> and <m3u8>")
        #expect(Message("fixed") == "fixed" && Message("fixed") != "other")
    }

    private enum Old: Error, Equatable { case fault }
    private struct New: Error, Equatable { let old: Old }

    @Test func errorsAreCaughtAndTranslated() throws {
        func number(_ isThere: Bool) throws(Old) -> Int {
            guard isThere else { throw .fault }
            return 7
        }
        #expect(try refusing(number(true), New.init) == 7)
        #expect(throws: New(old: .fault)) { try refusing(number(false), New.init) }
        let (none, some): (Old?, Old?) = (fault(of: try number(true)), fault(of: try number(false)))
        #expect(none == nil && some == .fault)
    }

    /// What the standard library writes for each character of a value, in quotes and without them.
    @Test func everyCharacterIsWrittenOnce() {
        let hidden = Set(
            [0x061C, 0x200E, 0x200F] + Array(0x2028...0x202E) + Array(0x2066...0x2069) + Array(0x7F...0x9F))
        for value in Array(0...0x3000) + [
            0xD7FF, 0xE000, 0xE200, 0xFEFF, 0xFFFD, 0xFFFF, 0x1_0000, 0x1_F600, 0x10_FFFF,
        ] {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            let bytes = Array("a\(scalar)b".utf8)
            let isHidden = value < 0x20 || hidden.contains(value)
            let shown = isHidden ? scalar.escaped(asASCII: true) : String(scalar)
            let isMarked = ["\"", "\\", "'"].contains(scalar)
            #expect(Self.text("\(bytes)") == "a\(shown)b", "\(value)")
            #expect(Self.text("\(quoted: bytes)") == "\"a\(isMarked ? "\\" : "")\(shown)b\"", "\(value)")
            #expect(Message(escaping: "a\(scalar)b").bytes == Array("a\(shown)b".utf8), "\(value)")
        }
    }

    @Test(
        arguments: [
            [0x61, 0xFF, 0x62], [0xE2, 0x80], [0xE2, 0x80, 0x61], [0xC2], [0x80], [0x9F, 0x85], [0xF0, 0x9F, 0x98],
            [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xE2, 0xE2, 0x80, 0xAE],
        ] as [[UInt8]])
    func whatIsNoUTF8IsReplaced(_ bytes: [UInt8]) {
        let expected = String(decoding: bytes, as: UTF8.self).unicodeScalars.map {
            $0 == "\u{202E}" ? "\\u{202E}" : String($0)
        }
        #expect(Self.text("\(bytes)") == expected.joined())
    }

    /// A value of any length leaves the words around it readable, and no character is torn.
    @Test func longValuesAreCutShort() {
        let most = Message.longestValue
        for (character, count) in [("a", most), ("é", most / 2), ("字", most / 3), ("😀", most / 4)] {
            let bytes = Array(String(repeating: character, count: count).utf8)
            #expect(Self.text("<\(bytes)>") == "<\(String(repeating: character, count: count))>")
            for more in ["b", "é", "字", "😀", String(repeating: "x", count: 1 << 20)]
            where bytes.count + more.utf8.count > most {
                let rest = bytes.count < most ? String(more.prefix { bytes.count + String($0).utf8.count <= most }) : ""
                guard rest.isEmpty else { continue }
                #expect(
                    Self.text("<\(bytes + Array(more.utf8))>") == "<\(String(repeating: character, count: count))…>")
            }
        }
        #expect(Self.text("\(Array(repeating: 0x80, count: 2 * most))").hasSuffix("\u{FFFD}…"))
    }

    @Test func charactersAreCounted() {
        let bytes = Array("aé字😀".utf8)
        let counts = (0...12).map { bytes.countOfCharacters(within: $0) }
        #expect(counts == [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10, 10])
        #expect([UInt8]().countOfCharacters(within: 0) == 0)
        // No character has five bytes.
        #expect([UInt8](repeating: 0x80, count: 9).countOfCharacters(within: 5) == 5)
    }

    private static func text(_ message: Message) -> String { String(decoding: message.bytes, as: UTF8.self) }
}
