import ByteScan
import Delivery
import Drivers
import M3U8
import Sideload
import Support
import Testing
import WebVTT

/// How the machine is to be used, and what it holds to whatever comes.
@Suite struct MachineTests {
    private static let job = FetchJob.duration(FetchCase.track("a.vtt"))

    private static func begin(
        _ status: Int, _ header: [(String, String)] = [], to fetch: inout Fetch
    ) -> Fetch.Need {
        var fields = HeaderFields()
        for (name, value) in header { fields.append(name, value) }
        return fetch.begin(FetchResponse(status: status), fields)
    }

    private static func write(_ text: String, to fetch: inout Fetch) -> Fetch.Need {
        Array(text.utf8).withUnsafeBytes { unsafe fetch.write($0) }
    }

    /// A request is given again until its response comes, and counts once.
    @Test func theSameRequestAgain() {
        var fetch = Fetch(Self.job, limits: FetchLimits(requests: 1))
        let first = fetch.next()
        #expect(fetch.next() == first && fetch.next() == first)
        guard case .request(let request) = first else {
            Issue.record("no request")
            return
        }
        #expect("\(request.method)" == "GET" && request.byteLimit == 16 << 20)
        #expect(
            request.fields.map { "\($0.name): \(String(decoding: $0.value, as: UTF8.self))" }
                == ["Accept-Encoding: identity", "Range: bytes=-16384"])
    }

    /// What comes when nothing is awaited is ignored.
    @Test func outOfTurn() {
        var fetch = Fetch(Self.job)
        #expect(Self.begin(200, to: &fetch) == .enough)
        #expect(Self.write("WEBVTT", to: &fetch) == .enough)
        fetch.finish()
        fetch.fail()
        guard case .request = fetch.next() else {
            Issue.record("nothing had been asked for")
            return
        }
        #expect(Self.write("x", to: &fetch) == .enough)
        fetch.finish()
        #expect(Self.begin(200, to: &fetch) == .more)
        #expect(Self.begin(200, to: &fetch) == .enough, "one response a request")
        #expect(Self.write("no subtitles", to: &fetch) == .enough)
        // The rest of a response that is not wanted is nobody's.
        fetch.fail()
        let step = fetch.next()
        #expect(FetchCase.words(step) == "unusable: no subtitles")
        #expect(Self.begin(200, to: &fetch) == .enough)
        fetch.fail()
        #expect(fetch.next() == step, "a result stays")
    }

    /// To ask for the next step in the middle of a body is to have lost it.
    @Test func lostResponse() {
        var fetch = Fetch(Self.job)
        _ = fetch.next()
        #expect(Self.begin(200, to: &fetch) == .more)
        #expect(Self.write("WEBVTT\n", to: &fetch) == .more)
        #expect(FetchCase.words(fetch.next()) == "network: network")
    }

    @Test func partThatNobodyAskedFor() {
        for job in [FetchJob.content(FetchCase.track("a.vtt"), map: .own), .mediaStart(video: FetchCase.url("v"))] {
            var fetch = Fetch(job)
            _ = fetch.next()
            #expect(Self.begin(206, [("Content-Range", "bytes 0-5/6")], to: &fetch) == .enough)
            #expect(FetchCase.words(fetch.next()) == "unusable: part not asked for")
        }
    }

    /// A part whose length is not that of its range is none, and the whole is asked for.
    @Test(arguments: [("64", true), ("63", false), ("65", false), ("0", false)])
    func partOfAnotherLength(_ length: String, _ isPart: Bool) {
        var fetch = Fetch(Self.job)
        _ = fetch.next()
        let header = [("Content-Range", "bytes 0-63/64"), ("Content-Length", length)]
        #expect(Self.begin(206, header, to: &fetch) == (isPart ? .more : .enough))
        #expect(isPart || FetchCase.words(fetch.next()) == "asks /a.vtt")
    }

    @Test func overfullHeader() {
        var fetch = Fetch(Self.job)
        _ = fetch.next()
        #expect(Self.begin(200, [("ETag", String(repeating: "x", count: 70_000))], to: &fetch) == .enough)
        #expect(FetchCase.words(fetch.next()) == "limit: fields too long")
    }

    @Test(arguments: [
        ("", false), ("a.vtt", false), ("//h/a", false), ("file:///a", false), ("data:text/vtt,WEBVTT", false),
        ("https:///a", false), ("https://h/a b", false), ("https://h/a\r\nX: y", false), ("https://h/a\u{0}", false),
        ("skd://h/a", false), ("HTTP://h", true), ("https://h/ä#f", true),
    ])
    func urls(_ url: String, _ isFetchable: Bool) {
        var fetch = Fetch(.presence(FetchTrack(url: Array(url.utf8), format: .webVTT)))
        switch fetch.next() {
        case .request(let request):
            #expect(isFetchable)
            #expect(!request.url.contains(UInt8(ascii: "#")))
        case let step:
            #expect(!isFetchable)
            #expect(FetchCase.words(step) == "unusable: not HTTP")
        }
    }

    /// A body that is longer than Content-Length says is refused, in whatever chunk the bytes that are wanted come.
    @Test(arguments: [1, 3, 11, 16, 100])
    func bodyLongerThanItsLength(_ size: Int) {
        let body = Array("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n".utf8)
        let response = NaiveOrigin.Response(status: 200, header: [("Content-Length", "10")], body: body)
        let run = FetchRun(
            .presence(FetchCase.track("a.vtt")), reply: { _ in .init(response) },
            split: { Splits.even(of: $0, size: size) })
        #expect(run.requests.map(FetchCase.words) == ["/a.vtt 0-15", "/a.vtt"])
        #expect(FetchCase.words(run.result) == "unusable: wrong length")
    }

    /// The limit of requests is never exceeded, and a text comes without a map rather than not at all.
    @Test func limitOfRequests() {
        let origins = [
            "/a.vtt": [NaiveOrigin(FetchFiles.noted(1500))], "/v.m3u8": [NaiveOrigin(Array(FetchFiles.media.utf8))],
        ]
        for requests in 1...3 {
            let limits = FetchLimits(tail: 64, block: 1024, file: 4096, requests: requests)
            let run = FetchCase.run(Self.job, origins, limits) { [0..<$0] }
            #expect(run.requests.count == requests)
            #expect(FetchCase.words(run.result) == "limit: too many requests")
        }
        let limits = FetchLimits(requests: 2)
        let job = FetchJob.content(FetchCase.track("a.vtt"), map: .fromVideo(FetchCase.url("v.m3u8")))
        let run = FetchCase.run(job, origins, limits) { [0..<$0] }
        #expect(FetchCase.words(run.result).hasSuffix(" without map, too many requests of /s0.ts"))
    }

    /// One byte below a limit, at it, and above it.
    @Test func limitOfBytes() {
        let count = FetchFiles.cues.count
        for limit in [count - 1, count, count + 1] {
            for habit in [NaiveOrigin.Habit.whole, .endless] {
                let limits = FetchLimits(tail: 64, block: 64, file: limit)
                let origins = ["/a.vtt": [NaiveOrigin(FetchFiles.cues, habit)]]
                for split in FetchCase.splits {
                    for job in [Self.job, .content(FetchCase.track("a.vtt"), map: .own)] {
                        let run = FetchCase.run(job, origins, limits, split)
                        let isTooLong = FetchCase.words(run.result).hasPrefix("limit: more than the limit of \(limit) ")
                        #expect(isTooLong == (limit < count))
                        #expect(run.mostHeld <= limit)
                    }
                }
            }
        }
    }

    /// What a configuration calls a track becomes what is fetched.
    @Test(arguments: [
        ("subs/en.vtt", SubtitleFormat.webVTT, "https://o.example/v/subs/en.vtt"),
        // What it is said to be counts, and not the end of its URI.
        ("../en.SRT?x#y", .webVTT, "https://o.example/en.SRT?x#y"), ("//h/en.m3u8", .playlist, "https://h/en.m3u8"),
        ("http://h/en.srt", .playlist, "http://h/en.srt"), ("en.vtt", .subRip, "https://o.example/v/en.vtt"),
    ])
    func configured(_ uri: String, _ format: SubtitleFormat, _ url: String) throws {
        var configuration = TrackConfiguration(SubtitleTrack(uri: uri, language: "en", name: "E"), format: format)
        configuration.duration = DecimalSeconds(nanoseconds: 5)
        let track = FetchTrack(configuration, relativeTo: FetchCase.url("v/master.m3u8"))
        #expect(String(decoding: track.url, as: UTF8.self) == url)
        #expect(track.format == format && track.duration?.nanoseconds == 5)
        // A router fetches the same; it refuses a playlist with the name of a file.
        guard format != .playlist || !uri.hasSuffix(".srt") else { return }
        let router = try Router(Configuration(master: "https://o.example/v/master.m3u8", tracks: [configuration]))
        #expect(router.tracks.map { $0.fetched } == [track])
    }
}

