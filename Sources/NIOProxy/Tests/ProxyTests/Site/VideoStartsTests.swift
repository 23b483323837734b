import Delivery
import NIOCore
import NIOEmbedded
import Testing
import WebVTT

@testable import SurtitleProxy

/// Who finds out a video's first time stamp, for whom, and how long it is kept.
struct VideoStartsTests {
    private static let video = Array("http://origin.example/m.m3u8".utf8)
    private static let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    /// A segment of packed audio whose first time stamp is tick 900000.
    private static let segment: [UInt8] = {
        let frame = Array("com.apple.streaming.transportStreamTimestamp\0".utf8) + [0, 0, 0, 0, 0, 0x0D, 0xBB, 0xA0]
        let tag = Array("PRIV".utf8) + [0, 0, 0, UInt8(frame.count), 0, 0] + frame
        let header = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(tag.count)]
        return header + tag + [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC]
    }()

    /// The last step of a fetch of the first time stamp, from a playlist with these lines.
    private static func step(_ lines: String, status: Int = 200) -> Fetch.Step {
        var fetch = Fetch(.mediaStart(video: video))
        fetch.learnsWhatStays = true
        while case .request(let request) = fetch.next() {
            _ = fetch.begin(FetchResponse(status: status), HeaderFields())
            fetch.write(request.purpose == .videoPlaylist ? Array(("#EXTM3U\n" + lines).utf8) : segment)
            fetch.finish()
        }
        return fetch.next()
    }

    private static let complete = step("#EXTINF:6,\na.aac\n#EXT-X-ENDLIST\n")
    private static let sliding = step("#EXTINF:6,\na.aac\n")
    private static let map = TimestampMap(mpegTS: 900_000)

    private let loop = EmbeddedEventLoop()

    /// What somebody gets who asks at `now`.
    private func ask(_ starts: VideoStarts, at now: NIODeadline = now) -> String {
        switch starts.ask(Self.video, at: now, on: loop) {
        case .known(let map): map.map { "\($0.mpegTS)" } ?? "none"
        case .find: "find"
        case .wait: "wait"
        }
    }

    @Test func whatACompletePlaylistTellsIsKept() {
        let starts = VideoStarts()
        #expect(ask(starts) == "find")
        #expect(starts.take(Self.complete, of: Self.video, isForAll: true, at: Self.now) == Self.map)
        #expect(ask(starts, at: Self.now + VideoStarts.lifetime - .seconds(1)) == "900000")
        #expect(ask(starts, at: Self.now + VideoStarts.lifetime) == "find", "a changed origin shows after the time")
    }

    @Test func whatWillBeAnotherIsNotKept() {
        let starts = VideoStarts()
        #expect(ask(starts) == "find")
        #expect(starts.take(Self.sliding, of: Self.video, isForAll: true, at: Self.now) == Self.map)
        #expect(ask(starts) == "find", "the window slides")
    }

    @Test func thatThereIsNoneIsKeptForLess() {
        let starts = VideoStarts()
        #expect(ask(starts) == "find")
        #expect(starts.take(Self.step("#EXT-X-ENDLIST\n"), of: Self.video, isForAll: true, at: Self.now) == nil)
        #expect(ask(starts, at: Self.now + .seconds(9)) == "none")
        #expect(ask(starts, at: Self.now + .seconds(10)) == "find")
    }

    @Test func anOriginThatRefusesTellsNothingOfTheVideo() throws {
        let starts = VideoStarts()
        #expect(ask(starts) == "find")
        guard case .wait(let told, _) = starts.ask(Self.video, at: Self.now, on: loop) else {
            Issue.record("nobody waits")
            return
        }
        #expect(starts.take(Self.step("", status: 403), of: Self.video, isForAll: true, at: Self.now) == nil)
        loop.run()
        #expect(try told.wait() == .findAlone)
        #expect(ask(starts) == "find")
    }

    @Test func oneFindsItOutForAll() throws {
        let starts = VideoStarts()
        #expect(ask(starts) == "find")
        var waiting: [EventLoopFuture<VideoStarts.Told>] = []
        for _ in 0..<3 {
            guard case .wait(let told, _) = starts.ask(Self.video, at: Self.now, on: loop) else { continue }
            waiting.append(told)
        }
        #expect(waiting.count == 3)
        starts.giveUp(Self.video)
        loop.run()
        #expect(try waiting[0].wait() == .find, "whoever was to find it out has left")
        #expect(ask(starts) == "wait")
        _ = starts.take(Self.complete, of: Self.video, isForAll: true, at: Self.now)
        loop.run()
        for told in waiting[1...] { #expect(try told.wait() == .known(Self.map)) }
        starts.giveUp(Self.video)
        #expect(ask(starts) == "900000")
    }

    @Test func whoHasWaitedIsTold() throws {
        for (step, isForAll, expected) in [
            (Self.complete, true, VideoStarts.Told.known(Self.map)), (Self.step("#EXT-X-ENDLIST\n"), true, .known(nil)),
            (Self.sliding, true, .known(Self.map)), (Self.complete, false, nil),
        ] as [(Fetch.Step, Bool, VideoStarts.Told?)] {
            let starts = VideoStarts()
            #expect(ask(starts) == "find")
            var told: VideoStarts.Told?
            guard case .wait(let future, let waiter) = starts.ask(Self.video, at: Self.now, on: loop) else { continue }
            future.assumeIsolated().whenSuccess { told = $0 }
            #expect(
                starts.take(step, of: Self.video, isForAll: isForAll, at: Self.now) != nil || expected == .known(nil))
            #expect(told == expected)
            starts.leave(Self.video, waiter)
            #expect(told == expected ?? .findAlone, "who waits no longer has nothing to wait for")
        }
    }

    /// Whoever has found it out, or has left, has no turn to pass on any more.
    @Test func aTurnIsPassedOnOnce() {
        let starts = VideoStarts()
        var fetches: [(Fetch.Step) -> Void] = []
        func search() -> VideoStartSearch {
            let search = VideoStartSearch(Self.video, in: starts, by: { _, done in fetches.append(done) }, { _ in })
            search.begin(on: loop)
            return search
        }
        let first = search()
        fetches[0](Self.sliding)
        let (second, third, fourth) = (search(), search(), search())
        #expect(fetches.count == 2)
        first.cancel()
        #expect(fetches.count == 2, "its turn was over")
        second.cancel()
        second.cancel()
        #expect(fetches.count == 3)
        third.cancel()
        #expect(fetches.count == 4)
        fourth.cancel()
        #expect(ask(starts) == "find")
    }

    @Test func whoHasLeftIsPassedOver() {
        let starts = VideoStarts()
        #expect(ask(starts) == "find")
        var fetched = 0
        let searches = (0..<50_000).map { _ in
            VideoStartSearch(Self.video, in: starts, by: { _, _ in fetched += 1 }, { _ in })
        }
        for search in searches { search.begin(on: loop) }
        for search in searches.dropLast() { search.cancel() }
        starts.giveUp(Self.video)
        loop.run()
        #expect(fetched == 1, "the turn of the only one who still waits")
        searches.last?.cancel()
        #expect(ask(starts) == "find")
    }

    @Test func timesAreThoseOfTheModuleForNginx() {
        #expect(VideoStarts.lifetime == .minutes(10) && VideoStarts.lifetimeOfNone == .seconds(10))
    }

    /// The letters of those videos that are known at `now`. Each takes 128 bytes beside its URL.
    private func known(_ starts: VideoStarts, at now: NIODeadline = now) -> String {
        "abcdefgh".filter {
            if case .known = starts.ask(Self.url($0), at: now, on: loop) { true } else { false }
        }
    }

    private static func url(_ letter: Character) -> [UInt8] { video + letter.utf8 }

    /// What is kept of videos that are found out one after the other, an hour apart after `/`.
    @Test(arguments: [
        (0, "abc", "abc", "as many as there is room for"), (0, "abcd", "d", "one more begins anew"),
        (0, "abcdef", "def", "and again as many"), (0, "abcdefg", "g", "and one more"), (-1, "abc", "c", "a byte less"),
        (0, "abcbcab", "abc", "what is found out again takes the place of what was"),
        (0, "ab/cd", "cd", "what is too old goes first"), (0, "ab/cde", "cde", "and leaves its room"),
        (0, "ab/cdef", "f", "as much as it took"), (0, "a/bcd/e", "e", "as often as it happens"),
    ]) func howMuchIsKept(_ more: Int, _ videos: String, _ expected: String, _ reason: Comment) {
        let starts = VideoStarts(mostBytes: 3 * (Self.video.count + 1 + 128) + more)
        var now = Self.now
        for letter in videos {
            if letter == "/" {
                now = now + VideoStarts.lifetime
            } else {
                _ = starts.take(Self.complete, of: Self.url(letter), isForAll: true, at: now)
            }
        }
        #expect(known(starts, at: now) == expected, reason)
    }

    /// Of those that are kept only what is over goes where there is no room.
    @Test func whatIsStillTrueStays() {
        let starts = VideoStarts(mostBytes: 3 * (Self.video.count + 1 + 128))
        let half = TimeAmount.minutes(5)
        for (letter, time) in [("a", Self.now), ("b", Self.now), ("c", Self.now + half)] as [(Character, NIODeadline)] {
            _ = starts.take(Self.complete, of: Self.url(letter), isForAll: true, at: time)
        }
        let now = Self.now + VideoStarts.lifetime
        _ = starts.take(Self.complete, of: Self.url("d"), isForAll: true, at: now)
        #expect(known(starts, at: now) == "cd")
        _ = starts.take(Self.complete, of: Self.url("e"), isForAll: true, at: now)
        #expect(known(starts, at: now) == "cde")
        _ = starts.take(Self.complete, of: Self.url("f"), isForAll: true, at: now)
        #expect(known(starts, at: now) == "f")
    }

    @Test(arguments: [(0, "a"), (-1, "")]) func oneAloneMayBeTooLong(_ more: Int, _ expected: String) {
        let starts = VideoStarts(mostBytes: Self.video.count + 1 + 128 + more)
        _ = starts.take(Self.complete, of: Self.url("a"), isForAll: true, at: Self.now)
        #expect(known(starts) == expected)
    }

    /// By itself 1 MiB is kept.
    @Test func aMebibyteIsKept() {
        let starts = VideoStarts()
        let long = [UInt8](repeating: 65, count: (1 << 18) - 128)
        for number in UInt8(0)...3 {
            _ = starts.take(Self.complete, of: long.dropLast() + [number], isForAll: true, at: Self.now)
        }
        func isKnown(_ number: UInt8) -> Bool {
            if case .known = starts.ask(long.dropLast() + [number], at: Self.now, on: loop) { true } else { false }
        }
        #expect(isKnown(0))
        _ = starts.take(Self.complete, of: long.dropLast() + [4], isForAll: true, at: Self.now)
        #expect(!isKnown(0) && isKnown(4))
    }

    @Test func clientsCannotMakeItGrow() {
        let starts = VideoStarts(mostBytes: 1000)
        for number in 0..<100 {
            let url = Self.video + Array("\(number)".utf8)
            _ = starts.ask(url, at: Self.now, on: loop)
            _ = starts.take(Self.complete, of: url, isForAll: true, at: Self.now)
        }
        var known = 0
        for number in 0..<100 {
            let answer = starts.ask(Self.video + Array("\(number)".utf8), at: Self.now, on: loop)
            if case .known = answer { known += 1 }
        }
        #expect(1...6 ~= known)
    }
}
