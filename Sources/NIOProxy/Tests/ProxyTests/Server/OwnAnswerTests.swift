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
