import Delivery
import M3U8
import Testing
import WebVTT

/// Requests carried out, from what they want to what a player gets; the origin is a table.
@Suite struct RequestFetchingTests {
    private static let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.ts\n#EXT-X-ENDLIST\n"
    private static let english = "WEBVTT\n\n00:00.000 --> 00:02.500\na\n"

    /// What is not here answers 404; an empty text stands for no answer.
    private static let origin = [
        "https://o.example/m": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv/1\n", "https://o.example/v/1": media,
        "https://o.example/single": media, "https://o.example/en.vtt": english,
        "https://o.example/fr.srt": "1\n00:00:00,000 --> 00:00:03,000\nb\n",
        "https://o.example/de.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nde/1.vtt\n#EXT-X-ENDLIST\n",
        "https://o.example/de/1.vtt": english, "https://o.example/silent": "", "https://o.example/text": "text",
    ]

    private static func router(
        _ master: String = "m", _ uris: [String] = ["en.vtt", "fr.srt", "de.m3u8", "none.vtt", "none.m3u8"],
        _ change: (inout RoutePolicies) -> Void = { _ in }
    ) throws -> Router {
        let tracks = uris.map { uri in
            let source: SubtitleFormat =
                uri.hasSuffix("srt") ? .subRip : uri.hasSuffix("m3u8") ? .playlist : .webVTT
            return Routes.track(uri, uri == "none.m3u8" ? "xx" : String(uri.prefix(2)), source)
        }
        var configuration = Configuration(master: "https://o.example/\(master)", tracks: tracks)
        configuration.addresses = try RouteAddresses(base: Array("http://p/".utf8))
        configuration.policies.variants = .mapped
        configuration.policies.webVTT = .bytes
        configuration.policies.keys = .fetch
        change(&configuration.policies)
        return try Router(configuration)
    }

    private static func step(_ job: FetchJob, _ file: String? = nil) -> Fetch.Step {
        var fetch = Fetch(job)
        while case .request(let request) = fetch.next() {
            let body = request.url == FetchTrack.localURL ? file : origin[Routes.text(request.url)]
            if body == "" {
                fetch.fail()
                continue
            }
            let response = FetchResponse(status: body == nil ? 404 : 200)
            guard fetch.begin(response, HeaderFields()) == .more else { continue }
            let need = Array((body ?? "").utf8).withUnsafeBytes { unsafe fetch.write($0) }
            if need == .more { fetch.finish() }
        }
        return fetch.next()
    }

    /// Carries out a request, one fetch after the other.
    private static func run(_ router: Router, _ path: String) -> Router.Request {
        var request = Router.Request(router, RouteRequest("http://p/" + path))
        while true {
            switch request.next() {
            case .fetch(let wanted):
                request.take(step(wanted.job, wanted.file.map { "at \($0)" }), of: wanted)
            case .wait, .waitForTracks: request.late()
            default: return request
            }
        }
    }

    /// What a proxy answers: the status, and the body or, of a redirect, where to.
    private static func ask(_ router: Router, _ path: String) throws -> (status: Int, body: String) {
        let answer = try #require(run(router, path).httpAnswer(to: Array("GET".utf8)))
        let place = answer.headers.first { $0.name == Array("Location".utf8) }
        return (answer.status, Routes.text(place?.value ?? Array(answer.body)))
    }

    @Test func everyPlan() throws {
        let router = try Self.router()
        let entry = try Self.ask(router, "master/https/o.example/m")
        #expect(entry.status == 200 && entry.body.contains("\nhttp://p/variant/https/o.example/v/1\n"))
        #expect(entry.body.contains("http://p/track/fr.m3u8") && !entry.body.contains("http://p/track/no.m3u8"))
        #expect(!entry.body.contains("http://p/track/xx.m3u8"))
        #expect(try Self.ask(router, "variant/https/o.example/v/1").body.contains("\nhttps://o.example/v/1.ts\n"))
        #expect(try Self.ask(router, "track/en.m3u8").body.contains("#EXTINF:2.500,\nhttp://p/track/en.vtt\n"))
        #expect(try Self.ask(router, "track/en.vtt").body == Self.english)
        #expect(try Self.ask(router, "track/fr.vtt").body.hasPrefix("WEBVTT\n"))
        #expect(try Self.ask(router, "track/de.m3u8").body.contains("\nhttp://p/cues/https/o.example/de/1.vtt\n"))
        #expect(try Self.ask(router, "cues/https/o.example/de/1.vtt").body == Self.english)
        #expect(try Self.ask(router, "key/https/o.example/text").body == "text", "a key is handed over as it is")
        #expect(try Self.ask(router, "segment/https/o.example/1.ts") == (302, "https://o.example/1.ts"))
    }

