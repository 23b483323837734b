internal import ByteScan

/// What is done to the URIs of a playlist; checked once, immutable, and shared by every ``URIMapper`` and thread.
///
/// A URI is first resolved against the base, where there is one (RFC 3986 5), then edited.
public struct URIMapping: Sendable {
    let base: StableBytes?

    /// What is done to the URIs of each role, by its raw value.
    private var edits: [URIEdits?]

    /// A mapping that resolves every URI against `base`, and then edits it with `edits`.
    ///
    /// - Throws: ``URIMappingError`` for a base that has no scheme, or that a playlist cannot hold.
    public init(base: [UInt8]? = nil, edits: URIEdits? = nil) throws(URIMappingError) {
        if let base {
            if let position = URISyntax.referenceFault(in: base) { throw .baseByte(position: position) }
            guard Self.hasScheme(base) else { throw .relativeBase }
        }
        self.base = base.map { StableBytes($0) }
        self.edits = URIRole.allCases.map { _ in edits }
    }

    /// Edits the URIs of `role` with `edits` instead; nil leaves them as they were resolved.
    public mutating func setEdits(_ edits: URIEdits?, of role: URIRole) { self.edits[Int(role.rawValue)] = edits }

    /// The tags that ``URIMapper`` has to be shown; URI lines come on top (``PlaylistEdits`` selects them).
    public static var tags: [TagSelector] { ([.streamInf] + URIRole.tags).map { TagSelector($0) } }

    /// Appends what `uri` becomes to `output`; false where it stays as it is.
    ///
    /// A `data:` URI and one that refers to a variable are left alone. Neither buffer may hold `uri`.
    func write(
        _ uri: ByteView, _ role: URIRole, through scratch: inout ReusableBuffer<UInt8>,
        into output: inout ReusableBuffer<UInt8>
    ) -> Bool {
        let reference = URIReference(uri)
        guard !uri.isEmpty, !reference.isData, !reference.holdsVariable else { return false }
        let start = output.count
        scratch.removeAll()
        if let base {
            reference.writeResolved(against: URIReference(base.view), into: &scratch)
        } else {
            scratch.append(uri)
        }
        if let edits = edits[Int(role.rawValue)] {
            edits.write(URIReference(scratch.view), into: &output)
        } else {
            output.append(scratch.view)
        }
        guard output.view.suffix(from: start) == uri else { return true }
        output.truncate(to: start)
        return false
    }

    private static func hasScheme(_ base: [UInt8]) -> Bool {
        let bytes = StableBytes(base)
        let reference = URIReference(bytes.view)
        return reference.scheme != nil && !reference.isData
    }
}

/// Why a mapping was refused; the position is that of a byte in the base.
public enum URIMappingError: Error, Equatable {
    /// The base has no scheme, or is a `data:` URI: nothing can be resolved against it (RFC 3986 5.1).
    case relativeBase
    /// The byte may not stand in a URI (RFC 3986 2).
    case baseByte(position: Int)
}

#if !hasFeature(Embedded)
extension URIMappingError: CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .relativeBase: "the base has no scheme; give a whole URI such as https://example.com/video/"
        case .baseByte(let position): "byte \(position) of the base may not stand in a URI; percent-encode it"
        }
    }
}
#endif
