package import ByteScan

/// The first line of a playlist (RFC 8216 4.3.1.1).
package enum PlaylistSignature {
    /// More bytes than these never change the answer: a BOM, `#EXTM3U`, CR and LF.
    static var lookahead: Int { 12 }

    /// Whether the first line ends in CRLF, of a text that starts with `#EXTM3U` and a line ending; nil of any other.
    static func usesCRLF(_ head: ByteView) -> Bool? {
        let tag: UInt64 = 0x55_33_4D_54_58_45_23
        guard head.count > 8, head.word(at: 0) & 0x00FF_FFFF_FFFF_FFFF == tag else { return nil }
        switch head[7] {
        case ASCII.lineFeed: return false
        case ASCII.carriageReturn where head[8] == ASCII.lineFeed: return true
        default: return nil
        }
    }

    /// Whether a text that starts with `head` is a playlist, or nil if more of it is needed.
    ///
    /// A BOM before the tag is tolerated, and white space with any text after it.
    package static func matches(_ head: ByteView, isWhole: Bool) -> Bool? {
        let mark = ByteView("\u{FEFF}")
        let tag = ByteView("#EXTM3U")
        let start = !head.isEmpty && head[0] == mark[0] ? mark.count : 0
        for place in 0..<(start + tag.count) {
            guard place < head.count else { return isWhole ? false : nil }
            guard head[place] == (place < start ? mark[place] : tag[place - start]) else { return false }
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
