import Support

/// What becomes of a URI in a playlist, by RFC 3986 word for word: an oracle.
struct NaiveMapping {
    var base: NaiveURI?
    var scheme: [UInt8]?
    /// The scheme that the caller names besides http and https.
    var otherScheme: [UInt8]?
    var host: [UInt8]?
    var queryItem: [UInt8]?

    /// The target of `reference` seen from the base, with the guards that keep a path a path (RFC 3986 3.3, 4.2).
    static func resolved(_ reference: [UInt8], against base: NaiveURI) -> [UInt8] {
        if isData(reference) { return reference }
        var target = NaiveURI(reference).resolved(against: base)
        guard target.authority == nil else { return target.text }
        let firstSegment = target.path.prefix { $0 != UInt8(ascii: "/") }
        // An empty reference has the base's own path, which is no work of the algorithm's.
        if NaiveURI(reference).path.isEmpty, NaiveURI(reference).scheme == nil { return target.text }
        if target.path.starts(with: "//".utf8) {
            target.path = Array("/.".utf8) + target.path
        } else if target.scheme == nil, firstSegment.contains(UInt8(ascii: ":")) {
            target.path = Array("./".utf8) + target.path
        }
        return target.text
    }

    /// What `uri` becomes once `variables` are put in. One that begins with a variable without a value stays as it is, and
    /// so does one that is not resolved and that no edit applies to. Nil if it is longer than it may be.
    func map(_ uri: [UInt8], with variables: NaiveDefinitions, upTo longest: Int) -> [UInt8]? {
        if uri.isEmpty || !concerns(uri) { return uri }
        let isPlain = !NaiveDefinitions.holdsReference(uri)
        guard let plain = isPlain ? uri : variables.substituted(in: uri, upTo: longest) else { return nil }
        if plain.isEmpty || !concerns(plain) || !isToldByItsBeginning(plain) { return uri }
        let mapped = edited(base.map { Self.resolved(plain, against: $0) } ?? plain)
        // One that is resolved has no variables of known value any more.
        return mapped == plain && base == nil ? uri : mapped
    }

    /// Whether all that decides what becomes of `uri` stands before its first variable.
    private func isToldByItsBeginning(_ uri: [UInt8]) -> Bool {
        guard let variable = uri.firstRange(of: "{$".utf8)?.lowerBound else { return true }
        let parts = NaiveURI(uri)
        let authorityEnd = (parts.scheme.map { $0.count + 1 } ?? 0) + (parts.authority.map { $0.count + 2 } ?? 0)
        if host != nil, parts.authority != nil, variable < authorityEnd { return false }
        let pathEnd = authorityEnd + parts.path.count
        if queryItem != nil, variable < (parts.query == nil ? pathEnd : pathEnd + 1) { return false }
        return variable > 0
    }

    /// `uri` with another scheme, another host and one more query item.
    func edited(_ uri: [UInt8]) -> [UInt8] {
        guard concerns(uri) else { return uri }
        var parts = NaiveURI(uri)
        let name = Self.scheme(of: uri)
        if let scheme, otherScheme.map({ name == Self.lowercased($0) }) ?? ["http", "https"].contains(name) {
            parts.scheme = scheme
        }
        if let host, let authority = parts.authority {
            parts.authority = authority[..<Self.host(in: authority).lowerBound] + host
        }
        if let queryItem {
            let query = parts.query ?? []
            let separator = query.isEmpty || query.last == UInt8(ascii: "&") ? [] : Array("&".utf8)
            parts.query = query + separator + queryItem
        }
        return parts.text
    }

    /// Whether anything is done with `uri`: it has no scheme, or that of the web, or the one that is named.
    private func concerns(_ uri: [UInt8]) -> Bool {
        let name = Self.scheme(of: uri)
        return name != "data" && (["", "http", "https"].contains(name) || name == otherScheme.map(Self.lowercased))
    }

    static func isData(_ uri: [UInt8]) -> Bool { scheme(of: uri) == "data" }

    /// The scheme in lower case, or nothing.
    private static func scheme(of uri: [UInt8]) -> String { lowercased(NaiveURI(uri).scheme ?? []) }

    private static func lowercased(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).lowercased() }

    /// Between the last `@` and the colon of a port; an IP literal ends with its bracket, which may be missing (3.2.2).
    static func host(in authority: [UInt8]) -> Range<Int> {
        let start = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? 0
        var portStart = start
        if start < authority.count, authority[start] == UInt8(ascii: "[") {
            portStart = authority[start...].firstIndex(of: UInt8(ascii: "]")) ?? authority.count
        }
        return start..<(authority[portStart...].firstIndex(of: UInt8(ascii: ":")) ?? authority.count)
    }
}
