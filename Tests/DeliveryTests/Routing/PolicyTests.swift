import Delivery
import Sideload
import Testing
import WebVTT

/// What each policy makes of requests.
@Suite struct PolicyTests {
    // MARK: The probe

    private static let resource = Resource(Array(0..<50), .playlist)

    /// Offset, length, to the end, information wanted: what is told, and which bytes.
    private static let asked: [(Int64, Int, Bool, Bool)] = [
        (0, 2, false, true), (0, 2, false, false), (0, 70, false, false), (0, 10, false, true), (5, 10, false, false),
        (0, .max, true, true), (60, 5, false, false), (-1, 2, false, true), (0, 2, true, true),
        (1, 0, false, false), (1, -1, false, false),
    ]

    @Test(arguments: [
        (
            RoutePolicies.Probe.information,
            [
                "told", "0..<2", "0..<50", "told 0..<10", "5..<15", "told 0..<50", "unsatisfiable",
                "told unsatisfiable", "told 0..<50", "1..<1", "unsatisfiable",
            ]
        ),
        (
            .exactRange,
            [
                "told 0..<2", "0..<2", "0..<50", "told 0..<10", "5..<15", "told 0..<50", "unsatisfiable",
                "told unsatisfiable", "told 0..<50", "1..<1", "unsatisfiable",
            ]
        ),
        (
            .dataOnly,
            [
                "0..<2", "0..<2", "0..<50", "0..<10", "5..<15", "0..<50", "unsatisfiable", "unsatisfiable", "0..<50",
                "1..<1", "unsatisfiable",
            ]
        ),
        (
            .redirect,
            [
                "redirect", "0..<50", "0..<50", "told 0..<50", "5..<50", "told 0..<50", "unsatisfiable",
                "told unsatisfiable", "told 0..<50", "1..<1", "unsatisfiable",
            ]
        ),
    ])
    func probes(_ probe: RoutePolicies.Probe, _ expected: [String]) throws {
        let router = try Routes.router { (policies: inout RoutePolicies) in policies.probe = probe }
        let answers = Self.asked.map { offset, length, toEnd, wantsInformation in
            let bytes = ByteRequest(offset: offset, length: length, toEnd: toEnd)
            return words(router, RouteRequest(router.entry, bytes, wantsInformation: wantsInformation))
        }
        #expect(answers == expected)
    }

    private func words(_ router: Router, _ request: RouteRequest) -> String {
        let plan = router.plan(request)
        if case .redirect(let url) = plan { return url == router.master ? "redirect" : "\(plan)" }
        let answer = router.answer(request, plan, with: Self.resource)
        var words: [String] = []
        if let information = answer.information {
            #expect(information.length == 50 && information.servesRanges && information.contentType == .playlist)
            words.append("told")
        }
        switch answer.data {
        case .none: break
        case .range(let range): words.append("\(range)")
        case .unsatisfiable: words.append("unsatisfiable")
        }
        return words.joined(separator: " ")
    }

    /// Of the other playlists that are fetched, too, the player has been told the length at the origin, which is not that of what it gets.
    @Test(arguments: [
        ("surtitle-variant-https://origin.example/v.m3u8", FetchUse.mediaPlaylist),
        ("surtitle-track://subtitles/de.m3u8", .subtitlePlaylist(track: 2)),
    ])
    func theRestBehindARedirectedProbe(_ url: String, _ use: FetchUse) throws {
        let router = try Routes.router { (policies: inout RoutePolicies) in
            policies.probe = .redirect
            policies.variants = .mapped
            policies.missingTrack = .empty
        }
        let request = RouteRequest(url, ByteRequest(offset: 5, length: 10, toEnd: false), wantsInformation: false)
        let plan = router.plan(request)
        guard case .fetch(_, use: use) = plan else {
            Issue.record("\(plan)")
            return
        }
        #expect(router.answer(request, plan, with: Self.resource).data == .range(5..<50))
    }

    /// What is made here has no origin to redirect to: the player is told its length, and asks for exactly that.
    @Test func theProbeOfWhatIsMade() throws {
        let router = try Routes.router { (policies: inout RoutePolicies) in policies.probe = .redirect }
        let probe = ByteRequest(offset: 0, length: 2, toEnd: false)
        let request = RouteRequest("surtitle-track://subtitles/en.m3u8", probe, wantsInformation: true)
        let plan = router.plan(request)
        #expect(plan == .subtitlePlaylist(track: 0))
        let answer = router.answer(request, plan, with: Self.resource)
        #expect(answer.information?.length == 50 && answer.data == .none)
    }

