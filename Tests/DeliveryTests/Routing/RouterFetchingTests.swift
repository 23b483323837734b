import Delivery
import Testing
import WebVTT

/// From plans to jobs, and from what comes of these to what a player gets; the origin is a table.
@Suite struct RouterFetchingTests {
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
            let source: TrackConfiguration.Source =
                uri.hasSuffix("srt") ? .subRip : uri.hasSuffix("m3u8") ? .playlist : .webVTT
            return Routes.track(uri, uri == "none.m3u8" ? "xx" : String(uri.prefix(2)), source)
        }
        var configuration = RouterConfiguration(master: "https://o.example/\(master)", tracks: tracks)
        configuration.addresses = try RouteAddresses(base: Array("http://p/".utf8))
        configuration.policies.variants = .mapped
        configuration.policies.webVTT = .bytes
        configuration.policies.keys = .fetch
        change(&configuration.policies)
        return try Router(configuration)
    }

    private static func answer(to job: FetchJob) throws -> FetchAnswer {
        var fetch = Fetch(job)
        while true {
            switch fetch.next() {
            case .answer(let answer): return answer
            case .failure(let error): throw error
            case .request(let request):
                let body = origin[Routes.text(request.url)]
                if body == "" {
                    fetch.fail()
                    continue
                }
                let response = FetchResponse(status: body == nil ? 404 : 200)
                guard fetch.begin(response, HeaderFields()) == .more else { continue }
                let need = Array((body ?? "").utf8).withUnsafeBytes { unsafe fetch.write($0) }
                if need == .more { fetch.finish() }
            }
        }
    }

    /// What a proxy answers: the status, and the body or, of a redirect, where to.
    private static func ask(_ router: Router, _ path: String) throws -> (status: Int, body: String) {
        let plan = router.plan(RouteRequest("http://p/" + path))
        if let answer = plan.httpAnswer { return (answer.status, Routes.text(answer.headers.first?.value ?? [])) }
        do {
            let resource: Resource
            if let job = router.job(for: plan) {
                let missing = router.presenceJobs.filter { (try? Self.answer(to: $0.job)) == nil }.map { $0.track }
                resource = try router.resource(for: plan, from: answer(to: job), leavingOut: missing)
            } else {
                resource = try #require(router.resource(insteadOf: plan))
            }
            return (200, Routes.text(resource.bytes))
        } catch let error as FetchError {
            return (HTTPAnswer(error).status, router.resource(insteadOf: plan).map { Routes.text($0.bytes) } ?? "")
        } catch let error as RouteError {
            return (HTTPAnswer(error).status, "")
        }
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
        // A key is handed over as it is.
        #expect(router.job(for: router.plan(RouteRequest("http://p/key/https/o.example/k"))) == nil)
    }

    @Test(arguments: [
        ("master/https/o.example/none", 404), ("master/https/o.example/silent", 504),
        ("master/https/o.example/text", 502), ("variant/https/o.example/en.vtt", 502),
        ("variant/https/elsewhere.example/v", 403), ("track/none", 404),
    ])
    func whatComesToNothing(_ path: String, _ status: Int) throws {
        let answer = try Self.ask(try Self.router(), path)
        #expect(answer.status == status)
    }

    /// In place of each part of a track that is missing, unless the policy is that it fails, there is something valid.
    @Test(arguments: RoutePolicies.MissingTrack.allCases)
    func missingTracks(_ policy: RoutePolicies.MissingTrack) throws {
        let router = try Self.router { $0.missingTrack = policy }
        let jobs = router.presenceJobs.map { $0.track }
        #expect(jobs == (policy == .leaveOut ? [0, 1, 2, 3, 4] : []))
        let answers = try ["track/no.m3u8", "track/no.vtt", "track/xx.m3u8", "cues/https/o.example/none"].map {
            try Self.ask(router, $0)
        }
        #expect(answers.map { $0.status } == [404, 404, 404, 404])
        guard policy != .fail else {
            #expect(answers.map { $0.body } == ["", "", "", ""])
            return
        }
        #expect(answers[0].body.contains("#EXTINF:1.000,\nhttp://p/track/no.vtt\n"))
        #expect(answers[1].body == "WEBVTT\n\n" && answers[3].body == "WEBVTT\n\n")
        #expect(answers[2].body.contains("#EXTINF:1.000,\nhttp://p/track/xx.vtt\n"))
        // That of a given playlist that is missing is made without a fetch.
        #expect(try Self.ask(router, "track/xx.vtt") == (200, "WEBVTT\n\n"))
        // Nothing takes the place of what is not subtitles.
        for path in ["master/https/o.example/m", "variant/https/o.example/v", "key/https/o.example/k"] {
            #expect(router.resource(insteadOf: router.plan(RouteRequest("http://p/" + path))) == nil)
        }
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
        let automatic = try Self.router { $0.map = .automatic }
        let plan = automatic.plan(RouteRequest("http://p/track/en.vtt"))
        let track = FetchTrack(url: Array("https://o.example/en.vtt".utf8), format: .webVTT)
        #expect(automatic.job(for: plan) == .content(track, map: .fromVideo(automatic.master)))
    }

    @Test func anAnswerToAnotherJobIsRefused() throws {
        let router = try Self.router()
        let plan = router.plan(RouteRequest("http://p/track/en.m3u8"))
        let job = try #require(router.job(for: router.plan(RouteRequest("http://p/track/en.vtt"))))
        let text = try Self.answer(to: job)
        #expect(throws: RouteError.self) { try router.resource(for: plan, from: text) }
    }

    @Test func headersGoAlong() throws {
        var configuration = RouterConfiguration(master: "https://o.example/m")
        configuration.headers = [HeaderLine("X-App", "1")]
        var request = RouteRequest("http://p/track/en.vtt")
        request.headers = [HeaderLine("Range", "bytes=0-1"), HeaderLine("Cookie", "a=b")]
        let router = try Router(configuration)
        let headers = router.originHeaders(for: request, to: Array("https://o.example/en.vtt".utf8))
        #expect(headers == [HeaderLine("Cookie", "a=b"), HeaderLine("X-App", "1")])
        // The app's may be credentials, and stay with the master.
        let others = router.originHeaders(for: request, to: Array("https://cdn.example/en.vtt".utf8))
        #expect(others == [HeaderLine("Cookie", "a=b")])
    }
}
