import M3U8
import Sideload
import Testing
import WebVTT

@testable import Delivery

/// What a router is made of, what is refused, and what is told of playlists.
@Suite struct RouterTests {
    @Test(arguments: ["", "a", "/m.m3u8", "file:///a", "https://", "skd://a", "https:/a/b"])
    func refusesAMasterThatIsNoURL(_ url: String) throws {
        let error = #expect(throws: RouteError.self) { try Router(Configuration(master: url)) }
        #expect("\(try #require(error))".contains("http or https URL"))
    }

    @Test func refusesTracks() throws {
        let error = #expect(throws: RouteError.self) {
            try Routes.router([Routes.track("a.vtt", "en"), Routes.track("b.vtt", "e_n")])
        }
        #expect(error?.track == 1 && error?.tracks?.reason == .notALanguage)
        #expect(
            "\(try #require(error))" == "track 2: the language is not a language tag; use one like en, sv or pt-BR"
        )
        let uri = #expect(throws: RouteError.self) { try Routes.router([Routes.track("ftp://a/en.vtt")]) }
        #expect(uri?.track == 0 && uri?.name == Array("ftp://a/en.vtt".utf8))
        var local = Routes.track("a.m3u8", "en", .playlist)
        local.file = "a.m3u8"
        #expect(throws: RouteError.self) { try Routes.router([local]) }
    }

    @Test func refusesAMasterBelowItsOwnBase() throws {
        let base = Array("http://localhost:8080/".utf8)
        let error = #expect(throws: RouteError.self) {
            var configuration = Configuration(master: "http://localhost:8080/master/https/a/m.m3u8")
            configuration.addresses = try RouteAddresses(base: base)
            _ = try Router(configuration)
        }
        #expect("\(try #require(error))".contains("router's own addresses"))
        #expect(throws: RouteError.self) {
            try Routes.router([]) { $0.policies.webVTT = .served(base: Array("http://a".utf8)) }
        }
    }

    /// Tracks of one language have names of their own, whatever else is called so.
    @Test func namesAreTheirOwn() throws {
        let languages = ["en", "EN", "en-2", nil, nil, "x-a", "en"]
        let tracks = languages.enumerated().map { Routes.track("\($0).vtt", $1) }
        let router = try Routes.router(
            tracks.map { track in
                var track = track
                if track.track.language == "en-2" { track.track.language = "en-x-2" }
                return track
            })
        let names = router.tracks.map { Routes.text($0.name) }
        #expect(names == ["en", "en-2", "en-x-2", "track", "track-2", "x-a", "en-3"])
        for (index, name) in names.enumerated() {
            #expect(
                router.plan(RouteRequest("surtitle-track://subtitles/\(name).m3u8")) == .subtitlePlaylist(track: index))
        }
    }

    /// The base of a playlist may have bytes that no URI holds: some origins' queries do.
    @Test func anOriginWithWildURLs() throws {
        let master = "https://a/{x}/m|1.m3u8?\"<>"
        let router = try Router(Configuration(master: master, tracks: [Routes.track("en.vtt", "en")]))
        #expect(router.addresses.recognise(router.entry)?.url == Array(master.utf8))
        let edited = try router.master(Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n".utf8), from: router.master)
        #expect(Routes.text(edited.resource.bytes).contains("\nhttps://a/%7Bx%7D/v\n"))
        #expect(throws: RouteError.self) { try router.mediaPlaylist([], from: Array("relative".utf8)) }
    }

    @Test func tellsOfLimitsAndVariables() throws {
        let long = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,NAME=\"\(String(repeating: "x", count: 200))\"\nv\n"
        let passing = try Routes.router(Routes.tracks) { $0.limits.lines = LineLimits(longestLine: 100) }
        let passed = try passing.master(Array(long.utf8), from: passing.master)
        #expect(passed.exceededLimit != nil && passed.resource.bytes.starts(with: Array(long.utf8)))
        let failing = try Routes.router(Routes.tracks) {
            $0.limits.lines = LineLimits(longestLine: 100, policy: .fail)
        }
        let error = #expect(throws: RouteError.self) { try failing.master(Array(long.utf8), from: failing.master) }
        #expect(error?.limit?.limit == .longestLine)
        let imported = "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"a\"\n#EXTINF:4,\n{$a}/1.ts\n"
        let router = try Routes.router()
        #expect(try router.mediaPlaylist(Array(imported.utf8), from: router.master).unresolvedURIs == 1)
    }

    @Test func refusesSubtitlePlaylists() throws {
        let router = try Routes.router()
        let second = MediaDuration(milliseconds: 1_000)
        for index in [-1, 2, 3, .max] {
            #expect(throws: RouteError.self) { try router.subtitlePlaylist(of: index, lasting: second) }
        }
        for index in [-1, 3] {
            #expect(throws: RouteError.self) { try router.missingPlaylist(of: index, lasting: second) }
        }
        let error = #expect(throws: RouteError.self) {
            try router.subtitlePlaylist(of: 0, lasting: MediaDuration(milliseconds: 0))
        }
        #expect(error?.playlist?.reason == .noDuration)
    }

    @Test func refusesMadePlaylists() throws {
        let router = try Routes.router([])
        let second = MediaDuration(milliseconds: 1_000)
        func make(_ uri: String, _ key: MadePlaylist.Key? = nil, _ duration: MediaDuration? = nil) throws {
            _ = try router.mediaPlaylist(
                MadePlaylist([.init(uri: Array(uri.utf8), duration: duration ?? second, key: key)]))
        }
        try make("1.ts", .init(.sampleAES, uri: Array("k".utf8)))
        #expect(throws: RouteError.self) { try router.mediaPlaylist(MadePlaylist([])) }
        for uri in ["", "a\nb", "{$a}"] { #expect(throws: RouteError.self) { try make(uri) } }
        #expect(throws: RouteError.self) { try make("1.ts", nil, MediaDuration(milliseconds: -5)) }
        for uri in ["", "a\"b", "a\nb"] {
            #expect(throws: RouteError.self) { try make("1.ts", .init(uri: Array(uri.utf8))) }
        }
        #expect(throws: RouteError.self) { try make("1.ts", .init(uri: Array("k".utf8), vector: [1])) }
    }

    /// What a caller has fetched by itself stands for the answer to the plan's job.
    @Test func whatACallerHasFetchedByItself() throws {
        let known = MediaDuration(milliseconds: 9000)
        var (lasting, endless) = (Routes.track("a.vtt", "en"), Routes.track("b.vtt", "sv"))
        (lasting.duration, endless.duration) = (known, .zero)
        let router = try Routes.router([lasting, endless, Routes.track("c.vtt", "de")])
        func duration(_ track: Int, _ given: MediaDuration?) -> MediaDuration? {
            guard
                case .duration(let found)? = router.answer(
                    for: .subtitlePlaylist(track: track), [], from: nil, lasting: given)
            else { return nil }
            #expect(found.source == .track && found.finalCueEnd == nil)
            return found.duration
        }
        let five = MediaDuration(milliseconds: 5000)
        #expect(duration(0, nil) == known && duration(1, nil) == .zero && duration(2, nil) == .zero)
        #expect((0..<3).map { duration($0, five) } == [five, five, five])
        let (url, other) = (Array("https://a/b".utf8), Array("https://a/c".utf8))
        func answer(_ use: FetchUse, from source: [UInt8]? = nil) -> FetchAnswer? {
            router.answer(for: .fetch(OriginRequest(url: url, headers: []), use: use), [7], from: source, lasting: nil)
        }
        let text = FetchedText(bytes: [7], isConverted: false, map: nil, isChanged: false, mapFailure: nil)
        #expect(answer(.key) == .key([7]) && answer(.cues) == .text(text))
        for use in [FetchUse.master, .mediaPlaylist, .playlist, .subtitlePlaylist(track: 0)] {
            #expect(answer(use) == .playlist(FetchedPlaylist(bytes: [7], url: url)))
            #expect(answer(use, from: other) == .playlist(FetchedPlaylist(bytes: [7], url: other)))
        }
        #expect(router.answer(for: .subtitleFile(track: 0), [7], from: nil, lasting: nil) == .text(text))
        for plan in [RoutePlan.emptyFile(track: 0), .redirect(to: url), .decline(.key), .fail(RouteError(.noMaster))] {
            #expect(router.answer(for: plan, [7], from: nil, lasting: nil) == nil && router.job(for: plan) == nil)
        }
    }

    /// In place of a track's playlist: of its length if that is known, else of a week while it may still come, or of a
    /// second.
    @Test func howLongWhatIsMissingLasts() throws {
        var lasting = Routes.track("a.vtt", "en")
        lasting.duration = MediaDuration(milliseconds: 9000)
        let router = try Routes.router([lasting, Routes.track("c.vtt", "de")])
        func duration(_ track: Int, _ given: Int64? = nil, isLate: Bool) throws -> String {
            let resource = try router.resource(
                insteadOf: .subtitlePlaylist(track: track), lasting: given.map { MediaDuration(milliseconds: $0) },
                isLate: isLate)
            let lines = Routes.text(try #require(resource).bytes).split(separator: "\n")
            return String(try #require(lines.first { $0.hasPrefix("#EXTINF:") }).dropFirst(8))
        }
        #expect(try [true, false].map { try duration(0, isLate: $0) } == ["9.000,", "9.000,"])
        #expect(try [true, false].map { try duration(1, isLate: $0) } == ["604800.000,", "1.000,"])
        #expect(try [true, false].map { try duration(1, 5000, isLate: $0) } == ["5.000,", "5.000,"])
    }

    /// Segments of live tracks are where files are served.
    @Test func whereSegmentsOfLiveTracksAre() throws {
        let router = try Routes.router()
        #expect(Routes.text(router.liveAddress(of: 1)) == "surtitle-track://subtitles/zh-hant/")
        let served = try Routes.router { $0.webVTT = .served(base: Array("http://localhost/x/".utf8)) }
        #expect(Routes.text(served.liveAddress(of: 0)) == "http://localhost/x/track/en/")
    }

    @Test func textsOfMadePlaylistsAreBytes() {
        let key = MadePlaylist.Key(.sampleAES, uri: "k?é", vector: [1])
        #expect(key == MadePlaylist.Key(.sampleAES, uri: Array("k?é".utf8), vector: [1]))
        #expect(key != MadePlaylist.Key(uri: "k?é", vector: [1]) && MadePlaylist.Key(uri: "k").vector == nil)
        let second = MediaDuration(milliseconds: 1000)
        let segment = MadePlaylist.Segment(uri: "1.ts", duration: second, key: key)
        #expect(segment == MadePlaylist.Segment(uri: Array("1.ts".utf8), duration: second, key: key))
    }

    @Test func aConfigurationWithoutAMasterIsNone() throws {
        let error = #expect(throws: RouteError.self) { try Router(Configuration()) }
        #expect("\(try #require(error))".contains("\"master\""))
    }
}
