internal import ByteScan

extension ASCII {
    static let ampersand = UInt8(ascii: "&")
    static let slash = UInt8(ascii: "/")
    static let questionMark = UInt8(ascii: "?")
    static let at = UInt8(ascii: "@")
    static let dollar = UInt8(ascii: "$")
    static let openingBracket = UInt8(ascii: "[")
    static let closingBracket = UInt8(ascii: "]")
    static let openingBrace = UInt8(ascii: "{")

    /// Whether `byte` is ALPHA.
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    /// Whether `byte` is HEXDIG, in either case.
    static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        digit(byte) != nil || (byte | 0x20) &- UInt8(ascii: "a") < 6
    }

    /// Whether `byte` may stand in a scheme after its first letter (RFC 3986 3.1).
    static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || digit(byte) != nil || byte == period || byte == hyphen || byte == UInt8(ascii: "+")
    }

    /// Whether `byte` is unreserved or a sub-delim (RFC 3986 2.2, 2.3), which every component may hold.
    static func isComponentByte(_ byte: UInt8) -> Bool {
        if isLetter(byte) || digit(byte) != nil { return true }
        return switch byte {
        case hyphen, period, UInt8(ascii: "_"), UInt8(ascii: "~"): true
        case UInt8(ascii: "!"), dollar, ampersand, UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"): true
        case UInt8(ascii: "*"), UInt8(ascii: "+"), comma, UInt8(ascii: ";"), equals: true
        default: false
        }
    }
}
