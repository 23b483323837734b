public import ByteScan

/// Changes to the parts of URI references: another scheme, another host, one more query item.
///
/// Checked once and immutable; any number of threads may write with the same edits.
public struct URIEdits: Sendable {
    private let scheme: StableBytes?
    private let host: StableBytes?
    private let queryItem: StableBytes?

    /// Edits that put in what is given and leave the rest as it is.
    ///
    /// - Parameters:
    ///   - scheme: takes the place of an absolute reference's scheme (RFC 3986 3.1).
    ///   - host: takes the place of the host where there is an authority; user information and port stay (3.2.2).
    ///   - queryItem: `K=V`, or several joined by `&`, already percent-encoded; goes behind the query there is (3.4).
    /// - Throws: ``URIEditError``, where a value would not stay inside its component.
    public init(scheme: [UInt8]?, host: [UInt8]?, queryItem: [UInt8]?) throws(URIEditError) {
        if let scheme, let position = URISyntax.schemeFault(in: scheme) { throw .scheme(position: position) }
        if let host, let position = URISyntax.hostFault(in: host) { throw .host(position: position) }
        if let queryItem, let position = URISyntax.queryFault(in: queryItem) { throw .queryItem(position: position) }
        self.scheme = scheme.map { StableBytes($0) }
        self.host = host.map { StableBytes($0) }
        self.queryItem = queryItem.map { StableBytes($0) }
    }

    /// The same from text.
    public init(scheme: String? = nil, host: String? = nil, queryItem: String? = nil) throws(URIEditError) {
        try self.init(
            scheme: scheme.map { Array($0.utf8) }, host: host.map { Array($0.utf8) },
            queryItem: queryItem.map { Array($0.utf8) })
    }

    /// Whether any of the edits finds its place in `reference`; none does in a `data:` URI.
    public func concern(_ reference: URIReference) -> Bool {
        guard !reference.isData else { return false }
        return queryItem != nil || (scheme != nil && reference.scheme != nil)
            || (host != nil && reference.authority != nil)
    }

    /// Appends the edited reference to `output`; a reference that is not concerned is copied.
    ///
    /// Everything that is not edited stays byte for byte. The reference may not lie in `output`.
    public func write(_ reference: URIReference, into output: inout ReusableBuffer<UInt8>) {
        let bytes = reference.bytes
        guard concern(reference) else { return output.append(bytes) }
        var copied = 0
        if let scheme, let range = reference.scheme {
            output.append(scheme.view)
            copied = range.upperBound
        }
        if let host, let range = reference.host {
            output.append(bytes[copied..<range.lowerBound])
            output.append(host.view)
            copied = range.upperBound
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

/// Why a part of a URI was refused; the position is that of the offending byte in the part, or its length.
public enum URIEditError: Error, Equatable {
    /// A scheme is a letter, then letters, digits, `+`, `-` and `.` (RFC 3986 3.1).
    case scheme(position: Int)
    /// A host is a name or an address, IPv6 in brackets, with neither user information nor port (RFC 3986 3.2.2).
    case host(position: Int)
    /// A query item holds what a query may hold, and everything else percent-encoded (RFC 3986 3.4).
    case queryItem(position: Int)
}

#if !hasFeature(Embedded)
extension URIEditError: CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .scheme(let position):
            "byte \(position) of the scheme: expected a letter, then letters, digits, + - or ."
        case .host(let position):
            "byte \(position) of the host: expected a name or an address (IPv6 in brackets), without user and port"
        case .queryItem(let position):
            "byte \(position) of the query item: expected a byte that a query may hold; percent-encode it"
        }
    }
}
#endif