    // MARK: Variants, keys

    @Test(arguments: [
        (RoutePolicies.Variants.absolute, "https://origin.example/film/v", "redirect to https://a/v"),
        (.redirect, "surtitle-variant-https://origin.example/film/v", "redirect to https://a/v"),
        (.mapped, "surtitle-variant-https://origin.example/film/v", "fetch https://a/v and map its URIs"),
    ])
    func variants(_ policy: RoutePolicies.Variants, _ uri: String, _ plan: String) throws {
        let router = try Routes.router { (policies: inout RoutePolicies) in policies.variants = policy }
        let playlist = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n".utf8)
        #expect(Routes.text(try router.master(playlist, from: router.master).resource.bytes).contains("\n\(uri)\n"))
        #expect(router.words("surtitle-variant-https://a/v") == plan)
        #expect(router.words("surtitle-rendition-https://a/v") == plan)
    }

    @Test(arguments: [
        (
            RoutePolicies.Keys.player, "https://origin.example/film/k",
            "fail: surtitle-key-https://a/k is no address that the router has made"
        ),
        (.fetch, "surtitle-key-https://origin.example/film/k", "fetch https://a/k and hand over the key"),
        (.redirect, "surtitle-key-https://origin.example/film/k", "redirect to https://a/k"),
        (.decline, "surtitle-key-https://origin.example/film/k", "decline: keys are left to the app"),
    ])
    func keys(_ policy: RoutePolicies.Keys, _ uri: String, _ plan: String) throws {
        let router = try Routes.router { (policies: inout RoutePolicies) in policies.keys = policy }
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:4,\n1.ts\n"
        let mapped = try router.mediaPlaylist(Array(media.utf8), from: router.master)
        #expect(Routes.text(mapped.resource.bytes).contains("URI=\"\(uri)\""))
        #expect(router.words("surtitle-key-https://a/k") == plan)
        // Keys are in media playlists, which have to pass by here for that.
        #expect((router.policies.variantsInEffect == .mapped) == (policy != .player))
    }

    // MARK: WebVTT

    /// Where the playlists have a plain WebVTT file, a SubRip file and a local file.
    private func files(_ change: (inout Configuration) -> Void) throws -> [String] {
        var local = Routes.track("fi.vtt", "fi")
        local.file = "subs/fi.vtt"
        let router = try Routes.router(Routes.tracks.dropLast() + [local], change)
        return try router.tracks.indices.map { index in
            let track = router.tracks[index]
            let playlist = try router.subtitlePlaylist(of: index, lasting: MediaDuration(milliseconds: 5000))
            let file = try #require(Routes.text(playlist.bytes).split(separator: "\n").last { !$0.hasPrefix("#") })
            #expect(track.file.map { Routes.text($0) } == String(file) && !track.isRedirected)
            let address = "surtitle-track://subtitles/\(Routes.text(track.name)).vtt"
            #expect(router.plan(RouteRequest(address)) == .subtitleFile(track: index), "as bytes, if it is asked for")
            return file == address ? "bytes" : String(file)
        }
    }

    private static let english = "https://origin.example/film/subs/en.vtt?a=b"

    /// A case, and whether the file that needs no change is at its own URL.
    private static let ownURLs: [(String, Bool, @Sendable (inout Configuration) -> Void)] = [
        ("by default", true, { _ in }), ("missing ones fail", true, { $0.policies.missingTrack = .fail }),
        ("bytes", false, { $0.policies.webVTT = .bytes }),
        ("missing ones are empty", false, { $0.policies.missingTrack = .empty }),
        ("the video's map", false, { $0.policies.map = .auto }),
        ("a given map", false, { $0.policies.map = .given(TimestampMap(mpegTS: 1)) }),
        // Its origin may want them, and the player does not know them.
        ("the app's fields", false, { $0.headers = [HeaderLine("Authorization", "a")] }),
    ]