/// Chunks of any size, and origins that behave as they like from one request to the next.
@Suite struct RandomFetchTests {
    @Test func endsTheSameForEverySplit() {
        var generator = SeededGenerator(seed: 14)
        var results: Set<String> = []
        for round in 0..<400 {
            let origins = Self.origins(&generator)
            let job = Self.job(&generator)
            let expected = FetchCase.run(job, origins) { [0..<$0] }
            #expect(expected.requests.count <= FetchCase.limits.requests, "round \(round)")
            if case .request = expected.result { Issue.record("round \(round): no end") }
            for seed in 0..<4 as Range<UInt64> {
                let run = FetchCase.run(job, origins) { Splits.random(of: $0, times: 4, seed: seed)[Int(seed)] }
                #expect(run.requests == expected.requests, "round \(round)")
                #expect(run.result == expected.result, "round \(round)")
                let limit = if case .key = job { 64 << 10 } else { FetchCase.limits.file }
                #expect(run.mostHeld <= limit, "round \(round)")
            }
            results.insert(String(FetchCase.words(expected.result).prefix(20)))
        }
        // The rounds come to much: otherwise they would show little.
        #expect(results.count >= 20, "\(results)")
    }

    private static func job(_ generator: inout SeededGenerator) -> FetchJob {
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: .presence(FetchCase.track("a"))
        case 1: .presence(FetchCase.track("a", .playlist))
        case 2: .duration(FetchCase.track("a", .subRip))
        case 3: .content(FetchCase.track("a", .subRip), map: .own)
        case 4: .content(FetchCase.track("a"), map: .fromVideo(FetchCase.url("v.m3u8")))
        case 5: .mediaStart(video: FetchCase.url("v.m3u8"))
        case 6: .key(FetchCase.url("a"))
        default: .duration(FetchCase.track("a"))
        }
    }

    /// Each path has a few origins, one for each request.
    private static func origins(_ generator: inout SeededGenerator) -> [String: [NaiveOrigin]] {
        let subtitles = [
            FetchFiles.cues, FetchFiles.noted(100), FetchFiles.noted(1500), FetchFiles.vtt(1), FetchFiles.subRip,
            FetchFiles.vtt(200), [], Array("hello\n".utf8),
        ]
        let playlists = [
            FetchFiles.media, "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nw.m3u8\n",
            "#EXTM3U\n#EXTINF:6,\n#EXT-X-BYTERANGE:\(FetchFiles.transport.count)@100\nall.ts\n", "x", "#EXTM3U\n",
            "#EXTM3U\n#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:6,\nf.m4s\n",
        ].map { Array($0.utf8) }
        let padding = [UInt8](repeating: 9, count: 100)
        let media = [
            FetchFiles.transport, FetchFiles.fragment, FetchFiles.initialization,
            padding + FetchFiles.transport + padding,
        ]
        let files = [
            "/a": subtitles, "/v.m3u8": playlists, "/w.m3u8": playlists, "/s0.ts": media, "/all.ts": media,
            "/i.mp4": media, "/f.m4s": media,
        ]
        var origins: [String: [NaiveOrigin]] = [:]
        for path in files.keys.sorted() {
            let choices = files[path] ?? []
            // Most keep to one file, and to HTTP.
            let file = choices[Int.random(in: 0..<choices.count, using: &generator)]
            origins[path] = (0..<4).map { _ in
                let isSame = Int.random(in: 0..<4, using: &generator) > 0
                let isHonest = Int.random(in: 0..<2, using: &generator) > 0
                let habits = NaiveOrigin.Habit.allCases
                return NaiveOrigin(
                    isSame ? file : choices[Int.random(in: 0..<choices.count, using: &generator)],
                    isHonest ? .honest : habits[Int.random(in: 0..<habits.count, using: &generator)],
                    tag: ["\"a\"", "\"b\"", nil][Int.random(in: 0..<3, using: &generator) % 3])
            }
        }
        return origins
    }
}