    @Test(arguments: [
        ("master/https/o.example/none", 404), ("master/https/o.example/silent", 504),
        ("master/https/o.example/text", 302), ("variant/https/o.example/en.vtt", 302),
        ("variant/https/elsewhere.example/v", 403), ("track/none", 404), ("key/https/o.example/none", 404),
        ("key/https/o.example/silent", 504),
    ])
    func whatComesToNothing(_ path: String, _ status: Int) throws {
        let answer = try Self.ask(try Self.router(), path)
        #expect(answer.status == status)
    }

    /// In place of each part of a track that is missing, unless the policy is that it fails, there is something valid.
    @Test(arguments: RoutePolicies.MissingTrack.allCases)
    func missingTracks(_ policy: RoutePolicies.MissingTrack) throws {
        let router = try Self.router { $0.missingTrack = policy }
        let entry = try Self.ask(router, "master/https/o.example/m").body
        #expect(entry.contains("http://p/track/no.m3u8") == (policy != .leaveOut))
        let paths = ["track/no.m3u8", "track/no.vtt", "track/xx.m3u8", "cues/https/o.example/none"]
        let answers = try paths.map { try Self.ask(router, $0) }
        guard policy != .fail else {
            #expect(answers.map { $0.status } == [404, 404, 404, 404])
            #expect(answers.map { $0.body } == ["", "", "", ""])
            #expect(try Self.ask(router, "track/xx.vtt").status == 404)
            return
        }
        #expect(answers.map { $0.status } == [200, 200, 200, 200])
        #expect(answers[0].body.contains("#EXTINF:1.000,\nhttp://p/track/no.vtt\n"))
        #expect(answers[1].body == Routes.empty && answers[3].body == Routes.empty)
        #expect(answers[2].body.contains("#EXTINF:1.000,\nhttp://p/track/xx.vtt\n"))
        // That of a given playlist that is missing is made without a fetch.
        #expect(try Self.ask(router, "track/xx.vtt") == (200, Routes.empty))
        // Nothing takes the place of what is not subtitles.
        for path in ["master/https/o.example/none", "variant/https/o.example/v", "key/https/o.example/k"] {
            #expect(try Self.ask(router, path).status == 404)
        }
    }

    /// A playlist that is missing lasts as long as the configuration says.
    @Test func theDurationOfAMissingPlaylist() throws {
        var track = Routes.track("none.m3u8", "xx", .playlist)
        track.duration = DecimalSeconds(nanoseconds: 7_500_000_000)
        var configuration = Configuration(master: "https://o.example/m", tracks: [track])
        configuration.addresses = try RouteAddresses(base: Array("http://p/".utf8))
        configuration.policies.webVTT = .bytes
        #expect(try Self.ask(try Router(configuration), "track/xx.m3u8").body.contains("#EXTINF:7.500,\n"))
    }

    @Test func aSingleRenditionIsWrapped() throws {
        let wrapped = try Self.ask(try Self.router("single", ["en.vtt"]), "master/https/o.example/single").body
        #expect(wrapped.contains("#EXT-X-STREAM-INF:BANDWIDTH=") && wrapped.contains("URI=\"http://p/track/en.m3u8\""))
        #expect(wrapped.contains("\nhttp://p/variant/https/o.example/single\n"))
        // There is no need to without a track.
        for uris in [[], ["none.vtt"]] {
            let plain = try Self.ask(try Self.router("single", uris), "master/https/o.example/single").body
            #expect(plain.contains("#EXTINF:4,\nhttps://o.example/1.ts\n") && !plain.contains("STREAM-INF"))
        }
    }

