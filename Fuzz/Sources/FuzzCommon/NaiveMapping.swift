import Support

/// What becomes of a URI in a playlist, by RFC 3986 word for word: an oracle.
struct NaiveMapping {
    var base: NaiveURI?
    var scheme: [UInt8]?
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

    /// What `uri` becomes.
    func map(_ uri: [UInt8]) -> [UInt8] {
        if uri.isEmpty || Self.isData(uri) || uri.indices.contains(where: { uri[$0...].starts(with: "{$".utf8) }) {
            return uri
        }
        let resolved = base.map { Self.resolved(uri, against: $0) } ?? uri
        return edited(resolved)
    }

    /// `uri` with another scheme, another host and one more query item.
    func edited(_ uri: [UInt8]) -> [UInt8] {
        if Self.isData(uri) { return uri }
        var parts = NaiveURI(uri)
        if let scheme, parts.scheme != nil { parts.scheme = scheme }
        if let host, let authority = parts.authority {
            let range = Self.host(in: authority)
            parts.authority = authority[..<range.lowerBound] + host + authority[range.upperBound...]
        }
        if let queryItem {
            let query = parts.query ?? []
            let separator = query.isEmpty || query.last == UInt8(ascii: "&") ? [] : Array("&".utf8)
            parts.query = query + separator + queryItem
        }
        return parts.text
    }

    static func isData(_ uri: [UInt8]) -> Bool {
        String(decoding: NaiveURI(uri).scheme ?? [], as: UTF8.self).lowercased() == "data"
    }

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
