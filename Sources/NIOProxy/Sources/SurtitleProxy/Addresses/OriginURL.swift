/// A server that requests go to.
struct OriginAddress: Hashable, Sendable {
    let isSecure: Bool
    let host: String
    let port: Int

    /// What Host says: the port only if it is not the scheme's own.
    let authority: String

    init(isSecure: Bool, host: String, port: Int) {
        (self.isSecure, self.host, self.port) = (isSecure, host, port)
        let name = host.contains(":" as Character) ? "[\(host)]" : host
        authority = port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }
}

/// An http or https URL, as far as a request needs it.
package struct OriginURL: Equatable, Sendable {
    let address: OriginAddress
    /// Path and query as they are written; `/` if there are none.
    let target: String

    /// Nil for whatever is no whole http or https URL.
    package init?(_ url: String) {
        let text = url.prefix { $0 != "#" }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let isSecure = scheme == "https"
        guard isSecure || scheme == "http", text.dropFirst(scheme.count).hasPrefix("://") else { return nil }
        let rest = text.dropFirst(scheme.count + 3)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let (host, port) = Self.split(rest[..<end]) else { return nil }
        let path = String(rest[end...])
        target = path.hasPrefix("/") ? path : "/" + path
        address = OriginAddress(isSecure: isSecure, host: host, port: port ?? (isSecure ? 443 : 80))
    }

    /// `https://example.com`, without a slash at its end.
    var root: String { (address.isSecure ? "https://" : "http://") + address.authority }

    /// The host and the port of an authority without user information.
    static func split(_ authority: Substring) -> (host: String, port: Int?)? {
        guard !authority.contains("@") else { return nil }
        var host = authority
        var port: Int?
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            let digits = authority[authority.index(after: colon)...]
            guard let number = Int(digits), 0..<65536 ~= number else { return nil }
            port = number
            host = authority[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return host.isEmpty ? nil : (String(host), port)
    }
}
