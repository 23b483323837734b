internal import ByteScan
public import M3U8

// The addresses that a player sees in place of the origin's, and the way back.
//
// A player has to ask us, so what it is given is ours; and whoever asks must be understood without anything remembered,
// so the address says all: what the URL is for, and whether the origin's was http or https. Either is an exchange of
// the beginning alone:
//
//     origin              https://example.com/a/b?c=d#e
//     by a scheme          surtitle-variant-https://example.com/a/b?c=d#e
//     by a proxy           http://localhost:8080/variant/https/example.com/a/b?c=d#e
//                          └──────────── prefix ───────────┘└── as it was ──┘
//
// - What follows the slashes of the authority is kept to the byte, so that signatures in queries stay right.
// - The scheme comes back in lower case, however it was spelled: `HTTPS` and `https` are one (RFC 3986 3.1).
// - A relative reference never gets a prefix: it is resolved against the origin's URL before.
// - Prefixes are held against an address in any case of letters, because URL types put schemes and hosts into lower
//   case.
// - No prefix is the beginning of another, which is checked. So an address has one meaning.
//
// What is made here and has no origin, subtitle playlists and files, is below one more prefix, that of the tracks.

/// How URLs of the origin and addresses of ours become each other.
public struct RouteAddresses: Sendable {
    /// What an address stands for.
    package struct Recognised: Equatable, Sendable {
        /// What it is for.
        package let role: RouteRole

        /// The origin's URL.
        package let url: [UInt8]

        /// The `url` for `role`.
        package init(role: RouteRole, url: [UInt8]) {
            self.role = role
            self.url = url
        }
    }

    /// What takes the place of `http://` and `https://` for a role.
    private struct Prefixes: Sendable {
        var http: [UInt8]
        var https: [UInt8]
    }

    /// What addresses begin with to which cues are sent, `http://localhost:8080/cues/`; nil unless they are below a
    /// base.
    let cuesPrefix: [UInt8]?

    /// By the raw value of the role.
    private var prefixes: [Prefixes]

    /// What addresses of subtitle playlists and files begin with: `surtitle-track://subtitles/`.
    public private(set) var trackPrefix: [UInt8]

    /// Addresses by schemes of their own: `surtitle-master-https`, `surtitle-key-http`, `surtitle-track`, or with
    /// another word than `surtitle`.
    ///
    /// - Throws: `URIEditError` if `word` cannot begin a scheme: a letter, then letters, digits, `+`, `-` and `.` (RFC
    ///   3986 3.1). An underscore is refused: URL types of Apple's systems make no URL of it.
    public init(schemes word: [UInt8]) throws(URIEditError) {
        if let position = URISyntax.schemeFault(in: word) { throw URIEditError(.scheme, at: position) }
        self.init(checkedWord: word)
    }

    /// Addresses by schemes that begin with `surtitle-`.
    public init() { self = Self.standard }

    private static let standard = RouteAddresses(checkedWord: Array(ByteView("surtitle")))

    private init(checkedWord word: [UInt8]) {
        prefixes = RouteRole.allCases.map { role in
            Self.prefixes(scheme: word + [ASCII.hyphen] + Array(ByteView(role.word)))
        }
        trackPrefix = Self.trackPrefix(scheme: word + Array(ByteView("-track")))
        cuesPrefix = nil
    }

    /// Addresses below `base`, where a proxy serves them: `http://localhost:8080/`.
    ///
    /// - Throws: `URIEditError` if `base` is no http or https URL with a host that ends in a slash, without query and
    ///   fragment.
    public init(base: [UInt8]) throws(URIEditError) {
        if let position = Self.baseFault(in: base) { throw URIEditError(.address, at: position) }
        prefixes = RouteRole.allCases.map { role in
            let start = base + Array(ByteView(role.word))
            return Prefixes(
                http: start + Array(ByteView("/http/")), https: start + Array(ByteView("/https/")))
        }
        trackPrefix = base + Array(ByteView("track/"))
        cuesPrefix = base + Array(ByteView(RouteRole.cues.word)) + [ASCII.slash]
    }

    /// Gives the addresses of `role` the scheme `word-http` or `word-https`; nil stands for those of tracks, whose
    /// scheme is `word` itself.
    ///
    /// - Throws: ``URIEditError`` if `word` is no scheme (RFC 3986 3.1), or if that makes two roles' addresses one.
    package mutating func setScheme(_ word: [UInt8], of role: RouteRole?) throws(URIEditError) {
        if let position = URISyntax.schemeFault(in: word) { throw URIEditError(.scheme, at: position) }
        var changed = self
        if let role {
            changed.prefixes[Int(role.rawValue)] = Self.prefixes(scheme: word)
        } else {
            changed.trackPrefix = Self.trackPrefix(scheme: word)
        }
        guard changed.isUnambiguous else { throw URIEditError(.scheme, at: 0) }
        self = changed
    }

