internal import ByteScan
internal import CByteScan

/// What names, values and lines may hold that are written into a playlist.
enum EditSyntax {
    /// What does not begin with `EXT` is a comment (RFC 8216 4.1), and the first line is not for editing.
    static func isTagName(_ name: [UInt8]) -> Bool {
        name.starts(with: Array(utf8: "EXT")) && !name.contains { breaksName($0) || $0 == ASCII.colon }
            && name != Array(utf8: "EXTM3U")
    }

    static func isAttributeName(_ name: some Collection<UInt8>) -> Bool {
        !name.isEmpty
            && !name.contains { breaksName($0) || $0 == ASCII.equals || $0 == ASCII.comma || $0 == ASCII.quote }
    }

    /// No line break, every quote closed, and commas only inside quotes.
    static func isAttributeValue(_ value: some Collection<UInt8>) -> Bool {
        var isQuoted = false
        for byte in value {
            if breaksLine(byte) { return false }
            if byte == ASCII.quote { isQuoted.toggle() }
            if byte == ASCII.comma, !isQuoted { return false }
        }
        return !isQuoted && !value.isEmpty
    }

    static func isLine(_ line: some Collection<UInt8>) -> Bool { !line.isEmpty && !line.contains(where: breaksLine) }

    /// Whether `value` is a quoted string (RFC 8216 4.2).
    static func isQuotedString(_ value: ByteView) -> Bool {
        value.count >= 2 && value.firstOffset(of: ASCII.quote) == 0 && !breaksLine(value)
            && value.firstOffset(of: ASCII.quote, from: 1) == value.count - 1
    }

    /// Whether there is a line break in `bytes`.
    static func breaksLine(_ bytes: ByteView) -> Bool {
        bytes.firstOffset { $0.equal(to: ASCII.lineFeed).or($0.equal(to: ASCII.carriageReturn)) } != nil
    }

    private static func breaksLine(_ byte: UInt8) -> Bool { byte == ASCII.lineFeed || byte == ASCII.carriageReturn }

    private static func breaksName(_ byte: UInt8) -> Bool { breaksLine(byte) || ASCII.isBlank(byte) }
}
