internal import ByteScan
internal import M3U8

/// Bytes that a media playlist refers to.
struct MediaPart: Equatable {
    let uri: [UInt8]
    /// The range of the resource; nil for all of it. Never empty.
    let range: Range<Int>?
}

/// The first segment of a media playlist.
struct FirstSegment: Equatable {
    /// When it begins, on the content's clock.
    let start: DecimalSeconds
    let segment: MediaPart
    let initialization: MediaPart?
    /// Whether the whole of it is encrypted (METHOD=AES-128): nothing in it can be read.
    let isEncrypted: Bool
}

/// A sub-range as playlists write it, `length[@offset]` (RFC 8216 4.3.2.2).
struct ByteRange {
    let length: Int
    let offset: Int?

    /// Parses `text`; nil if it is none, or has no byte.
    init?(_ text: ByteView) {
        let at = text.firstOffset(of: UInt8(ascii: "@"))
        guard let length = ContentRange.number(text.prefix(upTo: at ?? text.count)), length > 0 else { return nil }
        self.length = length
        guard let at else {
            offset = nil
            return
        }
        guard let offset = ContentRange.number(text.suffix(from: at &+ 1)) else { return nil }
        self.offset = offset
    }

    /// The range, which begins at `next` if the text says nothing else; nil if nobody can have it.
    func range(after next: Int) -> Range<Int>? {
        let (end, isTooLarge) = (offset ?? next).addingReportingOverflow(length)
        return isTooLarge ? nil : (offset ?? next)..<end
    }
}
