internal import ByteScan
package import M3U8

extension PlaylistLine {
    /// Whether the variant that the line declares has a RESOLUTION, or a codec of video.
    package var hasVideo: Bool {
        var attributes = attributes
        while let attribute = attributes.next() {
            switch bytes[attribute.name] {
            case "RESOLUTION": return true
            case "CODECS":
                if VideoCodec.isAmong(bytes[attribute.content(in: bytes)]) { return true }
            default: continue
            }
        }
        return false
    }
}

/// The codecs of video (RFC 6381).
private enum VideoCodec {
    static func isAmong(_ list: ByteView) -> Bool {
        var start = 0
        while start <= list.count {
            let end = list.firstOffset(of: ASCII.comma, from: start) ?? list.count
            if isVideo(list[start..<end].trimmed) { return true }
            start = end &+ 1
        }
        return false
    }

    private static func isVideo(_ codec: ByteView) -> Bool {
        guard codec.count >= 3 else { return false }
        if codec.count >= 4 {
            let head = codec.prefix(upTo: 4)
            if head.equalsIgnoringCase("av01") || head.equalsIgnoringCase("mp4v") { return true }
        }
        let head = codec.prefix(upTo: 3)
        return head.equalsIgnoringCase("avc") || head.equalsIgnoringCase("hvc") || head.equalsIgnoringCase("hev")
            || head.equalsIgnoringCase("dvh") || head.equalsIgnoringCase("dva") || head.equalsIgnoringCase("vp8")
            || head.equalsIgnoringCase("vp9") || head.equalsIgnoringCase("vp0") || head.equalsIgnoringCase("vvc")
            || head.equalsIgnoringCase("vvi") || head.equalsIgnoringCase("mjp")
    }
}
