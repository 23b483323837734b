import ByteScan

extension ASCII {
    /// Ampersand, `&`.
    static let ampersand: UInt8 = 0x26
    /// Slash, `/`.
    static let slash: UInt8 = 0x2F
    /// Less-than sign, `<`.
    static let lessThan: UInt8 = 0x3C
    /// Backslash, `\`.
    static let backslash: UInt8 = 0x5C
    /// Opening brace, `{`.
    static let openingBrace: UInt8 = 0x7B
    /// Closing brace, `}`.
    static let closingBrace: UInt8 = 0x7D

    /// Whether `byte` is a letter, in either case.
    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
