import Foundation
import Support
import Testing

@testable import Delivery

/// A stream that plays from its origin plays through the router, whatever variables its addresses hold (8216bis 4.4.2.3).
@Suite struct VariableTests {
    /// What an origin has, by its URL.
    private typealias Origin = [String: String]

    private static let root = "http://o.example/film/"
    private static let definitions = """
        #EXT-X-DEFINE:QUERYPARAM="t"
        #EXT-X-DEFINE:QUERYPARAM="dir"
        #EXT-X-DEFINE:QUERYPARAM="host"
        #EXT-X-DEFINE:NAME="base",VALUE="http://o.example/film/v"
        #EXT-X-DEFINE:NAME="name",VALUE="key"

        """
    private static let query = "?t=7&dir=v&host=o.example"

    /// URIs of a multivariant playlist's only variant, and of a media playlist's segment, key and map.
    private static let variants = [
        "v/m.m3u8?t={$t}", "v/m.m3u8?{$t}", "{$base}/m.m3u8", "{$dir}/m.m3u8", "{$dir}/m.m3u8?t={$t}",
        "./{$dir}/../v/m.m3u8",
        "/film/{$dir}/m.m3u8", "//{$host}/film/v/m.m3u8", "http://{$host}/film/{$dir}/m.m3u8", "v/{$t}.m3u8",
        "{$base}/m.m3u8?t={$t}", "http://{$host}/film/v/m.m3u8",
    ]

    private static func master(_ variant: String) -> String {
        "#EXTM3U\n\(definitions)#EXT-X-STREAM-INF:BANDWIDTH=1\n\(variant)\n"
    }

    private static let media = """
        #EXTM3U
        #EXT-X-TARGETDURATION:4
        #EXT-X-DEFINE:IMPORT="t"
        #EXT-X-DEFINE:IMPORT="dir"
        #EXT-X-DEFINE:IMPORT="base"
        #EXT-X-DEFINE:NAME="local",VALUE="seg"
        #EXT-X-MAP:URI="init-{$t}.mp4"
        #EXT-X-KEY:METHOD=AES-128,URI="{$base}/key?t={$t}"
        #EXTINF:4,
        {$local}-1.m4s?t={$t}
        #EXTINF:4,
        ../{$dir}/{$local}-2.m4s
        #EXTINF:4,
        {$t}-3.m4s
        #EXT-X-ENDLIST

        """

    private static func router(_ origin: Origin, base: String?, _ change: (inout Configuration) -> Void) throws
        -> Router
    {
        var configuration = Configuration(
            master: root + "master.m3u8" + query, tracks: [Routes.track("en.vtt", "en")])
        if let base { configuration.addresses = try RouteAddresses(base: Array(base.utf8)) }
        change(&configuration)
        return try Router(configuration)
    }

    // MARK: A player

    /// What a player has asked of whom, and got in the end.
    private struct Play {
        /// Files of the origin that a player got, itself or by a redirect, and playlists and keys that came of its.
        var got: Set<String> = []
        var hasTrack = false
    }

