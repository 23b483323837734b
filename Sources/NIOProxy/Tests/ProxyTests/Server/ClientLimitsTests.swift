import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import SurtitleProxy

/// How long a client and its origin may take, and how much is held for all.
@Suite struct ClientLimitsTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let via = "Via: 1.1 surtitle\r\n"

    private let now = NIODeadline.now() + .hours(10)
    private let serving: Serving

    init() throws { serving = try Serving { $0.isLogging = true } }

    /// Checks the client when the limit is just not over, which changes nothing, and a nanosecond later.
    private func check(_ client: Peer) throws {
        let connection = try client.connection
        connection.check(now)
        #expect(client.isOpen)
        connection.check(now + .nanoseconds(1))
        serving.loop.run()
    }

    // MARK: Time

    @Test func aClientThatAsksForNothingHas75Seconds() throws {
        let client = try serving.client()
        try client.connection.lastProgress = now - .seconds(75)
        try check(client)
        #expect(client.heard() == "" && !client.isOpen && serving.log == [])
    }

    @Test func anOriginThatSaysNothingHas30Seconds() throws {
        let (client, origin) = try serving.forwarding()
        try client.connection.lastProgress = now - .seconds(30)
        try client.connection.began = now - .seconds(30)
        try check(client)
        #expect(
            client.heard()
                == "HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        #expect(!client.isOpen && !origin.isOpen && serving.metric("origin_failures_total") == 1)
        #expect(serving.log == ["GET /a 504 0"])
    }

    @Test func aBodyHas300SecondsHoweverFastItComes() throws {
        let (client, origin) = try serving.forwarding("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab")
        try client.connection.lastProgress = now
        try client.connection.began = now - .seconds(300)
        try check(client)
        #expect(
            client.heard()
                == "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        #expect(!client.isOpen && !origin.isOpen && serving.metric("origin_failures_total") == 0)
    }

    @Test func aBodyThatIsWholeIsNoUpload() throws {
        let (client, _) = try serving.forwarding("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab")
        try client.connection.lastProgress = now
        try client.connection.began = now - .seconds(301)
        try check(client)
        #expect(client.isOpen)
    }

    @Test func aRequestAndItsAnswerHaveAnHour() throws {
        let (client, origin) = try serving.forwarding()
        try client.connection.lastProgress = now
        try client.connection.began = now - .hours(1)
        try check(client)
        #expect(client.heard().hasPrefix("HTTP/1.1 504 ") && !client.isOpen && !origin.isOpen)
    }

    @Test func anAnswerThatTakesAnHourEndsAtOnce() throws {
        let (client, origin) = try serving.forwarding(answer: "\(Self.ok)Content-Length: 3\r\n\r\nab")
        try client.connection.lastProgress = now
        try client.connection.began = now - .hours(1)
        client.stopReading()
        try check(client)
        #expect(!client.isOpen && !origin.isOpen)
        #expect(serving.log == ["GET /a 200 2: too slow"])
        #expect(serving.metric("cancelled_total") == 0)
    }

    /// An origin's answer that stops in the middle goes out as far as it has come.
    @Test func anAnswerThatStopsEndsAndSaysSo() throws {
        let (client, origin) = try serving.forwarding(answer: "\(Self.ok)Content-Length: 3\r\n\r\nab")
        try client.connection.lastProgress = now - .seconds(30)
        try client.connection.began = now
        client.stopReading()
        try check(client)
        #expect(client.isOpen && !origin.isOpen, "what has been written is still on its way")
        client.goOnReading()
        serving.loop.run()
        #expect(client.heard() == "\(Self.ok)\(Self.via)Content-Length: 3\r\n\r\nab" && !client.isOpen)
        #expect(serving.log == ["GET /a 200 2: too slow"])
    }

    @Test(arguments: [(30.0, 0.0), (0, 3600)])
    func aClientThatDoesNotTakeItsLastAnswer(_ sinceProgress: Double, _ sinceRequest: Double) throws {
        let client = try serving.client()
        client.stopReading()
        try client.say("GET /.surtitle/health HTTP/1.0\r\n\r\n")
        try client.connection.lastProgress = now - .nanoseconds(Int64(sinceProgress * 1e9))
        try client.connection.began = now - .nanoseconds(Int64(sinceRequest * 1e9))
        try check(client)
        #expect(!client.isOpen)
    }

    @Test func whoTakesSomethingGetsOn() throws {
        let (client, _) = try serving.forwarding()
        client.stopReading()
        let origin = try serving.origin()
        _ = origin
        try client.connection.held.written = 7
        try client.connection.lastProgress = now - .seconds(31)
        try client.connection.check(now)
        #expect(try client.connection.lastProgress == now && client.isOpen)
    }

    /// What an origin answers may turn out to be no HTTP, so its head waits for its body.
    @Test func aHeadWaitsForHalfASecond() throws {
        let (client, origin) = try serving.forwarding(answer: "\(Self.ok)Content-Length: 3\r\n\r\n")
        #expect(client.heard() == "")
        guard case .held(_, _, let since) = try client.connection.response else {
            Issue.record("it does not wait")
            return
        }
        try client.connection.check(since + .milliseconds(500))
        #expect(client.heard() == "")
        try client.connection.check(since + .milliseconds(500) + .nanoseconds(1))
        #expect(client.heard() == "\(Self.ok)\(Self.via)Content-Length: 3\r\n\r\n")
        try origin.say("abc")
        #expect(client.heard() == "abc" && client.isOpen)
    }

    @Test func theWorkerChecksTwiceASecond() throws {
        let client = try serving.client()
        try client.connection.lastProgress = .now() - .seconds(76)
        serving.loop.advanceTime(by: .milliseconds(499))
        #expect(client.isOpen)
        serving.loop.advanceTime(by: .milliseconds(1))
        #expect(!client.isOpen)
        let next = try serving.client()
        try next.connection.lastProgress = .now() - .seconds(76)
        serving.loop.advanceTime(by: .milliseconds(500))
        #expect(!next.isOpen, "and again")
    }

    // MARK: Back-pressure

    @Test func theOriginWaitsForItsClient() throws {
        let (client, origin) = try serving.forwarding(answer: "\(Self.ok)Content-Length: 9\r\n\r\n")
        origin.channel.read()
        #expect(origin.readCount == 1)
        client.setWritable(false)
        try origin.say("abc")
        origin.channel.read()
        #expect(origin.readCount == 1)
        client.setWritable(true)
        #expect(origin.readCount == 2)
        origin.channel.read()
        #expect(origin.readCount == 3)
    }

    @Test func theClientWaitsForItsOrigin() throws {
        let (client, origin) = try serving.forwarding("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
        client.channel.read()
        #expect(client.readCount == 1)
        origin.setWritable(false)
        client.channel.read()
        #expect(client.readCount == 1)
        client.setWritable(false)
        client.setWritable(true)
        #expect(client.readCount == 1, "that it takes more of an answer says nothing of its body")
        origin.setWritable(true)
        #expect(client.readCount == 2)
        origin.setWritable(true)
        #expect(client.readCount == 2, "once is enough")
    }

    @Test func noMoreIsReadFromAClientThatTakesNothing() throws {
        let client = try serving.client()
        client.setWritable(false)
        client.channel.read()
        #expect(client.readCount == 0)
        client.setWritable(true)
        #expect(client.readCount == 1)
    }

    /// The end of an answer waits, and with it the next request.
    @Test func theEndWaitsForAClientThatTakesNothing() throws {
        let (client, origin) = try serving.forwarding()
        client.setWritable(false)
        try origin.say("\(Self.ok)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        #expect(client.heard() == "\(Self.ok)\(Self.via)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        try client.say("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(origin.heard().contains("/b") == false)
        client.setWritable(true)
        #expect(client.heard() == "0\r\n\r\n")
        #expect(origin.heard().hasPrefix("GET /b "))
    }

    @Test func theEndOfTheProxyDoesNotWaitForAClientThatTakesNothing() throws {
        let (client, origin) = try serving.forwarding()
        client.setWritable(false)
        try origin.say("\(Self.ok)Content-Length: 3\r\n\r\nabc")
        _ = serving.worker.end()
        serving.loop.run()
        #expect(!client.isOpen)
    }

    // MARK: What is held

    @Test func bytesAreHeldUpToTheMost() {
        let held = HeldBytes(most: 10)
        held.change(by: 10)
        #expect(!held.areTooMany)
        held.change(by: 1)
        #expect(held.areTooMany && !held.areTooMany(without: 1) && held.areTooMany(without: 0))
        held.change(by: -1)
        #expect(!held.areTooMany)
    }

    @Test func budgetsAreSharedByThreads() {
        var settings = ProxyServer.Settings()
        (settings.threads, settings.connections, settings.originConnections) = (3, 10, 7)
        let budget = Budget(settings)
        #expect((budget.connections, budget.originConnections, budget.trackBytes) == (3, 2, 1_048_576))
        (settings.connections, settings.originConnections) = (2, 2)
        #expect(Budget(settings).connections == 1 && Budget(settings).originConnections == 1)
    }

    @Test func noMoreClientsThanThereIsRoomFor() throws {
        let serving = try Serving { $0.connections = 2 }
        let clients = try (0..<2).map { _ in try serving.client() }
        #expect(throws: (any Error).self) { try serving.client() }
        let others = try (0..<8).map { _ in try serving.client(.metrics(.any)) }
        #expect(throws: (any Error).self) { try serving.client(.metrics(.any)) }
        #expect(serving.metric("turned_away_total") == 2 && serving.metric("connections_open") == 10)
        for client in others + [clients[0]] { client.leave() }
        #expect(clients[1].isOpen && serving.metric("connections_open") == 1)
        _ = try serving.client()
    }

    @Test func whatIsHeldForAClientIsCounted() throws {
        let serving = try Serving { $0.bufferedBytes = 300 }
        let (client, origin) = (try serving.client(), try serving.origin())
        client.stopReading()
        // Of a head that is not whole, twice: as bytes and in fields.
        try client.say("GET /a HTTP/1.1\r\nX: " + String(repeating: "a", count: 130))
        #expect(!serving.held.areTooMany)
        try client.say("a")
        #expect(serving.held.areTooMany && !serving.held.areTooMany(without: 2))
        try client.say("\r\nHost: a\r\n\r\n")
        #expect(!serving.held.areTooMany(without: -300), "nothing is held")
        #expect(serving.held.areTooMany(without: -301))
        // Of what the client has not taken.
        let head = "\(Self.ok)\(Self.via)Content-Length: 999\r\n\r\n"
        try origin.say("\(Self.ok)Content-Length: 999\r\n\r\n" + String(repeating: "b", count: 300 - head.utf8.count))
        #expect(!serving.held.areTooMany && serving.held.areTooMany(without: -1))
        origin.channel.read()
        #expect(origin.readCount == 1)
        try origin.say("b")
        origin.channel.read()
        #expect(serving.held.areTooMany && origin.readCount == 1, "the origin waits where too much is held")
        try client.connection.check(.now())
        #expect(origin.readCount == 1)
        client.goOnReading()
        try client.connection.check(.now())
        #expect(origin.readCount == 2)
        client.leave()
        #expect(!serving.held.areTooMany(without: -300) && serving.held.areTooMany(without: -301))
    }

    /// Of those for which something has been held for a second, the one for which that began first has to go, until
    /// there is room.
    @Test func whoTakesNothingHasToGo() throws {
        let serving = try Serving { ($0.bufferedBytes, $0.isLogging) = (1000, true) }
        var clients: [Peer] = []
        for _ in 0..<3 {
            let (client, origin) = (try serving.client(), try serving.origin())
            client.stopReading()
            try client.say("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            try origin.say("\(Self.ok)Content-Length: 999\r\n\r\n" + String(repeating: "b", count: 400))
            clients.append(client)
        }
        #expect(serving.held.areTooMany)
        serving.loop.advanceTime(by: .milliseconds(500))
        #expect(clients.map(\.isOpen) == [true, true, true], "they have a second")
        Thread.sleep(forTimeInterval: 1.01)
        serving.loop.advanceTime(by: .milliseconds(500))
        #expect(clients.map(\.isOpen) == [false, true, true])
        #expect(serving.metric("turned_away_total") == 1)
        #expect(serving.metric("cancelled_total") == 0)
    }
}
