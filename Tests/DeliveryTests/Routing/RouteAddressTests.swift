import Delivery
import M3U8
import Support
import Testing

/// URLs of the origin and addresses of ours, there and back.
@Suite struct RouteAddressTests {
    private static let bases = ["http://localhost:8080/", "https://proxy.example/a/b/", "HTTP://[::1]:1/x/"]

    private static func all() throws -> [RouteAddresses] {
        var own = try RouteAddresses(schemes: Array("my.app+x".utf8))
        try own.setScheme(Array("ckey".utf8), of: .key)
        try own.setScheme(Array("cplp".utf8), of: nil)
        return try [RouteAddresses(), own] + bases.map { try RouteAddresses(base: Array($0.utf8)) }
    }

    @Test(arguments: [
        ("https://a/b?c#d", "surtitle-variant-https://a/b?c#d"), ("http://a", "surtitle-variant-http://a"),
        ("HTTPS://A/B", "surtitle-variant-https://A/B"),
        ("https://u:p@[::1]:8/x", "surtitle-variant-https://u:p@[::1]:8/x"),
        ("https://a/ü?\u{7F}\"", "surtitle-variant-https://a/ü?\u{7F}\""),
    ])
    func byScheme(_ url: String, _ address: String) throws {
        let addresses = RouteAddresses()
        #expect(addresses.address(of: Array(url.utf8), as: .variant).map { Routes.text($0) } == address)
        let back = try #require(addresses.recognise(Array(address.utf8)))
        #expect(back.role == .variant && Routes.text(back.url).lowercased() == url.lowercased())
    }

