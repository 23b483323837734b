internal import ByteScan

extension PlaylistLine {
    /// Whether the variant that the line declares has a RESOLUTION, or a codec of video.
    var hasVideo: Bool {
        var attributes = attributes
        while let attribute = attributes.next() {
            switch bytes[attribute.name] {
            case "RESOLUTION": return true
            case "CODECS":
                if Self.hasVideo(codecs: bytes[attribute.content(in: bytes)]) { return true }
            default: continue
            }
        }
        return false
    }

    /// Whether a codec of the list `codecs` is one of video (RFC 6381).
    private static func hasVideo(codecs: ByteView) -> Bool {
        // What their names begin with.
        let video: [StaticString] = [
            "avc", "hvc", "hev", "dvh", "dva", "av01", "mp4v", "vp8", "vp9", "vp0", "vvc", "vvi", "mjp",
        ]
        var start = 0
        while start <= codecs.count {
            let end = codecs.firstOffset(of: ASCII.comma, from: start) ?? codecs.count
            let codec = codecs[start..<end].trimmed
            for name in video where codec.count >= name.utf8CodeUnitCount {
                if codec.prefix(upTo: name.utf8CodeUnitCount).equalsIgnoringCase(name) { return true }
            }
            start = end &+ 1
        }
        return false
    }
}
