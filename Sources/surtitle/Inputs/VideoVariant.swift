internal import ByteScan
internal import Delivery
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
            case .tag(.streamInf): isVideo = line.hasVideo
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
}
