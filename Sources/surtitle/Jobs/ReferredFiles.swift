internal import ByteScan
internal import M3U8

/// What a master playlist says, and the files below its directory to which it refers.
struct ReferredFiles {
    /// What the playlist says.
    let facts: PlaylistFacts

    /// The lower-cased paths of the files.
    ///
    /// Files of subtitles are not among them: a track that is there already is not added again, and keeps its name.
    let paths: Set<String>

    /// The relative references to files of any kind, as they stand in the playlist.
    private let references: [String]

    /// Reads the whole `playlist`, which is asked `questions`.
    ///
    /// A reference that holds a variable names no file.
    init(in playlist: [UInt8], asking questions: PlaylistFacts.Questions = []) {
        var paths: Set<String> = []
        var references: [String] = []
        facts = PlaylistFacts(of: playlist, asking: questions) { line, _ in
            guard let bytes = Self.uri(of: line), !URIReference(bytes).holdsVariable else { return }
            let uri = unsafe String(decoding: bytes.buffer, as: UTF8.self)
            guard URIPath(uri).isRelative else { return }
            references.append(uri)
            guard !Self.isSubtitles(line), let steps = URIPath(uri).steps else { return }
            paths.insert(TrackPlan.key(steps))
        }
        self.paths = paths
        self.references = references
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

    private static func uri(of line: PlaylistLine) -> ByteView? {
        switch line.kind {
        // The first line is never one, though a byte order mark may stand in front of its tag.
        case .uri: line.position == 0 ? nil : line.bytes
        case .tag(.media), .tag(.iFrameStreamInf), .tag(.imageStreamInf): line.content(of: "URI")
        default: nil
        }
    }

    private static func isSubtitles(_ line: PlaylistLine) -> Bool {
        line.kind == .tag(.media) && line.content(of: "TYPE").map { $0 == "SUBTITLES" } ?? false
    }
}
