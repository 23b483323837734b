import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import SurtitleProxy

/// Answers at addresses of the proxy's own, for which something is fetched.
@Suite struct OwnAnswerTests {
    private static let entry = "/.surtitle/%2Fa%2Fm.m3u8/play.m3u8"
    private static let media = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n"

    private static func serving(_ change: (inout ProxyServer.Settings) -> Void = { _ in }) throws -> Serving {
        let serving = try Serving(tracks: ["uri=en.m3u8,language=en,name=English"]) { settings in
            settings.isLogging = true
            change(&settings)
        }
        serving.worker.live = nil
        return serving
    }

    private static func whole(_ text: String, _ status: String = "200 OK") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    private static func request(_ path: String = entry, _ method: String = "GET") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    @Test func aMultivariantPlaylistIsWhereItIs() throws {
        let serving = try Self.serving()
        let (origin, client) = (try serving.origin(), try serving.client())
        try client.say(Self.request())
        #expect(origin.heard().hasPrefix("GET /a/m.m3u8 HTTP/1.1\r\nHost: origin.example\r\n"))
        try origin.say(Self.whole("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"))
        let answer = client.heard()
        #expect(answer.hasPrefix("HTTP/1.1 302 Found\r\n") && answer.contains("\r\nLocation: /a/m.m3u8\r\n"))
        #expect(client.isOpen && origin.isOpen)
    }

    @Test(arguments: ["GET", "HEAD"]) func aMediaPlaylistIsWrapped(_ method: String) throws {
        let serving = try Self.serving()
        let (origin, client) = (try serving.origin(), try serving.client())
        try client.say(Self.request(Self.entry, method))
        #expect(origin.heard().hasPrefix("GET /a/m.m3u8 HTTP/1.1\r\n"))
        try origin.say(Self.whole(Self.media))
        let parts = client.heard().components(separatedBy: "\r\n\r\n")
        #expect(parts[0].hasPrefix("HTTP/1.1 200 OK\r\n"))
        let body = parts[1]
        #expect((body == "") == (method == "HEAD"))
        if method == "GET" {
            #expect(body.contains("\n/a/m.m3u8\n") && body.contains("URI=\"en.m3u8\""))
            #expect(parts[0].contains("\r\nContent-Length: \(body.utf8.count)"))
        } else {
            #expect(parts[0].contains("\r\nContent-Length: 1") || parts[0].contains("\r\nContent-Length: 2"))
        }
    }

    @Test func anAnswerSaysOnceHowLongItIsAndWhoMayReadIt() throws {
        let serving = try Self.serving { $0.pages = "https://player.example" }
        let (origin, client) = (try serving.origin(), try serving.client())
        try client.say(Self.request())
        try origin.say(Self.whole(Self.media))
        let head = client.heard().components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
        #expect(head.count { $0.hasPrefix("Content-Length: ") } == 1)
        #expect(head.contains("Access-Control-Allow-Origin: https://player.example"))
    }

    @Test(arguments: [("404 Not Found", "HTTP/1.1 404 "), ("500 Oops", "HTTP/1.1 502 ")])
    func anOriginThatHasNone(_ status: String, _ expected: String) throws {
        let serving = try Self.serving()
        let (origin, client) = (try serving.origin(), try serving.client())
        try client.say(Self.request())
        try origin.say(Self.whole("", status))
        serving.loop.run()
        #expect(client.heard().hasPrefix(expected))
    }

