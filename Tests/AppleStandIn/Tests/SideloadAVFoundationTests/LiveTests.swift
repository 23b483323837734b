import AVFoundation
import Delivery
import Foundation
import Support
import Testing

@testable import SideloadAVFoundation

/// Tracks beside a live video: playlists number for number, and each cue where it belongs.
@Suite(.timeLimit(.minutes(3)))
struct LiveTests {
    private static let ways: [(SubtitleWay, String)] = [
        (.automatic, "127.0.0.1"), (.loopback, "127.0.0.1"), (.direct, "127.0.0.1"), (.redirect, "127.0.0.1"),
        (.bytes, "subtitles"),
    ]

    /// Whatever a way is for files, segments beside a live video are nowhere else than here.
    @Test(arguments: ways)
    func slidingByEveryWay(_ way: SubtitleWay, _ host: String) async throws {
        let events = Locked<[String]>([])
        let live = try LiveStage {
            $0.webVTT = way
            $0.trace = { event in events.withLock { $0.append("\(event)") } }
        }
        for _ in 0..<4 {
            for language in ["en", "sv"] {
                let listing = try await live.listing(language)
                live.expectSame(listing)
                #expect(listing.segments.allSatisfy { URL(string: $0.uri)?.host == host })
                try await live.expectCues(of: listing)
            }
            live.advance()
        }
        let means: SubtitleDelivery.Means = host == "subtitles" ? .bytes : .loopback
        #expect(!events.withLock { $0 }.contains { $0.contains("fail") })
        let statuses = live.loader.subtitles
        #expect(statuses.map { $0.delivery?.means } == [means, means])
        #expect(statuses.map { $0.live } == [LiveNotes(), LiveNotes()])
        #expect(statuses.map { "\($0)".hasSuffix("delivered, by \(means), live") } == [true, true])
        live.stage.expectNoMisuse()
    }

