import Delivery
import Sideload
import Testing

/// A proxy over the router alone: what its clients ask for by HTTP, and what an origin of a table answers.
@Suite struct ProxyTests {
    private static let base = "http://localhost:8080/"

    /// What the origin has.
    private static let origin = [
        "https://origin.example/film/m": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv/1\n",
        "https://origin.example/film/v/1":
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:4,\n1.ts\n#EXT-X-ENDLIST\n",
        "https://origin.example/film/v/k": "0123456789abcdef", "https://origin.example/film/v/1.ts": "segment",
        "https://origin.example/film/en.vtt": "WEBVTT\n\n00:00.000 --> 00:02.000\na\n",
    ]

    private static func router() throws -> Router {
        var configuration = Configuration(
            master: "https://origin.example/film/m",
            tracks: [Routes.track("en.vtt", "en"), Routes.track("missing.vtt", "sv")])
        configuration.addresses = try RouteAddresses(base: Array(base.utf8))
        configuration.policies.keys = .fetch
        configuration.policies.missingTrack = .empty
        return try Router(configuration)
    }

    /// Answers a request as a proxy would, by the router's plan.
    private static func answer(
        _ router: Router, _ url: String, _ headers: [HeaderLine] = [], _ method: String = "GET"
    ) throws -> HTTPAnswer {
        var request = RouteRequest(url)
        request.headers = headers
        let plan = router.plan(request)
        if let answer = plan.httpAnswer { return answer }
        return HTTPAnswer(try resource(router, plan), to: Array(method.utf8), headers)
    }

    /// No resource comes of the plan.
    private struct Unplanned: Error {}

    private static func resource(_ router: Router, _ plan: RoutePlan) throws -> Resource {
        switch plan {
        case .fetch(let request, let use):
            let bytes = try Array(#require(origin[Routes.text(request.url)]).utf8)
            return switch use {
            case .master, .playlist: try router.master(bytes, from: request.url).resource
            case .mediaPlaylist: try router.mediaPlaylist(bytes, from: request.url).resource
            case .subtitlePlaylist: try router.givenPlaylist(bytes, from: request.url).resource
            case .cues: router.subtitleFile(bytes)
            case .key: router.key(bytes)
            }
        case .subtitlePlaylist(let track):
            return try router.subtitlePlaylist(of: track, lasting: MediaDuration(milliseconds: 4_000))
        case .subtitleFile(let track):
            let url = try #require(router.tracks[track].url)
            guard let text = origin[Routes.text(url)] else { return try #require(router.missingFile()) }
            return router.subtitleFile(Array(text.utf8))
        case .emptyFile: return try #require(router.missingFile())
        case .redirect, .decline, .fail: throw Unplanned()
        }
    }

    /// The addresses in a playlist: its URI lines, and its URI attributes.
    private static func addresses(_ playlist: String) -> [String] {
        playlist.split(separator: "\n").flatMap { line -> [String] in
            if !line.hasPrefix("#") { return [String(line)] }
            return line.matches(of: /URI="([^"]*)"/).map { String($0.1) }
        }
    }

    /// From the entry on everything that a player would ask for is there, and comes from the proxy or the origin.
    @Test func aPlayerGetsEverything() throws {
        let router = try Self.router()
        #expect(Routes.text(router.entry) == "http://localhost:8080/master/https/origin.example/film/m")
        var waiting = [Routes.text(router.entry)]
        var seen: [String: String] = [:]
        while let url = waiting.popLast() {
            if seen.keys.contains(url) { continue }
            if !url.hasPrefix(Self.base) {
                let text: String = try #require(Self.origin[url], "\(url)")
                seen[url] = text
                continue
            }
            let answer = try Self.answer(router, url)
            #expect(answer.status == 200, "\(url)")
            let text = Routes.text(answer.body)
            seen[url] = text
            if text.hasPrefix("#EXTM3U") { waiting += Self.addresses(text) }
        }
        #expect(
            Set(seen.keys) == [
                "http://localhost:8080/master/https/origin.example/film/m",
                "http://localhost:8080/variant/https/origin.example/film/v/1",
                "http://localhost:8080/key/https/origin.example/film/v/k", "https://origin.example/film/v/1.ts",
                "http://localhost:8080/track/en.m3u8", "http://localhost:8080/track/en.vtt",
                "http://localhost:8080/track/sv.m3u8", "http://localhost:8080/track/sv.vtt",
            ])
        #expect(seen["http://localhost:8080/track/sv.vtt"] == "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n")
        #expect(seen["http://localhost:8080/key/https/origin.example/film/v/k"] == "0123456789abcdef")
    }

    @Test func rangesAndMethods() throws {
        let router = try Self.router()
        let url = "http://localhost:8080/track/en.m3u8"
        let whole = try Self.answer(router, url)
        let part = try Self.answer(router, url, [HeaderLine("Range", "bytes=1-7")])
        #expect(part.status == 206 && Array(part.body) == Array(whole.body[1...7]))
        #expect(try Self.answer(router, url, [], "HEAD").body.isEmpty)
        #expect(try Self.answer(router, url, [HeaderLine("Range", "bytes=9999-")]).status == 416)
    }

    @Test func whatIsAnsweredAtOnce() throws {
        let router = try Self.router()
        let segment = try Self.answer(router, "http://localhost:8080/segment/https/origin.example/1.ts?\r\nX: y")
        #expect(segment.status == 302 && segment.body.isEmpty)
        // What no header may hold is percent-encoded.
        #expect(segment.headers.first == HeaderLine("Location", "https://origin.example/1.ts?%0D%0AX:%20y"))
        #expect(try Self.answer(router, "http://localhost:8080/favicon.ico").status == 404)
        #expect(try Self.answer(router, "http://localhost:8080/track/fr.m3u8").status == 404)
        #expect(try Self.answer(router, "http://localhost:8080/key/https/").status == 404)
        let error = #expect(throws: RouteError.self) { try router.master([], from: router.master) }
        #expect(RoutePlan.fail(try #require(error)).httpAnswer?.status == 502)
    }
}
