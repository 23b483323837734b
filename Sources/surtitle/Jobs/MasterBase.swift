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
        let mapping = try refusing(try URIMapping(base: Array(text.utf8))) { (error: URIMappingError) in
            Failure.usage("--base-uri \(text): \(error); or the word relative")
        }
        self = .uri(mapping)
    }

    /// What becomes of the URIs of the master that is read from `path`, when it moves to `directory`.
    func mapping(of path: String, for directory: String) throws(Failure) -> URIMapping {
        switch self {
        case .uri(let mapping): return mapping
        case .ownDirectory:
            guard path != "-" else { throw .usage("--base-uri relative is for a file; MASTER is standard input") }
            let way = try RelativePath.directory(of: path, from: directory)
            return try Failure.checking("--base-uri relative: ", try URIMapping(directory: Array(way.utf8)))
        }
    }
}
