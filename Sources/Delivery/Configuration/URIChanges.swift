public import M3U8

/// What is done to the URIs of a playlist, put together request by request.
///
/// A request for a role wins over one for all URIs, and of two for the same the later one; but every query item is appended.
public struct URIChanges: Sendable {
    /// What is put into URIs of a role, or of all if there is none.
    private struct Change<Value: Sendable>: Sendable {
        let role: URIRole?
        let value: Value
    }

    /// A new scheme, and what it replaces if that is not http and https.
    private struct Scheme: Sendable {
        let new: [UInt8]
        let old: [UInt8]?
    }

    /// What URIs are resolved against; nil if they are not.
    package private(set) var base: [UInt8]?
    private var schemes: [Change<Scheme>] = []
    private var hosts: [Change<[UInt8]>] = []
    private var queryItems: [Change<[UInt8]>] = []

    /// Nothing is done.
    public init() {}

    /// Whether nothing is asked for.
    package var isEmpty: Bool { base == nil && schemes.isEmpty && hosts.isEmpty && queryItems.isEmpty }

    /// Resolves every URI against `base` (RFC 3986 5).
    public mutating func resolve(against base: [UInt8]) throws(URIMappingError) {
        _ = try URIMapping(base: base)
        self.base = base
    }

    /// Puts a scheme into the URIs of `role`, or of all: `SCHEME`, or `OLD:SCHEME` for those of the scheme OLD alone.
    public mutating func setScheme(_ text: [UInt8], of role: URIRole?) throws(URIEditError) {
        let colon = text.firstIndex(of: UInt8(ascii: ":"))
        let new = Array(text[(colon.map { $0 + 1 } ?? 0)...])
        let old = colon.map { Array(text[..<$0]) }
        _ = try URIEdits(scheme: new, replacing: old, host: nil, queryItem: nil)
        schemes.append(Change(role: role, value: Scheme(new: new, old: old)))
    }

    /// Puts a host, and perhaps a port after a colon, into the URIs of `role`, or of all.
    public mutating func setHost(_ host: [UInt8], of role: URIRole?) throws(URIEditError) {
        _ = try URIEdits(scheme: nil, host: host, queryItem: nil)
        hosts.append(Change(role: role, value: host))
    }

    /// Appends `K=V` to the query of the URIs of `role`, or of all.
    public mutating func appendQuery(_ item: [UInt8], of role: URIRole?) throws(URIEditError) {
        _ = try URIEdits(scheme: nil, host: nil, queryItem: item)
        queryItems.append(Change(role: role, value: item))
    }

    /// What is done to URIs, or nil if nothing is.
    ///
    /// Nothing is refused that was accepted one by one.
    package func mapping() -> URIMapping? {
        guard !isEmpty, var mapping = try? URIMapping(base: base) else { return nil }
        for role in URIRole.allCases { mapping.setEdits(edits(of: role), of: role) }
        return mapping
    }

    /// What is done to the URIs of `role`, or nil if they are only resolved.
    private func edits(of role: URIRole) -> URIEdits? {
        let scheme = Self.last(schemes, of: role)
        let host = Self.last(hosts, of: role)
        var query: [UInt8]?
        for item in queryItems where item.role == nil || item.role == role {
            query = query.map { $0 + [UInt8(ascii: "&")] + item.value } ?? item.value
        }
        if scheme == nil, host == nil, query == nil { return nil }
        return try? URIEdits(scheme: scheme?.new, replacing: scheme?.old, host: host, queryItem: query)
    }

    private static func last<Value>(_ changes: [Change<Value>], of role: URIRole) -> Value? {
        var last: Value?
        for change in changes where change.role == nil { last = change.value }
        for change in changes where change.role == role { last = change.value }
        return last
    }
}
