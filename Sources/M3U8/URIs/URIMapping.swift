public import ByteScan

/// What is done to the URIs of a playlist; checked once, immutable, and shared by every ``URIMapper`` and thread.
///
/// A URI is first resolved against the base, if there is one (RFC 3986 5), then edited. Absolute URIs of other schemes
/// than http and https are neither, unless ``URIEdits`` name theirs.
public struct URIMapping: Sendable {
    /// What a URI is resolved against.
    private enum Base: @unchecked Sendable {
        /// A URI, which never changes, and the bytes that it is split of.
        case uri(URIReference, StableBytes)
        case directory(StableBytes)
    }

    private let base: Base?

    /// Whether URIs are resolved.
    var hasBase: Bool { base != nil }

    /// What is done to the URIs of each role, by its raw value.
    private var edits: [URIEdits?]

    /// A mapping that resolves every URI against `base`, and then edits it with `edits`.
    ///
    /// - Throws: ``URIMappingError`` for a base that has no scheme, or bytes that no URI holds.
    public init(base: [UInt8]? = nil, edits: URIEdits? = nil) throws(URIMappingError) {
        if let base {
            if let position = URISyntax.referenceFault(in: base) { throw URIMappingError(.baseByte, at: position) }
            guard Self.hasScheme(base) else { throw URIMappingError(.relativeBase) }
        }
        self.base = base.map { base in
            let bytes = StableBytes(base)
            return .uri(URIReference(bytes.view), bytes)
        }
        self.edits = URIRole.allCases.map { _ in edits }
    }

    /// A mapping for a playlist that moves: puts `directory`, the way from its new place to the old one such as
    /// `../video/`, before every relative path.
    ///
    /// - Throws: ``URIMappingError`` for bytes that no URI holds.
    public init(directory: [UInt8]) throws(URIMappingError) {
        if let position = URISyntax.referenceFault(in: directory) { throw URIMappingError(.baseByte, at: position) }
        base = .directory(StableBytes(directory))
        edits = URIRole.allCases.map { _ in nil }
    }

    /// Edits the URIs of `role` with `edits` instead; if nil they are only resolved.
    public mutating func setEdits(_ edits: URIEdits?, of role: URIRole) { self.edits[Int(role.rawValue)] = edits }

    /// The tags that ``URIMapper`` must see. It must see URI lines too, which ``PlaylistEdits`` selects apart from
    /// tags.
    public static var tags: [TagSelector] {
        ([.streamInf, .define] + TagName.allCases.filter { $0.role != nil }).map { TagSelector($0) }
    }

    /// What is done to the URIs of `role` once they are resolved.
    func edits(of role: URIRole) -> URIEdits? { edits[Int(role.rawValue)] }

    /// Whether URIs of some role get another host.
    var replacesHosts: Bool { edits.contains { $0?.replacesHost ?? false } }

    /// Whether references are resolved, and so lose their dot segments.
    var resolves: Bool { if case .uri = base { true } else { false } }

    /// Whether what stands before a relative path, and whether URIs of its scheme are edited, hangs on nothing in it:
    /// without an authority a path may need a segment more, and other schemes are edited only if they are asked for.
    var hasTellingBase: Bool { if case .uri(let base, _) = base { base.isHTTPWithHost } else { true } }

    /// What becomes of `uri`.
    func written(_ uri: [UInt8], _ role: URIRole) -> [UInt8] {
        var scratch = ReusableBuffer<UInt8>()
        var output = ReusableBuffer<UInt8>()
        let isAnother = uri.withView { bytes in
            let reference = URIReference(bytes)
            return concerns(reference, role) && write(reference, role, through: &scratch, into: &output)
        }
        return isAnother ? Array(output.view) : uri
    }

    /// Whether something may be done with `reference`, which is of `role`.
    ///
    /// `data:` URIs stay as they are, and so do those of other schemes than http and https: `skd:` and `urn:` hold
    /// identifiers of keys. One that the edits of the role name is the exception.
    func concerns(_ reference: URIReference, _ role: URIRole) -> Bool {
        if let edits = edits[Int(role.rawValue)] { return edits.concern(reference) }
        return hasBase && reference.isRelativeOrHTTP
    }

    /// Whether `reference`, which is of `role`, can be mapped with a variable in it, the first at `offset`: not if it
    /// begins with one, which may be a whole URI, nor if an edit needs to know more.
    func allow(variableAt offset: Int, in reference: URIReference, _ role: URIRole) -> Bool {
        offset > 0 && edits[Int(role.rawValue)]?.allow(variableAt: offset, in: reference) != false
    }

    /// Appends the mapped `reference`, which the mapping concerns, to `output` and returns true, or appends nothing and
    /// returns false if it stays the same.
    ///
    /// It must lie in neither buffer.
    func write(
        _ reference: URIReference, _ role: URIRole, through scratch: inout ReusableBuffer<UInt8>,
        into output: inout ReusableBuffer<UInt8>
    ) -> Bool {
        let start = output.count
        if let edits = edits[Int(role.rawValue)] {
            scratch.removeAll()
            resolve(reference, into: &scratch)
            edits.write(hasBase ? URIReference(scratch.view) : reference, into: &output)
        } else {
            resolve(reference, into: &output)
        }
        guard output.view.suffix(from: start) == reference.bytes else { return true }
        output.truncate(to: start)
        return false
    }

    /// Appends the reference, resolved if there is a base.
    private func resolve(_ reference: URIReference, into output: inout ReusableBuffer<UInt8>) {
        switch base {
        case .uri(let base, _): reference.writeResolved(against: base, into: &output)
        case .directory(let directory):
            if reference.isRelativePath { output.append(directory.view) }
            output.append(reference.bytes)
        case nil: output.append(reference.bytes)
        }
    }

    private static func hasScheme(_ base: [UInt8]) -> Bool {
        let bytes = StableBytes(base)
        let reference = URIReference(bytes.view)
        return reference.scheme != nil && !reference.isData
    }
}

/// A mapping was refused.
public struct URIMappingError: Error, Equatable, Sendable {
    /// What is wrong with the base.
    @nonexhaustive
    public enum Reason: Sendable {
        /// It has no scheme, or is a `data:` URI: nothing can be resolved against it (RFC 3986 5.1).
        case relativeBase
        /// It has a byte that may not stand in a URI (RFC 3986 2).
        case baseByte
    }

    /// What is wrong with the base.
    public let reason: Reason
    /// The offset of the offending byte in the base; 0 if it is not a matter of one byte.
    public let position: Int

    package init(_ reason: Reason, at position: Int = 0) {
        self.reason = reason
        self.position = position
    }
}

extension URIMappingError: Described {
    /// What is wrong, in words.
    public var message: Message {
        reason == .relativeBase
            ? "the base has no scheme; give a whole URI such as https://example.com/video/"
            : "byte \(position) of the base may not stand in a URI; percent-encode it"
    }
}