    /// What a client that follows redirects gets at `url`: whose URL it is at the origin, the bytes, and where they are in the end.
    private static func get(
        _ url: String, _ router: Router?, _ origin: Origin, _ redirects: [String: String]
    ) throws -> (place: String, text: String, url: String) {
        guard let router, !url.hasPrefix("http://o.example/") else {
            return (url, try #require(origin[url], "\(url) is not at the origin"), url)
        }
        var request = Router.Request(router, RouteRequest(url))
        while case .fetch(let wanted) = request.next() {
            var fetch = Fetch(wanted.job)
            while case .request(let asked) = fetch.next() {
                let place = redirects[Routes.text(asked.url)] ?? Routes.text(asked.url)
                let text =
                    origin[place] ?? (asked.url.ends(with: ".vtt") ? "WEBVTT\n\n0:0 --> 0:1\na" : nil)
                let response = FetchResponse(status: text == nil ? 404 : 200, url: Array(place.utf8))
                guard fetch.begin(response, HeaderFields()) == .more else { continue }
                if Array((text ?? "").utf8).withUnsafeBytes({ unsafe fetch.write($0) }) == .more { fetch.finish() }
            }
            request.take(fetch.next(), of: wanted)
        }
        switch request.next() {
        case .redirect(let target): return try get(Routes.text(target), router, origin, redirects)
        case .answer(let made):
            guard case .fetch(let asked, _) = request.plan else { return (url, Routes.text(made.resource.bytes), url) }
            let place = Routes.text(asked.url)
            return (redirects[place] ?? place, Routes.text(made.resource.bytes), url)
        case let end:
            Issue.record("\(url): \(end)")
            return (url, "", url)
        }
    }

    /// Plays a stream as hls.js does: variables are put in, and only then is a URI resolved.
    private static func play(
        _ entry: String, _ router: Router?, _ origin: Origin, redirects: [String: String] = [:]
    ) throws -> Play {
        var play = Play()
        var imported: [String: String] = [:]
        var waiting = [entry]
        var known: Set<String> = [entry]
        while let asked = waiting.popLast() {
            let (place, text, url) = try get(asked, router, origin, redirects)
            play.got.insert(place)
            guard text.hasPrefix("#EXTM3U") else { continue }
            var values: [String: String] = [:]
            func substituted(_ text: String) throws -> String {
                try text.replacing(/\{\$([A-Za-z0-9_-]+)\}/) { match in
                    try #require(values[String(match.1)], "\(match.0) has no value in \(url)")
                }
            }
            for line in text.split(separator: "\n").map(String.init) {
                if line.hasPrefix("#EXT-X-DEFINE:") {
                    if let match = line.firstMatch(of: /NAME="(.*)",VALUE="(.*)"/) {
                        values[String(match.1)] = try substituted(String(match.2))
                    } else if let match = line.firstMatch(of: /QUERYPARAM="(.*)"/) {
                        let item = URLComponents(string: url)?.queryItems?.first { $0.name == match.1 }
                        values[String(match.1)] = try #require(item?.value, "\(match.1) is not in \(url)")
                    } else if let match = line.firstMatch(of: /IMPORT="(.*)"/) {
                        values[String(match.1)] = try #require(imported[String(match.1)] as String?)
                    }
                } else if line.hasPrefix("#EXT-X-MEDIA:") {
                    play.hasTrack = true
                } else if let uri = line.hasPrefix("#")
                    ? line.firstMatch(of: /URI="(.*?)"/).map({ String($0.1) }) : line
                {
                    let target = String(
                        decoding: NaiveURI(Array(try substituted(uri).utf8)).resolved(
                            against: NaiveURI(Array(url.utf8))
                        ).text,
                        as: UTF8.self)
                    if known.insert(target).inserted { waiting.append(target) }
                }
            }
            if text.contains("#EXT-X-STREAM-INF") { imported = values }
        }
        return play
    }

    private static let policies: [(String, @Sendable (inout Configuration) -> Void)] = [
        ("absolute", { _ in }), ("mapped", { $0.policies.variants = .mapped }),
        (
            "all",
            {
                $0.policies.keys = .fetch
                $0.policies.segments = .redirect
            }
        ), ("redirect", { $0.policies.variants = .redirect }),
    ]

    @Test(arguments: variants, [nil, "http://localhost:8080/", "http://localhost:8080/p/"])
    func aStreamPlaysAsFromItsOrigin(_ variant: String, _ base: String?) throws {
        let query = variant.hasSuffix("t={$t}") ? "?t=7" : variant.hasSuffix("?{$t}") ? "?7" : ""
        let name = variant.hasSuffix("/{$t}.m3u8") ? "7.m3u8" : "m.m3u8"
        let origin: Origin = [
            Self.root + "master.m3u8" + Self.query: Self.master(variant), Self.root + "v/\(name)\(query)": Self.media,
            Self.root + "v/init-7.mp4": "map", Self.root + "v/key?t=7": "key", Self.root + "v/seg-1.m4s?t=7": "1",
            Self.root + "v/seg-2.m4s": "2", Self.root + "v/7-3.m4s": "3",
        ]
        #expect(try Self.play(Self.root + "master.m3u8" + Self.query, nil, origin).got == Set(origin.keys))
        for (words, change) in Self.policies {
            let router = try Self.router(origin, base: base, change)
            let played = try Self.play(Routes.text(router.entry), router, origin)
            let got = played.got.filter {
                !$0.hasPrefix(Routes.text(router.addresses.trackPrefix)) && !$0.hasSuffix(".vtt")
            }
            #expect(got == Set(origin.keys) && played.hasTrack, "\(words)")
        }
    }

    /// A media playlist alone, whose variables come with its own URL: it is wrapped, once.
    @Test(
        arguments: ["s.ts?t={$t}", "{$dir}/s.ts", "{$base}/s.ts", "/film/{$dir}/s.ts", "http://{$host}/film/v/s.ts"],
        [nil, "http://localhost/"])
    func aMediaPlaylistAloneIsWrappedOnce(_ segment: String, _ base: String?) throws {
        let place = segment.hasPrefix("s.ts") ? "s.ts?t=7" : "v/s.ts"
        let origin: Origin = [
            Self.root + "master.m3u8" + Self.query:
                "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(Self.definitions)#EXTINF:4,\n\(segment)\n#EXT-X-ENDLIST\n",
            Self.root + place: "s",
        ]
        #expect(try Self.play(Self.root + "master.m3u8" + Self.query, nil, origin).got == Set(origin.keys))
        for (words, change) in Self.policies {
            let router = try Self.router(origin, base: base, change)
            let played = try Self.play(Routes.text(router.entry), router, origin)
            #expect(played.got.isSuperset(of: origin.keys) && played.hasTrack, "\(words)")
        }
    }

    // MARK: Redirects

    /// What a line becomes where a redirect has led to `?a=1&b=x%2Fy&quote=%22&empty=&flag&a=2&%63=3&v=%7B$a}`.
    @Test(arguments: [
        ("QUERYPARAM=\"a\"", "NAME=\"a\",VALUE=\"1\""), ("QUERYPARAM=\"b\"", "NAME=\"b\",VALUE=\"x/y\""),
        ("QUERYPARAM=\"c\"", "NAME=\"c\",VALUE=\"3\""), ("QUERYPARAM=\"empty\"", "NAME=\"empty\",VALUE=\"\""),
        ("QUERYPARAM=\"flag\"", nil), ("QUERYPARAM=\"quote\"", nil), ("QUERYPARAM=\"v\"", nil),
        ("QUERYPARAM=\"none\"", nil), ("QUERYPARAM=\"A\"", nil), ("QUERYPARAM=a", nil), ("NAME=\"a\",VALUE=\"9\"", nil),
        ("IMPORT=\"a\"", nil), (" QUERYPARAM = \"a\" ,X=1\r", " NAME=\"a\",VALUE=\"1\" ,X=1\r"),
        ("X=\"QUERYPARAM=\",QUERYPARAM=\"a\"", "X=\"QUERYPARAM=\",NAME=\"a\",VALUE=\"1\""),
    ])
    func theQueryAfterTheRedirectCounts(_ line: String, _ expected: String?) throws {
        let url = Array("https://cdn.example/m?a=1&b=x%2Fy&quote=%22&empty=&flag&a=2&%63=3&v=%7B$a}".utf8)
        let end = "#EXT-X-DEFINER:QUERYPARAM=\"a\""
        let text = "#EXTM3U\n#EXT-X-DEFINE:\(line)\n#EXT-X-DEFINE:QUERYPARAM=\"a\"\n\(end)"
        let playlist = FetchedPlaylist(bytes: Array(text.utf8), url: url)
        let made = Routes.text(playlist.bytes(for: Array("https://o.example/m?a=0".utf8)))
        let start = "#EXTM3U\n#EXT-X-DEFINE:\(expected ?? line)\n"
        #expect(made == start + "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n\(end)")
        for same in [url, url + Array("#b".utf8)] { #expect(playlist.bytes(for: same) == playlist.bytes) }
    }

    /// The origin has redirected; the player has never seen where to. Its variables are those of the URL that has answered.
    @Test(arguments: variants.filter { !$0.hasPrefix("{$t}") }, [nil, "http://localhost:8080/"])
    func aStreamPlaysBehindARedirect(_ variant: String, _ base: String?) throws {
        let query = variant.hasSuffix("t={$t}") ? "?t=7" : variant.hasSuffix("?{$t}") ? "?7" : ""
        let name = variant.hasSuffix("/{$t}.m3u8") ? "7.m3u8" : "m.m3u8"
        let segment = "#EXT-X-DEFINE:IMPORT=\"t\"\n#EXTINF:4,\ns.ts?t={$t}\n"
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(segment)#EXT-X-ENDLIST\n"
        let there = Self.root + "master.m3u8" + Self.query
        let origin: Origin = [
            there: Self.master(variant), Self.root + "v/\(name)\(query)": media, Self.root + "v/s.ts?t=7": "1",
        ]
        for (words, change) in Self.policies {
            for asked in ["http://o.example/start", "http://o.example/film/master.m3u8?t=1&dir=w&host=h"] {
                var configuration = Configuration(master: asked, tracks: [Routes.track("/en.vtt", "en")])
                if let base { configuration.addresses = try RouteAddresses(base: Array(base.utf8)) }
                change(&configuration)
                let router = try Router(configuration)
                let played = try Self.play(Routes.text(router.entry), router, origin, redirects: [asked: there])
                #expect(played.got.isSuperset(of: origin.keys) && played.hasTrack, "\(words), \(asked)")
            }
        }
    }

    // MARK: What comes by an address like the entry's

    /// A URL, and whether it is the configured one, however it is spelled.
    @Test(arguments: [
        ("http://o.example/a b?c=%7B", true), ("http://o.example/a%20b?c=%7B", true),
        ("http://O.EXAMPLE:80/a b?c=%7B#f", true),
        ("https://o.example/a b?c=%7B", false), ("http://o.example/a b", false),
        ("http://o.example/a b?c=%7B&d", false),
        ("http://o.example/a%20c?c=%7B", false), ("http://o.example:81/a b?c=%7B", false),
        ("http://p.example/a b?c=%7B", false),
        ("http://o.example/A b?c=%7B", false), ("http://o.example", false),
    ])
    func theEntryIsTheConfiguredURLAlone(_ url: String, _ isEntry: Bool) throws {
        let router = try Router(Configuration(master: "http://o.example/a b?c=%7B"))
        let plan = router.plan(RouteRequest(Array("surtitle-master-".utf8) + Array(url.utf8)))
        guard case .fetch(_, let use) = plan else { return #expect(Bool(false), "\(plan)") }
        #expect(use == (isEntry ? .master : .playlist))
    }

    @Test func aPathOfNothingIsTheRoot() throws {
        let router = try Router(Configuration(master: "http://o.example"))
        guard case .fetch(_, .master) = router.plan(RouteRequest("surtitle-master-http://o.example/")) else {
            return #expect(Bool(false))
        }
    }

    /// What the origin answers, what becomes of it below the entry's prefix, and below a variant's.
    @Test(arguments: [
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", 200, "tracks", "mapped"),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\ns\n", 200, "mapped", "mapped"),
        ("#EXTM3", 200, "redirect", "redirect"), ("", 200, "redirect", "redirect"),
        ("\u{47}ts", 200, "redirect", "redirect"),
        (String(repeating: "G", count: 188 * 400), 200, "redirect", "redirect"), ("<html>", 404, "404", "404"),
        ("", 500, "502", "502"),
    ])
    func whatIsThereDecides(_ body: String, _ status: Int, _ below: String, _ variant: String) throws {
        for (role, expected) in [("master", below), ("variant", variant)] {
            let router = try Self.router([:], base: nil) { $0.policies.variants = .mapped }
            var request = Router.Request(router, RouteRequest("surtitle-\(role)-http://o.example/film/x"))
            #expect(request.changes)
            var count = 0
            while case .fetch(let wanted) = request.next() {
                count += 1
                var fetch = Fetch(wanted.job)
                while case .request = fetch.next() {
                    guard fetch.begin(FetchResponse(status: status), HeaderFields()) == .more else { continue }
                    let need = Array(body.utf8).withUnsafeBytes { unsafe fetch.write($0) }
                    // What is no playlist is not read to its end.
                    #expect(!body.hasPrefix("GG") || need == .enough)
                    if need == .more { fetch.finish() }
                }
                request.take(fetch.next(), of: wanted)
            }
            #expect(count == 1)
            let answer = try #require(request.httpAnswer(to: Array("GET".utf8)))
            switch request.next() {
            case .redirect(let url):
                #expect(expected == "redirect" && url == Array("http://o.example/film/x".utf8))
                #expect(answer.status == 302)
            case .answer(let made):
                let text = Routes.text(made.resource.bytes)
                #expect(expected == (text.contains("#EXT-X-MEDIA:") ? "tracks" : "mapped"))
                #expect(!text.contains("#EXT-X-STREAM-INF:BANDWIDTH=2"))
            default: #expect("\(answer.status)" == expected)
            }
        }
    }

    /// The entry, a subtitle playlist and a key have to be what they are.
    @Test func theEntryIsNotRedirected() throws {
        let router = try Self.router([:], base: nil) { _ in }
        var request = Router.Request(router, RouteRequest(router.entry))
        guard case .fetch(let wanted) = request.next() else { return #expect(Bool(false)) }
        var fetch = Fetch(wanted.job)
        while case .request = fetch.next() {
            _ = fetch.begin(FetchResponse(status: 200), HeaderFields())
            Array("<html></html>".utf8).withUnsafeBytes { _ = unsafe fetch.write($0) }
        }
        request.take(fetch.next(), of: wanted)
        #expect(request.httpAnswer(to: Array("GET".utf8))?.status == 502)
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
