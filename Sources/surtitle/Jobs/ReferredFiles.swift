internal import ByteScan
internal import M3U8

/// The kind of a master playlist, and the files below its directory to which it refers.
struct ReferredFiles {
    /// The kind of the playlist.
    let kind: PlaylistKind

    /// The lower-cased paths of the files.
    ///
    /// Files of subtitles are not among them: a track that is there already is not added again, and keeps its name.
    let paths: Set<String>

    /// Reads the whole `playlist`.
    init(in playlist: [UInt8]) {
        var paths: Set<String> = []
        let reader = PlaylistReader()
        func note(_ line: PlaylistLine, _: LineLocation) {
            guard let uri = Self.uri(of: line), let steps = URIPath(uri).steps else { return }
            paths.insert(TrackPlan.key(steps))
        }
        unsafe playlist.withUnsafeBytes { unsafe reader.scan($0, note) }
        reader.finish(note)
        self.paths = paths
        kind = reader.kind
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
