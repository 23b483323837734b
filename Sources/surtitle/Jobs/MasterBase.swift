internal import ByteScan
internal import M3U8

/// Against what the relative URIs of a master are resolved when it moves to another directory.
enum MasterBase {
    /// A URI with a scheme: where the master was fetched from.
    case uri(URIMapping)
    /// The master's own directory, as seen from the one that it moves to.
    case ownDirectory

    /// The value of `--base-uri`.
    init(_ text: String) throws(Failure) {
        if text == "relative" {
            self = .ownDirectory
            return
        }
        do {
            self = .uri(try URIMapping(base: Array(text.utf8)))
        } catch {
            throw .usage("--base-uri \(text): \(error); or the word relative")
        }
    }

    /// What the master `playlist` becomes, which is read from `path`, when it moves to `directory`.
    func rebase(_ playlist: [UInt8], of path: String, for directory: String) throws(Failure) -> [UInt8] {
        let mapping: URIMapping
        switch self {
        case .uri(let known): mapping = known
        case .ownDirectory:
            guard path != "-" else { throw .usage("--base-uri relative is for a file; MASTER is standard input") }
            let way = try RelativePath.directory(of: path, from: directory)
            do {
                mapping = try URIMapping(directory: Array(way.utf8))
            } catch {
                throw .usage("--base-uri relative: \(error)")
            }
        }
        var mapper = URIMapper(mapping)
        var output: [UInt8] = []
        output.reserveCapacity(playlist.count)
        do {
            var rewriter = PlaylistRewriter(try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true))
            // Under the default policy nothing is thrown: past a limit the bytes pass through, which the sideloading tells.
            unsafe playlist.withUnsafeBytes { bytes in
                try? unsafe rewriter.write(bytes, deciding: { mapper.map($0, &$1) }) { output += $0.view }
            }
            rewriter.finish(deciding: { mapper.map($0, &$1) }) { output += $0.view }
        } catch {
            throw .usage("\(error)")
        }
        return output
    }
}
