/// The local file that a playlist refers to.
enum LocalReference {
    /// The path of the file that `uri` is, in the playlist at `playlist`; nil if it is none: `uri` has a scheme, a host or a
    /// leading slash, or names no file, or the playlist is standard input.
    static func path(_ uri: String, in playlist: String) -> String? {
        let path = URIPath(uri)
        guard playlist != "-", path.isRelative else { return nil }
        var steps: [String] = []
        for component in path.components where component.encoded != "." {
            guard let step = component.encoded == ".." ? ".." : component.decoded else { return nil }
            steps.append(step)
        }
        guard let last = steps.last, last != ".." else { return nil }
        let folder = playlist.unicodeScalars.lastIndex(of: "/").map { String(playlist.unicodeScalars[...$0]) } ?? ""
        return folder + steps.joined(separator: "/")
    }
}
