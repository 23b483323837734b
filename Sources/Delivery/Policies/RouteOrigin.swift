internal import ByteScan
internal import M3U8

// Who answers requests of others by HTTP must not become a way to whatever it can reach.
//
// An address below a base holds the origin's URL, and whoever can reach the base can write such an address:
//
//     http://proxy.example/key/http/10.0.0.1/secret
//
// So an address may name only origins that somebody trusted has named before: those of the multivariant playlist and
// the tracks, and those that the app adds. Addresses by a scheme reach nobody but the app's own player, and may name
// any.
//
// The same holds for what playlists and redirects of these name, at each hop (`Router.mayFetch`):
//
//                                                  listed    another    what is not public
//     handed on (a key, a file of cues)            yes       a 302      a 302
//     only read (a playlist, a first segment)      yes       yes        no
//
// And never from https to http.

/// Which origins an address below a base may name, beside those of the multivariant playlist and of the tracks.
public enum RouteOrigins: Equatable, Sendable {
    /// Any: for a proxy that lets nobody in but its own players.
    case any
    /// These.
    case listed([RouteOrigin])
}

/// Whether a request may be made.
public enum FetchPermission: UInt8, Sendable {
    /// It may.
    case granted
    /// It may if the address to which its host has led is public: ``PublicHost/isPublic(address:)``.
    case grantedIfPublic
    /// It may not, and whoever has asked is redirected (302) there in its place: what comes from there would be handed
    /// on, in our name.
    case leftToClient
    /// It may not.
    case denied
}

/// Where a URL leads: scheme, host and port (RFC 6454 4), and the user information if there is some.
public struct RouteOrigin: Equatable, Sendable {
    let isSecure: Bool
    /// In lower case, without a port that is the scheme's own.
    private let authority: [UInt8]

    /// The origin of `url`; nil if that is no http or https URL with a host.
    ///
    /// Authorities are one only if their bytes are, letters in any case. So no two programs can read one as different
    /// hosts.
    public init?(of url: [UInt8]) {
        guard let place = HTTPPlace(of: url) else { return nil }
        isSecure = place.isSecure
        var authority = url[place.authority].map(ASCII.lowercased)
        let ownPort = Array(ByteView(isSecure ? ":443" : ":80"))
        if authority.count > ownPort.count, authority.suffix(ownPort.count).elementsEqual(ownPort) {
            authority.removeLast(ownPort.count)
        }
        self.authority = authority
    }

    /// Whether its host is of the public net, as far as its bytes tell.
    var isPublic: Bool { PublicHost.isPublic(authority: authority) }

    /// Whether a request to `url` may follow a redirect of `previous`: both are of http or https, and it is no way from
    /// https to http.
    package static func mayFollow(_ url: [UInt8], from previous: [UInt8]) -> Bool {
        guard let origin = RouteOrigin(of: url), let left = RouteOrigin(of: previous) else { return false }
        return origin.isSecure || !left.isSecure
    }

    /// Whether `url` is of the same origin as `other`, for which credentials are meant.
    package static func isShared(_ url: [UInt8], _ other: [UInt8]) -> Bool {
        RouteOrigin(of: url) == RouteOrigin(of: other)
    }

    /// The origin that `text` names with nothing behind it but a slash; nil if it is anything else.
    public init?(_ text: [UInt8]) {
        guard let end = HTTPPlace(of: text)?.authority.upperBound, text[end...].isEmpty || text[end...] == [ASCII.slash]
        else { return nil }
        self.init(of: text)
    }
}

/// The scheme and the authority of an http or https URL.
struct HTTPPlace {
    let isSecure: Bool
    /// Where the authority is in the URL. Never empty.
    let authority: Range<Int>

    /// Those of `url`; nil if it is no http or https URL, or has no authority.
    init?(of url: [UInt8]) {
        let parts = url.withView { bytes in
            let reference = URIReference(bytes)
            return (reference.isHTTP ? reference.authority : nil, reference.hasScheme(ByteView("https")))
        }
        guard let authority = parts.0, !authority.isEmpty else { return nil }
        (self.authority, isSecure) = (authority, parts.1)
    }
}