    @Test func theMapIsThePolicys() throws {
        let map = TimestampMap(mpegTS: 900_000)
        let given = try Self.router { $0.map = .given(map) }
        #expect(
            try Self.ask(given, "track/en.vtt").body.hasPrefix(
                "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n"))
        let automatic = try Self.router { $0.map = .auto }
        var request = Router.Request(automatic, RouteRequest("http://p/track/en.vtt"))
        let track = FetchTrack(url: Array("https://o.example/en.vtt".utf8), format: .webVTT)
        guard case .fetch(let wanted) = request.next() else { return #expect(Bool(false), "nothing is wanted") }
        #expect(wanted.job == .content(track, map: .fromVideo(automatic.master)) && wanted.file == nil)
    }

    @Test func anAnswerToAnotherJobIsRefused() throws {
        var request = Router.Request(try Self.router(), RouteRequest("http://p/master/https/o.example/m"))
        guard case .fetch(let wanted) = request.next() else { return #expect(Bool(false), "nothing is wanted") }
        request.take(Self.step(.key(Array("https://o.example/text".utf8))), of: wanted)
        #expect(request.next() != .waitForTracks)
        request.late()
        guard case .fail(.route) = request.next() else { return #expect(Bool(false), "\(request.next())") }
    }

    /// It is read as what it turns out to be.
    @Test func aLocalFileIsFetchedToo() throws {
        var track = Routes.track("de.srt", "de", .subRip)
        track.file = "/files/de"
        var configuration = Configuration(master: "https://o.example/m", tracks: [track])
        configuration.addresses = try RouteAddresses(base: Array("http://p/".utf8))
        let router = try Router(configuration)
        #expect(try Self.ask(router, "master/https/o.example/m").body.contains("http://p/track/de.m3u8"), "it is there")
        #expect(try Self.ask(router, "track/de.vtt").body == Routes.empty, "'at /files/de' is no file of subtitles")
        var request = Router.Request(router, RouteRequest("http://p/track/de.vtt"))
        guard case .fetch(let wanted) = request.next() else { return #expect(Bool(false), "nothing is wanted") }
        #expect(wanted.file == "/files/de")
        request.take(Self.step(wanted.job, Self.english), of: wanted)
        guard case .answer(let made) = request.next() else { return #expect(Bool(false), "\(request.next())") }
        #expect(Routes.text(made.resource.bytes) == Self.english && made.mayBeKept && made.missing == nil)
    }

    @Test func headersGoAlong() throws {
        var configuration = Configuration(master: "https://o.example/m")
        configuration.headers = [HeaderLine("X-App", "1")]
        var request = RouteRequest("http://p/track/en.vtt")
        request.headers = [HeaderLine("Range", "bytes=0-1"), HeaderLine("Cookie", "a=b"), HeaderLine("accept", "*/*")]
        let router = try Router(configuration)
        let asked = Router.Request(router, request)
        func headers(_ url: String, redirectedTo place: String? = nil) throws -> [Delivery.HeaderLine] {
            var fetch = Fetch(.presence(FetchTrack(url: Array(url.utf8), format: .webVTT)))
            guard case .request(let request) = fetch.next() else { throw CancellationError() }
            return asked.headers(of: request, at: place.map { Array($0.utf8) })
        }
        let own = [HeaderLine("Accept-Encoding", "identity"), HeaderLine("Range", "bytes=0-15")]
        let accept = HeaderLine("accept", "*/*")
        let all = [HeaderLine("Cookie", "a=b"), accept, HeaderLine("X-App", "1")] + own
        #expect(try headers("https://o.example/en.vtt") == all)
        // What may be credentials, the player's or the app's, stays with the master, after a redirect too.
        let place = "https://cdn.example/en.vtt"
        #expect(try headers(place) == [accept] + own)
        #expect(try headers("https://o.example/en.vtt", redirectedTo: place) == [accept] + own)
        #expect(try headers(place, redirectedTo: "https://o.example/en.vtt") == all)
    }
}
