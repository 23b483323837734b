import Sideload
import Support
import Testing

@testable import Delivery

/// Whether a video is live, which the first look at its playlists tells, and what a request asks for beside it.
struct LiveVideoTests {
    private static let url = "https://o.example/d/master.m3u8"
    private static let master =
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\"\na.m3u8\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=2x2\nv/v.m3u8?t=1\n"
    private static let live = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:4,\n7.ts\n"

    /// Carries an ask out, each fetch answered at once by what is at its URL, and notes what is fetched.
    private static func run(
        _ video: inout LiveVideo, _ origin: [String: String], _ kind: LiveAsk.Kind = .playlist(nil), at now: Int64
    ) -> (LiveVideo.Step, [String]) {
        var ask = LiveAsk(kind, at: now)
        var fetched: [String] = []
        for _ in 0..<5 {
            let step = video.step(&ask, at: now)
            guard case .next(.fetch(.livePlaylist(let url), let fetch)) = step else { return (step, fetched) }
            let name = String(decoding: url, as: UTF8.self)
            fetched.append(name)
            var answer = Fetch.Step.failure(FetchError(reason: .network, purpose: .videoPlaylist, url: url))
            if let body = origin[name] {
                answer = .answer(.playlist(FetchedPlaylist(bytes: Array(body.utf8), url: url)))
            } else if origin["status"] != nil {
                answer = .failure(FetchError(reason: .status(404), purpose: .videoPlaylist, url: url))
            }
            video.take(answer, of: fetch, at: now)
        }
        return (.next(.wait), fetched)
    }