    @Test(arguments: ["POST", "PUT", "DELETE"]) func nothingIsSentThere(_ method: String) throws {
        let serving = try Self.serving { $0.pages = "*" }
        let client = try serving.client()
        try client.say(Self.request(Self.entry, method))
        #expect(
            client.heard() == "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\n"
                + "Access-Control-Allow-Origin: *\r\nContent-Length: 0\r\n\r\n")
    }

    private static let busy = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"

    @Test func whereTooMuchIsHeldNothingIsBegun() throws {
        let serving = try Self.serving { $0.bufferedBytes = 10 }
        let (origin, client) = (try serving.origin(), try serving.client())
        serving.held.change(by: 11)
        try client.say(Self.request())
        #expect(client.heard() == Self.busy && serving.metric("turned_away_total") == 1)
        #expect(origin.heard() == "")
        serving.held.change(by: -1)
        try client.say(Self.request())
        #expect(client.heard() == "" && origin.heard() != "")
    }

    @Test func whereTooMuchIsHeldMeanwhileItIsGivenUp() throws {
        let serving = try Self.serving { $0.bufferedBytes = 10 }
        let (origin, client) = (try serving.origin(), try serving.client())
        try client.say(Self.request())
        #expect(serving.holds(0))
        let half = Self.whole(Self.media).dropLast(20)
        // One alone may be larger than all should be.
        try origin.say(String(half.dropLast(10)))
        #expect(client.heard() == "" && serving.held.areTooMany)
        serving.held.change(by: 11)
        try origin.say(String(half.suffix(10)))
        serving.loop.run()
        #expect(client.heard() == Self.busy && !origin.isOpen && client.isOpen)
        #expect(!serving.held.areTooMany(without: 1) && serving.held.areTooMany(without: 0), "nothing of it is held")
    }

    @Test func aClientThatLeavesLeavesNothingBehind() throws {
        let serving = try Self.serving()
        let (origin, client) = (try serving.origin(), try serving.client())
        try client.say(Self.request())
        try origin.say(String(Self.whole(Self.media).dropLast(20)))
        client.leave()
        #expect(!origin.isOpen && !serving.held.areTooMany(without: -(16 << 20)))
        #expect(serving.log.count == 1 && serving.log[0].hasPrefix("GET \(Self.entry) 499 0: "))
    }

    private static let text = "WEBVTT\n\n00:01.000 --> 00:02.000\na\n"

    /// Connections to the origin, of which the one that has been asked is not known before.
    private struct Origins {
        let all: [Peer]

        /// The one that has been asked since the last time, and for what.
        func asked() -> (origin: Peer, target: String)? {
            for origin in all {
                let words = origin.heard().split(separator: " ")
                if words.count > 1 { return (origin, String(words[1])) }
            }
            return nil
        }
    }

    /// Of two who want the first time stamp of a video one finds it out, and the other if that leaves.
    @Test func whoFindsOutTheFirstTimeStampMayLeave() throws {
        let serving = try Serving(tracks: ["uri=en.vtt,language=en"])
        serving.worker.live = nil
        // Where it came is as much again.
        let bytes = 2 * Self.text.utf8.count
        let origins = Origins(all: try (0..<6).map { _ in try serving.origin() })
        let clients = try (0..<3).map { _ in try serving.client() }
        for (number, client) in clients.enumerated() {
            try client.say(Self.request("/.surtitle/%2Fa%2Fm.m3u8/track/en.vtt"))
            let asked = try #require(origins.asked())
            #expect(asked.target == "/a/en.vtt")
            try asked.origin.say(Self.whole(Self.text))
            serving.loop.run()
            #expect(serving.holds((number + 1) * bytes), "the text waits for its map")
            #expect(origins.asked()?.target == (number == 0 ? "/a/m.m3u8" : nil))
        }
        clients[1].leave()
        serving.loop.run()
        #expect(origins.asked() == nil && serving.holds(2 * bytes), "it has only waited")
        clients[0].leave()
        serving.loop.run()
        let asked = try #require(origins.asked())
        #expect(asked.target == "/a/m.m3u8" && serving.holds(bytes))
        try asked.origin.say(Self.whole("#EXTM3U\n#EXT-X-ENDLIST\n"))
        serving.loop.run()
        #expect(clients[2].heard().hasSuffix("\r\n\r\n" + Self.text) && serving.holds(0))
    }

    @Test func textIsDecodedOnItsWay() throws {
        let serving = try Serving(tracks: ["uri=en.srt,language=en,encoding=windows-1252"])
        serving.worker.live = nil
        let origins = Origins(all: try (0..<3).map { _ in try serving.origin() })
        let client = try serving.client()
        try client.say(Self.request("/.surtitle/%2Fa%2Fm.m3u8/track/en.vtt"))
        let asked = try #require(origins.asked())
        #expect(asked.target == "/a/en.srt")
        let text = Array("1\n00:00:01,000 --> 00:00:02,000\ncaf".utf8) + [0xE9, 0x0A]
        try asked.origin.channel.writeInbound(
            ByteBuffer(bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: \(text.count)\r\n\r\n".utf8) + text))
        serving.loop.run()
        let video = try #require(origins.asked())
        try video.origin.say(Self.whole("#EXTM3U\n#EXT-X-ENDLIST\n"))
        serving.loop.run()
        #expect(client.heard().contains("café\n"))
    }

    @Test func nothingOfAnAnswerIsLeft() throws {
        let serving = try Self.serving()
        let (origin, client) = (try serving.origin(), try serving.client())
        weak var left: OwnAnswer?
        func ask() throws {
            try client.say(Self.request())
            guard case .own(let answer?) = try client.connection.state else { return }
            left = answer
            try origin.say(Self.whole("", "404 Not Found"))
            serving.loop.run()
            #expect(client.heard() != "")
        }
        try ask()
        #expect(left == nil)
    }

    @Test func theLogSaysWhatIsFetched() throws {
        let serving = try Self.serving()
        let (origin, client) = (try serving.origin(), try serving.client())
        try client.say(Self.request())
        try origin.say(Self.whole("", "404 Not Found"))
        serving.loop.run()
        #expect(client.heard() != "")
        #expect(serving.log.count == 1 && serving.log[0].contains("http://origin.example/a/m.m3u8"))
    }
}
