internal import ByteScan
internal import M3U8

/// A part of a media playlist whose time stamps go on: up to an EXT-X-DISCONTINUITY, after which they start anew.
struct MediaTimeLine {
    /// When it begins, on the content's clock.
    let start: DecimalSeconds
    /// Whether an EXT-X-DISCONTINUITY stands before it; only the first may lack one.
    let isDiscontinuous: Bool
    /// How many durations above 0 come before its first.
    let firstDuration: Int
    /// Its first segment that is no gap.
    var segment: MediaSegment?
}

/// A media segment, and what is needed to read its time stamps.
struct MediaSegment {
    /// When it begins, on the content's clock.
    let start: DecimalSeconds
    let resource: MediaResource
    /// The media initialization section (EXT-X-MAP).
    let initialization: MediaResource?
    /// Whether the whole of it is encrypted (METHOD=AES-128): nothing in it can be read.
    let isEncrypted: Bool
}

/// Some bytes that a media playlist refers to.
struct MediaResource {
    /// The reference as it stands in the playlist.
    let uri: String
    /// The range of bytes; nil for all of them.
    let range: Range<Int>?

    init(uri: String, range: Range<Int>? = nil) {
        self.uri = uri
        self.range = range
    }
}

/// A sub-range as playlists write it, `length[@offset]` (RFC 8216 4.3.2.2).
struct ByteRangeText {
    let length: Int
    let offset: Int?

    /// Parses `text`; nil if it is no sub-range.
    init?(_ text: String) {
        let parts = text.cut(at: "@")
        guard let length = Self.number(parts?.before ?? text) else { return nil }
        self.length = length
        guard let digits = parts?.after else {
            offset = nil
            return
        }
        guard let offset = Self.number(digits), !offset.addingReportingOverflow(length).overflow else { return nil }
        self.offset = offset
    }

    /// The range, which begins at `next` if the text says nothing else.
    func range(after next: Int) -> Range<Int>? {
        let start = offset ?? next
        let (end, isTooLarge) = start.addingReportingOverflow(length)
        return isTooLarge ? nil : start..<end
    }

    private static func number(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ ASCII.digit($0) != nil }) else { return nil }
        return Int(text)
    }
}
