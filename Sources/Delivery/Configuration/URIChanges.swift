public import M3U8

/// What is done to the URIs of a playlist, put together request by request.
///
/// A request for a role wins over one for all URIs, and of two for the same the later one; but every query item is
/// appended.
public struct URIChanges: Sendable {
    /// What is put into URIs of a role, or of all if there is none.
    private struct Change: Sendable {
        let role: URIRole?
        var scheme: [UInt8]?
        /// What the scheme replaces if that is not http and https.
        var oldScheme: [UInt8]?
        var host: [UInt8]?
        var queryItem: [UInt8]?
    }

    /// What URIs are resolved against; nil if they are not.
    package private(set) var base: [UInt8]?
    private var changes: [Change] = []

    /// Nothing is done.
    public init() {}

    /// Whether nothing is asked for.
    package var isEmpty: Bool { base == nil && changes.isEmpty }

    /// Resolves every URI against `base` (RFC 3986 5).
    public mutating func resolve(against base: [UInt8]) throws(URIMappingError) {
        _ = try URIMapping(base: base)
        self.base = base
    }

    /// Puts a scheme into the URIs of `role`, or of all: `SCHEME`, or `OLD:SCHEME` for those of the scheme OLD alone.
    public mutating func setScheme(_ text: [UInt8], of role: URIRole?) throws(URIEditError) {
        let colon = text.firstIndex(of: UInt8(ascii: ":"))
        let new = Array(text[(colon.map { $0 + 1 } ?? 0)...])
        try add(Change(role: role, scheme: new, oldScheme: colon.map { Array(text[..<$0]) }))
    }

    /// Puts a host, and perhaps a port after a colon, into the URIs of `role`, or of all.
    public mutating func setHost(_ host: [UInt8], of role: URIRole?) throws(URIEditError) {
        try add(Change(role: role, host: host))
    }

    /// Appends `K=V` to the query of the URIs of `role`, or of all.
    public mutating func appendQuery(_ item: [UInt8], of role: URIRole?) throws(URIEditError) {
        try add(Change(role: role, queryItem: item))
    }

    private mutating func add(_ change: Change) throws(URIEditError) {
        _ = try URIEdits(
            scheme: change.scheme, replacing: change.oldScheme, host: change.host, queryItem: change.queryItem)
        changes.append(change)
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
        let asked = changes.filter { $0.role == nil } + changes.filter { $0.role == role }
        let scheme = asked.last { $0.scheme != nil }
        let host = asked.last { $0.host != nil }?.host
        var query: [UInt8]?
        for change in changes where change.role == nil || change.role == role {
            guard let item = change.queryItem else { continue }
            query = query.map { $0 + [UInt8(ascii: "&")] + item } ?? item
        }
        if asked.isEmpty { return nil }
        return try? URIEdits(scheme: scheme?.scheme, replacing: scheme?.oldScheme, host: host, queryItem: query)
    }
}