    // MARK: There and back

    /// The address of the origin's `url`, for `role`; nil if that is no http or https URL with a host.
    public func address(of url: [UInt8], as role: RouteRole) -> [UInt8]? {
        guard let place = HTTPPlace(of: url) else { return nil }
        let prefixes = prefixes[Int(role.rawValue)]
        return (place.isSecure ? prefixes.https : prefixes.http) + url[place.authority.lowerBound...]
    }

    /// What `address` stands for; nil if it is none of these.
    package func recognise(_ address: [UInt8]) -> Recognised? {
        for role in RouteRole.allCases {
            let prefixes = prefixes[Int(role.rawValue)]
            for (prefix, start) in [(prefixes.https, ByteView("https://")), (prefixes.http, ByteView("http://"))] {
                if let rest = Self.rest(of: address, after: prefix) {
                    return Recognised(role: role, url: Array(start) + rest)
                }
            }
        }
        return nil
    }

    /// Whether `address` has a scheme of ours, or is below our base, be it well-formed or not.
    func concern(_ address: [UInt8]) -> Bool {
        (prefixes.flatMap { [$0.http, $0.https] } + [trackPrefix]).contains { prefix in
            // Below a base all of it, else the scheme with its colon.
            let scheme = prefix.prefix { $0 != ASCII.colon }
            return Self.begins(address, with: Self.isHTTP(prefix) ? prefix[...] : prefix[...scheme.endIndex])
        }
    }

    /// Whether addresses are below a base, where anybody may reach them that reaches the proxy.
    var areBelowBase: Bool { Self.isHTTP(trackPrefix) }

    /// What is done to the URIs of `role` in a playlist, for a ``URIMapping``.
    func edits(of role: RouteRole) -> URIEdits? {
        let prefixes = prefixes[Int(role.rawValue)]
        return try? URIEdits(replacingHTTP: prefixes.http, https: prefixes.https)
    }

    // MARK: Prefixes

    private static func prefixes(scheme: [UInt8]) -> Prefixes {
        Prefixes(http: scheme + Array(ByteView("-http://")), https: scheme + Array(ByteView("-https://")))
    }

    private static func trackPrefix(scheme: [UInt8]) -> [UInt8] { scheme + Array(ByteView("://subtitles/")) }

    /// Whether no prefix begins another one, and none is the beginning of every http or https URL.
    private var isUnambiguous: Bool {
        let all = prefixes.flatMap { [$0.http, $0.https] } + [trackPrefix]
        for (index, prefix) in all.enumerated() {
            for other in all[(index + 1)...] {
                if Self.begins(prefix, with: other[...]) || Self.begins(other, with: prefix[...]) { return false }
            }
            if Self.isForeign(prefix) { return false }
        }
        return true
    }

    /// Whether the prefix is of a scheme that belongs to others.
    private static func isForeign(_ prefix: [UInt8]) -> Bool {
        let schemes: [StaticString] = [
            "http://subtitles/", "https://subtitles/", "data:", "skd:", "file:", "urn:", "blob:",
        ]
        return schemes.contains { begins(prefix, with: Array(ByteView($0))[...]) }
    }

    private static func isHTTP(_ prefix: [UInt8]) -> Bool { prefix.withView { URIReference($0).isHTTP } }

    /// What follows `prefix` in `address`, if that is something that can begin with a host.
    private static func rest(of address: [UInt8], after prefix: [UInt8]) -> ArraySlice<UInt8>? {
        guard begins(address, with: prefix[...]) else { return nil }
        let rest = address[prefix.count...]
        guard let first = rest.first, first != ASCII.slash, first != ASCII.questionMark, first != ASCII.hash else {
            return nil
        }
        return rest
    }

    static func begins(_ bytes: [UInt8], with prefix: ArraySlice<UInt8>) -> Bool {
        bytes.count >= prefix.count
            && bytes[..<prefix.count].elementsEqual(prefix) { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }

    /// Where `base` is no http or https URL with a host and a path that ends in a slash.
    static func baseFault(in base: [UInt8]) -> Int? {
        if let position = URISyntax.referenceFault(in: base) { return position }
        if let position = base.firstIndex(where: { $0 == ASCII.questionMark || $0 == ASCII.hash }) { return position }
        guard base.last == ASCII.slash else { return base.count }
        let hasHost = base.withView { bytes in
            let reference = URIReference(bytes)
            return reference.isHTTPWithHost && !reference.path.isEmpty
        }
        return hasHost ? nil : 0
    }
}

extension RouteRole {
    /// What the role is called in addresses.
    var word: StaticString {
        switch self {
        case .master: "master"
        case .variant: "variant"
        case .rendition: "rendition"
        case .segment: "segment"
        case .key: "key"
        case .cues: "cues"
        }
    }
}
