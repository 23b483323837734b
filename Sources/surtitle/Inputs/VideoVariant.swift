internal import ByteScan
internal import M3U8

/// The variant of a multivariant playlist whose segments tell the video's clock.
enum VideoVariant {
    /// The URI of the first variant with video, or else of the first variant; nil if there is none.
    static func uri(in master: [UInt8]) -> String? {
        var first: String?
        var video: String?
        var isVideo: Bool?
        let reader = PlaylistReader()
        func note(_ line: PlaylistLine, _: LineLocation) {
            switch line.kind {
            case .tag(.streamInf): isVideo = hasVideo(line)
            case .uri:
                guard let hasVideo = isVideo else { return }
                isVideo = nil
                let uri = unsafe String(decoding: line.bytes.buffer, as: UTF8.self)
                first = first ?? uri
                if hasVideo { video = video ?? uri }
            default: break
            }
        }
        unsafe master.withUnsafeBytes { unsafe reader.scan($0, note) }
        reader.finish(note)
        return video ?? first
    }

    /// Whether the variant of `line` has a RESOLUTION, or a codec of video.
    private static func hasVideo(_ line: PlaylistLine) -> Bool {
        var attributes = line.attributes
        while let attribute = attributes.next() {
            switch line.bytes[attribute.name] {
            case "RESOLUTION": return true
            case "CODECS":
                let value = line.bytes[attribute.content(in: line.bytes)]
                let codecs = unsafe String(decoding: value.buffer, as: UTF8.self)
                if codecs.pieces(at: ",").contains(where: isVideo) { return true }
            default: continue
            }
        }
        return false
    }

    /// Whether a codec (RFC 6381) is one of video.
    private static func isVideo(_ codec: String) -> Bool {
        let name = codec.drop { $0 == " " }.lowercased()
        return ["avc", "hvc", "hev", "dvh", "dva", "vp8", "vp9", "vp0", "av01", "vvc", "vvi", "mp4v", "mjp"]
            .contains { name.hasPrefix($0) }
    }
}
