internal import ByteScan

/// What names, values and lines may hold that are written into a playlist.
enum EditSyntax {
    /// What does not begin with `EXT` is a comment (RFC 8216 4.1), and the first line is not for editing.
    static func isTagName(_ name: [UInt8]) -> Bool {
        name.starts(with: Array("EXT".utf8)) && !name.contains { breaksName($0) || $0 == ASCII.colon }
            && name != Array("EXTM3U".utf8)
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

    private static func breaksLine(_ byte: UInt8) -> Bool { byte == ASCII.lineFeed || byte == ASCII.carriageReturn }

    private static func breaksName(_ byte: UInt8) -> Bool { breaksLine(byte) || WhiteSpace.contains(byte) }
}
