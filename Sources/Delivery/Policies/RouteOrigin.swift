internal import ByteScan

// Who answers requests of others by HTTP must not become a way to whatever it can reach.
//
// An address below a base holds the origin's URL, and whoever can reach the base can write such an address:
//
//     http://proxy.example/key/http/10.0.0.1/secret
//
// So an address may name only origins that somebody trusted has named before: those of the multivariant playlist and the tracks, and
// those that the app adds. Addresses by a scheme reach nobody but the app's own player, and may name any.

/// Which origins an address below a base may name, beside those of the multivariant playlist and of the tracks.
public enum RouteOrigins: Equatable, Sendable {
    /// Any: for a proxy that lets nobody in but its own players.
    case any
    /// These.
    case listed([RouteOrigin])
}

/// Where a URL leads: scheme, host and port (RFC 6454 4), and the user information if there is some.
public struct RouteOrigin: Equatable, Sendable {
    private let isSecure: Bool
    /// In lower case, without a port that is the scheme's own.
    private let authority: [UInt8]

    /// The origin of `url`; nil if that is no http or https URL with a host.
    ///
    /// Authorities are one only if their bytes are, letters in any case. So no two programs can read one as different hosts.
    public init?(of url: [UInt8]) {
        guard let end = Self.end(of: url) else { return nil }
        isSecure = RouteAddresses.begins(url, with: Array(ByteView("https:"))[...])
        let start = isSecure ? 8 : 7
        var authority = url[start..<end].map(HTTPSyntax.lowercased)
        let ownPort = Array(ByteView(isSecure ? ":443" : ":80"))
        if authority.count > ownPort.count, authority.suffix(ownPort.count).elementsEqual(ownPort) {
            authority.removeLast(ownPort.count)
        }
        self.authority = authority
    }

    /// The origin that `text` names with nothing behind it but a slash; nil if it is anything else.
    public init?(_ text: [UInt8]) {
        guard let end = Self.end(of: text), text[end...].isEmpty || text[end...].elementsEqual([HTTPSyntax.slash])
        else { return nil }
        self.init(of: text)
    }

    /// Where the authority of `url` ends.
    private static func end(of url: [UInt8]) -> Int? {
        for scheme in ["https://", "http://"] as [StaticString] {
            let prefix = Array(ByteView(scheme))
            guard RouteAddresses.begins(url, with: prefix[...]) else { continue }
            let rest = url[prefix.count...]
            let end = rest.firstIndex { $0 == HTTPSyntax.slash || $0 == UInt8(ascii: "?") || $0 == ASCII.hash }
            return end == rest.startIndex || rest.isEmpty ? nil : end ?? url.count
        }
        return nil
    }
}
