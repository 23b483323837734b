internal import ByteScan

extension ASCII {
    /// Whether `byte` may stand in a scheme after its first letter (RFC 3986 3.1).
    static func isSchemeByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == period || byte == hyphen || byte == plus
    }

    /// Whether `byte` stands in a URI for nothing but itself, and so never needs an escape (RFC 3986 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == hyphen || byte == period || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "~")
    }

    /// Whether `byte` is unreserved or a sub-delim (RFC 3986 2.2, 2.3), which every component may hold.
    package static func isComponentByte(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || ByteView("!$&'()*+,;=").contains(byte)
    }

    /// Whether a URI may hold `byte` (RFC 3986 2). Bytes outside ASCII may: some playlists have them.
    package static func isURIByte(_ byte: UInt8) -> Bool {
        byte > space && byte != 0x7F && !ByteView("\"<>\\^`{|}").contains(byte)
    }
}
