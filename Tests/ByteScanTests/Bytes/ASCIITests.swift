import ByteScan
import Support
import Testing

/// Bytes are compared by eights, as if one after the other.
@Suite struct ASCIITests {
    @Test func lowercasedWords() {
        for byte in UInt8.min...UInt8.max {
            for place in UInt64(0)..<8 {
                for others in [UInt8(0), 0x40, 0x5A, 0x80, 0xFF] {
                    let rest = UInt64(others) &* 0x0101_0101_0101_0101 & ~(0xFF << (8 * place))
                    let word = ASCII.lowercased(rest | UInt64(byte) << (8 * place))
                    let expected = ASCII.lowercased(byte)
                    #expect(UInt8(truncatingIfNeeded: word >> (8 * place)) == expected, "\(byte) at \(place)")
                    let beside = (place + 1) % 8
                    #expect(UInt8(truncatingIfNeeded: word >> (8 * beside)) == ASCII.lowercased(others))
                }
            }
        }
    }

    @Test func equalIgnoringCase() {
        let text = Array("If-Modified-Since[@`{é".utf8)
        for count in 0...text.count {
            let part = Array(text[..<count])
            #expect(isEqual(part, part) && isEqual(part.map(ASCII.lowercased), part))
            #expect(!isEqual(part, part + [0x20]))
            for offset in 0..<count {
                var other = part
                // Another byte, unless it is the same letter in the other case.
                for bit in [UInt8(1), 0x20, 0x80] {
                    other[offset] = part[offset] ^ bit
                    let isSame = ASCII.lowercased(other[offset]) == ASCII.lowercased(part[offset])
                    #expect(isEqual(part, other) == isSame, "\(count), \(offset), \(bit)")
                }
            }
        }
    }

    @Test func beginnings() {
        func begins(_ text: StaticString, _ prefix: StaticString) -> Bool {
            ByteView(text).hasPrefixIgnoringCase(ByteView(prefix))
        }
        #expect(begins("HTTPS://a", "https://") && begins("https://", "HTTPS://") && begins("a", ""))
        #expect(!begins("https:/", "https://") && !begins("httpz://", "https://") && !begins("[", "{"))
    }

    @Test func classes() {
        for byte in UInt8.min...UInt8.max {
            let character = Character(UnicodeScalar(byte))
            let isASCII = byte < 0x80
            #expect(ASCII.isDigit(byte) == (isASCII && character.isNumber), "\(byte)")
            #expect(ASCII.isLetter(byte) == (isASCII && character.isLetter), "\(byte)")
            #expect(ASCII.isBlank(byte) == (character == " " || character == "\t"), "\(byte)")
            let value = isASCII ? character.hexDigitValue : nil
            #expect(ASCII.hexadecimal(byte).map { Int($0) } == value, "\(byte)")
        }
        for value in UInt8(0)..<16 {
            let digit = String(value, radix: 16)
            #expect(UnicodeScalar(ASCII.hexadecimalDigit(value)).description == digit)
            #expect(UnicodeScalar(ASCII.hexadecimalDigit(value, isCapital: true)).description == digit.uppercased())
        }
    }

    /// The bytes that have names, by the characters that they are.
    @Test func names() {
        let named = [
            ASCII.tab, ASCII.lineFeed, ASCII.formFeed, ASCII.carriageReturn, ASCII.space, ASCII.quote, ASCII.hash,
            ASCII.dollar, ASCII.percent, ASCII.ampersand, ASCII.asterisk, ASCII.plus, ASCII.comma, ASCII.hyphen,
            ASCII.period, ASCII.slash, ASCII.zero, ASCII.nine, ASCII.colon, ASCII.semicolon, ASCII.lessThan,
            ASCII.equals,
            ASCII.greaterThan, ASCII.questionMark, ASCII.at, ASCII.openingBracket, ASCII.backslash,
            ASCII.closingBracket, ASCII.openingBrace, ASCII.closingBrace,
        ]
        #expect(named == Array("\t\n\u{0C}\r \"#$%&*+,-./09:;<=>?@[\\]{}".utf8))
        #expect((UInt8.min...UInt8.max).filter(ASCII.breaksLine) == [0x00, 0x0A, 0x0D])
    }

    /// Letters in either case are the same, and nothing else is that differs in that bit.
    @Test func sameBytes() {
        for byte in UInt8.min...UInt8.max {
            for bits in UInt8.min...UInt8.max {
                let isSame = bits == 0 || bits == 0x20 && ASCII.lowercased(byte) == ASCII.lowercased(byte ^ bits)
                if ASCII.isSame(byte, byte ^ bits) != isSame { Issue.record("\(byte) and \(byte ^ bits)") }
            }
        }
    }

    private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.withView { left in right.withView { left.equalsIgnoringCase($0) } }
    }
}
