internal import ByteScan
internal import M3U8

/// The path of a URI reference, of which file names are made.
struct URIPath {
    /// A component between two slashes, percent-encoded as in the URI.
    struct Component: Equatable {
        let encoded: String

        /// The file name, or nil if there can be no such file: it is empty, `.` or `..`, contains a slash or a NUL, or
        /// is not UTF-8.
        var decoded: String? { encoded.withView(URISyntax.fileName).map { String(decoding: $0, as: UTF8.self) } }

        /// The component up to its last dot.
        var withoutExtension: Component {
            let scalars = encoded.unicodeScalars
            guard let dot = scalars.lastIndex(of: "."), dot > scalars.startIndex else { return self }
            return Component(encoded: String(scalars[..<dot]))
        }
    }

    /// The components, with an empty one before a leading slash and after a trailing one.
    let components: [Component]

    /// Whether the reference has no scheme, no host and no leading slash: it is relative to the playlist's directory.
    let isRelative: Bool

    /// The path of the reference `uri`.
    init(_ uri: String) {
        let (path, isRelative) = uri.withView { bytes in
            let reference = URIReference(bytes)
            let path = bytes[reference.path]
            let isRelative = reference.scheme == nil && reference.authority == nil && path.first != ASCII.slash
            return (String(decoding: Array(path), as: UTF8.self), isRelative)
        }
        components = path.pieces(at: "/").map { Component(encoded: $0) }
        self.isRelative = isRelative
    }

    /// The file's name; empty if the path ends with a slash.
    var lastComponent: Component { components.last ?? Component(encoded: "") }

    /// The way to the file in steps from the playlist's directory: names of directories, then the file's.
    ///
    /// Nil if the file is not below that directory, or if there can be no such file.
    var steps: [String]? { steps(climbing: false) }

    /// The same; if it may be `climbing`, the file may be above that directory, and `..` is a step.
    func steps(climbing: Bool) -> [String]? {
        guard isRelative else { return nil }
        var steps: [String] = []
        for component in components where component.encoded != "." {
            guard let step = climbing && component.encoded == ".." ? ".." : component.decoded else { return nil }
            steps.append(step)
        }
        return steps.isEmpty ? nil : steps
    }
}