    @Test func theFirstVariantWithVideoIsFollowed() {
        var video = LiveVideo(playlist: Array(Self.url.utf8), LiveConfiguration(anchor: .segment(7), map: .none))
        let variant = "https://o.example/d/v/v.m3u8?t=1"
        let origin = [Self.url: Self.master, variant: Self.live]
        var (step, fetched) = Self.run(&video, origin, at: 0)
        #expect(step == .next(.playlist) && fetched == [Self.url, variant] && video.isLive)
        // Its first version has been taken: nothing is fetched twice, and later the variant alone.
        #expect(video.stream.channel.listed == 7...7)
        (step, fetched) = Self.run(&video, origin, at: 1999)
        #expect(step == .next(.playlist) && fetched == [])
        (step, fetched) = Self.run(&video, origin, at: 2000)
        #expect(step == .next(.playlist) && fetched == [variant])
        (step, fetched) = Self.run(&video, origin, .segment(Array("7.vtt".utf8)), at: 2000)
        guard case .next(.segment(let span)) = step else { return #expect(Bool(false), "\(step)") }
        #expect(span.segment == 7 && span.isKnown && fetched == [])
        // It stays one when it ends.
        (step, fetched) = Self.run(&video, [variant: Self.live + "#EXT-X-ENDLIST\n"], at: 9000)
        #expect(step == .next(.playlist) && video.isLive && video.stream.channel.isEnded)
        #expect(video.lifetime(of: .playlist(nil)) == 2 && video.lifetime(of: .segment([])) == 4)
    }

    @Test func aCompleteVideoIsNoneForAMinute() {
        var video = LiveVideo(playlist: Array(Self.url.utf8))
        let complete = [Self.url: Self.live + "#EXT-X-ENDLIST\n"]
        var (step, fetched) = Self.run(&video, complete, at: 0)
        #expect(step == .complete && fetched == [Self.url])
        (step, fetched) = Self.run(&video, [Self.url: Self.live], at: 59_999)
        #expect(step == .complete && fetched == [])
        (step, fetched) = Self.run(&video, [Self.url: Self.live], at: 60_000)
        #expect(step == .next(.playlist) && fetched == [Self.url])
    }

    @Test func whatCannotBeFollowedIsNone() {
        let loop = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=2x2\nmaster.m3u8\n"
        for body in ["", "no playlist", "#EXTM3U\n", loop] {
            var video = LiveVideo(playlist: Array(Self.url.utf8))
            #expect(Self.run(&video, [Self.url: body], at: 0).0 == .complete, "\(body)")
        }
        // What is not there may be there a second later.
        var video = LiveVideo(playlist: Array(Self.url.utf8))
        #expect(Self.run(&video, ["status": "404"], at: 0).0 == .complete)
        #expect(Self.run(&video, [Self.url: Self.live], at: 999).0 == .complete)
        #expect(Self.run(&video, [Self.url: Self.live], at: 1000).0 == .next(.playlist))
    }

    @Test func whatDoesNotComeIsAskedForOnceASecond() {
        var video = LiveVideo(playlist: Array(Self.url.utf8))
        var (step, fetched) = Self.run(&video, [:], at: 0)
        #expect(step == .next(.status(504)) && fetched == [Self.url])
        (step, fetched) = Self.run(&video, [Self.url: Self.live], at: 999)
        #expect(step == .next(.status(504)) && fetched == [])
        (step, fetched) = Self.run(&video, [Self.url: Self.live], at: 1000)
        #expect(step == .next(.playlist))
    }

    /// What becomes of the first look, and when the next one is: a second later, or a minute where there is none to follow.
    @Test(
        arguments: [
            (.failure(.network), .next(.status(504)), 1000), (.failure(.status(503)), .next(.status(502)), 1000),
            (.failure(.status(404)), .complete, 1000), (.failure(.notPlaylist), .complete, 1000),
            (.failure(.tooLong(limit: 1)), .complete, 1000), (.answer(.present), .complete, 60_000),
        ] as [(Look, LiveVideo.Step, Int64)])
    private func whatALookComesTo(_ look: Look, _ expected: LiveVideo.Step, _ wait: Int64) {
        for isVariant in [false, true] {
            var video = LiveVideo(playlist: Array(Self.url.utf8))
            var ask = LiveAsk(.playlist(nil), at: 0)
            func fetch(at now: Int64) -> (url: String, fetch: LiveFetch)? {
                guard case .next(.fetch(.livePlaylist(let url), let fetch)) = video.step(&ask, at: now) else {
                    return nil
                }
                return (String(decoding: url, as: UTF8.self), fetch)
            }
            guard var (url, number) = fetch(at: 0) else { return #expect(Bool(false)) }
            if isVariant {
                let master = FetchedPlaylist(bytes: Array(Self.master.utf8), url: Array(Self.url.utf8))
                video.take(.answer(.playlist(master)), of: number, at: 0)
                guard let next = fetch(at: 0) else { return #expect(Bool(false)) }
                (url, number) = next
            }
            #expect(url == (isVariant ? "https://o.example/d/v/v.m3u8?t=1" : Self.url))
            let step: Fetch.Step =
                switch look {
                case .failure(let reason): .failure(FetchError(reason: reason, purpose: .videoPlaylist, url: []))
                case .answer(let answer): .answer(answer)
                }
            #expect(video.take(step, of: number, at: 10) == nil && video.nextStart(at: 10) == nil && !video.isLive)
            #expect(video.step(&ask, at: 10) == expected && video.step(&ask, at: 9 + wait) == expected)
            // The look begins anew, with the playlist of all.
            #expect(fetch(at: 10 + wait)?.url == Self.url)
        }
    }

    private enum Look: Sendable {
        case failure(FetchError.Reason)
        case answer(FetchAnswer)
    }

    @Test func oneLookForAllWhoAsk() {
        var video = LiveVideo(playlist: Array(Self.url.utf8))
        var (first, second) = (LiveAsk(.playlist(nil), at: 0), LiveAsk(.playlist(nil), at: 1))
        guard case .next(.fetch(_, let fetch)) = video.step(&first, at: 0) else { return #expect(Bool(false)) }
        #expect(video.step(&first, at: 1) == .next(.wait) && video.step(&second, at: 1) == .next(.wait))
        #expect(video.step(&second, at: 3000) == .next(.wait) && video.step(&second, at: 3001) == .next(.status(504)))
        let found = FetchedPlaylist(bytes: Array(Self.live.utf8), url: Array(Self.url.utf8))
        #expect(video.take(.answer(.playlist(found)), of: fetch, at: 3001) == .first)
        #expect(video.step(&first, at: 3001) == .next(.playlist))
    }

    // MARK: Requests

    private static func router(_ specs: String...) throws -> Router {
        var configuration = Configuration()
        configuration.master = Array(url.utf8)
        configuration.tracks = try specs.map { try TrackConfiguration(spec: $0) }
        configuration.addresses = try RouteAddresses(base: Array("https://p.example/x/".utf8))
        return try Router(configuration)
    }

    @Test(
        arguments: [
            ("en.m3u8", 0, .playlist(nil)), ("EN.m3u8?a=b", 0, .playlist(nil)),
            (
                "en.m3u8?a=b&_HLS_msn=12&_HLS_part=3&_HLS_skip=YES#f", 0,
                .playlist(LiveDirectives(segment: 12, part: 3))
            ),
            ("en/17.vtt", 0, .segment(Array("17.vtt".utf8))), ("en/17.2.vtt?x", 0, .segment(Array("17.2.vtt".utf8))),
            ("en/a/b", 0, .segment(Array("a/b".utf8))), ("fr/1.vtt", 2, .segment(Array("1.vtt".utf8))),
            // Of a track that follows nothing, of a playlist of somebody else's, of none, and of a whole file.
            ("sv.m3u8", nil, .playlist(nil)), ("sv/1.vtt", nil, .playlist(nil)), ("de.m3u8", nil, .playlist(nil)),
            ("it.m3u8", nil, .playlist(nil)), ("en.vtt", nil, .playlist(nil)), ("en", nil, .playlist(nil)),
        ] as [(String, Int?, LiveAsk.Kind)])
    func whatARequestAsksFor(_ path: String, _ track: Int?, _ kind: LiveAsk.Kind) throws {
        let router = try Self.router(
            "uri=en.vtt,language=en", "uri=sv.vtt,language=sv,live=no", "cues=http,language=fr",
            "uri=de.m3u8,language=de")
        let request = router.liveRequest(RouteRequest("https://p.example/x/track/" + path))
        #expect(request == track.map { LiveRequest(track: $0, kind: kind) })
        #expect(router.liveRequest(RouteRequest("https://p.example/y/track/" + path)) == nil)
    }

    @Test(
        arguments: [
            ("fr?format=jsonl", "", CuesRequest(track: 1, format: .jsonLines)),
            ("FR?a=b&format=VTT&format=srt#f", "", CuesRequest(track: 1, format: .webVTT)),
            ("fr", "text/vtt; charset=utf-8", CuesRequest(track: 1, format: .webVTT)),
            ("fr?format=srt", "text/vtt", CuesRequest(track: 1, format: .subRip)),
            ("fr?format=m3u8", "application/x-subrip", CuesRequest(track: 1, format: .subRip)),
            ("fr", "", CuesRequest(track: 1, format: nil)),
            // Of a whole file, of one that grows, of none; and what is the address of a file of somebody else's.
            ("en", "", nil), ("da", "", nil), ("it", "", nil), ("fr/", "", nil), ("", "", nil),
            ("http/o.example/fr.vtt", "", nil),
        ] as [(String, String, CuesRequest?)])
    func whichCuesARequestBrings(_ path: String, _ type: String, _ cues: CuesRequest?) throws {
        let specs = ["uri=en.vtt,language=en", "cues=http,language=fr", "cues=said.jsonl,uri=da.vtt,language=da"]
        let router = try Self.router(specs[0], specs[1], specs[2])
        var request = RouteRequest("https://p.example/x/cues/" + path)
        if !type.isEmpty { request.headers = [HeaderLine("Content-Type", type)] }
        #expect(router.cuesRequest(request) == cues)
        #expect(router.liveRequest(request) == nil)
        #expect(router.cuesAddress(of: 0) == nil && router.cuesAddress(of: 2) == nil)
        #expect(router.cuesAddress(of: 1) == Array("https://p.example/x/cues/fr".utf8))
        var configuration = Configuration()
        configuration.master = Array(Self.url.utf8)
        configuration.tracks = [try TrackConfiguration(spec: specs[1])]
        #expect(try Router(configuration).cuesAddress(of: 0) == nil, "nobody sends to a scheme")
    }

    @Test func howATrackCounts() throws {
        let router = try Self.router(
            "uri=en.vtt,language=en", "uri=sv.vtt,language=sv,at=msn:7", "cues=http,language=fr",
            "cues=http,language=de,at=media", "uri=da.vtt,language=da,at=1970-01-01T00:00:01Z")
        let anchors = (0..<5).map { router.liveConfiguration(of: $0).anchor }
        #expect(anchors == [.automatic, .segment(7), .firstVersion, .media, .date(1_000_000_000)])
        #expect(router.liveFiles(of: 0).map(\.job) == [.content(router.tracks[0].fetched, map: .own)])
        #expect(router.liveFiles(of: 2) == [] && router.tracks[2].url == nil)
        #expect(router.growingConfiguration(of: 2, .jsonLines).latency == 0)
        #expect(router.growingConfiguration(of: 3, .subRip).latency == nil)
        #expect(router.liveNames(of: 1) == LiveNames(prefix: Array("sv/".utf8)))
        #expect(router.liveFiles(of: 1).map(\.naming) == [.ifNone(Array("sv".utf8))])
        let edits = VideoPlaylistEdits(lowLatency: .strip, heldBack: 3)
        let configuration = router.liveConfiguration(of: 1, with: edits)
        #expect(configuration.lowLatency == .strip && configuration.heldBack == 3)
        // No player gets these for somebody else's playlist, nor one that is written into no playlist of ours.
        let paths = ["en", "sv", "fr", "de", "da"].map { Array("/x/track/\($0).m3u8".utf8) }
        #expect(router.liveRenditions == paths)
        #expect(try Self.router("uri=en.vtt,live=no", "uri=sv.m3u8,language=sv").liveRenditions == [])
        var ours = Configuration()
        ours.master = Array(Self.url.utf8)
        ours.tracks = [try TrackConfiguration(spec: "uri=en.vtt")]
        #expect(try Router(ours).liveRenditions == [], "no playlist refers to a scheme")
    }

    @Test func filesThatFollowCountAsTheFirst() throws {
        let later = "then=b.srt@1970-01-01T00:00:11Z;c.vtt@1970-01-01T00:00:00.5Z"
        let router = try Self.router("file=a.vtt,language=en,at=1970-01-01T00:00:01Z,shift=2,\(later)", "uri=sv.vtt")
        let files = router.liveFiles(of: 0)
        #expect(files.map(\.path) == ["a.vtt", "b.srt", "c.vtt"] && router.liveFiles(of: 1).map(\.path) == [nil])
        let names = ["en", "en-2", "en-3"].map { Array($0.utf8) }
        #expect(files.map(\.naming) == [.ifNone(names[0]), .always(names[1]), .always(names[2])])
        let jobs = files.map { file in
            if case .content(let track, .own) = file.job { track.shift } else { Int64.max }
        }
        #expect(jobs == [2000, 12_000, 1500])
    }

    @Test func anAnswerMayBeKept() {
        let answer = HTTPAnswer(Resource([1], .webVTT), to: Array("HEAD".utf8), [], keptFor: 12)
        #expect(answer.status == 200 && answer.body.isEmpty)
        #expect(answer.headers.contains(HeaderLine("Cache-Control", "max-age=12")))
    }
}
