internal import ByteScan
internal import M3U8

/// The path of a URI reference, of which file names are made.
struct URIPath {
    /// A component between two slashes, percent-encoded as in the URI.
    struct Component: Equatable {
        let encoded: String

        /// The file name, or nil if there can be no such file: it is empty, `.` or `..`, contains a slash or a NUL, or is not
        /// UTF-8.
        var decoded: String? {
            let source = Array(encoded.utf8)
            var bytes: [UInt8] = []
            var index = 0
            while index < source.count {
                if let byte = Self.escapedByte(in: source, at: index) {
                    bytes.append(byte)
                    index += 3
                } else {
                    bytes.append(source[index])
                    index += 1
                }
            }
            let name = String(decoding: bytes, as: UTF8.self)
            // What is not UTF-8 is decoded to something else. `String(validating:as:)` would tell, but needs macOS 15.
            let isName = name.utf8.elementsEqual(bytes) && !bytes.contains(0) && !bytes.contains(UInt8(ascii: "/"))
            return !isName || ["", ".", ".."].contains(name) ? nil : name
        }

        /// The text after the last dot, in lower case; empty if there is no dot.
        var pathExtension: String {
            let scalars = encoded.unicodeScalars
            guard let dot = scalars.lastIndex(of: ".") else { return "" }
            return String(scalars[scalars.index(after: dot)...]).lowercased()
        }

        /// The component up to its last dot.
        var withoutExtension: Component {
            let scalars = encoded.unicodeScalars
            guard let dot = scalars.lastIndex(of: "."), dot > scalars.startIndex else { return self }
            return Component(encoded: String(scalars[..<dot]))
        }

        /// The byte that is escaped at `index`, or nil. A percent sign that no two digits follow is no escape.
        private static func escapedByte(in bytes: [UInt8], at index: Int) -> UInt8? {
            guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count else { return nil }
            let digits = bytes[(index + 1)...(index + 2)].map { Character(UnicodeScalar($0)).hexDigitValue }
            guard let high = digits[0], let low = digits[1] else { return nil }
            return UInt8(high * 16 + low)
        }
    }

    /// The components, with an empty one before a leading slash and after a trailing one.
    let components: [Component]

    /// Whether the reference has no scheme, no host and no leading slash: it is relative to the playlist's directory.
    let isRelative: Bool

    /// The path of the reference `uri`.
    init(_ uri: String) {
        let bytes = Array(uri.utf8)
        let (path, isRelative) = unsafe bytes.withUnsafeBytes { buffer in
            let reference = unsafe URIReference(ByteView(buffer))
            let path = unsafe String(decoding: reference.bytes[reference.path].buffer, as: UTF8.self)
            return (path, reference.scheme == nil && reference.authority == nil && path.unicodeScalars.first != "/")
        }
        components = path.pieces(at: "/").map { Component(encoded: $0) }
        self.isRelative = isRelative
    }

    /// The file's name; empty if the path ends with a slash.
    var lastComponent: Component { components.last ?? Component(encoded: "") }

    /// The way to the file in steps from the playlist's directory: names of directories, then the file's.
    ///
    /// Nil if the file is not below that directory, or if there can be no such file.
    var steps: [String]? {
        guard isRelative else { return nil }
        var steps: [String] = []
        for component in components where component.encoded != "." {
            guard let step = component.decoded else { return nil }
            steps.append(step)
        }
        return steps.isEmpty ? nil : steps
    }
}