    @Test(arguments: ownURLs.indices)
    func aFileThatNeedsNoChangeIsAtItsOwnURL(_ row: Int) throws {
        let (name, isOwn, change) = Self.ownURLs[row]
        #expect(try files(change) == [isOwn ? Self.english : "bytes", "bytes", "bytes"], "\(name)")
    }

    /// The app's fields go to the multivariant playlist's origin, or everywhere.
    @Test func aFileOfAnotherOriginHasNoFieldsOfTheApp() throws {
        for (policy, file) in [
            (RoutePolicies.AppHeaders.masterOrigin, "https://cdn.example/en%20%22.vtt"),
            (.everywhere, "surtitle-track://subtitles/en.vtt"),
        ] {
            let router = try Routes.router([Routes.track("https://cdn.example/en \".vtt", "en")]) {
                $0.headers = [HeaderLine("Authorization", "a")]
                $0.policies.appHeaders = policy
            }
            #expect(router.tracks[0].file.map { Routes.text($0) } == file)
        }
    }

    /// What nothing is done to must be fit as it is: anything else is refused at once.
    @Test(arguments: [RoutePolicies.WebVTT.redirect, .direct])
    func whatCannotStayAsItIsIsRefused(_ policy: RoutePolicies.WebVTT) throws {
        let error = #expect(throws: RouteError.self) { try files { $0.policies.webVTT = policy } }
        #expect(error?.track == 1)
        let english = [Routes.tracks[0]]
        let router = try Routes.router(english) {
            $0.policies.webVTT = policy
            $0.policies.missingTrack = .empty
        }
        let address = "surtitle-track://subtitles/en.vtt"
        #expect(router.tracks[0].isRedirected == (policy == .redirect))
        #expect(router.tracks[0].file.map { Routes.text($0) } == (policy == .redirect ? address : Self.english))
        #expect((router.words(address) == "redirect to \(Self.english)") == (policy == .redirect))
        #expect(throws: RouteError.self) {
            try Routes.router(english) {
                $0.policies.webVTT = policy
                $0.policies.map = .given(TimestampMap(mpegTS: 1))
            }
        }
    }

    /// What is shifted or decoded passes by here, and a named encoding is refused unless whoever fetches decodes it.
    @Test func aFileThatIsReadInAnotherWayIsNotRedirected() throws {
        var shifted = Routes.track("en.vtt", "en")
        shifted.shift = -1400
        let router = try Routes.router([shifted])
        #expect(!router.tracks[0].isRedirected && router.tracks[0].fetched.shift == -1400)
        #expect(throws: RouteError.self) { try Routes.router([shifted]) { $0.policies.webVTT = .redirect } }

        var named = Routes.track("zh.srt", "zh", .subRip)
        named.encoding = "gb18030"
        let error = #expect(throws: RouteError.self) { try Routes.router([Routes.tracks[0], named]) }
        #expect(error?.track == 1 && error?.description.contains("leave encoding out") == true)
        let decoding = try Routes.router([named]) { $0.decodesText = true }
        #expect(decoding.tracks[0].fetched.encoding == Array("gb18030".utf8))
        named.file = "zh.srt"
        let local = try Routes.router([named]) { $0.decodesText = true }
        #expect(local.tracks[0].fetched.encoding == Array("gb18030".utf8))
    }

    /// Files are below an http base, for whoever asks there, and so are those of a given playlist.
    @Test func filesServedElsewhere() throws {
        let base = Array("http://localhost:8080/x/".utf8)
        let router = try Routes.router { (policies: inout RoutePolicies) in policies.webVTT = .served(base: base) }
        #expect(
            router.tracks.map { $0.file.map { Routes.text($0) } } == [
                "http://localhost:8080/x/track/en.vtt", "http://localhost:8080/x/track/zh-hant.vtt", nil,
            ])
        #expect(router.plan(RouteRequest("http://LOCALHOST:8080/x/track/en.vtt?a")) == .subtitleFile(track: 0))
        let given = Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.vtt\n".utf8)
        let mapped = try router.givenPlaylist(given, from: Array("https://origin.example/b/de.m3u8".utf8))
        let address = "http://localhost:8080/x/cues/https/origin.example/b/1.vtt"
        #expect(Routes.text(mapped.resource.bytes).hasSuffix("\n\(address)\n"))
        #expect(router.words(address) == "fetch https://origin.example/b/1.vtt and hand over the WebVTT")
    }
}
