import M3U8
import Support
import Testing

@testable import Delivery

/// A stream as a server has it: what is fetched for those who ask, and what they get.
struct LiveStreamTests {
    private static let begin: Int64 = 1_795_000_000_000_000_000
    private static let url = Array("https://o.example/d/v.m3u8?token=1".utf8)

    /// A stream beside a simulated origin.
    private struct Beside: ~Copyable {
        var origin: LiveOrigin
        var stream: LiveStream
        var fetched: [String] = []

        init(_ change: (inout LiveOrigin.Kind) -> Void = { _ in }) {
            var kind = LiveOrigin.Kind()
            change(&kind)
            origin = LiveOrigin(kind)
            stream = LiveStream(playlist: url, LiveConfiguration(anchor: .date(begin)))
            for _ in 0..<8 { origin.advance() }
        }

        /// What a fetch has come to, of a right answer.
        func answer(to job: FetchJob) -> Fetch.Step {
            switch job {
            case .livePlaylist(let url):
                return .answer(.playlist(FetchedPlaylist(bytes: Array(origin.version().utf8), url: url)))
            case .segmentStart(let want, _):
                let ticks = origin.segments.first { $0.number == want.segment }.map { UInt64($0.ticks) } ?? 0
                return .answer(.mediaStart(FetchedMediaStart(ticks: ticks, start: .zero)))
            default: return .failure(FetchError(reason: .network, purpose: .key, url: []))
            }
        }

        /// Carries an ask out, each fetch answered at once.
        mutating func run(_ kind: LiveAsk.Kind, at now: Int64) -> LiveStream.Step {
            var ask = LiveAsk(kind, at: now)
            for _ in 0..<5 {
                let step = stream.step(&ask, at: now)
                guard case .fetch(let job, let fetch) = step else { return step }
                note(job)
                let answer = answer(to: job)
                stream.take(answer, of: fetch, at: now)
            }
            return .wait
        }

        mutating func note(_ job: FetchJob) {
            switch job {
            case .livePlaylist(let url): fetched.append(String(decoding: url.suffix(from: 25), as: UTF8.self))
            case .segmentStart(let want, let base):
                #expect(base.starts(with: "https://o.example/d/v.m3u8".utf8))
                fetched.append("\(want.segment)")
            default: fetched.append("?")
            }
        }

        /// The fetches since this was asked last.
        mutating func asked() -> [String] {
            defer { fetched = [] }
            return fetched
        }
    }

    private static func segment(_ name: String) -> LiveAsk.Kind { .segment(Array(name.utf8)) }

    @Test func onePlaylistForAllWhoAsk() {
        var beside = Beside()
        #expect(beside.run(.playlist(nil), at: 0) == .playlist && beside.asked() == ["8?token=1"])
        // Younger than half a target duration (7 s).
        #expect(beside.run(.playlist(nil), at: 3499) == .playlist && beside.asked() == [])
        #expect(beside.run(.playlist(nil), at: 3500) == .playlist && beside.asked() == ["8?token=1"])
        // Two who ask at once.
        var (first, second) = (LiveAsk(.playlist(nil), at: 9000), LiveAsk(.playlist(nil), at: 9000))
        guard case .fetch(let job, let fetch) = beside.stream.step(&first, at: 9000) else {
            Issue.record("nothing is fetched")
            return
        }
        #expect(beside.stream.step(&second, at: 9001) == .wait && beside.stream.step(&first, at: 9001) == .wait)
        let answer = beside.answer(to: job)
        beside.stream.take(answer, of: fetch, at: 9100)
        #expect(beside.stream.step(&first, at: 9100) == .playlist && beside.stream.step(&second, at: 9100) == .playlist)
    }

    @Test func aSegmentWaitsForItsTimeStamp() {
        var beside = Beside()
        guard case .segment(let span) = beside.run(Self.segment("5.vtt"), at: 0) else {
            Issue.record("no segment")
            return
        }
        #expect(span.isKnown && span.segment == 5 && beside.asked() == ["8?token=1", "2"])
        #expect(beside.run(Self.segment("7.vtt"), at: 1) != .wait && beside.asked() == [])
    }

    @Test func aTimeStampThatDoesNotComeIsWaitedForThreeSeconds() {
        var beside = Beside()
        _ = beside.run(.playlist(nil), at: 0)
        var ask = LiveAsk(Self.segment("5.vtt"), at: 100)
        guard case .fetch(_, let fetch) = beside.stream.step(&ask, at: 100) else {
            Issue.record("nothing is fetched")
            return
        }
        #expect(beside.stream.step(&ask, at: 3000) == .wait)
        guard case .segment(let span) = beside.stream.step(&ask, at: 3100) else {
            Issue.record("no answer")
            return
        }
        #expect(!span.isKnown && span.segment == 5)
        // It comes too late for this one.
        let answer = beside.answer(to: .segmentStart(LiveFetchTests.want("s2.ts", segment: 2), playlist: Self.url))
        beside.stream.take(answer, of: fetch, at: 4000)
        guard case .segment(let later) = beside.stream.step(&ask, at: 4000) else { return }
        #expect(later.isKnown)
    }

