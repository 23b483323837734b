import ByteScan
import Delivery
import NIOHTTP1
import Sideload

// What is served, and by which addresses.
//
// For an origin, every path is the origin's, but for those below /.surtitle/. A track that is a file has two addresses
// there, of its subtitle playlist and of its WebVTT file, and they begin with the path and query of the multivariant
// playlist that it is beside, percent-encoded:
//
//     /video/master.m3u8?a=b        the origin's, with tracks in it
//     /.surtitle/%2Fvideo%2Fmaster.m3u8%3Fa%3Db/track/en.m3u8, …/track/en.vtt
//     /.surtitle/%2Fvideo%2Fmaster.m3u8%3Fa%3Db/play.m3u8        the playlist itself, wrapped if it is a media playlist
//
// So an address says all that is needed to fetch and to synchronise, nothing is remembered, and the answers are a
// Router's for that playlist. A track that is a subtitle playlist is the origin's too: its URI stays as it is written.
//
// With a "base" and a "master" in the configuration one Router answers whatever is below the base, as `surtitle route`
// tells.

/// What the proxy has been told to serve: made anew for each configuration, and shared by all event loops.
///
/// A class, because every request looks into it: of a struct each look would copy all that is configured.
public final class Site: Sendable {
    /// A request as the router takes it.
    struct Own: Sendable {
        /// The site whose address it is, though another may be served by now.
        let site: Site
        let router: Router
        let request: RouteRequest
        let kind: Kind
        /// What the addresses of its tracks begin with.
        let authority: String
    }

    /// What own addresses begin with, before the path: `http://127.0.0.1:8080`.
    package enum Authority: Sendable {
        case fixed(String)
        /// What Host says; for HTTP/1.0, which needs none, this.
        case ofRequest(unlessItHasNone: String)

        var fixed: String {
            switch self {
            case .fixed(let url), .ofRequest(let url): url
            }
        }
    }

    enum Kind: Sendable {
        case routed
        /// The playlist that a player begins with: this one of the origin.
        case entry(target: String)
    }

    static let prefix = "/.surtitle/"
    static let metricsPath = prefix + "metrics"
    static let healthPath = prefix + "health"
    /// Those that are answered whatever is configured.
    static let fixedPaths = [metricsPath, healthPath]

    /// Where everything but own addresses comes from; nil if there is nothing else.
    let origin: OriginURL?
    let configuration: Configuration
    /// What own addresses begin with, before the path.
    private let authority: Authority
    /// What is not wrong but may surprise, in words.
    public let notes: [String]
    /// By what names clients may call the proxy.
    let names: HostNames
    /// The files of tracks on this machine, by their paths.
    let files: [String: [UInt8]]
    /// For all that is below the configuration's base.
    private let router: Router?
    /// Whether playlists of the origin get tracks.
    let hasTracks: Bool
    /// For the playlists of the origin that somebody has asked for lately.
    private let memory = RouterMemory()
    /// The first time stamps of the videos beside which somebody has asked for a file lately.
    let videoStarts = VideoStarts()

    /// A site of `configuration`.
    ///
    /// - Parameter loopbackPort: Where on loopback it is served, by loopback's names and that of its own URL alone; nil
    ///   if any name will do.
    /// - Throws: What is wrong with it, so that the one before stays.
    package init(
        _ configuration: Configuration, origin: OriginURL?, authority: Authority, files: [String: [UInt8]] = [:],
        loopbackPort: Int? = nil, notes: [String] = []
    ) throws {
        self.configuration = configuration
        self.origin = origin
        self.files = files
        self.notes = notes
        let router = configuration.keys.contains(.base) ? try Router(configuration) : nil
        let root = router.flatMap { OriginURL(String(decoding: $0.entry, as: UTF8.self)) }?.root
        let authority = root.map { .fixed($0) } ?? authority
        self.router = router
        self.authority = authority
        hasTracks = router == nil && origin != nil && !configuration.tracks.isEmpty
        if let loopbackPort, case .fixed(let url) = authority {
            names = HostNames(loopbackAt: loopbackPort, OriginURL(url).map { [$0.address.authority] } ?? [])
        } else {
            names = .any
        }
        // Whatever a router refuses is told now, and not when the first player comes.
        if router == nil, origin != nil { _ = try tracks(besides: "/", at: authority.fixed) }
    }

