public import ByteScan

/// Changes to the parts of URI references: another scheme, another host, one more query item.
///
/// They touch relative references and those of http and https alone, and of one more scheme if the caller names it.
/// Checked once and immutable; any number of threads may write with the same edits.
public struct URIEdits: Sendable {
    private let scheme: StableBytes?
    private let otherScheme: StableBytes?
    private let host: StableBytes?
    private var queryItem: StableBytes?
    private let addresses: Addresses?

    /// What takes the place of `http://` and of `https://`.
    private struct Addresses: Sendable {
        let http: StableBytes
        let https: StableBytes
    }

    /// Edits of the parts that are given; the others stay as they are.
    ///
    /// - Parameters:
    ///   - scheme: The new scheme of `http:` and `https:` URIs, or of `otherScheme` ones (RFC 3986 3.1).
    ///   - otherScheme: Another scheme than http and https that is replaced in their stead, and whose URIs the other
    ///     edits touch too.
    ///     `data` never is.
    ///   - host: The new host of references with an authority, which may have a port after a colon. The old port goes,
    ///     user
    ///     information stays (3.2.2, 3.2.3).
    ///   - queryItem: `K=V`, or several joined by `&`, already percent-encoded; appended to the query (3.4).
    /// - Throws: ``URIEditError`` if a value would not stay inside its component.
    public init(
        scheme: [UInt8]?, replacing otherScheme: [UInt8]? = nil, host: [UInt8]?, queryItem: [UInt8]?
    ) throws(URIEditError) {
        for scheme in [scheme, otherScheme] {
            guard let scheme, let position = URISyntax.schemeFault(in: scheme) else { continue }
            throw URIEditError(.scheme, at: position)
        }
        if let host, let position = URISyntax.hostFault(in: host) { throw URIEditError(.host, at: position) }
        if let queryItem, let position = URISyntax.queryFault(in: queryItem) {
            throw URIEditError(.queryItem, at: position)
        }
        self.scheme = scheme.map { StableBytes($0) }
        self.otherScheme = otherScheme.map { StableBytes($0) }
        self.host = host.map { StableBytes($0) }
        self.queryItem = queryItem.map { StableBytes($0) }
        addresses = nil
    }

    /// Edits that put `http` in the place of `http://`, and `https` in the place of `https://`, of all references that
    /// have an authority: so that both can be told apart and put back.
    ///
    ///     https://example.com/a?b     surtitle-key-https://example.com/a?b
    ///                                 http://localhost:8080/key/https/example.com/a?b
    ///
    /// - Throws: ``URIEditError`` for one that has no scheme, or a byte that may not stand in a URI (RFC 3986 2, 3.1).
    public init(replacingHTTP http: [UInt8], https: [UInt8]) throws(URIEditError) {
        for address in [http, https] {
            if let position = URISyntax.addressFault(in: address) { throw URIEditError(.address, at: position) }
        }
        addresses = Addresses(http: StableBytes(http), https: StableBytes(https))
        scheme = nil
        otherScheme = nil
        host = nil
        queryItem = nil
    }

    /// Edits of the parts that are given, as text.
    public init(
        scheme: String? = nil, replacing otherScheme: String? = nil, host: String? = nil, queryItem: String? = nil
    ) throws(URIEditError) {
        try self.init(
            scheme: scheme.map { Array(utf8: $0) }, replacing: otherScheme.map { Array(utf8: $0) },
            host: host.map { Array(utf8: $0) }, queryItem: queryItem.map { Array(utf8: $0) })
    }

    /// The edits but for the query item.
    var withoutQueryItem: URIEdits {
        var edits = self
        edits.queryItem = nil
        return edits
    }

    /// What is appended to queries, or nothing.
    var queryItemBytes: [UInt8] { queryItem.map { Array($0.view) } ?? [] }

    /// Whether references with an authority get another host.
    var replacesHost: Bool { host != nil }

