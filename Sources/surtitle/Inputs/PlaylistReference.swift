internal import ByteScan
internal import M3U8

/// What a playlist refers to, as far as it can be read.
enum PlaylistReference: Equatable {
    case file(String)
    case web(String)

    /// What `uri` refers to in the playlist at `place`, a path, `-` or a URL.
    ///
    /// Nil if it can be nothing that is read. What is fetched never names a local file.
    init?(_ uri: String, in place: String) {
        if Web.isURL(place) {
            let target = String(decoding: Array(place.utf8).resolving(Array(uri.utf8)), as: UTF8.self)
            guard Web.isURL(target) else { return nil }
            self = .web(target)
        } else if Web.isURL(uri) {
            self = .web(uri)
        } else {
            guard let path = LocalReference.path(uri, in: place) else { return nil }
            self = .file(path)
        }
    }

    /// The operand by which it is read. A local playlist's URLs are fetched only if that is asked for.
    ///
    /// - Throws: Why it is not.
    static func operand(_ uri: String, in place: String) throws(UnknownMediaStart) -> String {
        switch PlaylistReference(uri, in: place) {
        case .file(let path): return path
        case .web(let url):
            let isAsked = unsafe Web.shared.access.followsReferences
            guard isAsked || Web.isURL(place) else {
                throw UnknownMediaStart(reason: "\(uri) is on the web, and is fetched only with --fetch")
            }
            return url
        case nil: throw UnknownMediaStart(reason: "\(uri) is no local file")
        }
    }
}

/// The local file that a playlist refers to.
enum LocalReference {
    /// The path of the file that `uri` is, in the playlist at `playlist`; nil if it is none: `uri` has a scheme, a host
    /// or a leading slash, or names no file, or the playlist is standard input or no local file.
    static func path(_ uri: String, in playlist: String) -> String? {
        guard playlist != "-", !Web.isURL(playlist), let steps = URIPath(uri).steps(climbing: true),
            steps.last != ".."
        else { return nil }
        return playlist.folder + steps.joined(separator: "/")
    }
}