    @Test func timeStampsMayBeFetchedBeforeAnybodyAsks() {
        var beside = Beside()
        _ = beside.run(.playlist(nil), at: 0)
        let first = beside.stream.nextStart(at: 0)
        #expect(first != nil && beside.stream.nextStart(at: 0) == nil)
        var ask = LiveAsk(Self.segment("5.vtt"), at: 100)
        #expect(beside.stream.step(&ask, at: 100) == .wait)
    }

    @Test func rule9DirectivesBlockAtTheOrigin() {
        var beside = Beside { $0.parts = 4 }
        _ = beside.run(.playlist(nil), at: 0)
        _ = beside.asked()
        #expect(beside.run(.playlist(LiveDirectives(segment: 7)), at: 1) == .playlist && beside.asked() == [])
        #expect(beside.run(.playlist(LiveDirectives(segment: 8, part: 1)), at: 2) == .playlist)
        #expect(beside.asked() == ["8?_HLS_msn=8&_HLS_part=1&token=1"])
        // An origin that says no.
        var ask = LiveAsk(.playlist(LiveDirectives(segment: 99)), at: 3)
        guard case .fetch(_, let fetch) = beside.stream.step(&ask, at: 3) else {
            Issue.record("nothing is fetched")
            return
        }
        let error = FetchError(reason: .status(400), purpose: .videoPlaylist, url: Self.url)
        beside.stream.take(.failure(error), of: fetch, at: 4)
        #expect(beside.stream.step(&ask, at: 4) == .status(400))
        #expect(beside.run(.playlist(nil), at: 5) == .playlist)
    }

    @Test func rule25ASegmentThatIsNotThereYet() {
        var beside = Beside()
        _ = beside.run(Self.segment("7.vtt"), at: 0)
        _ = beside.asked()
        #expect(beside.run(Self.segment("8.vtt"), at: 100) == .status(404) && beside.asked() == ["8?token=1"])
        beside.origin.advance()
        guard case .segment(let span) = beside.run(Self.segment("8.vtt"), at: 200) else {
            Issue.record("no segment")
            return
        }
        #expect(span.isKnown)
        _ = beside.asked()
        // Forged names cost nothing.
        for name in ["99.vtt", "x.vtt", "99999999999999999999.vtt", "-1.vtt"] {
            #expect(beside.run(Self.segment(name), at: 300) == .status(404))
        }
        #expect(beside.asked() == [])
    }

    @Test func anOriginInTroubleServesTheLastVersion() {
        var beside = Beside()
        _ = beside.run(.playlist(nil), at: 0)
        func failing(_ reason: FetchError.Reason, at now: Int64) -> LiveStream.Step {
            var ask = LiveAsk(.playlist(nil), at: now)
            let step = beside.stream.step(&ask, at: now)
            guard case .fetch(_, let fetch) = step else { return step }
            beside.stream.take(
                .failure(FetchError(reason: reason, purpose: .videoPlaylist, url: Self.url)), of: fetch, at: now)
            return beside.stream.step(&ask, at: now)
        }
        #expect(failing(.network, at: 10_000) == .playlist)
        #expect(failing(.status(500), at: 21_000) == .playlist)
        #expect(failing(.status(500), at: 22_001) == .status(502))
        #expect(failing(.network, at: 30_000) == .status(504))
        // Others do not ask again at once.
        var ask = LiveAsk(.playlist(nil), at: 30_500)
        #expect(beside.stream.step(&ask, at: 30_500) == .status(504))
        #expect(beside.run(.playlist(nil), at: 40_000) == .playlist)
        // What is refused is no version.
        var other = LiveAsk(.playlist(nil), at: 50_000)
        guard case .fetch(_, let fetch) = beside.stream.step(&other, at: 50_000) else { return }
        let bad = FetchedPlaylist(bytes: Array("#EXTM3U\n".utf8), url: Self.url)
        #expect(beside.stream.take(.answer(.playlist(bad)), of: fetch, at: 50_000) == nil)
        #expect(beside.stream.step(&other, at: 50_000) == .playlist)
    }

