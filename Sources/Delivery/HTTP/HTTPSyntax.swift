internal import ByteScan

/// What bytes mean in HTTP fields.
enum HTTPSyntax {
    /// Whether `byte` may stand inside the quotes of an entity tag (RFC 9110 8.8.3): visible but for `"`, or not ASCII.
    static func isEntityTagByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte > ASCII.space && byte < 0x7F && byte != ASCII.quote)
    }

    /// Whether `byte` may stand in a field's name (RFC 9110 5.1, 5.6.2).
    static func isTokenByte(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || ASCII.isLetter(byte) || ByteView("!#$%&'*+-.^_`|~").contains(byte)
    }
}