    /// What a server of the app's hands out is named below its base.
    @Test func slidingByAServerOfTheApps() async throws {
        let live = try LiveStage {
            $0.webVTT = .served(base: { URL(string: "http://192.0.2.1/subs/") })
        }
        let listing = LiveListing(try await live.stage.text(try LiveStage.playlist("en")))
        #expect(listing.segments.allSatisfy { $0.uri.hasPrefix("http://192.0.2.1/subs/file?") })
        try await live.expectCues(of: listing) { uri in
            let resource = try #require(try await live.loader.resource(for: RouteRequest(uri)))
            return String(decoding: resource.bytes, as: UTF8.self)
        }
        let forged = listing.segments[0].uri.replacingOccurrences(of: "2.vtt", with: "999.vtt")
        #expect(forged.hasSuffix("999.vtt"))
        let error = await #expect(throws: SubtitleLoaderError.self) {
            try await live.loader.resource(for: RouteRequest(forged))
        }
        #expect(error?.code == .live && error?.status == 404)
    }

    @Test func theBaseOfAConfiguration() async throws {
        let text = """
            {"master": "\(Stage.master)", "webvtt": {"served": "http://192.0.2.1/subs/"}, "map": "auto", "tracks": [
             {"uri": "\(Stage.english)", "language": "en", "name": "English", "at": "msn:2"}]}
            """
        let live = try LiveStage()
        let clock = live.clock
        var options = SubtitleLoaderOptions(transport: live.origin)
        options.now = { clock.withLock { $0 } }
        let stage = Stage(live.origin, try SubtitleLoader(json: Data(text.utf8), options: options))
        let listing = LiveListing(try await stage.text(try LiveStage.playlist("en")))
        #expect(listing.segments.count == 6)
        for segment in listing.segments {
            #expect(segment.uri.hasPrefix("http://192.0.2.1/subs/track/en/"))
            let resource = try await stage.loader.resource(for: RouteRequest(segment.uri))
            let cues = resource.map { LiveStage.cues(in: String(decoding: $0.bytes, as: UTF8.self)) }
            #expect(cues?.isEmpty == false, "segment \(segment.number)")
        }
    }

    /// One fetch for all who ask, and none if the version is younger than half a target duration.
    @Test func theVideosPlaylistIsFetchedOnce() async throws {
        let live = try LiveStage()
        _ = try await live.stage.masterText()
        async let first = live.listing("en")
        async let second = live.listing("sv")
        async let third = live.listing("en")
        _ = try await (first, second, third)
        #expect(live.origin.count(LiveStage.media) == 1 && live.origin.count(Stage.master) == 1)
        live.pass(3499)
        _ = try await (live.listing("en"), live.listing("sv"))
        #expect(live.origin.count(LiveStage.media) == 1)
        live.pass(1)
        _ = try await (live.listing("en"), live.listing("sv"))
        #expect(live.origin.count(LiveStage.media) == 2 && live.origin.count(Stage.master) == 1)
        #expect(live.origin.count(Stage.english) == 2, "whether it is there, and all of it")
    }

    /// Requests for the video's playlist have the header fields that the player's and the app's requests have.
    @Test func headerFieldsGoAlong() async throws {
        let live = try LiveStage { $0.headers = [("Authorization", "Bearer app")] }
        var load = Load.toEnd(try LiveStage.playlist("en"))
        load.fields = ["X-Player": "1", "If-None-Match": "a"]
        _ = try #require(await live.stage.requests.load(load).answer)
        let asked = try #require(live.origin.asked.last { $0.url == LiveStage.media })
        #expect(asked.field("authorization") == "Bearer app" && asked.field("x-player") == "1")
        #expect(asked.field("range") == nil && asked.field("if-none-match") == nil)
    }

    /// Tracks that count otherwise have a channel of their own, of the same versions and time stamps.
    @Test func tracksThatCountOtherwiseShareTheFetches() async throws {
        var tracks = try LiveStage.tracks()
        tracks[1].anchor = .segment(0)
        let live = try LiveStage(LiveStage.kind { $0.window = 12 }, subtitles: tracks)
        for step in 1...4 {
            for language in ["en", "sv"] {
                let listing = try await live.listing(language)
                live.expectSame(listing)
                try await live.expectCues(of: listing)
            }
            #expect(live.origin.count(LiveStage.media) == step)
            live.advance()
        }
        #expect(live.origin.asked.filter { $0.url.contains("/seg") }.count == 1, "one time stamp")
    }

    @Test(arguments: [
        TrackAnchor.date(Date(timeIntervalSince1970: Double(LiveStage.begin) / 1e9)), .segment(0), nil,
    ])
    func anEventFromItsBeginning(_ anchor: TrackAnchor?) async throws {
        let live = try LiveStage(LiveStage.kind { $0.isEvent = true }, subtitles: LiveStage.tracks(at: anchor))
        for _ in 0..<3 {
            let listing = try await live.listing()
            live.expectSame(listing)
            try await live.expectCues(of: listing)
            live.advance(2)
        }
        live.script.withLock { $0.isEnded = true }
        live.publish()
        let listing = try await live.listing()
        #expect(listing.isEnded)
        live.expectSame(listing)
        try await live.expectCues(of: listing)
    }

    /// Cues that were timed by whoever read the stream's time stamps.
    @Test func theVideosOwnClock() async throws {
        let live = try LiveStage(
            LiveStage.kind { $0.firstTicks = 90_000 * 10 }, subtitles: LiveStage.tracks(at: .media))
        let listing = try await live.listing()
        for listed in listing.segments {
            let text = try await live.stage.text(try url(listed.uri))
            let segment = try #require(live.script.withLock { $0.segment(listed.number) })
            let (start, end) = (segment.ticks, segment.ticks + segment.duration * 9 / 100_000)
            let shown = (0..<400 as Range<Int>).filter { number in
                Int64(number) * 450_000 + 300 < end && Int64(number * 5 + 4) * 90_000 - 300 > start
            }
            #expect(Set(shown).isSubset(of: LiveStage.cues(in: text)), "segment \(listed.number)")
        }
    }

    /// Without a date or a number nobody knows what time 0 is: that is said, and what would help.
    @Test func aFileWithoutAnAnchorSaysSo() async throws {
        let events = Locked<[String]>([])
        let live = try LiveStage(subtitles: LiveStage.tracks(at: nil)) {
            $0.trace = { event in events.withLock { $0.append("\(event)") } }
        }
        let listing = try await live.listing()
        live.expectSame(listing)
        #expect(LiveStage.cues(in: try await live.stage.text(try url(listing.segments[0].uri))) == [])
        let status = live.loader.subtitles[0]
        #expect(status.live == .noAnchor && "\(status)".contains("; give the track its at="))
        #expect(
            events.withLock { $0 }.filter { $0.contains("give the track its at=") && !$0.contains("track 1") }.count
                == 1)
    }

    /// The old clock's map is never that of a new one.
    @Test(arguments: [(UInt64(3), 3), (0, 2), (500, 3)])
    func theEncoderBeginsAnew(_ number: UInt64, _ count: Int) async throws {
        let live = try LiveStage()
        let before = try await live.listing()
        try await live.expectCues(of: before)
        live.script.withLock {
            $0.restart(at: number, after: 20_000_000_000, ticks: 90_000 * 5000)
            for _ in 0..<count { $0.advance() }
        }
        live.pass(10_000)
        live.publish()
        var listing = try await live.listing()
        if number == 0 {
            // It may be an edge that is late: the next version tells.
            #expect(listing == before)
            live.advance()
            listing = try await live.listing()
        }
        live.expectSame(listing)
        try await live.expectCues(of: listing)
        #expect(live.loader.subtitles[0].live?.isEmpty == false)
    }

    /// The last version while it is younger than three target durations, then 502.
    @Test func thePlaylistGoesAway() async throws {
        let live = try LiveStage()
        let first = try await live.listing()
        live.origin.put(.status(404), at: LiveStage.media)
        live.pass(20_999)
        #expect(try await live.listing() == first)
        try await live.expectCues(of: first)
        live.pass(3)
        let answer = try #require(await live.stage.requests.load(.toEnd(LiveStage.playlist("en"))).answer)
        #expect(answer.loaderError == .live && answer.failure?.userInfo[SubtitleLoaderError.statusKey] as? Int == 502)
        #expect(live.loader.subtitles[0].error?.status == 502)
        live.origin.put(.offline, at: LiveStage.media)
        live.pass(3500)
        let offline = try #require(await live.stage.requests.load(.toEnd(LiveStage.playlist("en"))).answer)
        #expect(offline.failure?.userInfo[SubtitleLoaderError.statusKey] as? Int == 504)
        live.advance(1)
        live.expectSame(try await live.listing())
        live.stage.expectNoMisuse()
    }

    /// As long as nobody knows whether the video is live a track is what it is beside any other, unless it is for live videos.
    @Test(arguments: [TimestampMapChoice.auto, .none])
    func theVideosPlaylistIsNotThere(_ map: TimestampMapChoice) async throws {
        var tracks = try LiveStage.tracks()
        tracks[1].anchor = nil
        let live = try LiveStage(subtitles: tracks) { $0.policies.map = map }
        live.origin.put(.broken, at: LiveStage.media)
        let answer = try #require(await live.stage.requests.load(.toEnd(LiveStage.playlist("en"))).answer)
        #expect(answer.loaderError == .live && answer.failure?.userInfo[SubtitleLoaderError.statusKey] as? Int == 504)
        #expect(try await live.listing("sv").isEnded)
        live.publish()
        live.pass(1000)
        for language in ["en", "sv"] { live.expectSame(try await live.listing(language)) }
    }

    /// A broken version changes nothing.
    @Test func aBrokenVersion() async throws {
        let live = try LiveStage()
        let first = try await live.listing()
        for body in [
            "", "#EXTM3U\n", "no playlist", live.version.replacingOccurrences(of: "#EXTINF:6", with: "#EXTINF:x"),
        ] {
            live.pass(3500)
            live.origin.put(.whole(body), at: LiveStage.media)
            #expect(try await live.listing() == first, "\(body)")
        }
    }

    private static let forged = [
        "99999999999999999999999.vtt", "18446744073709551615.vtt", "-1.vtt", "00.vtt", "5.vtt.vtt", "900.vtt", "5",
        "..",
        "5.0.vtt", "en/5.vtt",
    ]

    @Test(arguments: [SubtitleWay.automatic, .bytes])
    func forgedNames(_ way: SubtitleWay) async throws {
        let live = try LiveStage { $0.webVTT = way }
        let listing = try await live.listing()
        let uri = try #require(listing.segments.first?.uri)
        try await live.expectCues(of: listing)
        let count = live.origin.asked.count
        let folder = String(uri[..<(try #require(uri.range(of: "/", options: .backwards))).upperBound])
        for name in Self.forged where name != "5.0.vtt" {
            let address = try url(folder + name)
            if case .bytes = way {
                let answer = try #require(await live.stage.requests.load(.toEnd(address)).answer)
                #expect(answer.failure != nil, "\(name)")
            } else {
                let (_, response) = try await URLSession.shared.data(from: address)
                #expect((response as? HTTPURLResponse)?.statusCode == 404, "\(name)")
            }
        }
        #expect(live.origin.asked.count == count, "nothing is fetched")
        // Long gone: 200, and no cue.
        let gone = try await live.stage.text(try url(folder + "0.vtt"))
        #expect(gone.hasPrefix("WEBVTT\nX-TIMESTAMP-MAP="))
        #expect(live.loader.subtitles[0].error == nil)
    }

    /// What the player waits for goes to the origin, which blocks.
    @Test func deliveryDirectives() async throws {
        let live = try LiveStage(LiveStage.kind { $0.parts = 4 })
        let listing = try await live.listing()
        #expect(listing.segments.last?.parts.count == 4 && listing.hint != nil)
        let asked = LiveStage.media + "?_HLS_msn=8&_HLS_part=1"
        live.origin.put(.slow(50, .whole(live.script.withLock { $0.version(openParts: 2) })), at: asked)
        let query = "?_HLS_msn=8&_HLS_part=1&_HLS_skip=YES"
        async let first = live.stage.text(try LiveStage.playlist("en", query))
        async let second = live.stage.text(try LiveStage.playlist("sv", query))
        let texts = try await [first, second]
        #expect(texts.map { LiveListing($0).openParts.count } == [2, 2] && live.origin.count(asked) == 1)
        live.origin.put(.status(400), at: LiveStage.media + "?_HLS_msn=99")
        let answer = try #require(
            await live.stage.requests.load(.toEnd(LiveStage.playlist("en", "?_HLS_msn=99"))).answer)
        #expect(answer.failure?.userInfo[SubtitleLoaderError.statusKey] as? Int == 400)
    }

    /// The key of an encrypted segment is had as for a complete video.
    @Test(arguments: [true, false])
    func encryptedSegments(_ hasKey: Bool) async throws {
        let live = try LiveStage()
        let key = Array("0123456789abcdef".utf8)
        let tag = "#EXT-X-KEY:METHOD=AES-128,URI=\"https://example.com/a/k.bin\"\n"
        live.origin.put(
            .whole(live.version.replacingOccurrences(of: "#EXT-X-MEDIA-SEQUENCE", with: tag + "#EXT-X-MEDIA-SEQUENCE")),
            at: LiveStage.media)
        if hasKey { live.origin.put(.bytes(key), at: "https://example.com/a/k.bin") }
        for segment in live.script.withLock({ $0.segments }) {
            var vector = [UInt8](repeating: 0, count: 16)
            vector[15] = UInt8(segment.number)
            live.origin.put(
                .bytes(NaiveAES(key: key).sealed(LiveStage.transport(at: segment.ticks), vector: vector)),
                at: segment.uri)
        }
        let listing = try await live.listing()
        live.expectSame(listing)
        if hasKey { return try await live.expectCues(of: listing) }
        for segment in listing.segments {
            #expect(LiveStage.cues(in: try await live.stage.text(try url(segment.uri))) == [])
        }
        #expect(live.loader.subtitles[0].live?.contains(.noTimestamp) == true)
    }

    /// A time stamp that does not come is waited for 3 s.
    @Test func aTimeStampThatDoesNotCome() async throws {
        let looks = Locked(0)
        let live = try LiveStage {
            $0.now = {
                looks.withLock { $0 += 1 }
                return FetchedMaster.clock() + 1_000_000
            }
        }
        for segment in live.script.withLock({ $0.segments }) { live.origin.put(.stalled, at: segment.uri) }
        let listing = try await live.listing()
        let begin = ContinuousClock.now
        let text = try await live.stage.text(try url(listing.segments[0].uri))
        let took = ContinuousClock.now - begin
        #expect(text.hasPrefix("WEBVTT\n") && LiveStage.cues(in: text) == [])
        // The machine may be busy.
        #expect(took > .seconds(2.8) && took < .seconds(20), "\(took)")
        #expect(looks.withLock { $0 } < 300, "whoever waits does not ask over and over")
    }

    /// A live media playlist alone is wrapped, and what follows it is beside it.
    @Test func aMediaPlaylistAlone() async throws {
        var tracks = try LiveStage.tracks()
        tracks[1].followsLiveVideo = false
        let live = try LiveStage(subtitles: tracks)
        live.origin.put(.whole(live.version), at: Stage.master)
        #expect(MediaTags.subtitles(in: try await live.stage.masterText()).map { $0["LANGUAGE"] } == ["en"])
        live.pass(600)
        let listing = try await live.listing()
        live.expectSame(listing)
        try await live.expectCues(of: listing)
        #expect(live.loader.subtitles[1].error?.route?.isLiveVideo == true)
    }

    /// As it was, where the app says so.
    @Test func aTrackThatDoesNotFollow() async throws {
        let tracks = [ExternalSubtitle(try url(Stage.english), language: "en", name: "English", live: false)]
        let live = try LiveStage(subtitles: tracks)
        let listing = try await live.listing()
        #expect(listing.isEnded && listing.segments.count == 1 && live.loader.subtitles[0].live == nil)
        #expect(try await live.stage.text(try url(listing.segments[0].uri)).contains("cue 399"))
    }

    /// A file that cannot be had: segments without cues, and the reason; it may come later.
    @Test func aFileThatIsMissing() async throws {
        let live = try LiveStage()
        _ = try await live.stage.masterText()
        live.origin.put(.status(403), at: Stage.english)
        var listing = try await live.listing()
        #expect(LiveStage.cues(in: try await live.stage.text(try url(listing.segments[0].uri))) == [])
        #expect(live.loader.subtitles[0].error?.status == 403)
        live.origin.put(.file(LiveStage.cues), at: Stage.english)
        live.advance(2)
        listing = try await live.listing()
        try await live.expectCues(of: listing)
        #expect(live.loader.subtitles[0].error == nil)
    }

    /// Sequences of requests, as for any playlist: each reading is one version.
    @Test func theProbeAndTheBytesAreOneVersion() async throws {
        let live = try LiveStage { $0.webVTT = .bytes }
        let playlist = try LiveStage.playlist("en")
        let probe = try #require(await live.stage.requests.load(.probe(playlist)).answer)
        let before = live.version
        live.advance()
        let bytes = try #require(await live.stage.requests.load(.toEnd(playlist)).answer)
        #expect(
            Int64(bytes.text.utf8.count) == probe.information?.contentLength
                && LiveListing(before).first == LiveListing(bytes.text).first)
        live.expectSame(try await live.listing())
        live.stage.expectNoMisuse()
    }

    /// Who waits gets an answer when the loader goes away.
    @Test func theLoaderGoesAway() async throws {
        var live: LiveStage? = try LiveStage()
        let origin = try #require(live?.origin)
        origin.put(.stalled, at: LiveStage.media)
        let requests = try #require(live?.stage.requests)
        let pending = requests.begin(.toEnd(try LiveStage.playlist("en")))
        await wait { origin.count(LiveStage.media) == 1 }
        live = nil
        #expect(await pending.outcome().answer?.failure != nil)
        await wait { origin.cancelledCount == 1 }
    }

    /// The track has not failed: the player has another wish.
    @Test func aCancelIsNoFailure() async throws {
        let live = try LiveStage()
        live.origin.put(.stalled, at: LiveStage.media)
        let playlist = try LiveStage.playlist("en")
        let pending = live.stage.requests.begin(.toEnd(playlist))
        await wait { live.origin.count(LiveStage.media) == 1 }
        pending.cancel()
        _ = await pending.outcome()
        // The next one waits for the same fetch, and so comes after the one that was cancelled has ended.
        let next = live.stage.requests.begin(.toEnd(playlist))
        try await Task.sleep(for: .milliseconds(50))
        #expect(live.loader.subtitles[0].error == nil)
        next.cancel()
        _ = await next.outcome()
        live.stage.expectNoMisuse()
    }

    /// Who waits then has an answer as soon as there is one.
    @Test func theLoaderForgetsWhileSomebodyWaits() async throws {
        let isSoon = try await takes(lessThan: .seconds(2.5)) {
            let live = try LiveStage()
            live.origin.put(.slow(100, .whole(live.version)), at: LiveStage.media)
            let pending = live.stage.requests.begin(.toEnd(try LiveStage.playlist("en")))
            await wait { live.origin.count(LiveStage.media) == 1 }
            live.loader.forget()
            let answer = try #require(await pending.outcome().answer)
            live.expectSame(LiveListing(answer.text))
            live.stage.expectNoMisuse()
        }
        #expect(isSoon, "whoever is not woken waits for 3 s")
    }

    /// What had been done for a request by then does not count.
    @Test func theLoaderForgetsWhileSomebodyWaitsForAPart() async throws {
        let live = try LiveStage(LiveStage.kind { $0.parts = 4 })
        _ = try await live.listing()
        let query = "?_HLS_msn=8&_HLS_part=1"
        live.origin.put(
            .slow(100, .whole(live.script.withLock { $0.version(openParts: 2) })), at: LiveStage.media + query)
        let pending = live.stage.requests.begin(.toEnd(try LiveStage.playlist("en", query)))
        await wait { live.origin.count(LiveStage.media + query) == 1 }
        live.loader.forget()
        let answer = try #require(await pending.outcome().answer)
        #expect(LiveListing(answer.text).openParts.count == 2)
        live.stage.expectNoMisuse()
    }

    /// What one player has been told is true of what it gets, whatever another one has asked for since.
    @Test func twoAssetsOfOneLoader() async throws {
        let live = try LiveStage { $0.webVTT = .bytes }
        let playlist = try LiveStage.playlist("en")
        let probe = try #require(await live.stage.requests.load(.probe(playlist)).answer)
        let before = live.version
        for _ in 0..<4 { live.advance() }
        let other = live.loader.makeAsset().resourceLoader
        let newest = try #require(await other.load(.toEnd(playlist)).answer)
        live.expectSame(LiveListing(newest.text))
        let length = Int(try #require(probe.information?.contentLength))
        let bytes = try #require(await live.stage.requests.load(.bytes(playlist, 0, length)).answer)
        #expect(bytes.text.utf8.count == length && LiveListing(bytes.text).first == LiveListing(before).first)
        live.stage.expectNoMisuse()
    }

    /// Who is waiting then is woken as soon as something has come, and who is not wanted any more at once.
    @Test func whoWaitsIsWoken() async throws {
        let isSoon = try await takes(lessThan: .seconds(2.5)) {
            let live = try LiveStage()
            live.origin.put(.slow(50, .whole(live.version)), at: LiveStage.media)
            live.expectSame(try await live.listing())
            let track = try LiveStage.playlist("en")
            let router = live.loader.router
            let asked = RouteRequest(track.absoluteString)
            let (wanted, request) = (try #require(router.liveRequest(asked)), Router.Request(router, asked))
            live.origin.put(.stalled, at: LiveStage.media)
            for isEarly in [false, true] {
                live.pass(3500)
                let task = Task {
                    if isEarly { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                    return await live.loader.live.answer(wanted, request) { LiveNames(prefix: []) }
                }
                if !isEarly { try await Task.sleep(for: .milliseconds(50)) }
                task.cancel()
                guard case .status(503) = await task.value else {
                    Issue.record("nobody waits any more")
                    return
                }
            }
        }
        #expect(isSoon, "whoever is not woken waits for 3 s")
    }

    /// Nothing is answered once the loader ends, and what it has given out is no track's failure.
    @Test func whatIsAskedForAfterTheEnd() async throws {
        let live = try LiveStage { $0.webVTT = .bytes }
        live.loader.live.end()
        let answer = try #require(await live.stage.requests.load(.toEnd(LiveStage.playlist("en"))).answer)
        #expect(answer.failure?.userInfo[SubtitleLoaderError.statusKey] as? Int == 503)
        #expect(live.origin.asked.isEmpty)
    }

    /// Those that ask at once share a fetch, and those that ask later what it has brought while that is young.
    @Test func tracksThatCountOtherwiseAtOnceAndLater() async throws {
        var tracks = try LiveStage.tracks()
        tracks[1].anchor = .segment(0)
        let live = try LiveStage(LiveStage.kind { $0.window = 12 }, subtitles: tracks)
        live.origin.put(.slow(50, .whole(live.version)), at: LiveStage.media)
        async let first = live.listing("en")
        async let second = live.listing("sv")
        for listing in try await [first, second] { live.expectSame(listing) }
        #expect(live.origin.count(LiveStage.media) == 1)
        // Each has seen that version: it asks for another one.
        live.pass(3500)
        _ = try await live.listing("en")
        #expect(live.origin.count(LiveStage.media) == 2)
        live.pass(3499)
        _ = try await live.listing("sv")
        #expect(live.origin.count(LiveStage.media) == 2)
        live.pass(7000)
        _ = try await live.listing("en")
        live.pass(3500)
        _ = try await live.listing("sv")
        #expect(live.origin.count(LiveStage.media) == 4)
    }

    /// What has been found is forgotten too.
    @Test func theLoaderForgetsVersions() async throws {
        let live = try LiveStage()
        _ = try await live.listing()
        #expect(live.origin.count(LiveStage.media) == 1)
        live.loader.forget()
        _ = try await live.listing()
        #expect(live.origin.count(LiveStage.media) == 2 && live.origin.count(Stage.master) == 2)
    }

    /// A media playlist alone was fetched as the entry: it is of use for half a second.
    @Test(arguments: [(Int64(499), 1), (500, 2)]) func theEntryIsAVersion(_ pause: Int64, _ count: Int) async throws {
        let live = try LiveStage()
        live.origin.put(.whole(live.version), at: Stage.master)
        _ = try await live.stage.masterText()
        live.pass(pause)
        live.expectSame(try await live.listing())
        #expect(live.origin.count(Stage.master) == count)
    }

    /// How long things take goes by the target duration, an hour at most.
    @Test func times() async throws {
        let live = try LiveStage()
        let router = live.loader.router
        let new = LiveGroup(router.liveConfiguration(of: 0), router)
        #expect([new.fetchLimit, new.freshness, new.followPause] == [10, 0, 250])
        _ = try await live.listing()
        let group = try #require(live.loader.live.groups.first)
        #expect([group.fetchLimit, group.freshness, group.followPause] == [21, 3500, 1750])
        let media = live.version.replacingOccurrences(of: "#EXT-X-TARGETDURATION:7", with: "#EXT-X-TARGETDURATION:9999")
        #expect(media != live.version)
        let long = try LiveStage()
        long.origin.put(.whole(media), at: LiveStage.media)
        _ = try await long.listing()
        let longest = try #require(long.loader.live.groups.first)
        #expect([longest.fetchLimit, longest.freshness, longest.followPause] == [10_800, 1_800_000, 900_000])
    }

    /// What is to be said of a stream is said of each of its tracks that has been asked for.
    @Test func notesAreSaidOfAllTracksThatWereAskedFor() async throws {
        var tracks = try LiveStage.tracks()
        tracks.append(ExternalSubtitle(try url(Stage.english), language: "fi", name: "Suomi", at: tracks[0].anchor))
        let live = try LiveStage(subtitles: tracks)
        for language in ["en", "sv"] { _ = try await live.listing(language) }
        live.script.withLock {
            $0.restart(at: 3, after: 20_000_000_000, ticks: 90_000 * 5000)
            for _ in 0..<3 { $0.advance() }
        }
        live.pass(10_000)
        live.publish()
        _ = try await live.listing("en")
        let notes = live.loader.subtitles.map { $0.live }
        #expect(notes[0]?.isEmpty == false && notes[1] == notes[0] && notes[2] == nil)
    }

    /// The names of segments are nothing that a plan is made for, and beside a complete video they are nothing at all.
    @Test func segmentsHaveNoPlan() async throws {
        let planned = Locked<[String]>([])
        let live = try LiveStage { options in
            options.webVTT = .bytes
            options.trace = { event in
                if case .planned = event.kind { planned.withLock { $0.append(event.url) } }
            }
        }
        let listing = try await live.listing()
        try await live.expectCues(of: listing)
        #expect(planned.withLock { $0 } == ["surtitle-track://subtitles/en.m3u8"])
        let segment = try url(listing.segments[0].uri)
        let complete = try LiveStage { $0.webVTT = .bytes }
        complete.origin.put(.whole(live.version + "#EXT-X-ENDLIST\n"), at: LiveStage.media)
        let answer = try #require(await complete.stage.requests.load(.toEnd(segment)).answer)
        #expect(answer.failure?.userInfo[SubtitleLoaderError.statusKey] as? Int == 404)
        #expect(complete.loader.subtitles[0].error == nil)
    }

    /// One that the app writes is for live videos too, whatever its anchor is.
    @Test func aGrowingTrackBesideAVideoThatIsNotThere() async throws {
        let live = try LiveStage(subtitles: [ExternalSubtitle(growing: "Said", language: "sv")])
        live.origin.put(.broken, at: LiveStage.media)
        let answer = try #require(await live.stage.requests.load(.toEnd(LiveStage.playlist("sv"))).answer)
        #expect(answer.loaderError == .live && answer.failure?.userInfo[SubtitleLoaderError.statusKey] as? Int == 504)
    }

    /// What has been named before still is what it was.
    @Test func theLoaderForgetsWhileAnItemPlays() async throws {
        let live = try LiveStage()
        let listing = try await live.listing()
        live.loader.forget()
        try await live.expectCues(of: listing)
        live.advance()
        live.expectSame(try await live.listing())
        #expect(live.origin.count(Stage.master) == 2)
    }
}
