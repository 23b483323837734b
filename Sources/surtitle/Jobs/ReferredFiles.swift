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

    /// The relative references to files of any kind, as they stand in the playlist.
    private let references: [String]

    /// Reads the whole `playlist`.
    init(in playlist: [UInt8]) {
        var paths: Set<String> = []
        var references: [String] = []
        let reader = PlaylistReader()
        func note(_ line: PlaylistLine, _: LineLocation) {
            guard let uri = Self.uri(of: line), URIPath(uri).isRelative else { return }
            references.append(uri)
            guard !Self.isSubtitles(line), let steps = URIPath(uri).steps else { return }
            paths.insert(TrackPlan.key(steps))
        }
        unsafe playlist.withUnsafeBytes { unsafe reader.scan($0, note) }
        reader.finish(note)
        self.paths = paths
        self.references = references
        kind = reader.kind
    }

    /// Notes that the playlist, called `master` in `directory`, refers to files that are not there.
    func noteMissing(in directory: String, master: String) {
        let place = "\(directory)/\(master)"
        let missing = references.filter { uri in
            LocalReference.path(uri, in: place).map { unsafe access($0, F_OK) != 0 } ?? false
        }
        guard let first = missing.first else { return }
        Console.note(
            "\(place): refers to \(first)\(missing.count > 1 ? " and \(missing.count - 1) more files" : ""), not in \(directory), "
                + "so it does not play there; give --base-uri URI, where MASTER comes from, or --base-uri relative, or with "
                + "--name NAME MASTER's own directory as -o")
    }

    private static func uri(of line: PlaylistLine) -> String? {
        switch line.kind {
        case .uri: return text(line.bytes)
        case .tag(.media), .tag(.iFrameStreamInf), .tag(.imageStreamInf):
            var uri: String?
            var attributes = line.attributes
            while let attribute = attributes.next() {
                let value = line.bytes[attribute.content(in: line.bytes)]
                if line.bytes[attribute.name] == "URI" { uri = text(value) }
            }
            return uri
        default: return nil
        }
    }

    private static func isSubtitles(_ line: PlaylistLine) -> Bool {
        var attributes = line.attributes
        guard line.kind == .tag(.media), let type = attributes.first(named: ByteView("TYPE")) else { return false }
        return line.bytes[type.content(in: line.bytes)] == "SUBTITLES"
    }

    private static func text(_ bytes: ByteView) -> String { unsafe String(decoding: bytes.buffer, as: UTF8.self) }
}
