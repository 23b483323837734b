internal import ByteScan

/// What bytes mean in HTTP fields and in paths.
enum HTTPSyntax {
    static let asterisk = UInt8(ascii: "*")
    static let slash = UInt8(ascii: "/")
    static let semicolon = UInt8(ascii: ";")

    /// Whether `byte` is optional white space (RFC 9110 5.6.3).
    static func isSpace(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }

    /// Whether `byte` may stand inside the quotes of an entity tag (RFC 9110 8.8.3): visible but for `"`, or not ASCII.
    static func isEntityTagByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte > ASCII.space && byte < 0x7F && byte != ASCII.quote)
    }

    /// Whether `byte` may stand in a field's name (RFC 9110 5.1, 5.6.2).
    static func isTokenByte(_ byte: UInt8) -> Bool {
        if ASCII.digit(byte) != nil || lowercased(byte) &- UInt8(ascii: "a") < 26 { return true }
        return ByteView("!#$%&'*+-.^_`|~").contains(byte)
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// Eight bytes, those from A to Z in lower case.
    static func lowercased(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let sevenBits = word & (0x7F &* ones)
        // The highest bit of each byte says: from A on, behind Z.
        let (fromA, behindZ) = (sevenBits &+ 0x3F &* ones, sevenBits &+ 0x25 &* ones)
        let capitals = (fromA ^ behindZ) & ~word & (0x80 &* ones)
        return word | capitals >> 2
    }

    /// The value of a hexadecimal digit in either case, or nil.
    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        if let digit = ASCII.digit(byte) { return digit }
        let value = lowercased(byte) &- UInt8(ascii: "a")
        return value < 6 ? value &+ 10 : nil
    }

    /// The digit of `value`, which is below 16, in lower case.
    static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? ASCII.zero &+ value : UInt8(ascii: "a") &+ (value &- 10)
    }
}

extension ByteView {
    /// Whether the bytes are those of `literal`, which is ASCII, with letters in either case.
    func equalsIgnoringCase(_ literal: StaticString) -> Bool { equalsIgnoringCase(ByteView(literal)) }

    /// Whether the bytes are those of `other`, with letters of ASCII in either case.
    func equalsIgnoringCase(_ other: ByteView) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else {
            for offset in 0..<count where HTTPSyntax.lowercased(self[offset]) != HTTPSyntax.lowercased(other[offset]) {
                return false
            }
            return true
        }
        // The last eight bytes may have been seen in part.
        var offset = 0
        while offset < count {
            let start = Swift.min(offset, count &- 8)
            guard HTTPSyntax.lowercased(word(at: start)) == HTTPSyntax.lowercased(other.word(at: start)) else {
                return false
            }
            offset &+= 8
        }
        return true
    }

    /// The bytes without optional white space at either end (RFC 9110 5.6.3).
    var trimmed: ByteView {
        var start = 0
        var end = count
        while start < end, HTTPSyntax.isSpace(self[start]) { start &+= 1 }
        while end > start, HTTPSyntax.isSpace(self[end &- 1]) { end &-= 1 }
        return self[start..<end]
    }
}

extension [UInt8] {
    /// Calls `body` with a view of the bytes, which is valid during the call.
    func withView<Result>(_ body: (ByteView) -> Result) -> Result {
        unsafe withUnsafeBytes { bytes in unsafe body(ByteView(bytes)) }
    }
}
