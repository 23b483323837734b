import Delivery
import NIOCore
import NIOHTTP1
import Sideload
import Testing

@testable import SurtitleProxy

/// Who sends cues, and how fast.
@Suite struct CuesWriterTests {
    private static let cue = "{\"start\":1,\"end\":2,\"text\":\"a\"}\n"
    private let router: Router
    private let tracks: LiveTracks

    init() throws {
        var configuration = Configuration()
        configuration.master = Array("http://origin.example/m.m3u8".utf8)
        configuration.tracks = [try TrackConfiguration(spec: "cues=http,language=en")]
        router = try Router(configuration)
        tracks = LiveTracks(router, LiveConfiguration())
    }

    private func append(_ count: Int, to writer: CuesWriter) throws(CuesRefusal) {
        try append(String(repeating: Self.cue, count: count), to: writer)
    }

    private func append(_ text: String, to writer: CuesWriter) throws(CuesRefusal) {
        let bytes = Array(text.utf8)
        try bytes.withUnsafeBufferPointer { (bytes) throws(CuesRefusal) in
            try writer.append(UnsafeRawBufferPointer(bytes))
        }
    }

    @Test func aHundredInEachSecond() throws {
        let writer = try CuesWriter(0, of: tracks, .jsonLines)
        try append(60, to: writer)
        #expect(throws: CuesRefusal.tooFast) { try append(41, to: writer) }
        let next = try CuesWriter(0, of: tracks, .jsonLines)
        for _ in 0..<3 {
            try append(99, to: next)
            try append(1, to: next)
            next.lately.since = .now() - .seconds(1)
        }
        try append(100, to: next)
        #expect(throws: CuesRefusal.tooFast) { try append(1, to: next) }
    }

    @Test func whyCuesAreRefused() throws {
        for (text, status) in [("nonsense\n", 400), ("{\"text\":\"" + String(repeating: "a", count: 1 << 21), 413)] {
            let writer = try CuesWriter(0, of: tracks, .jsonLines)
            let refusal = try #require(throws: CuesRefusal.self) { try append(text, to: writer) }
            #expect(refusal.status == status && refusal.reason != "")
        }
    }

    @Test func oneSendsThemAtATime() throws {
        let writer = try CuesWriter(0, of: tracks, .jsonLines)
        #expect(throws: CuesRefusal.isWritten) { try CuesWriter(0, of: tracks, .jsonLines) }
        writer.abandon()
        let next = try CuesWriter(0, of: tracks, .jsonLines)
        try append(String(Self.cue.dropLast()), to: next)
        next.abandon()
        #expect(!tracks.holdsGrowingCues, "a cue that is not whole is none")
        let last = try CuesWriter(0, of: tracks, .jsonLines)
        try append(String(Self.cue.dropLast()), to: last)
        try last.finish()
        #expect(tracks.holdsGrowingCues, "the last counts though nothing follows it")
    }

    /// A video is forgotten if nobody has asked since then, and nobody sends cues.
    @Test func whenAVideoIsForgotten() throws {
        let serving = try Serving(tracks: ["cues=http,language=en"])
        let pool = serving.worker.pool
        let means = LiveRun.Means(
            pool: pool, patience: .seconds(30), reported: ReportedRenditions(), pipes: CuesPipes())
        let path = "/.surtitle/%2Fv.m3u8/track/en.m3u8"
        let own = try #require(serving.worker.site.own(HTTPRequestHead(version: .http1_1, method: .GET, uri: path)))
        let run = LiveRun(own, LiveConfiguration(), by: means)
        #expect(run.isIdle && run.has(0) && !run.has(1))
        #expect(!run.mayBeForgotten(since: run.lastAsked))
        #expect(run.mayBeForgotten(since: run.lastAsked + .nanoseconds(1)))
        let writer = try CuesWriter(0, of: run.tracks, .jsonLines)
        #expect(!run.isIdle && !run.mayBeForgotten(since: .distantFuture))
        writer.abandon()
        #expect(run.isIdle)
        run.retire()
        #expect(run.mayBeForgotten(since: run.lastAsked))
    }
}
