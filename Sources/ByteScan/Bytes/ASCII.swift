/// The bytes that the two formats are built from, by name.
public enum ASCII {
    /// Horizontal tab, 0x09.
    public static let tab: UInt8 = 0x09
    /// Line feed, 0x0A.
    public static let lineFeed: UInt8 = 0x0A
    /// Form feed, 0x0C.
    public static let formFeed: UInt8 = 0x0C
    /// Carriage return, 0x0D.
    public static let carriageReturn: UInt8 = 0x0D
    /// Space, 0x20.
    public static let space: UInt8 = 0x20
    /// Double quote, `"`.
    public static let quote: UInt8 = 0x22
    /// Number sign, `#`.
    public static let hash: UInt8 = 0x23
    /// Percent sign, `%`.
    public static let percent: UInt8 = 0x25
    /// Comma, `,`.
    public static let comma: UInt8 = 0x2C
    /// Hyphen-minus, `-`.
    public static let hyphen: UInt8 = 0x2D
    /// Full stop, `.`.
    public static let period: UInt8 = 0x2E
    /// Digit zero, `0`.
    public static let zero: UInt8 = 0x30
    /// Digit nine, `9`.
    public static let nine: UInt8 = 0x39
    /// Colon, `:`.
    public static let colon: UInt8 = 0x3A
    /// Equals sign, `=`.
    public static let equals: UInt8 = 0x3D
    /// Greater-than sign, `>`.
    public static let greaterThan: UInt8 = 0x3E

    /// The value of a decimal digit, 0 to 9, or nil.
    @inlinable @inline(__always)
    public static func digit(_ byte: UInt8) -> UInt8? {
        let value = byte &- zero
        return value <= 9 ? value : nil
    }
}

extension ASCII {
    /// Dollar sign, `$`.
    @inlinable package static var dollar: UInt8 { 0x24 }
    /// Ampersand, `&`.
    @inlinable package static var ampersand: UInt8 { 0x26 }
    /// Asterisk, `*`.
    @inlinable package static var asterisk: UInt8 { 0x2A }
    /// Plus sign, `+`.
    @inlinable package static var plus: UInt8 { 0x2B }
    /// Slash, `/`.
    @inlinable package static var slash: UInt8 { 0x2F }
    /// Semicolon, `;`.
    @inlinable package static var semicolon: UInt8 { 0x3B }
    /// Less-than sign, `<`.
    @inlinable package static var lessThan: UInt8 { 0x3C }
    /// Question mark, `?`.
    @inlinable package static var questionMark: UInt8 { 0x3F }
    /// At sign, `@`.
    @inlinable package static var at: UInt8 { 0x40 }
    /// Opening bracket, `[`.
    @inlinable package static var openingBracket: UInt8 { 0x5B }
    /// Backslash, `\`.
    @inlinable package static var backslash: UInt8 { 0x5C }
    /// Closing bracket, `]`.
    @inlinable package static var closingBracket: UInt8 { 0x5D }
    /// Opening brace, `{`.
    @inlinable package static var openingBrace: UInt8 { 0x7B }
    /// Closing brace, `}`.
    @inlinable package static var closingBrace: UInt8 { 0x7D }

    /// Whether `byte` is a decimal digit.
    @inlinable @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }

    /// Whether `byte` is a letter, in either case.
    @inlinable @inline(__always)
    package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// Whether `byte` is a space or a tab.
    @inlinable @inline(__always)
    package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether `byte` ends a line for some reader: LF, CR or NUL.
    @inlinable @inline(__always)
    package static func breaksLine(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn || byte == 0 }

    /// The letter `byte` in lower case; any other byte as it is.
    @inlinable @inline(__always)
    package static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// Eight bytes, the letters among them in lower case.
    @inlinable
    package static func lowercased(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let sevenBits = word & (0x7F &* ones)
        // The highest bit of each byte says: from A on, behind Z.
        let (fromA, behindZ) = (sevenBits &+ 0x3F &* ones, sevenBits &+ 0x25 &* ones)
        let capitals = (fromA ^ behindZ) & ~word & (0x80 &* ones)
        return word | capitals >> 2
    }

    /// Whether both bytes are the same but for the case of a letter.
    @inlinable @inline(__always)
    package static func isSame(_ one: UInt8, _ other: UInt8) -> Bool {
        one == other || (one ^ other == 0x20 && isLetter(one))
    }

    /// Whether the eight bytes of both are the same but for the case of letters.
    @inlinable @inline(__always)
    package static func isSame(_ one: UInt64, _ other: UInt64) -> Bool {
        let difference = one ^ other
        if difference == 0 { return true }
        return difference & ~0x2020_2020_2020_2020 == 0 && lowercased(one) == lowercased(other)
    }

    /// The value of a hexadecimal digit in either case, 0 to 15, or nil.
    @inlinable
    package static func hexadecimal(_ byte: UInt8) -> UInt8? {
        if let digit = digit(byte) { return digit }
        let value = lowercased(byte) &- 0x61
        return value < 6 ? value &+ 10 : nil
    }

    /// The hexadecimal digit of `value`, which is below 16.
    @inlinable
    package static func hexadecimalDigit(_ value: UInt8, isCapital: Bool = false) -> UInt8 {
        value < 10 ? zero &+ value : (isCapital ? 0x41 : 0x61) &+ (value &- 10)
    }

    /// The last `digits` hexadecimal digits of `number`, in capitals.
    package static func hexadecimal(_ number: UInt16, digits: Int) -> [UInt8] {
        (1...digits).map { hexadecimalDigit(UInt8(number >> UInt16(4 * (digits - $0)) & 15), isCapital: true) }
    }
}