    /// The last version is served while it is younger than three target durations, of 7 s here.
    @Test(arguments: [(21_000, true), (21_001, false)])
    func howLongTheLastVersionIsServed(_ now: Int64, _ isServed: Bool) {
        for isEnded in [false, true] {
            var beside = Beside()
            beside.origin.isEnded = isEnded
            _ = beside.run(.playlist(nil), at: 0)
            var ask = LiveAsk(.playlist(nil), at: now + (isEnded ? 60_000 : 0))
            guard case .fetch(_, let fetch) = beside.stream.step(&ask, at: ask.began) else {
                Issue.record("nothing is fetched")
                return
            }
            let error = FetchError(reason: .status(500), purpose: .videoPlaylist, url: Self.url)
            beside.stream.take(.failure(error), of: fetch, at: ask.began)
            #expect(beside.stream.step(&ask, at: ask.began) == (isServed || isEnded ? .playlist : .status(502)))
        }
    }

    /// What an origin says no to goes to whoever has asked with directives, and no other failure does.
    @Test(
        arguments: [
            (FetchError.Reason.status(400), true, 400), (.status(503), true, 503), (.status(404), true, 502),
            (.status(399), true, 502), (.status(500), true, 502), (.network, true, 504), (.status(400), false, 502),
            (.status(503), false, 502), (.noSegment, false, 502), (.network, false, 504),
        ] as [(FetchError.Reason, Bool, Int)])
    func whatAFailureIsToldAs(_ reason: FetchError.Reason, _ blocks: Bool, _ status: Int) {
        var stream = LiveStream(playlist: Self.url, LiveConfiguration())
        var ask = LiveAsk(.playlist(blocks ? LiveDirectives(segment: 3) : nil), at: 0)
        guard case .fetch(let job, let fetch) = stream.step(&ask, at: 0) else {
            Issue.record("nothing is fetched")
            return
        }
        #expect(job == .livePlaylist(Array("https://o.example/d/v.m3u8?\(blocks ? "_HLS_msn=3&" : "")token=1".utf8)))
        stream.take(.failure(FetchError(reason: reason, purpose: .videoPlaylist, url: Self.url)), of: fetch, at: 10)
        #expect(stream.step(&ask, at: 10) == .status(status))
        // Others do not ask again for a second, unless it was a matter of directives.
        var other = LiveAsk(.playlist(nil), at: 1009)
        let isRefusal = status == 400 || status == 503
        if isRefusal, case .fetch = stream.step(&other, at: 1009) { return }
        #expect(stream.step(&other, at: 1009) == .status(status))
        var later = LiveAsk(.playlist(nil), at: 1010)
        guard case .fetch = stream.step(&later, at: 1010) else {
            Issue.record("nobody asks again")
            return
        }
    }

    /// Whether the version has what directives ask for: those of a plain rendition are none.
    @Test(arguments: [
        (LiveDirectives(segment: 7), true), (LiveDirectives(segment: 8), false),
        (LiveDirectives(segment: 8, part: 1), true),
        (LiveDirectives(segment: 8, part: 2), false), (LiveDirectives(segment: 7, part: 99), true),
        (LiveDirectives(segment: 9, part: 0), false),
        (Array("_HLS_part=0".utf8).withView { LiveDirectives(query: $0) }, false),
        (nil, true),
    ])
    func whatIsThereIsNotFetched(_ directives: LiveDirectives?, _ isThere: Bool) {
        for lowLatency in [LiveConfiguration.LowLatency.mirror, .strip] {
            var beside = Beside { $0.parts = 4 }
            beside.stream = LiveStream(
                playlist: Self.url, LiveConfiguration(anchor: .date(Self.begin), lowLatency: lowLatency))
            var ask = LiveAsk(.playlist(nil), at: 0)
            guard case .fetch(_, let fetch) = beside.stream.step(&ask, at: 0) else { return }
            let text = Array(beside.origin.version(openParts: 2).utf8)
            beside.stream.take(.answer(.playlist(FetchedPlaylist(bytes: text, url: Self.url))), of: fetch, at: 0)
            var asking = LiveAsk(.playlist(directives), at: 1)
            let isAnswered = beside.stream.step(&asking, at: 1) == .playlist
            #expect(isAnswered == (isThere || lowLatency == .strip))
            // A part that is not there is waited for with directives, a segment with the playlist once more.
            for (name, query) in [("8.2.vtt", "_HLS_msn=8&_HLS_part=2&"), ("8.vtt", "")] {
                var asking = LiveAsk(Self.segment(name), at: 1)
                guard case .fetch(.livePlaylist(let url), _) = beside.stream.step(&asking, at: 1) else {
                    #expect(lowLatency == .strip && name == "8.vtt" || isAnswered == false, "\(name)")
                    continue
                }
                let expected = "https://o.example/d/v.m3u8?\(lowLatency == .strip ? "" : query)token=1"
                #expect(url == Array(expected.utf8))
            }
        }
    }

