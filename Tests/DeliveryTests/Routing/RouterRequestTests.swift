import Sideload
import Support
import Testing

@testable import Delivery

/// The steps of a request: what is told when, in every order of what comes.
@Suite struct RouterRequestTests {
    private static let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv/1\n"

    /// Three tracks that are asked for, and one that is a local file.
    private static func router(_ change: (inout RoutePolicies) -> Void = { _ in }) throws -> Router {
        var local = Routes.track("local.vtt", "fi")
        local.file = "/local.vtt"
        let tracks = ["en", "sv", "de"].map { (name: String) in Routes.track("\(name).vtt", name) } + [local]
        var configuration = Configuration(master: "https://o.example/m", tracks: tracks)
        change(&configuration.policies)
        return try Router(configuration)
    }

    /// What a fetch comes to.
    private static func outcome(_ job: FetchJob, _ status: Int, _ body: String = "") -> Fetch.Step {
        var fetch = Fetch(job)
        while case .request = fetch.next() {
            if status == 0 {
                fetch.fail()
            } else if fetch.begin(FetchResponse(status: status), HeaderFields()) == .more {
                if Array(body.utf8).withUnsafeBytes({ unsafe fetch.write($0) }) == .more { fetch.finish() }
            }
        }
        return fetch.next()
    }

    /// All that a request wants, in its order.
    private static func wanted(_ request: inout Router.Request) -> [Router.Request.Wanted] {
        var wanted: [Router.Request.Wanted] = []
        while case .fetch(let next) = request.next() { wanted.append(next) }
        return wanted
    }

    private static func entry(_ router: Router) -> Router.Request {
        Router.Request(router, RouteRequest(router.entry))
    }

