internal import ByteScan
internal import M3U8

/// The files beside a master playlist that it refers to.
enum ReferredFiles {
    /// Their lower-cased paths, those of subtitles left out: a track that is there already is not added again, and keeps
    /// its name.
    static func paths(in playlist: [UInt8]) -> Set<String> {
        var paths: Set<String> = []
        let kind = PlaylistKind()
        func take(_ line: PlaylistLine, _: LinePlace) {
            guard let uri = uri(of: line), let steps = URIPath(uri).steps else { return }
            paths.insert(TrackPlan.key(steps))
        }
        unsafe playlist.withUnsafeBytes { unsafe kind.scan($0, take) }
        kind.finish(take)
        return paths
    }

    private static func uri(of line: PlaylistLine) -> String? {
        switch line.kind {
        case .uri: return text(line.bytes)
        case .tag(.media), .tag(.iFrameStreamInf), .tag(.imageStreamInf):
            var uri: String?
            var attributes = line.attributes
            while let attribute = attributes.next() {
                let value = line.bytes[attribute.content(in: line.bytes)]
                switch line.bytes[attribute.name] {
                case "TYPE" where value == "SUBTITLES": return nil
                case "URI": uri = text(value)
                default: continue
                }
            }
            return uri
        default: return nil
        }
    }

    private static func text(_ bytes: ByteView) -> String { unsafe String(decoding: bytes.buffer, as: UTF8.self) }
}
