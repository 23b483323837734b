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
