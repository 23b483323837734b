import Delivery
import Drivers
import Foundation
import M3U8
import Support
import Testing
import WebVTT

/// The machine over real sockets, against origins that keep to HTTP and origins that do not.
@Suite struct LoopbackTests {
    private static func track(_ server: OriginServer, _ path: String, _ format: SubtitleFormat = .webVTT)
        -> FetchTrack
    {
        FetchTrack(url: server.url(path), format: format)
    }

    private static func answer(_ origin: NaiveOrigin, to request: OriginServer.Request) -> OriginServer.Reply? {
        let response = origin.respond(range: request.fields["range"], ifRange: request.fields["if-range"])
        return response.map { OriginServer.Reply(response: $0) }
    }

    /// Whatever an origin does, the same comes of it over sockets as in memory, in the same requests.
    @Test(arguments: NaiveOrigin.Habit.allCases)
    func habit(_ habit: NaiveOrigin.Habit) throws {
        // This client follows redirects: they have a test of their own.
        guard habit != .redirect else { return }
        let files = [FetchFiles.cues, FetchFiles.noted(100), FetchFiles.noted(1500), FetchFiles.vtt(1), []]
        for file in files {
            let origin = NaiveOrigin(file, habit)
            let server = try OriginServer { Self.answer(origin, to: $0) }
            for chunkSize in [1, 100, 65_536] {
                let (here, there) = (FetchCase.track("a.vtt"), Self.track(server, "/a.vtt"))
                let jobs: [(FetchJob, FetchJob)] = [
                    (.duration(here), .duration(there)), (.presence(here), .presence(there)),
                    (.content(here, map: .own), .content(there, map: .own)),
                ]
                for (inMemory, overSockets) in jobs {
                    let expected = FetchCase.run(inMemory, ["/a.vtt": [origin]], seen: Self.byClient) { [0..<$0] }
                    var client = BlockingClient(chunkSize: chunkSize)
                    let result = client.run(overSockets, limits: FetchCase.limits)
                    #expect(
                        FetchCase.words(result) == FetchCase.words(expected.result),
                        "\(habit), \(file.count) bytes, \(inMemory)")
                    #expect(client.requests.map { $0.range } == expected.requests.map { $0.range })
                }
            }
        }
    }

    /// To a client a body is whole if it is as long as Content-Length says.
    private static func byClient(_ response: NaiveOrigin.Response) -> NaiveOrigin.Response {
        var response = response
        let length = response.header.first { $0.name == "Content-Length" }.flatMap { Int($0.value) }
        response.isWhole = response.body.count >= length ?? 0
        return response
    }

    /// A byte at a time, each in a packet of its own, and whatever type it claims to be.
    @Test func slowOrigin() throws {
        let server = try OriginServer { request in
            let origin = NaiveOrigin(FetchFiles.noted(100))
            guard var reply = Self.answer(origin, to: request) else { return nil }
            reply.response.header.append(("Content-Type", "text/html; charset=iso-8859-1"))
            reply.isSlow = true
            return reply
        }
        var client = BlockingClient(chunkSize: 4096)
        let result = client.run(.duration(Self.track(server, "/a.vtt")), limits: FetchCase.limits)
        #expect(FetchCase.words(result) == "20500 of tail, final 20500")
        #expect(client.requests.count == 2)
    }

    /// Playlists that redirect to another origin: what is relative is looked for there, and the first origin has no segment.
    @Test func redirectsAcrossOrigins() throws {
        let edge = try OriginServer { request in
            switch request.path {
            case "/x/master.m3u8":
                let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv/v.m3u8\n"
                return Self.answer(NaiveOrigin(Array(text.utf8)), to: request)
            case "/x/v/v.m3u8": return Self.answer(NaiveOrigin(Array(FetchFiles.media.utf8)), to: request)
            case "/x/v/s0.ts": return Self.answer(NaiveOrigin(FetchFiles.transport), to: request)
            default: return Self.answer(NaiveOrigin([], .missing), to: request)
            }
        }
        let port = edge.port
        let front = try OriginServer { request in
            guard request.path == "/master.m3u8" else { return Self.answer(NaiveOrigin([], .missing), to: request) }
            let location = [("Location", "http://127.0.0.1:\(port)/x/master.m3u8")]
            return .init(response: .init(status: 307, header: location, body: []))
        }
        var client = BlockingClient(chunkSize: 7)
        let result = client.run(.mediaStart(video: front.url("/master.m3u8")))
        #expect(FetchCase.words(result) == "tick 126000 at 0")
        #expect(
            client.requests.map { String(decoding: $0.url, as: UTF8.self) }.last == "http://127.0.0.1:\(port)/x/v/s0.ts"
        )
    }

    /// A client that gives up on redirects has no answer.
    @Test func redirectLoop() throws {
        let server = try OriginServer { _ in
            .init(response: .init(status: 302, header: [("Location", "/a.vtt")], body: []))
        }
        var client = BlockingClient(chunkSize: 100)
        #expect(FetchCase.words(client.run(.presence(Self.track(server, "/a.vtt")))) == "network: network")
    }

    /// A file that is replaced between two requests.
    @Test func changingFile() throws {
        let count = Counter()
        let server = try OriginServer { request in
            let isFirst = count.next() == 0
            return Self.answer(
                isFirst ? NaiveOrigin(FetchFiles.noted(100)) : NaiveOrigin(FetchFiles.vtt(3), tag: "\"v2\""),
                to: request)
        }
        var client = BlockingClient(chunkSize: 33)
        let result = client.run(.duration(Self.track(server, "/a.vtt")), limits: FetchCase.limits)
        #expect(FetchCase.words(result) == "3500 of file, final 3500")
        #expect(client.requests.count == 2)
    }

    /// SubRip with the map of a video whose segment is served slowly.
    @Test func everythingAtOnce() throws {
        let server = try OriginServer { request in
            switch request.path {
            case "/a.srt": return Self.answer(NaiveOrigin(FetchFiles.subRip), to: request)
            case "/v.m3u8": return Self.answer(NaiveOrigin(Array(FetchFiles.media.utf8), .endless), to: request)
            case "/s0.ts":
                let reply = Self.answer(NaiveOrigin(FetchFiles.transport, .endless), to: request)
                return reply.map { .init(response: $0.response, isSlow: true) }
            default: return nil
            }
        }
        var client = BlockingClient(chunkSize: 50)
        let result = client.run(
            .content(Self.track(server, "/a.srt", .subRip), map: .fromVideo(server.url("/v.m3u8"))))
        #expect(
            FetchCase.words(result)
                == "converted "
                + FetchFiles.converted.replacing(
                    "WEBVTT\n", with: "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n"))
    }

    private final class Counter: Sendable {
        private let lock = NSLock()
        nonisolated(unsafe) private var count = 0

        func next() -> Int {
            lock.withLock {
                count += 1
                return count - 1
            }
        }
    }
}