    /// Whether any of the edits applies to `reference`.
    public func apply(to reference: URIReference) -> Bool {
        if addresses != nil { return reference.isHTTP && reference.authority != nil }
        return concern(reference)
            && (queryItem != nil || replaceScheme(of: reference) || (host != nil && reference.authority != nil))
    }

    /// Whether `reference` is of a scheme that the edits touch, or has none.
    func concern(_ reference: URIReference) -> Bool {
        guard !reference.isData else { return false }
        return reference.isRelativeOrHTTP || otherScheme.map { reference.hasScheme($0.view) } ?? false
    }

    /// Whether all that the edits touch of `reference` stands before its first variable, at `offset`, or is the same
    /// whatever its value.
    func allow(variableAt offset: Int, in reference: URIReference) -> Bool {
        if host != nil, let authority = reference.authority, offset < authority.upperBound { return false }
        // A value in a path may have a query.
        if queryItem != nil, offset < (reference.query?.lowerBound ?? reference.path.upperBound) { return false }
        return true
    }

    private func replaceScheme(of reference: URIReference) -> Bool {
        scheme != nil && otherScheme.map { reference.hasScheme($0.view) } ?? reference.isHTTP
    }

    /// Appends the edited reference to `output`; one to which no edit applies is copied.
    ///
    /// All other bytes stay as they are. The reference must not lie in `output`.
    package func write(_ reference: URIReference, into output: inout ReusableBuffer<UInt8>) {
        let bytes = reference.bytes
        guard apply(to: reference) else { return output.append(bytes) }
        var copied = 0
        if let addresses, let authority = reference.authority {
            output.append((reference.hasScheme(ByteView("https")) ? addresses.https : addresses.http).view)
            copied = authority.lowerBound
        }
        if let scheme, let range = reference.scheme, replaceScheme(of: reference) {
            output.append(scheme.view)
            copied = range.upperBound
        }
        if let host, let authority = reference.authority, let old = reference.host {
            output.append(bytes[copied..<old.lowerBound])
            output.append(host.view)
            copied = authority.upperBound
        }
        if let queryItem {
            let end = reference.query?.upperBound ?? reference.path.upperBound
            output.append(bytes[copied..<end])
            if let query = reference.query {
                if !query.isEmpty, bytes[end &- 1] != ASCII.ampersand { output.append(ASCII.ampersand) }
            } else {
                output.append(ASCII.questionMark)
            }
            output.append(queryItem.view)
            copied = end
        }
        output.append(bytes.suffix(from: copied))
    }
}

/// A part of a URI was refused.
public struct URIEditError: Error, Equatable, Sendable {
    /// Which part it is.
    @nonexhaustive
    public enum Part: Sendable {
        /// A scheme is a letter, then letters, digits, `+`, `-` and `.` (RFC 3986 3.1).
        case scheme
        /// A host is a name or an address, IPv6 in brackets, without user information; a port from 0 to 65535 may
        /// follow after a colon (RFC 3986 3.2.2, 3.2.3).
        case host
        /// A query item holds what a query may hold, and everything else percent-encoded (RFC 3986 3.4).
        case queryItem
        /// What takes the place of `http://` begins with a scheme, and holds what a URI may hold (RFC 3986 2, 3.1).
        case address
    }

    /// Which part it is.
    public let part: Part
    /// The offset of the offending byte in the part, or the part's length if something is missing at its end.
    public let position: Int

    package init(_ part: Part, at position: Int) {
        self.part = part
        self.position = position
    }
}

extension URIEditError: Described {
    /// What is wrong, in words.
    public var message: Message { "byte \(position) of \(part)" }
}

extension URIEditError.Part: Described {
    /// The part, and what it may be, in words.
    public var message: Message {
        switch self {
        case .scheme: "the scheme: expected a letter, then letters, digits, + - or ."
        case .host: "the host: expected a name or an address (IPv6 in brackets), then perhaps : and a port, no user"
        case .address: "the address: expected a scheme and a colon, and then what a URI may hold"
        case .queryItem: "the query item: expected a byte that a query may hold; percent-encode it"
        }
    }
}
