import NIOCore
import NIOHTTP1
import Testing

@testable import SurtitleProxy

/// What a client's connection takes note of, and what of it is left for the next request.
@Suite struct ClientNotesTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let via = "Via: 1.1 surtitle\r\n"
    private static let page = "Content-Type: text/plain\r\nCache-Control: no-store\r\nContent-Length: 3\r\n\r\nok\n"
    private static let health = "GET /.surtitle/health HTTP/1.1\r\nHost: a\r\n\r\n"

    // MARK: Time

    @Test func whateverComesIsProgress() throws {
        let serving = try Serving()
        let (client, origin) = (try serving.client(), try serving.origin())
        let connection = try client.connection
        let past = NIODeadline.now() - .hours(1)
        func comes(_ what: Comment, _ body: () throws -> Void) rethrows {
            connection.lastProgress = past
            try body()
            #expect(connection.lastProgress > past, what)
        }
        connection.began = past
        try comes("a head") { try client.say("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n") }
        #expect(connection.began > past)
        try comes("a body") { try client.say("abc") }
        try comes("the origin's head") { try origin.say("\(Self.ok)Content-Length: 3\r\n\r\n") }
        try comes("the origin's body") { try origin.say("a") }
        client.setWritable(false)
        comes("room") { client.setWritable(true) }
        comes("what an answer is made of") { connection.hold(0) }
    }

    /// An answer whose end waits for the client has been given.
    @Test func anAnswerThatWaitsIsNotGivenAgain() throws {
        let serving = try Serving()
        let client = try serving.client()
        client.setWritable(false)
        try client.say(Self.health)
        #expect(client.heard() == Self.ok + Self.page)
        let now = NIODeadline.now() + .hours(10)
        (try client.connection.lastProgress, try client.connection.began) = (now - .seconds(31), now)
        try client.connection.check(now)
        serving.loop.run()
        #expect(client.heard() == "" && !client.isOpen && serving.metric("origin_failures_total") == 0)
    }

    @Test func theWorkerLooksAfterTheLogAndTheOrigins() throws {
        let serving = try Serving { $0.isLogging = true }
        let (client, origin) = (try serving.client(), try serving.origin())
        try origin.channel.pipeline.syncOperations.handler(type: OriginConnection.self).idleSince = .now() - .hours(1)
        for _ in 0..<2 {
            try client.say(Self.health)
            #expect(serving.log.count == 1)
            serving.loop.advanceTime(by: .milliseconds(500))
            #expect(serving.log == [] && !origin.isOpen)
        }
        try client.say(Self.health)
        serving.worker.stop()
        #expect(serving.log == [])
    }

    // MARK: The next request

    @Test func nothingOfARequestIsLeftForTheNext() throws {
        let serving = try Serving()
        let (second, first, client) = (try serving.origin(), try serving.origin(), try serving.client())
        try client.say("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        try first.say("\(Self.ok)Content-Length: 1\r\n\r\n1")
        first.leave()
        #expect(client.heard().hasSuffix("\r\n\r\n1") && serving.holds(0))
        try client.say("POST /b HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(second.heard() != "")
        second.leave()
        #expect(client.heard() == "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n" && client.isOpen)
        try client.say(Self.health)
        #expect(client.heard() == Self.ok + Self.page && serving.holds(0))
    }

    /// What is closed is freed, though its worker and its pool stay.
    @Test func nothingOfAConnectionIsLeft() throws {
        let serving = try Serving()
        weak var connection: ClientConnection?
        weak var gate: ClientGate?
        weak var origin: OriginConnection?
        func connect() throws {
            let (client, peer) = try serving.forwarding()
            connection = try client.connection
            gate = try client.channel.pipeline.syncOperations.handler(type: ClientGate.self)
            origin = try peer.channel.pipeline.syncOperations.handler(type: OriginConnection.self)
            try peer.say("\(Self.ok)Content-Length: 1\r\n\r\n1")
            client.leave()
            #expect(origin?.isOpen == true, "it waits for another client")
            peer.leave()
        }
        try connect()
        #expect(connection == nil && gate == nil && origin == nil)
    }

    /// A part of a playlist that somebody wants is asked for again whole, which is one request for the log, and of a
    /// client that is about to leave the last.
    @Test(arguments: ["1.1\r\nHost: a", "1.0", "1.1\r\nHost: a\r\nConnection: close", "closed"])
    func aPartIsAskedForAgain(_ version: String) throws {
        let serving = try Serving(tracks: ["uri=en.m3u8,language=en"]) { $0.isLogging = true }
        let isClosed = version == "closed"
        let request = isClosed ? "1.1\r\nHost: a" : version
        let (client, origin) = try serving.forwarding("GET /play HTTP/\(request)\r\nRange: bytes=0-1\r\n\r\n")
        let type = "Content-Type: audio/mpegurl\r\n"
        try origin.say(
            "HTTP/1.1 206 Partial Content\r\n\(type)Content-Range: bytes 0-1/9\r\nContent-Length: 2\r\n\r\n#E")
        if isClosed { client.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        #expect(client.heard() == "" && serving.log == [] && client.isOpen)
        serving.loop.run()
        let again = origin.heard()
        #expect(again.hasPrefix("GET /play HTTP/1.1\r\n") && !again.contains("Range"))
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"
        try origin.say("\(Self.ok)\(type)Content-Length: \(master.utf8.count)\r\n\r\n\(master)")
        let answer = client.heard()
        #expect(answer.hasPrefix(Self.ok) && answer.contains("#EXT-X-MEDIA:") && serving.log.count == 1)
        serving.loop.run()
        #expect(client.isOpen == (version == "1.1\r\nHost: a") && answer.contains("Connection: close") != client.isOpen)
    }

    // MARK: What is held

    @Test func sinceWhenSomethingIsHeld() throws {
        let connection = try Serving().client().connection
        func later(_ bytes: Int) -> NIODeadline {
            let before = NIODeadline.now()
            while NIODeadline.now() == before {}
            connection.held.own = bytes
            return connection.holdsSince
        }
        #expect(!connection.hasHeld(since: .distantFuture))
        let began = later(1)
        #expect(connection.hasHeld(since: began + .nanoseconds(1)) && !connection.hasHeld(since: began))
        #expect([later(2), later(1), later(0)] == [began, began, began])
        #expect(!connection.hasHeld(since: .distantFuture) && later(7) > began)
    }

    @Test func aWholeAnswerIsHeldUntilItIsTaken() throws {
        let serving = try Serving()
        let client = try serving.client()
        client.stopReading()
        try client.say(Self.health)
        #expect(serving.holds((Self.ok + Self.page).utf8.count))
        client.goOnReading()
        client.setWritable(true)
        #expect(serving.holds(0))
    }

    /// Whether the origin may go on that has been told to wait.
    @Test(arguments: [
        (true, true, false, true, "the client has everything"), (true, false, false, true, "there is room"),
        (true, true, true, false, "neither"), (false, false, false, false, "the channel takes nothing"),
    ])
    func whenTheOriginGoesOn(
        _ isWritable: Bool, _ othersHoldMuch: Bool, _ isHeld: Bool, _ goesOn: Bool, _ reason: Comment
    ) throws {
        let serving = try Serving { $0.bufferedBytes = 300 }
        let (client, origin) = try serving.forwarding()
        if isHeld || reason == "there is room" { client.stopReading() }
        client.setWritable(false)
        try origin.say("\(Self.ok)Content-Length: 9\r\n\r\nabc")
        origin.channel.read()
        if isWritable { client.channel.isWritable = true }
        if othersHoldMuch { serving.held.change(by: 1000) }
        #expect(origin.readCount == 0)
        try client.connection.check(.now())
        #expect(origin.readCount == (goesOn ? 1 : 0), reason)
    }

    @Test func anOriginDoesNotWaitForOthers() throws {
        let serving = try Serving { $0.bufferedBytes = 300 }
        let (_, origin) = try serving.forwarding()
        serving.held.change(by: 1000)
        try origin.say("\(Self.ok)Content-Length: 9\r\n\r\nabc")
        origin.channel.read()
        #expect(origin.readCount == 1)
    }

    // MARK: Bytes

    @Test func aBodyGoesOnAsItComes() throws {
        let serving = try Serving()
        let (client, origin) = (try serving.client(), try serving.origin())
        try client.say("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n")
        for part in ["a", "bc"] {
            try client.say(part)
            #expect(origin.heard().hasSuffix(part))
        }
    }

    @Test func aBodyOfOneByteIsSent() throws {
        let serving = try Serving()
        let (client, _) = try serving.forwarding()
        try client.connection.send(.ok, HTTPHeaders(), ByteBuffer(string: "a"))
        #expect(client.heard() == "\(Self.ok)Content-Length: 1\r\n\r\na")
    }

    @Test func whatHasTooManyNamesInConnectionIsDroppedWithItsBody() throws {
        let serving = try Serving()
        let (client, origin) = try serving.forwarding("POST /a HTTP/1.1\r\nHost: a\r\n\r\n")
        try origin.say("\(Self.ok)Connection: \(HeadJudgeTests.names(33))\r\nContent-Length: 3\r\n\r\nabc")
        serving.loop.run()
        #expect(client.heard() == "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
        #expect(client.isOpen && !origin.isOpen)
    }

    /// What is no HTTP is told so when the answer before it is whole.
    @Test func noHTTPInTheMiddleOfAnAnswer() throws {
        let serving = try Serving()
        let (client, origin) = try serving.forwarding()
        try origin.say("\(Self.ok)Content-Length: 9\r\n\r\nabc")
        #expect(client.heard() != "")
        try client.say("nonsense\r\n\r\n")
        serving.loop.run()
        #expect(client.heard() == "" && client.isOpen)
        try origin.say("defghi")
        serving.loop.run()
        let refusal = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        #expect(client.heard() == "defghi\(refusal)" && !client.isOpen)
    }

    @Test func noHTTPBehindWhatBreaksOff() throws {
        let serving = try Serving()
        let (client, origin) = try serving.forwarding()
        client.stopReading()
        try origin.say("\(Self.ok)Content-Length: 9\r\n\r\nabc")
        origin.leave()
        try client.say("nonsense\r\n\r\n")
        serving.loop.run()
        #expect(client.isOpen, "what it has not taken is on its way")
        client.goOnReading()
        serving.loop.run()
        #expect(client.heard() == "\(Self.ok)\(Self.via)Content-Length: 9\r\n\r\nabc" && !client.isOpen)
    }

    @Test func whatBreaksOffDoesNotWaitForEver() throws {
        let serving = try Serving()
        let (client, origin) = try serving.forwarding()
        client.stopReading()
        try origin.say("\(Self.ok)Content-Length: 9\r\n\r\nabc")
        origin.leave()
        let connection = try client.connection
        connection.check(.now() + .seconds(29))
        #expect(client.isOpen)
        // What has been written since then is progress.
        connection.check(connection.lastProgress + .seconds(30) + .nanoseconds(1))
        #expect(!client.isOpen)
    }

    // MARK: Playlists of the video

    @Test func aPlaylistWhoseHeadHasGoneStaysAsItIs() throws {
        let serving = try Serving { $0.playlistEdits.lowLatency = .strip }
        let (client, origin) = try serving.forwarding("GET /v.m3u8 HTTP/1.1\r\nHost: a\r\n\r\n")
        let rest = "#EXT-X-TARGETDURATION:4\n#EXT-X-PART:DURATION=1,URI=\"b.ts\"\n#EXTINF:4,\na.ts\n"
        let length = "Content-Length: \(rest.utf8.count + 8)\r\n\r\n"
        try origin.say("\(Self.ok)\(length)#EXTM3U\n")
        #expect(client.heard() == "")
        try client.connection.check(.now() + .seconds(1))
        #expect(client.heard() == "\(Self.ok)\(Self.via)\(length)#EXTM3U\n")
        try origin.say(rest)
        #expect(client.heard() == rest)
    }

    /// The last line may not be whole. What is edited has no length.
    @Test(arguments: [
        ("#EXTM3U\n#EXTINF:4,\na", "\n", true), ("#EXTM3U\n#EXTINF:4,", "", false),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:4", "", false), ("#EXTM3U", "", false), ("#", "", false),
    ]) func aPlaylistWithoutALineFeedAtItsEnd(_ text: String, _ more: String, _ isEdited: Bool) throws {
        let serving = try Serving { $0.playlistEdits.lowLatency = .strip }
        let length = "Content-Length: \(text.utf8.count)\r\n"
        for place in 0..<text.utf8.count {
            let (client, origin) = try serving.forwarding("GET /v.m3u8 HTTP/1.0\r\n\r\n")
            try origin.say("\(Self.ok)\(length)\r\n\(text.prefix(place))")
            try origin.say(String(text.dropFirst(place)))
            let head = "\(Self.ok)\(Self.via)\(isEdited ? "" : length)Connection: close\r\n\r\n"
            #expect(client.heard() == head + text + more, "after \(place) bytes")
        }
    }
}
