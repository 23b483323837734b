import Delivery
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Sideload
import Testing

@testable import SurtitleProxy

/// Live channels behind an origin that may be silent, and while configurations come and go.
@Suite struct LiveHubTests {
    /// Answers with what `answer` says for a path; for nil with nothing, or with what never ends.
    private final class Answering: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let trickles: Bool
        private let answer: @Sendable (String) -> String?

        init(trickles: Bool, _ answer: @escaping @Sendable (String) -> String?) {
            self.trickles = trickles
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data) else { return }
            guard let text = answer(head.uri) else { return trickles ? trickle(context) : () }
            let headers = HTTPHeaders([("Content-Length", "\(text.utf8.count)")])
            context.write(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))), promise: nil
            )
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        private func trickle(_ context: ChannelHandlerContext) {
            context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok))), promise: nil)
            let channel = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(50)) { task in
                guard channel.value.channel.isActive else { return task.cancel() }
                let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "#EXTM3U\n")))
                channel.value.writeAndFlush(NIOAny(part), promise: nil)
            }
        }
    }

    private static let live = "#EXTM3U\n#EXT-X-TARGETDURATION:60\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:60,\na.ts\n"
    private static let complete = live + "#EXT-X-ENDLIST\n"

    /// A hub before an origin, on an event loop of its own.
    private struct Setting {
        let origin: any Channel
        let hub: NIOLoopBound<LiveHub>
        let loop: any EventLoop
        /// The paths that the origin has been asked for.
        let asked = NIOLockedValueBox<[String]>([])

        init(
            patience: TimeAmount = .seconds(30), trickles: Bool = false,
            _ answer: @escaping @Sendable (String, _ times: Int) -> String?
        ) async throws {
            let group = MultiThreadedEventLoopGroup.singleton
            loop = group.next()
            origin = try await ServerBootstrap(group: group)
                .childChannelInitializer { [asked] channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                        try channel.pipeline.syncOperations.addHandler(
                            Answering(trickles: trickles) { path in
                                let times = asked.withLockedValue { asked in
                                    asked.append(path)
                                    return asked.count { $0 == path }
                                }
                                return answer(path, times)
                            })
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let security = try NIOSSLContext(configuration: .clientDefault)
            hub = try await loop.submit { [loop] in
                let pool = OriginPool(on: loop, security, patience: patience, most: 300)
                return NIOLoopBound(
                    LiveHub(by: pool, patience, VideoPlaylistEdits(), ReportedRenditions()), eventLoop: loop)
            }.get()
        }

        /// A site with these tracks, which is not served yet.
        func site(_ tracks: String...) throws -> Site {
            var configuration = Configuration()
            configuration.tracks = try tracks.map { try TrackConfiguration(spec: $0) }
            let port = try #require(origin.localAddress?.port)
            return try Site(
                configuration, origin: OriginURL("http://127.0.0.1:\(port)/"), authority: .fixed("http://x"))
        }

        func serve(_ site: Site) async throws { try await loop.submit { [hub] in hub.value.serve(site) }.get() }

        /// The status of a track's playlist beside this video; nil if that is complete.
        func status(_ site: Site, _ track: String = "en", beside video: String = "v.m3u8") async throws -> Int? {
            let uri = "/.surtitle/%2F\(video)/track/\(track).m3u8"
            let own = try #require(site.own(HTTPRequestHead(version: .http1_1, method: .GET, uri: uri)))
            let live = try #require(own.router.liveRequest(own.request))
            return try await loop.flatSubmit { [hub] in hub.value.answer(live, own, Array("GET".utf8)) }.get()?.status
        }

        /// Opens somebody who sends cues, and gives the number.
        func open(_ site: Site, _ ended: NIOLockedValueBox<[CuesRefusal]>) async throws -> Int {
            let head = HTTPRequestHead(
                version: .http1_1, method: .POST, uri: "/.surtitle/%2Fv.m3u8/cues/en?format=jsonl")
            let own = try #require(site.own(head))
            let request = try #require(own.router.cuesRequest(own.request))
            return try await loop.submit { [hub] in
                try hub.value.open(request, .jsonLines, own) { refusal in ended.withLockedValue { $0.append(refusal) } }
            }.get()
        }

        func append(_ text: String, _ sender: Int) async throws {
            try await loop.submit { [hub] in try hub.value.append(ByteBuffer(string: text), sender) }.get()
        }
    }

    /// Workers are told of another site one after the other, so requests of the one before come after the first of the
    /// new one.
    @Test func aRequestIsOfItsOwnSite() async throws {
        let setting = try await Setting { _, _ in Self.live }
        let before = try setting.site("uri=en.vtt,language=en")
        let after = try setting.site("uri=en.vtt,language=en", "uri=sv.vtt,language=sv")
        try await setting.serve(before)
        #expect(try await setting.status(before) == 200)
        try await setting.serve(after)
        #expect(try await setting.status(before) == 503, "its channel has gone")
        #expect(try await setting.status(after, "sv") == 200)
        #expect(try await setting.status(after) == 200)
    }

    @Test func whoSendsCuesToTheSiteBeforeIsToldSo() async throws {
        let setting = try await Setting { _, _ in Self.live }
        let (before, after) = (try setting.site("cues=http,language=en"), try setting.site("cues=http,language=en"))
        try await setting.serve(before)
        let ended = NIOLockedValueBox<[CuesRefusal]>([])
        let sender = try await setting.open(before, ended)
        try await setting.append("{\"start\":1,\"end\":2,\"text\":\"a\"}\n", sender)
        await #expect(throws: CuesRefusal.isWritten) { try await setting.open(before, ended) }
        try await setting.serve(after)
        #expect(ended.withLockedValue { $0 } == [.isChanged])
        await #expect(throws: CuesRefusal.busy) { try await setting.append("{", sender) }
        await #expect(throws: CuesRefusal.isChanged) { try await setting.open(before, ended) }
        _ = try await setting.open(after, ended)
    }

    /// Who waits when another site comes has an answer all the same.
    @Test func whoWaitsIsNotTurnedAway() async throws {
        let setting = try await Setting(patience: .milliseconds(600)) { _, times in times == 1 ? nil : Self.live }
        let (before, after) = (try setting.site("uri=en.vtt,language=en"), try setting.site("uri=en.vtt,language=en"))
        try await setting.serve(before)
        async let waiting = setting.status(before)
        while setting.asked.withLockedValue({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
        try await setting.serve(after)
        #expect(try await setting.status(after) == 200)
        #expect(try await waiting == 504)
    }

    /// One connection on which an origin says nothing, or for ever a little more, does not keep a video from being
    /// looked at.
    @Test(arguments: [false, true]) func aSilentOriginIsAskedAgain(_ trickles: Bool) async throws {
        let setting = try await Setting(patience: .milliseconds(300), trickles: trickles) { _, times in
            times == 1 ? nil : Self.complete
        }
        let site = try setting.site("uri=en.vtt,language=en")
        try await setting.serve(site)
        #expect(try await setting.status(site) == 504)
        // After a failure nobody looks for a second.
        try await Task.sleep(for: .milliseconds(1100))
        #expect(try await setting.status(site) == nil)
        #expect(setting.asked.withLockedValue { $0 } == ["/v.m3u8", "/v.m3u8"])
    }

    /// However many videos somebody names, another one has room, and cues that have been sent stay.
    @Test(arguments: [complete, live]) func manyVideos(_ playlist: String) async throws {
        let setting = try await Setting { path, _ in path == "/v.m3u8" ? Self.live : playlist }
        let site = try setting.site("cues=http,language=en")
        try await setting.serve(site)
        let ended = NIOLockedValueBox<[CuesRefusal]>([])
        #expect(try await setting.status(site) == 200)
        let sender = try await setting.open(site, ended)
        try await setting.append("{\"start\":1,\"end\":2,\"text\":\"a\"}\n", sender)
        try await setting.loop.submit { [hub = setting.hub] in try hub.value.finish(sender) }.get()
        for number in 0..<255 {
            let status = try await setting.status(site, beside: "v\(number).m3u8")
            #expect(status == (playlist == Self.live ? 200 : nil))
        }
        func times(_ path: String) -> Int { setting.asked.withLockedValue { asked in asked.count { $0 == path } } }
        let count = times("/v.m3u8")
        // 256 videos are followed, and one more takes the place of one.
        _ = try await setting.status(site, beside: "v255.m3u8")
        #expect(try await setting.status(site) == 200)
        #expect(times("/v.m3u8") == count, "its version is kept")
        _ = try await setting.status(site, beside: "v1.m3u8")
        #expect(times("/v1.m3u8") == 1, "one has gone, and no other")
        _ = try await setting.status(site, beside: "v0.m3u8")
        #expect(times("/v0.m3u8") == 2, "the one that was asked for longest ago has gone")
    }
}
