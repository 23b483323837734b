package import ByteScan

/// The first line of a playlist (RFC 8216 4.3.1.1).
package enum PlaylistSignature {
    /// More bytes than these never change the answer: a BOM, `#EXTM3U`, CR and LF.
    static var room: Int { 12 }

    /// Whether a text that starts with `head` is a playlist, or nil where more of it is needed.
    ///
    /// A BOM before the tag is tolerated, and white space with any text behind it.
    package static func matches(_ head: ByteView, isWhole: Bool) -> Bool? {
        let mark = ByteView("\u{FEFF}")
        let tag = ByteView("#EXTM3U")
        let start = !head.isEmpty && head[0] == mark[0] ? mark.count : 0
        for (expected, offset) in [(mark.prefix(upTo: start), 0), (tag, start)] {
            let available = min(expected.count, max(head.count - offset, 0))
            guard head.hasBytes(expected.prefix(upTo: available), at: offset) || available == 0 else { return false }
            if available < expected.count { return isWhole ? false : nil }
        }
        let rest = head.suffix(from: start + tag.count)
        if rest.isEmpty { return isWhole ? true : nil }
        switch rest[0] {
        case ASCII.lineFeed, ASCII.space, ASCII.tab: return true
        case ASCII.carriageReturn: return rest.count > 1 ? rest[1] == ASCII.lineFeed : isWhole ? true : nil
        default: return false
        }
    }
}
