import Delivery
import NIOCore
import NIOHTTP1
import Testing

@testable import SurtitleProxy

/// A hub that looks after its channels four times a second, before an origin that says what it is told to.
@Suite struct LiveTicksTests {
    private static let live = "#EXTM3U\n#EXT-X-TARGETDURATION:60\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:60,\na.ts\n"

    private let serving: Serving
    private let reported = ReportedRenditions()

    init() throws { serving = try Serving(tracks: ["uri=en.vtt,language=en"]) }

    private func hub(_ patience: TimeAmount) -> LiveHub {
        let hub = LiveHub(by: serving.worker.pool, patience, VideoPlaylistEdits(), reported)
        hub.serve(serving.worker.site)
        return hub
    }

    private final class Answer {
        var status: Int?
    }

    /// Asks for a track's playlist beside this video.
    private func ask(_ hub: LiveHub, _ video: String, of site: Site? = nil) throws -> Answer {
        let uri = "/.surtitle/%2F\(video).m3u8/track/en.m3u8"
        let own = try #require(
            (site ?? serving.worker.site).own(HTTPRequestHead(version: .http1_1, method: .GET, uri: uri)))
        let live = try #require(own.router.liveRequest(own.request))
        let answer = Answer()
        hub.answer(live, own, Array("GET".utf8)).assumeIsolated().whenSuccess { answer.status = $0?.status ?? 0 }
        return answer
    }

    @Test func whatTakesTooLongIsGivenUp() throws {
        let hub = hub(.nanoseconds(0))
        func expectAnswer(_ site: Site?, _ video: String, after milliseconds: Int64) throws {
            let origin = try serving.origin()
            let answer = try ask(hub, video, of: site)
            #expect(origin.heard().hasPrefix("GET /\(video).m3u8 "))
            serving.loop.advanceTime(by: .milliseconds(milliseconds - 1))
            #expect(answer.status == nil && origin.isOpen)
            serving.loop.advanceTime(by: .milliseconds(1))
            #expect(answer.status == 504 && !origin.isOpen)
        }
        try expectAnswer(nil, "v", after: 250)
        serving.loop.advanceTime(by: .milliseconds(600))
        try expectAnswer(nil, "w", after: 150)
        // Where there is nothing left to look after it stops, and begins anew.
        var configuration = Configuration()
        configuration.tracks = serving.worker.site.configuration.tracks
        let site = try Site(configuration, origin: serving.worker.site.origin, authority: .fixed("http://x"))
        hub.serve(site)
        serving.loop.advanceTime(by: .milliseconds(600))
        try expectAnswer(site, "x", after: 250)
    }

    /// One fetch is for all who ask, and the renditions are reported beside the playlist for as long as it is followed.
    @Test func oneFetchIsForAll() throws {
        let hub = hub(.seconds(30))
        let origins = try (0..<3).map { _ in try serving.origin() }
        let answers = try [ask(hub, "v"), ask(hub, "v")]
        #expect(origins.map { $0.heard().split(separator: " ").dropFirst().first } == [nil, nil, "/v.m3u8"])
        serving.loop.advanceTime(by: .milliseconds(250))
        #expect(answers.map(\.status) == [nil, nil] && reported.isEmpty)
        try origins[2].say("HTTP/1.1 200 OK\r\nContent-Length: \(Self.live.utf8.count)\r\n\r\n\(Self.live)")
        serving.loop.run()
        #expect(answers.map(\.status) == [200, 200])
        #expect(reported[Array("http://origin.example/v.m3u8".utf8)].count == 1)
        for _ in 0..<4 { serving.loop.advanceTime(by: .milliseconds(250)) }
        #expect(!reported.isEmpty, "it is followed for a while")
        let site = serving.worker.site
        hub.serve(try Site(Configuration(), origin: site.origin, authority: .fixed("http://x")))
        #expect(reported.isEmpty)
        #expect(try ask(hub, "v").status == 503, "another site is served")
        serving.loop.advanceTime(by: .milliseconds(250))
    }
}
