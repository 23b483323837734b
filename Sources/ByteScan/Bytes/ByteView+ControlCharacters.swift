extension ByteView {
    /// Whether the bytes, as UTF-8, hold a control character or another character that ends lines in some reader: C0,
    /// DEL, C1, U+2028 or U+2029.
    ///
    /// No playlist may have one but CR and LF (RFC 8216 4.1), and readers that split lines as Unicode does break a
    /// value at it.
    package var hasControlCharacter: Bool {
        var offset = 0
        while offset < count {
            if offset &+ 8 <= count, Self.isPrintable(word(at: offset)) {
                offset &+= 8
            } else if offset &+ 8 > count, count >= 8, Self.isPrintable(word(at: count &- 8)) {
                return false
            } else if isControlCharacter(at: offset) {
                return true
            } else {
                offset &+= 1
            }
        }
        return false
    }

    /// Whether all eight bytes are printable ASCII, 0x20 to 0x7E.
    private static func isPrintable(_ word: UInt64) -> Bool {
        let outside = word | (word &- 0x2020_2020_2020_2020) | (word &+ 0x0101_0101_0101_0101)
        return outside & 0x8080_8080_8080_8080 == 0
    }

    private func isControlCharacter(at offset: Int) -> Bool {
        let left = count &- offset
        switch self[offset] {
        case 0..<ASCII.space, 0x7F: return true
        // U+0080 to U+009F, of which NEL is one.
        case 0xC2: return left > 1 && 0x80...0x9F ~= self[offset &+ 1]
        // U+2028 and U+2029.
        case 0xE2: return left > 2 && self[offset &+ 1] == 0x80 && 0xA8...0xA9 ~= self[offset &+ 2]
        default: return false
        }
    }
}
