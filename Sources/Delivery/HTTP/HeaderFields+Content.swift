internal import ByteScan

// What the fields of a response tell of its body.

extension HeaderFields {
    /// The coding of the body; nil if there is none but `identity`, which should not be sent but is (RFC 9110 8.4.1,
    /// 12.5.3).
    var contentCoding: ContentCoding? {
        var found: ContentCoding?
        _ = hasElement(of: .contentEncoding, .strings) { name in
            if !name.equalsIgnoringCase("identity") { found = found == nil ? ContentCoding(name) : .other }
            return false
        }
        return found
    }

    /// Whether Content-Type is one of a playlist, with whatever parameters (RFC 9110 8.3.1; RFC 8216 4, 10).
    ///
    /// Of several lines the last counts.
    var hasPlaylistType: Bool {
        guard has(.contentType) else { return false }
        var type: ByteView?
        for index in 0..<count { type = value(of: .contentType, at: index) ?? type }
        guard let type else { return false }
        func isPlaylists(_ name: ByteView) -> Bool {
            name.equalsIgnoringCase("application/vnd.apple.mpegurl")
                || name.equalsIgnoringCase("application/x-mpegurl") || name.equalsIgnoringCase("audio/mpegurl")
                || name.equalsIgnoringCase("audio/x-mpegurl")
        }
        if isPlaylists(type) { return true }
        return type.firstOffset(of: ASCII.semicolon).map { isPlaylists(type.prefix(upTo: $0).trimmed) } ?? false
    }

    /// How many bytes the body has on its way here; nil if only its end tells (RFC 9112 6.3).
    ///
    /// The same number several times is that number (RFC 9110 8.6). Of a length that nobody can have, or of several,
    /// nothing is known: whether such a message is refused is up to the proxy.
    var contentLength: Int? {
        guard has(.contentLength), !has(.transferEncoding) else { return nil }
        // One number and no list, as nearly all are.
        if let number = onlyValue(of: .contentLength).flatMap({ Int(decimal: $0) }) { return number }
        var found: Int?
        let isContradictory = hasElement(of: .contentLength, .strings) { element in
            let number = Int(decimal: element)
            defer { found = number }
            return number == nil || found.map { $0 != number } ?? false
        }
        return isContradictory ? nil : found
    }
}