    @Test(arguments: [
        "", "a/b", "//a/b", "/a", "https:", "https:/a", "https://", "https:///a", "https://?a", "https://#a",
        "ftp://a/", "data:,a", "skd://a",
    ])
    func whatIsNoURLOfTheOriginHasNoAddress(_ url: String) throws {
        for addresses in try Self.all() {
            for role in RouteRole.allCases { #expect(addresses.address(of: Array(url.utf8), as: role) == nil) }
        }
    }

    /// To the byte, whatever it is, but for the case of the scheme.
    @Test(arguments: 0..<60)
    func randomURLsComeBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let all = try Self.all()
        for _ in 0..<200 {
            let count = Int.random(in: 1...30, using: &generator)
            var rest = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            if [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(rest[0]) {
                rest[0] = UInt8(ascii: "h")
            }
            let isSecure = Bool.random(using: &generator)
            let scheme = (isSecure ? "https://" : "http://").map {
                Bool.random(using: &generator) ? $0.uppercased() : $0.lowercased()
            }.joined()
            let url = Array(scheme.utf8) + rest
            let expected = Array((isSecure ? "https://" : "http://").utf8) + rest
            let role = RouteRole.allCases[Int.random(in: 0..<RouteRole.allCases.count, using: &generator)]
            for addresses in all {
                let address = try #require(addresses.address(of: url, as: role))
                #expect(addresses.recognise(address) == RouteAddresses.Recognised(role: role, url: expected))
                #expect(!address.starts(with: addresses.trackPrefix))
            }
        }
    }

    /// What the mapper puts into a playlist is what whole URLs become.
    @Test(arguments: RouteRole.allCases)
    func playlistsAndWholeURLs(_ role: RouteRole) throws {
        for addresses in try Self.all() {
            let router = try Routes.router([]) {
                $0.addresses = addresses
                $0.policies.segments = .redirect
                $0.policies.keys = .redirect
            }
            let urls = ["https://a/b?c=d&e#f", "http://u@h:1/", "HTTPS://X/%7e"]
            for url in urls {
                let line =
                    switch role {
                    case .master, .variant: "#EXT-X-STREAM-INF:BANDWIDTH=1\n\(url)"
                    case .rendition: "#EXT-X-MEDIA:TYPE=AUDIO,URI=\"\(url)\""
                    case .segment, .cues: url
                    case .key: "#EXT-X-KEY:METHOD=AES-128,URI=\"\(url)\""
                    }
                let expected = try #require(
                    addresses.address(of: Array(url.utf8), as: role == .master ? .variant : role))
                let playlist = Array("#EXTM3U\n\(line)\n".utf8)
                let mapped =
                    role == .cues
                    ? try router.givenPlaylist(playlist, from: router.master)
                    : try router.mediaPlaylist(playlist, from: router.master)
                #expect(
                    Routes.text(mapped.resource.bytes) == "#EXTM3U\n" + line.replacing(url, with: Routes.text(expected))
                        + "\n")
            }
        }
    }

    @Test(arguments: [("", 0), ("my_app", 2), ("1a", 0), ("a b", 1), ("é", 0), ("a:", 1), ("-a", 0)])
    func refusesSchemes(_ word: String, _ position: Int) {
        #expect(throws: URIEditError(.scheme, at: position)) { try RouteAddresses(schemes: Array(word.utf8)) }
        var addresses = RouteAddresses()
        for role in RouteRole.allCases.map({ Optional($0) }) + [nil] {
            #expect(throws: URIEditError(.scheme, at: position)) { try addresses.setScheme(Array(word.utf8), of: role) }
        }
    }

    /// An address has one meaning: no two roles' are alike, and none is the origin's or another's.
    @Test func refusesAmbiguity() throws {
        var addresses = RouteAddresses()
        for (word, role) in [
            ("surtitle-variant", RouteRole.key), ("SURTITLE-Variant", .key), ("surtitle-master", .cues),
        ] {
            #expect(throws: URIEditError.self) { try addresses.setScheme(Array(word.utf8), of: role) }
        }
        for word in ["http", "HTTPS", "skd", "data", "file"] {
            #expect(throws: URIEditError.self) { try addresses.setScheme(Array(word.utf8), of: nil) }
        }
        // What was refused has changed nothing.
        #expect(addresses.recognise(Array("surtitle-key-https://a".utf8))?.role == .key)
        try addresses.setScheme(Array("a-http".utf8), of: .key)
        try addresses.setScheme(Array("a".utf8), of: .variant)
        #expect(addresses.recognise(Array("a-http-http://x".utf8))?.role == .key)
        #expect(addresses.recognise(Array("a-http://x".utf8))?.role == .variant)
    }

    @Test(arguments: [
        ("", 0), ("http://a", 8), ("http://a/?b/", 9), ("http://a/#/", 9), ("http:///", 0), ("ftp://a/", 0), ("/a/", 0),
        ("http://a b/", 8), ("http:a/", 0),
    ])
    func refusesBases(_ base: String, _ position: Int) {
        #expect(throws: URIEditError(.address, at: position)) { try RouteAddresses(base: Array(base.utf8)) }
    }

    /// Whatever the bytes, there is a plan, and it has words.
    @Test(arguments: 0..<40)
    func randomRequestsHaveAPlan(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let router = try Routes.router { (policies: inout RoutePolicies) in
            policies.probe = RoutePolicies.Probe.allCases.randomElement(using: &generator) ?? .information
            policies.keys = RoutePolicies.Keys.allCases.randomElement(using: &generator) ?? .player
            policies.missingTrack = RoutePolicies.MissingTrack.allCases.randomElement(using: &generator) ?? .fail
        }
        let pieces = [
            "surtitle-", "master", "track", "-https", "://", "subtitles/", "en", ".m3u8", ".vtt", "?", "#", "skd:",
            "\u{0}", "/", "é",
        ]
        for _ in 0..<300 {
            let count = Int.random(in: 0...8, using: &generator)
            var url = (0..<count).flatMap { _ in Array((pieces.randomElement(using: &generator) ?? "").utf8) }
            if Bool.random(using: &generator) { url = router.addresses.trackPrefix + url }
            let bytes = ByteRequest(
                offset: Int64(bitPattern: generator.next()), length: Int(truncatingIfNeeded: generator.next()),
                toEnd: Bool.random(using: &generator))
            let request = RouteRequest(url, bytes, wantsInformation: Bool.random(using: &generator))
            let plan = router.plan(request)
            #expect(!plan.description.isEmpty && (plan.httpAnswer == nil) == plan.givesResource)
            let resource = Resource(Array(repeating: 0, count: Int.random(in: 0...9, using: &generator)), .playlist)
            if case .range(let range) = router.answer(request, plan, with: resource).data {
                #expect(range.lowerBound >= 0 && range.upperBound <= resource.bytes.count)
            }
        }
    }
}
