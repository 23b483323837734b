internal import ByteScan

extension JSONReader {
    /// Reads the number that begins here (RFC 8259, section 6).
    ///
    ///     number = [ "-" ] ( "0" / digit1-9 *digit ) [ "." 1*digit ] [ ( "e" / "E" ) [ "-" / "+" ] 1*digit ]
    mutating func number() throws(JSONError) -> ByteView {
        let start = offset
        _ = consume(ASCII.hyphen)
        if consume(ASCII.zero) {
            if hasDigit { throw error(.number, at: offset) }
        } else {
            try digits()
        }
        if consume(ASCII.period) { try digits() }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            if !consume(UInt8(ascii: "+")) { _ = consume(ASCII.hyphen) }
            try digits()
        }
        return text[start..<offset]
    }

    /// Whether a digit comes next.
    private var hasDigit: Bool { offset < text.count && ASCII.isDigit(text[offset]) }

    /// Passes over one digit or more.
    private mutating func digits() throws(JSONError) {
        guard hasDigit else { throw error(.number, at: offset) }
        while hasDigit { offset += 1 }
    }

    /// Reads the string whose quote is here, and returns what it says: a part of the text if nothing is escaped.
    mutating func string() throws(JSONError) -> ByteView {
        offset += 1
        let start = offset
        var isEscaped = false
        while offset < text.count, text[offset] != ASCII.quote {
            if text[offset] < ASCII.space { throw error(.controlCharacter, at: offset) }
            if text[offset] == ASCII.backslash {
                isEscaped = true
                offset += 1
            }
            offset += 1
        }
        guard offset < text.count else { throw error(.unexpectedEnd, at: text.count) }
        let content = text[start..<offset]
        offset += 1
        // Escapes are ASCII, so they hide nothing that is wrong.
        let valid = content.validUTF8Count
        if valid < content.count { throw error(.encoding, at: start + valid) }
        return isEscaped ? try unescaped(content, at: start) : content
    }

    /// What `content`, which begins at `start`, says (RFC 8259, section 7).
    private mutating func unescaped(_ content: ByteView, at start: Int) throws(JSONError) -> ByteView {
        unescaped.removeAll()
        var index = 0
        while index < content.count {
            let end = content.firstOffset(of: ASCII.backslash, from: index) ?? content.count
            unescaped.append(content[index..<end])
            index = end
            if index == content.count { break }
            // string() has passed over a backslash with the byte behind it.
            let letter = content[index + 1]
            if letter == UInt8(ascii: "u") {
                index = try unescapedCharacter(content, index, at: start)
            } else {
                guard let byte = Self.character(escapedAs: letter) else { throw error(.escape, at: start + index) }
                unescaped.append(byte)
                index += 2
            }
        }
        return unescaped.view
    }

    /// Appends the character whose `\u` is at `index`, and returns the index after it.
    private mutating func unescapedCharacter(
        _ content: ByteView, _ index: Int, at start: Int
    ) throws(JSONError) -> Int {
        guard let unit = Self.codeUnit(in: content, at: index) else { throw error(.escape, at: start + index) }
        var value = unit
        var end = index + 6
        if 0xD800...0xDBFF ~= unit, let low = Self.codeUnit(in: content, at: end), 0xDC00...0xDFFF ~= low {
            value = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            end += 6
        }
        guard let scalar = Unicode.Scalar(value) else { throw error(.surrogate, at: start + index) }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { unescaped.append(byte) }
        return end
    }

    /// The number of `\uXXXX` at `index`, or nil if there is no such thing.
    private static func codeUnit(in content: ByteView, at index: Int) -> UInt32? {
        guard content.hasBytes("\\u", at: index), index + 6 <= content.count else { return nil }
        var value: UInt32 = 0
        for byte in content[(index + 2)..<(index + 6)] {
            guard let digit = ASCII.hexadecimal(byte) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// The character that a backslash and `letter` stand for.
    private static func character(escapedAs letter: UInt8) -> UInt8? {
        switch letter {
        case ASCII.quote, ASCII.backslash, ASCII.slash: letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): ASCII.formFeed
        case UInt8(ascii: "n"): ASCII.lineFeed
        case UInt8(ascii: "r"): ASCII.carriageReturn
        case UInt8(ascii: "t"): ASCII.tab
        default: nil
        }
    }
}