    /// What own addresses begin with that somebody gets who has sent `head`.
    func authority(for head: HTTPRequestHead?) -> String {
        guard case .ofRequest(let other) = authority else { return authority.fixed }
        return head?.headers.first(name: "Host").map { "http://" + $0 } ?? other
    }

    /// Whether that is the same for all.
    var hasOneAuthority: Bool { if case .fixed = authority { true } else { false } }

    /// The URL that a player begins with.
    package var entry: String {
        if let router { return String(decoding: router.entry, as: UTF8.self) }
        guard let origin, origin.target != "/" else { return authority.fixed + "/" }
        return hasTracks
            ? ownBase(origin.target, at: authority.fixed) + "play.m3u8" : authority.fixed + origin.target
    }

    /// Where cues are sent to that come while the stream goes on, of the playlist that a player begins with.
    public var cuesAddresses: [String] {
        let router = router ?? origin.flatMap { try? self.router(besides: $0.target, at: authority.fixed) }
        return (router?.tracks.indices).map { indices in
            indices.compactMap { router?.cuesAddress(of: $0).map { String(decoding: $0, as: UTF8.self) } }
        } ?? []
    }

    /// Whether all playlists get the same, because no track is a file.
    var hasOneList: Bool { configuration.tracks.allSatisfy { $0.format == .playlist } }

    /// What `head` gets, if its address is one of ours.
    func own(_ head: HTTPRequestHead) -> Own? {
        if let router {
            let request = request(head)
            if case .decline = router.plan(request) { return nil }
            return Own(site: self, router: router, request: request, kind: .routed, authority: authority.fixed)
        }
        guard hasTracks, head.uri.hasPrefix(Self.prefix) else { return nil }
        let step = head.uri.dropFirst(Self.prefix.count).prefix { $0 != "/" }
        guard let target = String(step).percentDecoded, target.hasPrefix("/"),
            case let authority = self.authority(for: head), let router = try? router(besides: target, at: authority)
        else { return nil }
        let isEntry = head.uri.dropFirst(Self.prefix.count + step.count) == "/play.m3u8"
        return Own(
            site: self, router: router, request: request(head),
            kind: isEntry ? .entry(target: target) : .routed, authority: authority)
    }

    /// The tracks of the playlist at `target` of the origin, with addresses at `authority`.
    func tracks(besides target: String, at authority: String) throws -> SubtitleTracks? {
        guard !configuration.tracks.isEmpty else { return nil }
        let router = try router(besides: target, at: authority)
        let tracks = router.tracks.map { routed in
            var track = routed.configuration.track
            if routed.configuration.format != .playlist {
                track.uri = String(decoding: routed.rendition, as: UTF8.self)
            }
            return track
        }
        return try SubtitleTracks(
            tracks, defaultPolicy: configuration.replacesDefault ? .prefersTracks : .keepsExisting)
    }

    private func request(_ head: HTTPRequestHead) -> RouteRequest {
        var request = RouteRequest(authority(for: head) + head.uri)
        request.headers = head.headers.map { HeaderLine($0.name, $0.value) }
        return request
    }

    private func router(besides target: String, at authority: String) throws -> Router {
        try memory.router(target, authority) { try makeRouter(besides: target, at: authority) }
    }

    private func makeRouter(besides target: String, at authority: String) throws -> Router {
        var settings = configuration
        settings.master = Array(((origin?.root ?? "") + target).utf8)
        if !configuration.keys.contains(.webVTT) { settings.policies.webVTT = .bytes }
        settings.policies.map = configuration.map
        settings.addresses = try RouteAddresses(base: Array(ownBase(target, at: authority).utf8))
        return try Router(settings)
    }

    /// How many bytes the addresses of the tracks of the playlist at `target` have, about.
    func addressBytes(besides target: String, at authority: String) -> Int {
        configuration.tracks.count * (ownBase(target, at: authority).utf8.count + 64)
    }

    private func ownBase(_ target: String, at authority: String) -> String {
        authority + Self.prefix + target.percentEncoded + "/"
    }
}

extension String {
    /// Everything but unreserved characters encoded (RFC 3986 2.1, 2.3).
    fileprivate var percentEncoded: String {
        var encoded = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return encoded
    }

    /// The reverse; nil if that is not UTF-8, holds a control character, or an escape is none.
    fileprivate var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
                value > 0x20, value != 0x7F
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
