import Delivery
import M3U8
import Sideload
import Testing
import WebVTT

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

    @Test func aConfigurationWithoutAMasterIsNone() throws {
        let error = #expect(throws: RouteError.self) { try Router(Configuration()) }
        #expect("\(try #require(error))".contains("\"master\""))
    }
}