    @Test func theEntryAndItsTracksAreFetchedSideBySide() throws {
        var request = Self.entry(try Self.router())
        let wanted = Self.wanted(&request)
        let urls = ["en", "sv", "de"].map { Array("https://o.example/\($0).vtt".utf8) }
        let local = FetchJob.presence(FetchTrack(url: FetchTrack.localURL, format: .subRip))
        #expect(
            wanted.map(\.job) == [
                .content(FetchTrack(url: Array("https://o.example/m".utf8), format: .playlist), map: .own)
            ] + urls.map { .presence(FetchTrack(url: $0, format: .webVTT)) } + [local])
        #expect(wanted.map(\.file) == [nil, nil, nil, nil, "/local.vtt"])
        #expect(request.next() == .wait && request.httpAnswer(to: Array("GET".utf8)) == nil)
        // What is not to be left out is not looked for.
        for policy in [RoutePolicies.MissingTrack.empty, .fail] {
            var other = Self.entry(try Self.router { $0.missingTrack = policy })
            #expect(Self.wanted(&other) == [wanted[0]])
        }
    }

    /// What may happen to the request for an entry.
    private enum Event: CaseIterable {
        case master, english, swedish, german, late
    }

    /// How the tracks' fetches end, by a status; 0 is no answer. Only what is certainly not to be had is left out.
    private static let statuses = [[200, 404, 410], [404, 404, 404], [503, 0, 403], [404, 200, 0]]

    /// Every order of events, and every end of the entry: the answer comes as soon as nothing is waited for, and stays.
    @Test(arguments: statuses, [200, 404, 0])
    func everyOrder(_ tracks: [Int], _ status: Int) throws {
        let router = try Self.router()
        let names = ["en", "sv", "de"]
        for order in permutations(of: Event.allCases) {
            var request = Self.entry(router)
            let wanted = Self.wanted(&request)
            request.take(Self.outcome(wanted[4].job, 200, "WEBVTT\n"), of: wanted[4])
            // The naive form: what is known, and what is still waited for.
            var (waiting, leftOut, end) = (Set(names), Set<String>(), Router.Request.Step?.none)
            var isThere = false
            for event in order {
                switch event {
                case .late: request.late()
                case .master: request.take(Self.outcome(wanted[0].job, status, Self.master), of: wanted[0])
                case .english, .swedish, .german:
                    let place = event == .english ? 0 : event == .swedish ? 1 : 2
                    let step = Self.outcome(wanted[place + 1].job, tracks[place], "WEBVTT\n")
                    request.take(step, of: wanted[place + 1])
                    let isMissing = 400..<500 ~= tracks[place]
                    if waiting.remove(names[place]) != nil, isMissing { leftOut.insert(names[place]) }
                }
                if event == .late { waiting = [] }
                if event == .master { isThere = true }
                let next = request.next()
                if let end {
                    #expect(next == end, "\(order): it stays")
                } else if isThere, status != 200 {
                    guard case .fail(.fetch) = next else { return #expect(Bool(false), "\(order): \(next)") }
                    end = next
                } else if isThere, waiting.isEmpty {
                    guard case .answer(let made) = next else { return #expect(Bool(false), "\(order): \(next)") }
                    let text = Routes.text(made.resource.bytes)
                    let there = Set((names + ["fi"]).filter { text.contains("subtitles/\($0).m3u8") })
                    #expect(there == Set(names + ["fi"]).subtracting(leftOut), "\(order), \(tracks)")
                    #expect(made.mayBeKept && made.missing == nil && made.reason == nil && made.wrapped == nil)
                    #expect(Set(made.leftOut.map { names[$0.track] }) == leftOut, "\(order), \(tracks)")
                    end = next
                } else {
                    #expect(next == (isThere ? .waitForTracks : .wait), "\(order)")
                }
            }
            #expect(end != nil)
        }
    }

    private func permutations<Element>(of elements: [Element]) -> [[Element]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { place in
            var others = elements
            let element = others.remove(at: place)
            return permutations(of: others).map { [element] + $0 }
        }
    }

    /// What did not come may come the next time, and so what stands in its place is not kept.
    @Test(arguments: [404, 503, 0, 200])
    func aSubstituteIsNotKept(_ status: Int) throws {
        let router = try Self.router {
            $0.webVTT = .bytes
            $0.missingTrack = .empty
        }
        for (path, track) in [
            ("surtitle-track://subtitles/sv.m3u8", 1), ("surtitle-track://subtitles/sv.vtt", 1),
            ("surtitle-cues-https://o.example/1.vtt", nil as Int?),
        ] {
            var request = Router.Request(router, RouteRequest(path))
            let wanted = Self.wanted(&request)
            let body = "WEBVTT\n\n00:00.000 --> 00:01.000\na\n"
            request.take(Self.outcome(wanted[0].job, status, body), of: wanted[0])
            guard case .answer(let made) = request.next() else { return #expect(Bool(false), "\(path)") }
            #expect(made.mayBeKept == (status == 200), "\(path)")
            #expect(made.missing == (status == 200 ? nil : track), "\(path)")
        }
    }

    /// A file whose map is not known because an origin did not answer is one that may be better the next time.
    @Test(arguments: [(503, false), (0, false), (404, true)])
    func aFileWithoutTheVideosMap(_ status: Int, _ mayBeKept: Bool) throws {
        let router = try Self.router {
            $0.webVTT = .bytes
            $0.map = .auto
        }
        var request = Router.Request(router, RouteRequest("surtitle-track://subtitles/sv.vtt"))
        let wanted = Self.wanted(&request)
        var fetch = Fetch(wanted[0].job)
        while case .request(let asked) = fetch.next() {
            if asked.purpose == .videoPlaylist {
                if status == 0 { fetch.fail() } else { _ = fetch.begin(FetchResponse(status: status), HeaderFields()) }
            } else if fetch.begin(FetchResponse(status: 200), HeaderFields()) == .more {
                if Array("WEBVTT\n".utf8).withUnsafeBytes({ unsafe fetch.write($0) }) == .more { fetch.finish() }
            }
        }
        request.take(fetch.next(), of: wanted[0])
        guard case .answer(let made) = request.next() else { return #expect(Bool(false), "\(request.next())") }
        #expect(Routes.text(made.resource.bytes) == "WEBVTT\n" && made.mayBeKept == mayBeKept)
    }

    /// What needs no fetch has its last step at once, and what comes all the same is ignored.
    @Test func whatNeedsNoFetch() throws {
        let router = try Self.router { $0.segments = .redirect }
        var entry = Self.entry(router)
        let wanted = Self.wanted(&entry)
        for url in [
            "https://else.example/", "surtitle-segment-https://o.example/1.ts", "surtitle-track://subtitles/xx.vtt",
        ] {
            var request = Router.Request(router, RouteRequest(url))
            let end = request.next()
            switch end {
            case .decline(.otherURL), .redirect, .fail(.route): break
            default: return #expect(Bool(false), "\(url): \(end)")
            }
            #expect(request.key == nil)
            for one in wanted { request.take(Self.outcome(one.job, 200, Self.master), of: one) }
            request.late()
            #expect(request.next() == end && request.httpAnswer(to: Array("GET".utf8)) == request.plan.httpAnswer)
        }
    }

    /// A fetch that has not ended tells nothing.
    @Test func aFetchThatGoesOnIsNoEnd() throws {
        var request = Self.entry(try Self.router())
        let wanted = Self.wanted(&request)
        for one in wanted {
            var fetch = Fetch(one.job)
            request.take(fetch.next(), of: one)
            #expect(request.next() == .wait)
        }
    }

    /// The player is not sent to a file that could not be had, whatever case its address is in.
    @Test(arguments: ["surtitle-track://subtitles/en.vtt", "SURTITLE-TRACK://subtitles/EN.vtt"])
    func aMissingFileIsNotRedirectedTo(_ url: String) throws {
        var configuration = Configuration(
            master: "https://o.example/m", tracks: [Routes.track("en.vtt", "en"), Routes.track("fi.vtt", "fi")])
        configuration.policies.webVTT = .redirect
        let router = try Router(configuration)
        let plain = Router.Request(router, RouteRequest(url))
        #expect(plain.plan == .redirect(to: Array("https://o.example/en.vtt".utf8)) && plain.track == 0)
        #expect(Router.Request(router, RouteRequest(url), missing: [1]).plan == plain.plan)
        #expect(Router.Request(router, RouteRequest(url), missing: [1, 0]).plan == .subtitleFile(track: 0))
    }

    /// A file has its own URL in its playlist only if it is not known to be missing, and if its origin has answered.
    @Test func aPlaylistHasTheFilesOwnURLIfItIsThere() throws {
        let router = try Self.router()
        let (own, ours) = ("https://o.example/en.vtt", "surtitle-track://subtitles/en.vtt")
        func file(missing: [Int], isLate: Bool = false) throws -> String? {
            let asked = RouteRequest("surtitle-track://subtitles/en.m3u8")
            var request = Router.Request(router, asked, missing: missing)
            let wanted = Self.wanted(&request)
            if isLate {
                request.late()
            } else {
                let found = FetchedDuration(
                    duration: MediaDuration(milliseconds: 5000), source: .track, finalCueEnd: nil)
                request.take(.answer(.duration(found)), of: wanted[0])
            }
            guard case .answer(let made) = request.next() else { return nil }
            return Routes.text(made.resource.bytes).split(separator: "\n").last { !$0.hasPrefix("#") }.map(String.init)
        }
        #expect(try file(missing: []) == own)
        #expect(try file(missing: [1]) == own)
        #expect(try file(missing: [0]) == ours)
        #expect(try file(missing: [], isLate: true) == ours)
    }

    /// Requests for one thing have one key, whatever they ask of it; no two things do.
    @Test func keys() throws {
        let router = try Self.router {
            $0.keys = .fetch
            $0.webVTT = .bytes
        }
        let urls = [
            Routes.text(router.entry), "surtitle-variant-https://o.example/m", "surtitle-variant-https://o.example/v",
            "surtitle-key-https://o.example/m", "surtitle-cues-https://o.example/m", "surtitle-cues-http://o.example/m",
            "surtitle-track://subtitles/en.m3u8", "surtitle-track://subtitles/sv.m3u8",
            "surtitle-track://subtitles/en.vtt", "surtitle-track://subtitles/sv.vtt",
        ]
        var keys: Set<[UInt8]> = []
        for url in urls {
            var other = RouteRequest(url, ByteRequest(offset: 5, extent: .bytes(1)), wantsInformation: true)
            other.headers = [HeaderLine("Cookie", "a")]
            let key = try #require(Router.Request(router, RouteRequest(url)).key, "\(url)")
            #expect(Router.Request(router, other).key == key, "\(url)")
            keys.insert(key)
        }
        #expect(keys.count == urls.count)
        let changing = urls.filter { Router.Request(router, RouteRequest($0)).changes }
        #expect(changing == Array(urls[1...3]))
    }

    private static func entry(_ media: String, _ tracks: [TrackConfiguration]) throws -> Router.Request.Made? {
        var configuration = Configuration(master: "https://o.example/m", tracks: tracks)
        configuration.wrapping = WrappedVariant(uri: "", frameRate: "25", videoRange: .pq)
        var request = entry(try Router(configuration))
        for one in wanted(&request) {
            request.take(outcome(one.job, 200, one.checked == nil ? media : "#EXTM3U\nWEBVTT"), of: one)
        }
        request.late()
        guard case .answer(let made) = request.next() else { return nil }
        return made
    }

    /// A playlist that is made for a file is complete, and a live video is not.
    @Test func aLiveSingleRenditionGetsNoFiles() throws {
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nhttps://o.example/1.ts\n"
        let (file, playlist) = (Routes.track("en.srt", "en", .subRip), Routes.track("sv.m3u8", "sv", .playlist))
        let bare = try #require(try Self.entry(media, [file]))
        #expect(Routes.text(bare.resource.bytes) == media && bare.wrapped == nil)
        #expect(bare.leftOut.map(\.track) == [0])
        guard case .route(let error) = bare.leftOut[0].reason else { return #expect(Bool(false)) }
        #expect(error.isLiveVideo && error.track == 0)
        let both = try #require(try Self.entry(media, [file, playlist]))
        let text = Routes.text(both.resource.bytes)
        #expect(!text.contains("en.m3u8") && text.contains("sv.m3u8") && both.wrapped != nil)
        let complete = try #require(try Self.entry(media + "#EXT-X-ENDLIST\n", [file, playlist]))
        #expect(complete.leftOut.isEmpty && Routes.text(complete.resource.bytes).contains("en.m3u8"))
    }

    @Test func whatAnHDRVideoIsWrappedInto() throws {
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.ts\n#EXT-X-ENDLIST\n"
        let made = try #require(try Self.entry(media, [Routes.track("en.srt", "en", .subRip)]))
        #expect(made.wrapped?.isHDR == true && made.wrapped?.uri == "https://o.example/m")
        #expect(
            Routes.text(made.resource.bytes).contains(
                "BANDWIDTH=2000000,FRAME-RATE=25,VIDEO-RANGE=PQ,SUBTITLES=\"subs\"\nhttps://o.example/m\n"))
    }

    /// A player ends when what it asks for comes too late.
    @Test(arguments: RoutePolicies.MissingTrack.allCases)
    func whatIsLateIsWaitedForNoLonger(_ policy: RoutePolicies.MissingTrack) throws {
        let router = try Self.router {
            $0.webVTT = .bytes
            $0.missingTrack = policy
        }
        for (path, text) in [
            ("surtitle-track://subtitles/sv.m3u8", "#EXTINF:604800.000,\nsurtitle-track://subtitles/sv.vtt\n"),
            ("surtitle-track://subtitles/sv.vtt", "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n"),
            ("surtitle-cues-https://o.example/1.vtt", "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n"),
        ] {
            var request = Router.Request(router, RouteRequest(path))
            #expect(Self.wanted(&request).count == 1)
            #expect(request.next() == (policy == .fail ? .wait : .waitForTracks))
            request.late()
            guard policy != .fail else {
                #expect(request.next() == .wait, "whoever fetches tells when there is no answer")
                continue
            }
            guard case .answer(let made) = request.next() else { return #expect(Bool(false), "\(path)") }
            #expect(Routes.text(made.resource.bytes).contains(text) && !made.mayBeKept && made.missing == nil)
            guard case .route(let error) = made.reason else { return #expect(Bool(false), "\(path)") }
            #expect(error.isLate)
        }
    }

    /// A single rendition at a URL that no playlist could hold as it is.
    @Test func theAddressOfAWrappedPlaylistIsEscaped() throws {
        let router = try Self.router()
        var request = Self.entry(router)
        let wanted = Self.wanted(&request)
        var fetch = Fetch(wanted[0].job)
        guard case .request = fetch.next() else { return #expect(Bool(false), "nothing is asked for") }
        let url = Array("https://o.example/a b{$c}".utf8)
        #expect(fetch.begin(FetchResponse(status: 200, url: url), HeaderFields()) == .more)
        let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n1.ts\n#EXT-X-ENDLIST\n"
        _ = Array(media.utf8).withUnsafeBytes { unsafe fetch.write($0) }
        fetch.finish()
        request.take(fetch.next(), of: wanted[0])
        request.late()
        guard case .answer(let made) = request.next() else { return #expect(Bool(false), "\(request.next())") }
        #expect(Routes.text(made.resource.bytes).contains("\nhttps://o.example/a%20b%7B$c%7D\n"))
    }
}
