import ByteScan

/// The settings of a cue or a region: words with a colon inside, and white space between them.
///
///     line:0 position:20%,line-left        (W3C WebVTT, sections 6.2 and 6.4)
enum SettingList {
    /// Calls `body` with the name and the value of each setting; a word without a colon inside is none.
    static func forEach(in text: ByteView, _ body: (_ name: ByteView, _ value: ByteView) -> Void) {
        var start = 0
        while start < text.count {
            var end = start
            while end < text.count, !isSpace(text[end]) { end += 1 }
            let word = text[start..<end]
            if let colon = word.firstOffset(of: ASCII.colon), colon > 0, colon + 1 < word.count {
                body(word[0..<colon], word.suffix(from: colon + 1))
            }
            start = end + 1
        }
    }

    /// The number of a percentage from 0 to 100: `digits ['.' digits] '%'` (W3C WebVTT, section 6.2, "parse a
    /// percentage string").
    static func percentage(_ text: ByteView) -> Double? {
        guard text.last == ASCII.percent, !text.has(ASCII.hyphen, at: 0),
            let number = SettingNumber.value(text[0..<(text.count - 1)]), number <= 100
        else { return nil }
        return number
    }

    /// What is before the first comma, and what is after it; nil for the latter if there is no comma.
    static func parts(_ value: ByteView) -> (ByteView, ByteView?) {
        guard let comma = value.firstOffset(of: ASCII.comma) else { return (value, nil) }
        return (value[0..<comma], value.suffix(from: comma + 1))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { ASCII.isLineSpace(byte) || ASCII.isLineEnd(byte) }
}