    /// How long answers may be kept, in seconds.
    @Test(arguments: [
        (0, 1, 1, 2), (1, 1, 1, 2), (2, 1, 2, 4), (7, 3, 7, 14), (1 << 20, 524_288, 1_048_576, 2_097_152),
        (1 << 20 + 1, 524_288, 1_048_576, 2_097_152),
    ])
    func howLongAnswersAreKept(_ target: Int, _ playlist: Int, _ blocking: Int, _ segment: Int) throws {
        var stream = LiveStream(playlist: Self.url, LiveConfiguration())
        func lifetimes(_ stream: borrowing LiveStream) -> [Int] {
            [.playlist(nil), .playlist(LiveDirectives(segment: 1)), .segment([])].map { stream.lifetime(of: $0) }
        }
        #expect(lifetimes(stream) == [1, 1, 1] && stream.freshness == 1000)
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n#EXTINF:1,\na\n#EXTINF:1,\nb\n"
        #expect(stream.take(FetchedPlaylist(bytes: Array(text.utf8), url: Self.url), at: 0) == .first)
        #expect(lifetimes(stream) == [playlist, blocking, segment] && stream.freshness == Int64(blocking) * 500)
    }

    /// A time stamp that cannot be had is not asked for again at once; what has no answer yet is no failure.
    @Test func aTimeStampThatCannotBeHad() {
        var beside = Beside()
        _ = beside.run(.playlist(nil), at: 0)
        var ask = LiveAsk(Self.segment("5.vtt"), at: 1)
        guard case .fetch(.segmentStart(let want, _), let fetch) = beside.stream.step(&ask, at: 1) else {
            Issue.record("nothing is fetched")
            return
        }
        #expect(want.segment == 2)
        let request = FetchRequest(
            purpose: .segment, url: Self.url, range: nil, ifRange: nil, encoding: nil, byteLimit: 9)
        #expect(beside.stream.take(.request(request), of: fetch, at: 2) == nil)
        #expect(beside.stream.step(&ask, at: 2) == .wait)
        let error = FetchError(reason: .status(404), purpose: .segment, url: Self.url)
        #expect(beside.stream.take(.failure(error), of: fetch, at: 3) == nil)
        #expect(beside.stream.channel.next() == nil && beside.stream.nextStart(at: 3) == nil)
        // The next version tells what is wanted in its place.
        guard case .fetch(.livePlaylist, let again) = beside.stream.step(&ask, at: 4) else {
            Issue.record("no version is fetched")
            return
        }
        let version = beside.answer(to: .livePlaylist(Self.url))
        beside.stream.take(version, of: again, at: 5)
        guard case .fetch(.segmentStart(let other, _), let last) = beside.stream.step(&ask, at: 5) else {
            Issue.record("no other is asked for")
            return
        }
        #expect(other.segment == 7)
        beside.stream.take(.failure(error), of: last, at: 6)
        // It has fetched a version: no more is done for it.
        guard case .segment(let span) = beside.stream.step(&ask, at: 6) else {
            Issue.record("no segment")
            return
        }
        #expect(!span.isKnown && span.segment == 5 && span.part == nil)
    }

