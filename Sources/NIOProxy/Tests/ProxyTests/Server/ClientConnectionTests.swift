import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import SurtitleProxy

/// One client's requests: what goes to the origin, what comes back, and what becomes of the connection.
@Suite struct ClientConnectionTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let via = "Via: 1.1 surtitle\r\n"
    private static let close = "Connection: close\r\n"

    // MARK: What is answered here

    struct Row: Sendable {
        let request: String
        let answer: String
        let staysOpen: Bool
        let reason: Comment

        init(_ request: String, _ answer: String, staysOpen: Bool = true, _ reason: Comment) {
            (self.request, self.answer, self.staysOpen, self.reason) = (request, answer, staysOpen, reason)
        }
    }

    private static let health = "Content-Type: text/plain\r\nCache-Control: no-store\r\nContent-Length: 3\r\n"
    private static let notAllowed = "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD\r\nContent-Length: 0\r\n"

    static let answers: [Row] = [
        Row("GET /.surtitle/health HTTP/1.1\r\nHost: a\r\n\r\n", ok + health + "\r\nok\n", "a page"),
        Row("HEAD /.surtitle/health HTTP/1.1\r\nHost: a\r\n\r\n", ok + health + "\r\n", "its head alone"),
        Row(
            "GET /.surtitle/health HTTP/1.0\r\n\r\n", ok + health + close + "\r\nok\n", staysOpen: false,
            "HTTP/1.0 is one request a connection"),
        Row(
            "GET /.surtitle/health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", ok + health + close + "\r\nok\n",
            staysOpen: false, "also if it says otherwise"),
        Row(
            "GET /.surtitle/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            ok + health + close + "\r\nok\n", staysOpen: false, "the client wants to close"),
        Row(
            "GET /.surtitle/health HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\n", ok + health + close + "\r\nok\n",
            staysOpen: false, "what follows could be another protocol"),
        Row(
            "GET /.surtitle/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nnonsense\r\n\r\n",
            ok + health + close + "\r\nok\n", staysOpen: false, "behind the last answer there is none"),
        Row(
            "GET /.surtitle/health HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\nGET /a HTTP/1.1\r\n\r\n",
            ok + health + close + "\r\nok\n", staysOpen: false, "also where HTTP comes that would be refused"),
        Row("POST /.surtitle/health HTTP/1.1\r\nHost: a\r\n\r\n", notAllowed + "\r\n", "nothing is posted there"),
        Row(
            "POST /.surtitle/health HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", notAllowed + close + "\r\n",
            staysOpen: false, "a body that nobody takes"),
        Row(
            "GET /.surtitle/metrics HTTP/1.1\r\nHost: a\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "metrics are elsewhere"),
        Row(
            "GET /a HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "no origin"),
        Row(
            "GET /a HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            staysOpen: false, "no host"),
        Row(
            "nonsense\r\n\r\n", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            staysOpen: false, "no HTTP"),
    ]

    @Test(arguments: answers) func whatIsAnsweredHere(_ row: Row) throws {
        let serving = try Serving(origin: nil) { $0.reach = .everywhere }
        let client = try serving.client()
        try client.say(row.request)
        #expect(client.heard() == row.answer, row.reason)
        serving.loop.run()
        #expect(client.isOpen == row.staysOpen, row.reason)
    }

    @Test func pagesMayReadWhatIsMadeHereButNotWhatIsForOthers() throws {
        let serving = try Serving(origin: nil) { $0.pages = "https://player.example" }
        let client = try serving.client()
        try client.say("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(
            client.heard() == "HTTP/1.1 404 Not Found\r\nAccess-Control-Allow-Origin: https://player.example\r\n"
                + "Content-Length: 0\r\n\r\n")
        try client.say("GET /.surtitle/health HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.heard() == Self.ok + Self.health + "\r\nok\n")
        try client.say("POST /.surtitle/health HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.heard() == Self.notAllowed + "\r\n")
    }

    @Test(arguments: [
        ("GET", Door.clients, false), ("GET", .clients, true), ("GET", .metrics(.any), false),
        ("HEAD", .metrics(.any), false),
    ])
    func whereMetricsAre(_ method: String, _ door: Door, _ areElsewhere: Bool) throws {
        let serving = try Serving { if areElsewhere { $0.metrics = ListenPlace(host: "127.0.0.1", port: 81) } }
        serving.worker.gather = { [worker = serving.worker] in
            worker.loop.makeSucceededFuture(worker.metrics)
        }
        let client = try serving.client(door)
        try client.say("\(method) /.surtitle/metrics HTTP/1.1\r\nHost: a\r\n\r\n")
        serving.loop.run()
        let answer = client.heard()
        if areElsewhere {
            #expect(answer == "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        } else {
            #expect(
                answer.hasPrefix(Self.ok + "Content-Type: text/plain; version=0.0.4\r\nCache-Control: no-store\r\n"))
            #expect(answer.contains("\nsurtitle_connections_open 1\n") == (method == "GET"))
        }
        if door != .clients {
            try client.say("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.heard() == "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "nothing else is")
        }
    }

    @Test func whatIsRefusedIsTheLast() throws {
        let serving = try Serving(origin: nil) { $0.isLogging = true }
        let client = try serving.client()
        client.stopReading()
        let next = "GET /.surtitle/health HTTP/1.1\r\nHost: a\r\n\r\n"
        try client.say("GET /a HTTP/1.1\r\n\r\n" + next)
        try client.say(next)
        client.goOnReading()
        serving.loop.run()
        #expect(
            client.heard() == "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        #expect(!client.isOpen && serving.log == ["GET /a 400 0: 0 fields called Host"])
    }

    @Test func aHeadThatIsTooLongIsRefused() throws {
        let client = try Serving(origin: nil).client()
        try client.say("GET /a HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 98_304))
        #expect(
            client.heard()
                == "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    }

    /// Where there are no more descriptors nobody is accepted for half a second.
    @Test func theListenerPauses() throws {
        let channel = EmbeddedChannel(handler: AcceptPause())
        var isReading: [Bool] { channel.options.compactMap { $0.value as? Bool } }
        channel.pipeline.fireErrorCaught(IOError(errnoCode: 24, reason: "accept"))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(499))
        #expect(isReading == [false])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(isReading == [true])
        channel.pipeline.fireErrorCaught(ChannelError.eof)
        #expect(throws: ChannelError.eof) { try channel.throwIfErrorCaught() }
        #expect(isReading == [true], "another error is none of its business")
    }

    // MARK: What the origin answers

    @Test func aRequestIsForwardedAndItsAnswerComesBack() throws {
        let serving = try Serving { $0.isLogging = true }
        let origin = try serving.origin()
        let client = try serving.client()
        for number in 1...3 {
            try client.say("GET /\(number) HTTP/1.1\r\nHost: a\r\nX-A: b\r\n\r\n")
            #expect(
                origin.heard()
                    == "GET /\(number) HTTP/1.1\r\nX-A: b\r\n\(Self.via)Host: origin.example\r\n\r\n")
            try origin.say("\(Self.ok)Content-Length: 3\r\nX-C: d\r\n\r\nabc")
            #expect(client.heard() == "\(Self.ok)X-C: d\r\n\(Self.via)Content-Length: 3\r\n\r\nabc")
        }
        #expect(client.isOpen && origin.isOpen, "both are kept")
        #expect(serving.metric("origin_bytes_total") == 9 && serving.metric("origin_failures_total") == 0)
        #expect(serving.metric("connections_total") == 1 && serving.metric("connections_open") == 1)
        #expect(serving.log == ["GET /1 200 3", "GET /2 200 3", "GET /3 200 3"])
        client.leave()
        #expect(serving.metric("connections_open") == 0 && serving.metric("cancelled_total") == 0)
    }

    @Test func aBodyIsForwarded() throws {
        let serving = try Serving()
        let origin = try serving.origin()
        let client = try serving.client()
        try client.say("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nExpect: 100-Continue\r\n\r\n")
        #expect(client.heard() == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.say("abc")
        try client.say("def")
        #expect(
            origin.heard()
                == "POST /a HTTP/1.1\r\n\(Self.via)Content-Length: 6\r\nHost: origin.example\r\n\r\nabcdef")
        try origin.say("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        #expect(client.heard() == "HTTP/1.1 201 Created\r\n\(Self.via)Content-Length: 0\r\n\r\n")
        serving.loop.run()
        #expect(client.isOpen && origin.isOpen)
    }

    @Test(arguments: [
        ("POST /a HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n", "HTTP/1.0 knows no 100"),
        ("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 101\r\nContent-Length: 1\r\n\r\n", "another word"),
        ("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n", "no word"),
    ])
    func whoIsNotToldToGoOn(_ request: String, _ reason: Comment) throws {
        let serving = try Serving()
        let (client, _) = try serving.forwarding(request)
        #expect(client.heard() == "", reason)
    }

    /// What an origin says, and what of it a client gets of HTTP/1.1, and of HTTP/1.0.
    @Test(arguments: [
        (
            "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "Connection: close\r\n\r\nabc"
        ),
        (
            "Content-Length: 3\r\n\r\nabc", "Content-Length: 3\r\n\r\nabc",
            "Content-Length: 3\r\nConnection: close\r\n\r\nabc"
        ),
        (
            "Content-Length: 0\r\nConnection: close\r\n\r\n", "Content-Length: 0\r\n\r\n",
            "Content-Length: 0\r\nConnection: close\r\n\r\n"
        ),
    ])
    func anAnswerIsFramedForTheClient(_ said: String, _ new: String, _ old: String) throws {
        for (version, expected) in [("1.1\r\nHost: a", new), ("1.0", old)] {
            let serving = try Serving()
            let (client, origin) = try serving.forwarding("GET /a HTTP/\(version)\r\n\r\n")
            try origin.say(Self.ok + said)
            #expect(client.heard() == Self.ok + Self.via + expected)
            serving.loop.run()
            #expect(client.isOpen == (version != "1.0"))
            #expect(origin.isOpen == !said.contains("close"))
        }
    }

    @Test func trailersGoWithoutWhatIsTheConnections() throws {
        let serving = try Serving()
        let (client, origin) = try serving.forwarding()
        let trailers = "X-A: b\r\nHost: c\r\nKeep-Alive: 1\r\n"
        try origin.say("\(Self.ok)Transfer-Encoding: chunked\r\n\r\n0\r\n\(trailers)\r\n")
        #expect(
            client.heard() == "\(Self.ok)\(Self.via)Transfer-Encoding: chunked\r\n\r\n0\r\nX-A: b\r\n\r\n")
    }

    /// What an origin does, and what its client gets, whose connection ends with it or not.
    @Test(arguments: [
        ("", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", true, "502", "it says nothing"),
        ("nonsense\r\n\r\n", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", true, "502", "no HTTP"),
        (
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n",
            "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", true, "502", "another protocol"
        ),
        (
            ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", true, "502", "two lengths"
        ),
        (
            ok + "Transfer-Encoding: chunked\r\n\r\nX\r\n", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
            true, "502", "no HTTP where a body should begin"
        ),
        (
            ok + "Content-Length: 3\r\n\r\n", ok + via + "Content-Length: 3\r\n\r\n", false, "200", "nothing of a body"
        ),
        (
            ok + "Content-Length: 3\r\n\r\nab", ok + via + "Content-Length: 3\r\n\r\nab", false, "200", "a part of it"
        ),
        (
            ok + "Connection: \(HeadJudgeTests.names(33))\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", true, "502", "too many names in Connection"
        ),
    ])
    func whatGoesWrong(
        _ said: String, _ expected: String, _ staysOpen: Bool, _ status: String, _ reason: Comment
    ) throws {
        let serving = try Serving { $0.isLogging = true }
        // One that has waited is asked again on another one; that does the same.
        let first = try serving.origin()
        let client = try serving.client()
        try client.say("POST /a HTTP/1.1\r\nHost: a\r\n\r\n")
        if said != "" { try? first.say(said) }
        first.leave()
        serving.loop.run()
        #expect(client.heard() == expected, reason)
        #expect(client.isOpen == staysOpen, reason)
        #expect(serving.metric("origin_failures_total") == 1, reason)
        let bytes = said.hasSuffix("ab") ? 2 : 0
        #expect(serving.log == ["POST /a \(status) \(bytes)" + (staysOpen ? "" : ": broken off")], reason)
    }

    @Test func whatEndsWithTheConnectionAndBreaksOffBeforeItsBodyIsNoAnswer() throws {
        let serving = try Serving()
        let (client, origin) = try serving.forwarding("POST /a HTTP/1.0\r\n\r\n")
        try origin.say("\(Self.ok)Transfer-Encoding: chunked\r\n\r\n")
        origin.leave()
        #expect(client.heard() == "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\(Self.close)\r\n")
        #expect(!client.isOpen)
    }

    @Test func aClientThatLeavesIsCountedAndItsOriginIsToldToStop() throws {
        let serving = try Serving { $0.isLogging = true }
        let (client, origin) = try serving.forwarding()
        client.leave()
        #expect(!origin.isOpen)
        #expect(serving.metric("cancelled_total") == 1 && serving.metric("connections_open") == 0)
        #expect(serving.log == ["GET /a 499 0: the client has left"])
    }

    /// A request that comes early waits until the one before has its answer.
    @Test func requestsThatComeEarlyWait() throws {
        let serving = try Serving()
        let (second, origin) = (try serving.origin(), try serving.origin())
        let client = try serving.client()
        try client.say("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(origin.heard().hasPrefix("GET /1 "))
        try origin.say("\(Self.ok)Content-Length: 1\r\n\r\n1")
        #expect(second.heard().hasPrefix("GET /2 "), "what may have come behind the first answer is not read yet")
        try second.say("\(Self.ok)Content-Length: 1\r\n\r\n2")
        let answer = "\(Self.ok)\(Self.via)Content-Length: 1\r\n\r\n"
        #expect(client.heard() == "\(answer)1\(answer)2")
    }

    @Test func anAnswerBeforeItsRequestIsWholeEndsTheConnection() throws {
        let serving = try Serving()
        let (client, origin) = try serving.forwarding("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab")
        try origin.say("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        #expect(client.heard() == "HTTP/1.1 403 Forbidden\r\n\(Self.via)Content-Length: 0\r\n\r\n")
        serving.loop.run()
        #expect(!client.isOpen && !origin.isOpen)
    }

    // MARK: Half-closed connections, and the end of the proxy

    @Test func aClientThatSendsNoMoreGetsItsAnswer() throws {
        let serving = try Serving()
        let (client, origin) = try serving.forwarding()
        client.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(client.isOpen)
        try origin.say("\(Self.ok)Content-Length: 1\r\n\r\n1")
        #expect(client.heard() == "\(Self.ok)\(Self.via)Content-Length: 1\r\n\(Self.close)\r\n1")
        serving.loop.run()
        #expect(!client.isOpen)
        let idle = try serving.client()
        idle.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!idle.isOpen, "who has asked for nothing")
    }

    @Test func theEndWaitsForAnswers() throws {
        let serving = try Serving()
        let (client, origin) = try serving.forwarding()
        let idle = try serving.client()
        let ended = serving.worker.end()
        var hasEnded = false
        ended.assumeIsolated().whenSuccess { hasEnded = true }
        serving.loop.run()
        #expect(!idle.isOpen && client.isOpen && !hasEnded)
        try origin.say("\(Self.ok)Content-Length: 1\r\n\r\n1")
        #expect(client.heard() == "\(Self.ok)\(Self.via)Content-Length: 1\r\n\(Self.close)\r\n1")
        serving.loop.run()
        #expect(!client.isOpen && hasEnded)
        let late = try serving.client()
        try late.say("GET /.surtitle/health HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(late.heard() == Self.ok + Self.health + Self.close + "\r\nok\n")
    }

    @Test func aStopEndsAll() throws {
        let serving = try Serving()
        let (client, origin) = try serving.forwarding()
        let waiting = try serving.origin()
        serving.worker.stop()
        serving.loop.run()
        #expect(!client.isOpen && !origin.isOpen && !waiting.isOpen)
        #expect(throws: (any Error).self) { try serving.client() }
    }

    @Test func aWorkerWithoutConnectionsEndsAtOnce() throws {
        let serving = try Serving()
        var hasEnded = false
        serving.worker.end().assumeIsolated().whenSuccess { hasEnded = true }
        #expect(hasEnded)
    }

    // MARK: Playlists

    private static let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"

    /// The line of the log has what has been found, and what was done.
    @Test(arguments: [(master, "multivariant"), ("#EXTM3U\n#EXTINF:4,\na.ts\n", "media")])
    func aPlaylistGetsTracks(_ playlist: String, _ verdict: String) throws {
        let serving = try Serving(tracks: ["uri=en.m3u8,language=en"]) { $0.isLogging = true }
        let (client, origin) = try serving.forwarding("GET /m.m3u8 HTTP/1.1\r\nHost: a\r\n\r\n")
        try origin.say("\(Self.ok)Content-Length: \(playlist.utf8.count)\r\n\r\n\(playlist)")
        let body = client.heard().components(separatedBy: "\r\n\r\n")[1]
        let added = body.contains("#EXT-X-MEDIA:") ? body.utf8.count - playlist.utf8.count - 17 : 0
        #expect(added > 0 || body == playlist)
        let line = try #require(serving.log.first)
        #expect(serving.log.count == 1)
        #expect(line.hasPrefix("GET /m.m3u8 200 \(playlist.utf8.count) "))
        #expect(line.hasSuffix(", \(verdict), \(added) bytes of tags"))
        #expect(serving.metric("multivariant_total") == (verdict == "media" ? 0 : 1))
    }

    @Test func aProxyThatPassesAddsNothing() throws {
        let serving = try Serving(tracks: ["uri=en.m3u8,language=en"]) { $0.isPassing = true }
        let (client, origin) = try serving.forwarding("GET /m.m3u8 HTTP/1.1\r\nHost: a\r\n\r\n")
        try origin.say("\(Self.ok)Content-Length: \(Self.master.utf8.count)\r\n\r\n\(Self.master)")
        #expect(
            client.heard()
                == "\(Self.ok)\(Self.via)Content-Length: \(Self.master.utf8.count)\r\n\r\n\(Self.master)")
    }

    /// Wherever an origin's bytes are split: until the first lines tell what a playlist is, nothing of it goes out.
    @Test func aPlaylistOfTheVideoComesInPieces() throws {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART:DURATION=1,URI=\"b.ts\"\n#EXTINF:4,\na.ts\n"
        let expected = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n"
        for place in 1..<text.utf8.count {
            let serving = try Serving { $0.playlistEdits.lowLatency = .strip }
            let (client, origin) = try serving.forwarding("GET /v.m3u8 HTTP/1.0\r\n\r\n")
            try origin.say("\(Self.ok)Content-Length: \(text.utf8.count)\r\n\r\n")
            try origin.say(String(text.prefix(place)))
            try origin.say(String(text.dropFirst(place)))
            #expect(client.heard() == "\(Self.ok)\(Self.via)\(Self.close)\r\n\(expected)", "after \(place) bytes")
        }
    }

    @Test func partsOfTheVideoAreLeftOutOnTheirWay() throws {
        let serving = try Serving { $0.playlistEdits.lowLatency = .strip }
        let (client, origin) = try serving.forwarding("GET /v.m3u8 HTTP/1.1\r\nHost: a\r\n\r\n")
        try origin.say("\(Self.ok)ETag: \"a\"\r\nTransfer-Encoding: chunked\r\n\r\n")
        let start = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
        for part in [start, "#EXT-X-PART:DURATION=1,URI=\"b.ts\"\n", ""] {
            try origin.say("\(String(part.utf8.count, radix: 16))\r\n\(part)\r\n")
        }
        #expect(
            client.heard()
                == "\(Self.ok)\(Self.via)Transfer-Encoding: chunked\r\n\r\n20\r\n\(start)\r\n0\r\n\r\n")
    }
}