    /// After a failure nobody asks again for a second, or as long as a version is fresh.
    @Test(arguments: [(1, 500), (7, 1000)])
    func howLongNobodyAsksAgain(_ target: Int, _ wait: Int64) {
        var stream = LiveStream(playlist: Self.url, LiveConfiguration())
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n#EXTINF:1,\na\n"
        #expect(stream.take(FetchedPlaylist(bytes: Array(text.utf8), url: Self.url), at: -100_000) == .first)
        var ask = LiveAsk(.playlist(nil), at: 0)
        guard case .fetch(_, let fetch) = stream.step(&ask, at: 0) else { return #expect(Bool(false)) }
        stream.take(.failure(FetchError(reason: .network, purpose: .videoPlaylist, url: [])), of: fetch, at: 0)
        var (early, later) = (LiveAsk(.playlist(nil), at: wait - 1), LiveAsk(.playlist(nil), at: wait))
        #expect(stream.step(&early, at: wait - 1) == .status(504))
        guard case .fetch = stream.step(&later, at: wait) else { return #expect(Bool(false)) }
    }

    /// Whoever waits for a fetch that is called off takes it over, as long as he waits at all; one of which nothing
    /// comes is forgotten after 10 s at least.
    @Test func whoeverStillWaitsTakesOver() {
        for (now, takesOver) in [(2999, true), (3000, false)] as [(Int64, Bool)] {
            var stream = LiveStream(playlist: Self.url, LiveConfiguration())
            var ask = LiveAsk(.playlist(nil), at: 0)
            guard case .fetch(_, let fetch) = stream.step(&ask, at: 0) else { return #expect(Bool(false)) }
            stream.cancel(fetch)
            let step = stream.step(&ask, at: now)
            if case .fetch = step { #expect(takesOver) } else { #expect(!takesOver && step == .status(502)) }
        }
        for (now, isForgotten) in [(10_000, false), (10_001, true)] as [(Int64, Bool)] {
            var stream = LiveStream(playlist: Self.url, LiveConfiguration())
            var (first, second) = (LiveAsk(.playlist(nil), at: 0), LiveAsk(.playlist(nil), at: now))
            guard case .fetch = stream.step(&first, at: 0) else { return #expect(Bool(false)) }
            let step = stream.step(&second, at: now)
            if case .fetch = step { #expect(isForgotten) } else { #expect(!isForgotten && step == .wait) }
        }
    }

    /// Somebody for whom something has been done already.
    @Test func anAskGoesOn() {
        let fresh = LiveAsk(.playlist(nil), at: 7)
        #expect(fresh.began == 7 && !fresh.hasFetched && fresh.waitsFor == nil && fresh.name.isEmpty)
        let other = LiveAsk(Self.segment("5.vtt"), at: 8, hasFetched: true, waitsFor: LiveFetch(number: 3))
        #expect(other.began == 8 && other.hasFetched && other.waitsFor == LiveFetch(number: 3))
        #expect(other.kind == Self.segment("5.vtt") && other.name == Array("5.vtt".utf8))
    }

    @Test func anEndedStreamIsNotAskedForAgain() {
        var beside = Beside()
        beside.origin.isEnded = true
        _ = beside.run(.playlist(nil), at: 0)
        _ = beside.asked()
        #expect(beside.run(.playlist(nil), at: 59_999) == .playlist && beside.asked() == [])
        // But for once a minute: it may go on (rule 6).
        #expect(beside.run(.playlist(nil), at: 60_000) == .playlist && beside.asked() == ["8?token=1"])
        // It stays as it is when it is not there any more.
        var ask = LiveAsk(.playlist(nil), at: 1_000_000)
        guard case .fetch(_, let fetch) = beside.stream.step(&ask, at: 1_000_000) else {
            Issue.record("nothing is fetched")
            return
        }
        let gone = FetchError(reason: .status(404), purpose: .videoPlaylist, url: Self.url)
        beside.stream.take(.failure(gone), of: fetch, at: 1_000_000)
        #expect(beside.stream.step(&ask, at: 1_000_000) == .playlist)
    }

    @Test func aFetchThatNobodyCarriesOutIsBegunAnew() {
        var beside = Beside()
        var (first, second) = (LiveAsk(.playlist(nil), at: 0), LiveAsk(.playlist(nil), at: 0))
        guard case .fetch(_, let fetch) = beside.stream.step(&first, at: 0) else {
            Issue.record("nothing is fetched")
            return
        }
        #expect(beside.stream.step(&second, at: 1) == .wait)
        beside.stream.cancel(fetch)
        guard case .fetch(let job, let again) = beside.stream.step(&second, at: 2) else {
            Issue.record("nobody fetches it")
            return
        }
        // What the first brings nevertheless counts for nothing.
        let answer = beside.answer(to: job)
        #expect(beside.stream.take(answer, of: fetch, at: 3) == nil)
        #expect(beside.stream.step(&second, at: 4) == .wait)
        beside.stream.take(answer, of: again, at: 5)
        #expect(beside.stream.step(&second, at: 5) == .playlist)
        // A playlist that is waited for to the end is a time-out.
        var silent = LiveStream(playlist: Self.url, LiveConfiguration())
        var patient = LiveAsk(.playlist(nil), at: 0)
        guard case .fetch = silent.step(&patient, at: 0) else { return }
        #expect(silent.step(&patient, at: 2999) == .wait && silent.step(&patient, at: 3000) == .status(504))
        // One that never says so is forgotten after three target durations, or 10 s.
        var (third, fourth) = (LiveAsk(.playlist(nil), at: 10_000), LiveAsk(.playlist(nil), at: 31_000))
        guard case .fetch = beside.stream.step(&third, at: 10_000) else { return }
        #expect(beside.stream.step(&fourth, at: 31_000) == .wait)
        var fifth = LiveAsk(.playlist(nil), at: 31_001)
        guard case .fetch = beside.stream.step(&fifth, at: 31_001) else {
            Issue.record("nobody fetches it")
            return
        }
    }

    /// The encoder begins anew, with the same numbers, while a time stamp of its earlier life is on its way.
    @Test func aTimeStampOfAnEarlierLifeCountsForNothing() throws {
        func version(_ name: String, at time: String) -> Fetch.Step {
            let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n"
            let date = "#EXT-X-PROGRAM-DATE-TIME:2026-11-18T\(time)Z\n"
            let text = head + date + "#EXTINF:4.000,\n\(name)7.ts\n#EXTINF:4.000,\n\(name)8.ts\n"
            return .answer(.playlist(FetchedPlaylist(bytes: Array(text.utf8), url: Self.url)))
        }
        func ticks(_ ticks: UInt64) -> Fetch.Step {
            .answer(.mediaStart(FetchedMediaStart(ticks: ticks, start: .zero)))
        }
        var stream = LiveStream(playlist: Self.url, LiveConfiguration(anchor: .date(Self.begin)))
        var ask = LiveAsk(.playlist(nil), at: 0)
        guard case .fetch(_, let first) = stream.step(&ask, at: 0) else { return }
        stream.take(version("a", at: "11:06:40"), of: first, at: 0)
        let earlier = stream.nextStart(at: 0)
        let (_, old) = try #require(earlier)
        ask = LiveAsk(.playlist(nil), at: 5000)
        guard case .fetch(_, let second) = stream.step(&ask, at: 5000) else { return }
        #expect(stream.take(version("b", at: "11:10:00"), of: second, at: 5000) == .restarted)
        let later = stream.nextStart(at: 5000)
        let (job, new) = try #require(later)
        guard case .segmentStart(let want, _) = job else { return }
        #expect(String(decoding: want.media.uri, as: UTF8.self) == "b7.ts")
        stream.take(ticks(900_000), of: old, at: 5001)
        #expect(stream.nextStart(at: 5001) == nil)
        var segment = LiveAsk(Self.segment("8.vtt"), at: 5001)
        #expect(stream.step(&segment, at: 5001) == .wait)
        stream.take(ticks(5_000_000), of: new, at: 5002)
        guard case .segment(let span) = stream.step(&segment, at: 5002) else {
            Issue.record("no segment")
            return
        }
        let map = try #require(span.cues.map)
        // 200 s after cue time 0.
        #expect((Int64(map.mpegTS) - 90 * map.local.milliseconds - 5_000_000 + 18_000_000) % (1 << 33) == 0)
    }

    @Test func aVersionThatIsRefusedIsToldWhy() {
        var stream = LiveStream(playlist: Self.url, LiveConfiguration())
        var ask = LiveAsk(.playlist(nil), at: 0)
        guard case .fetch(_, let fetch) = stream.step(&ask, at: 0) else { return }
        let master = FetchedPlaylist(
            bytes: Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n".utf8), url: Self.url)
        stream.take(.answer(.playlist(master)), of: fetch, at: 0)
        #expect(stream.step(&ask, at: 0) == .status(502) && stream.refusal?.reason == .notMedia)
    }

    /// What came of a fetch is remembered of the last ones alone.
    @Test func fetchesThatAreCalledOffDoNotPileUp() throws {
        var stream = LiveStream(playlist: Self.url, LiveConfiguration())
        var sizes: [Int] = []
        for _ in 0..<40 {
            var ask = LiveAsk(.playlist(nil), at: 0)
            guard case .fetch(_, let fetch) = stream.step(&ask, at: 0) else {
                Issue.record("nothing is fetched")
                return
            }
            stream.cancel(fetch)
            var state: [UInt8] = []
            try stream.save(into: &state)
            sizes.append(state.count)
            stream = try LiveStream(playlist: Self.url, restoring: state.span.bytes, LiveConfiguration())
        }
        #expect(sizes[0] < sizes[14] && sizes[14] < sizes[15] && sizes[15] == sizes[39])
    }

    /// Processes that answer in turn, each from the state that the one before has left.
    @Test func aStateThatIsRestoredGoesOnAsTheStreamDoes() throws {
        var beside = Beside { $0.parts = 4 }
        let configuration = beside.stream.channel.configuration
        func restored(_ stream: borrowing LiveStream) throws -> LiveStream {
            var state: [UInt8] = []
            try stream.save(into: &state)
            for count in [0, 3, 5, state.count / 2, state.count - 1] {
                #expect(throws: LiveError.self) {
                    _ = try LiveStream(playlist: Self.url, restoring: Array(state[..<count]).span.bytes, configuration)
                }
            }
            let stream = try LiveStream(playlist: Self.url, restoring: state.span.bytes, configuration)
            var again: [UInt8] = []
            try stream.save(into: &again)
            #expect(again == state)
            return stream
        }
        var (first, second) = (LiveAsk(.playlist(nil), at: 0), LiveAsk(.playlist(nil), at: 0))
        guard case .fetch(let job, let fetch) = beside.stream.step(&first, at: 0) else { return }
        beside.stream = try restored(beside.stream)
        #expect(beside.stream.step(&second, at: 1) == .wait)
        let answer = beside.answer(to: job)
        beside.stream.take(answer, of: fetch, at: 5)
        beside.stream = try restored(beside.stream)
        #expect(beside.stream.step(&first, at: 6) == .playlist && beside.stream.step(&second, at: 6) == .playlist)
        // What is wanted is known: no version has to come for it.
        var segment = LiveAsk(Self.segment("5.vtt"), at: 7)
        guard case .fetch(.segmentStart(let want, let source), let start) = beside.stream.step(&segment, at: 7) else {
            Issue.record("the time stamp is not asked for")
            return
        }
        #expect(want.segment == 2 && source == job.url)
        beside.stream = try restored(beside.stream)
        let stamp = beside.answer(to: .segmentStart(want, playlist: source))
        beside.stream.take(stamp, of: start, at: 9)
        beside.stream = try restored(beside.stream)
        guard case .segment(let span) = beside.stream.step(&segment, at: 9) else {
            Issue.record("no segment")
            return
        }
        #expect(span.isKnown)
        // What an origin says no to, and what fails.
        var blocking = LiveAsk(.playlist(LiveDirectives(segment: 99)), at: 10)
        guard case .fetch(_, let refused) = beside.stream.step(&blocking, at: 10) else { return }
        beside.stream = try restored(beside.stream)
        let error = FetchError(reason: .status(400), purpose: .videoPlaylist, url: Self.url)
        beside.stream.take(.failure(error), of: refused, at: 11)
        beside.stream = try restored(beside.stream)
        #expect(beside.stream.step(&blocking, at: 12) == .status(400))
    }

    /// What is wanted is saved whole: ranges, initialization sections, keys, and what cannot be read.
    @Test func whatIsWantedIsRestored() throws {
        let key = MediaKey(uri: Array("k".utf8), vector: Array(0..<16))
        let parts = [
            MediaPart(uri: Array("a".utf8), range: nil), MediaPart(uri: Array("b".utf8), range: 0..<1),
            MediaPart(uri: Array("c".utf8), range: 7..<100, encryption: .aes128(key)),
            MediaPart(uri: [], range: nil, encryption: .other),
        ].map(LiveWant.Part.init)
        let configuration = LiveConfiguration()
        var stream = LiveStream(playlist: Self.url, configuration)
        stream.channel.wants = parts.enumerated().map { index, part in
            LiveWant(segment: UInt64(index), media: part, initialization: index == 0 ? nil : parts[4 - index])
        }
        (stream.freshAt, stream.failure, stream.fetchCount) = (-5, (at: 7, status: 504), 9)
        var directives = LiveDirectives(segment: 3, part: 1)
        directives.segment = nil
        stream.running = [
            .init(fetch: LiveFetch(number: 8), segment: 3, directives: nil, began: -2, life: 1),
            .init(fetch: LiveFetch(number: 9), segment: nil, directives: directives, began: 2, life: 0),
        ]
        stream.refusals = [(LiveFetch(number: 1), nil), (LiveFetch(number: 2), 503)]
        var (saved, again): ([UInt8], [UInt8]) = ([], [])
        try stream.save(into: &saved)
        let restored = try LiveStream(playlist: Self.url, restoring: saved.span.bytes, configuration)
        #expect(restored.channel.wants == stream.channel.wants && restored.source == Self.url)
        #expect(restored.freshAt == -5 && restored.failure?.at == 7 && restored.failure?.status == 504)
        #expect(restored.fetchCount == 9 && restored.running.map(\.fetch.number) == [8, 9])
        #expect(restored.running.map(\.segment) == [3, nil] && restored.running.map(\.began) == [-2, 2])
        #expect(restored.running.map(\.life) == [1, 0] && restored.running.map(\.directives) == [nil, directives])
        #expect(restored.refusals.map(\.fetch.number) == [1, 2] && restored.refusals.map(\.status) == [nil, 503])
        try restored.save(into: &again)
        #expect(again == saved)
        // It may be as long as the limit, which the channel's own state is part of.
        for (limit, isSaved) in [(saved.count, true), (saved.count - 1, false)] {
            let limited = LiveConfiguration(limits: LiveLimits(state: limit))
            let refused = LiveError(reason: isSaved ? .notState : .stateTooLong(limit: limit), position: 0)
            #expect(
                (try? LiveStream(playlist: Self.url, restoring: saved.span.bytes, limited).fetchCount)
                    == (isSaved ? 9 : nil))
            var other = LiveStream(playlist: Self.url, limited)
            (other.channel.wants, other.freshAt, other.failure) = (stream.channel.wants, stream.freshAt, stream.failure)
            (other.fetchCount, other.running, other.refusals) = (9, stream.running, stream.refusals)
            do throws(LiveError) {
                try other.save(into: &again)
                #expect(isSaved && again == saved)
            } catch { #expect(!isSaved && error == refused && again.isEmpty) }
        }
        // A vector has 16 bytes.
        let vector = try #require(saved.indices.last { saved[$0...].starts(with: [16] + (0..<16)) })
        var short = saved
        short[vector] = 15
        short.remove(at: vector + 16)
        #expect(throws: LiveError.self) {
            _ = try LiveStream(playlist: Self.url, restoring: short.span.bytes, configuration)
        }
    }

    /// The most that each number of a state may be; one more is refused.
    static let bounds: [(Int64, @Sendable (inout LiveStream, Int64) -> Void)] = [
        (1 << 60, { $0.freshAt = $1 }), (1 << 60, { $0.freshAt = -$1 }),
        (1 << 60, { $0.failure = ($1, 404) }), (1 << 60, { $0.failure = (-$1, 404) }),
        (999, { $0.failure = (0, Int($1)) }), (1 << 62 - 1, { $0.fetchCount = UInt64($1) }),
        (999, { $0.refusals = [(LiveFetch(number: 1), Int($1))] }),
        (1 << 60, { $0.running = [running(began: $1)] }), (1 << 60, { $0.running = [running(began: -$1)] }),
        (1 << 62, { $0.running = [running(segment: UInt64($1))] }),
        (20, { $0.running = [running(digits: Int($1))] }),
        (1024, { $0.running = Array(repeating: running(), count: Int($1)) }),
        (
            1 << 62 - 1,
            { $0.channel.wants = [want(MediaPart(uri: [0x61], range: nil), of: UInt64($1))] }
        ),
        (
            1 << 61,
            { stream, start in
                let part = MediaPart(uri: [0x61], range: Int(start)..<(Int(start) + 1))
                stream.channel.wants = [want(part, of: 0)]
            }
        ),
    ]

    private static func running(
        began: Int64 = 0, segment: UInt64? = nil, digits: Int = 1
    ) -> LiveStream.Running {
        var directives = LiveDirectives(segment: 0)
        directives.segment = [UInt8](repeating: 0x31, count: digits)
        return LiveStream.Running(
            fetch: LiveFetch(number: 1), segment: segment, directives: directives, began: began, life: 0)
    }

    private static func want(_ part: MediaPart, of segment: UInt64) -> LiveWant {
        LiveWant(segment: segment, media: LiveWant.Part(part), initialization: nil)
    }

    @Test(arguments: bounds.indices)
    func whatNoStreamComesToIsRefused(_ index: Int) throws {
        let (most, change) = Self.bounds[index]
        for (value, isRestored) in [(most, true), (most + 1, false)] {
            var stream = LiveStream(playlist: Self.url, LiveConfiguration())
            change(&stream, value)
            var saved: [UInt8] = []
            try stream.save(into: &saved)
            let restored = try? LiveStream(playlist: Self.url, restoring: saved.span.bytes, LiveConfiguration()).source
            #expect((restored == Self.url) == isRestored, "\(value)")
        }
    }

    /// Whatever a byte of a state becomes, nothing traps, then or later.
    @Test func aStateThatIsBrokenIsRefusedOrServed() throws {
        var beside = Beside { $0.parts = 4 }
        _ = beside.run(.playlist(nil), at: 0)
        _ = beside.stream.nextStart(at: 1)
        var ask = LiveAsk(.playlist(LiveDirectives(segment: 8, part: 1)), at: 2)
        _ = beside.stream.step(&ask, at: 2)
        var saved: [UInt8] = []
        try beside.stream.save(into: &saved)
        let configuration = beside.stream.channel.configuration
        var generator = SeededGenerator(seed: 7)
        var served = 0
        for _ in 0..<(isLong ? 100_000 : 2000) {
            var bytes = saved
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard
                var stream = try? LiveStream(playlist: Self.url, restoring: bytes.span.bytes, configuration)
            else { continue }
            served += 1
            for kind in [LiveAsk.Kind.playlist(nil), Self.segment("5.vtt"), Self.segment("8.1.vtt")] {
                var ask = LiveAsk(kind, at: 5000)
                if case .fetch(let job, let fetch) = stream.step(&ask, at: 5000) {
                    let answer = beside.answer(to: job)
                    stream.take(answer, of: fetch, at: 5001)
                }
                _ = stream.step(&ask, at: 5002)
            }
            _ = stream.nextStart(at: 5003)
            var again: [UInt8] = []
            try? stream.save(into: &again)
        }
        #expect(served > 0)
    }
}

extension FetchJob {
    /// The URL of a playlist that is to be fetched.
    fileprivate var url: [UInt8] { if case .livePlaylist(let url) = self { url } else { [] } }
}
