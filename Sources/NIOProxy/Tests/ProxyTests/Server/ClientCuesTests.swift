import NIOCore
import NIOHTTP1
import Testing

@testable import SurtitleProxy

/// Requests that bring cues while a stream goes on.
@Suite struct ClientCuesTests {
    private static let path = "/.surtitle/%2Fv.m3u8/cues/en"
    private static let cue = "{\"start\":1,\"end\":2,\"text\":\"a\"}\n"
    private static let taken = "HTTP/1.1 204 No Content\r\n\r\n"

    private static func serving(_ change: (inout ProxyServer.Settings) -> Void = { _ in }) throws -> Serving {
        try Serving(tracks: ["cues=http,language=en"]) { settings in
            settings.isLogging = true
            change(&settings)
        }
    }

    /// What somebody gets who sends this body to the address of the cues, whole.
    private static func answer(
        _ serving: Serving, _ method: String, _ query: String, _ fields: String, _ body: String
    ) throws -> String {
        let client = try serving.client()
        try client.say(
            "\(method) \(path)\(query) HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        serving.loop.run()
        return client.heard()
    }

    private static func refusal(_ status: String, _ reason: String) -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n"
            + "Content-Length: \(reason.utf8.count + 1)\r\n"
    }

    @Test(arguments: [
        ("POST", "?format=jsonl", "", cue, taken), ("PUT", "?format=jsonl", "", cue, taken),
        ("POST", "?format=vtt", "", "WEBVTT\n\n00:01.000 --> 00:02.000\na\n", taken),
        ("POST", "", "Content-Type: application/jsonl\r\n", cue, taken), ("POST", "?format=jsonl", "", "", taken),
        (
            "GET", "?format=jsonl", "", cue,
            "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST, PUT\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
        (
            "POST", "?format=jsonl", "Origin: http://a\r\n", cue,
            "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        ),
    ])
    func whatIsTaken(_ method: String, _ query: String, _ fields: String, _ body: String, _ answer: String) throws {
        #expect(try Self.answer(Self.serving(), method, query, fields, body) == answer)
    }

    @Test func theFormMustBeSaid() throws {
        let reason = "say what the cues are: ?format=jsonl, vtt or srt, or by Content-Type"
        let serving = try Self.serving()
        #expect(
            try Self.answer(serving, "POST", "", "", Self.cue)
                == Self.refusal("415 Unsupported Media Type", reason) + "Connection: close\r\n\r\n\(reason)\n")
        #expect(serving.log == ["POST \(Self.path) 415 \(reason.utf8.count + 1): \(reason)"])
    }

    @Test(arguments: [(nil, "401 Unauthorized\r\nWWW-Authenticate: Bearer"), ("0123456789abcdef", "204 No Content")])
    func whoHasTheTokenMaySendThem(_ token: String?, _ status: String) throws {
        let serving = try Self.serving { $0.cuesToken = "0123456789abcdef" }
        let fields = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        #expect(
            try Self.answer(serving, "POST", "?format=jsonl", fields, Self.cue).hasPrefix("HTTP/1.1 \(status)\r\n"))
    }

    @Test func whoIsElsewhereNeedsAToken() throws {
        let serving = try Self.serving { $0.reach = .address }
        #expect(
            try Self.answer(serving, "POST", "?format=jsonl", "", Self.cue).hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
    }

    @Test func withoutLiveStreamsThereIsNoRoom() throws {
        let serving = try Self.serving()
        serving.worker.live = nil
        let answer = try Self.answer(serving, "POST", "?format=jsonl", "", Self.cue)
        #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"))
        #expect(serving.metric("turned_away_total") == 1)
    }

    /// Somebody who has begun to send cues.
    private static func sender(_ serving: Serving, _ fields: String = "") throws -> Peer {
        let client = try serving.client()
        try client.say(
            "POST \(path)?format=jsonl HTTP/1.1\r\nHost: a\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n")
        serving.loop.run()
        return client
    }

    private static func chunk(_ text: String) -> String { "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n" }

    @Test func oneSendsThemAtATime() throws {
        let serving = try Self.serving()
        let first = try Self.sender(serving, "Expect: 100-continue\r\n")
        #expect(first.heard() == "HTTP/1.1 100 Continue\r\n\r\n")
        for _ in 0..<3 {
            try first.say(Self.chunk(Self.cue))
            serving.loop.run()
        }
        #expect(first.heard() == "" && serving.log == [])
        let other = try Self.sender(serving)
        let reason = "somebody else is sending cues of this track"
        #expect(
            other.heard() == Self.refusal("409 Conflict", reason) + "Connection: close\r\n\r\n\(reason)\n")
        try first.say("0\r\n\r\n")
        serving.loop.run()
        #expect(first.heard() == Self.taken && first.isOpen)
        #expect(
            serving.log == [
                "POST \(Self.path)?format=jsonl 409 44: \(reason)",
                "POST \(Self.path)?format=jsonl 204 0: cues of http://proxy.example\(Self.path)",
            ])
        let next = try Self.sender(serving)
        try next.say("0\r\n\r\n")
        serving.loop.run()
        #expect(next.heard() == Self.taken)
    }

    @Test func whoLeavesMakesRoomForAnother() throws {
        let serving = try Self.serving()
        try Self.sender(serving).leave()
        #expect(try Self.answer(serving, "POST", "?format=jsonl", "", Self.cue) == Self.taken)
    }

    @Test func whatIsNoCueIsRefused() throws {
        let serving = try Self.serving()
        let answer = try Self.answer(serving, "POST", "?format=jsonl", "", "nonsense\n")
        #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"))
        #expect(try Self.answer(serving, "POST", "?format=jsonl", "", Self.cue) == Self.taken, "another may begin")
    }

    @Test(arguments: [(100, true), (101, false)]) func aHundredCuesInASecond(_ count: Int, _ areTaken: Bool) throws {
        let cues = String(repeating: Self.cue, count: count)
        let answer = try Self.answer(Self.serving(), "POST", "?format=jsonl", "", cues)
        let reason = "more than 100 cues in a second"
        #expect(answer == (areTaken ? Self.taken : Self.refusal("429 Too Many Requests", reason) + "\r\n\(reason)\n"))
    }

    @Test func theEndOfTheProxyEndsThem() throws {
        let serving = try Self.serving()
        let sender = try Self.sender(serving)
        _ = serving.worker.end()
        serving.loop.run()
        #expect(
            sender.heard()
                == "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        #expect(!sender.isOpen)
    }

    @Test func theyMayComeForHoursButNotStopForOne() throws {
        let serving = try Self.serving()
        let sender = try Self.sender(serving)
        let now = NIODeadline.now() + .hours(10)
        try sender.connection.began = now - .hours(9)
        try sender.connection.lastProgress = now - .hours(1)
        try sender.connection.check(now)
        #expect(sender.heard() == "")
        try sender.connection.check(now + .nanoseconds(1))
        #expect(sender.heard().hasPrefix("HTTP/1.1 503 "))
    }

    /// While cues are on their way to where the live channels are, no more are read.
    @Test func noMoreIsReadThanIsTaken() throws {
        let serving = try Self.serving()
        let sender = try Self.sender(serving)
        sender.channel.read()
        #expect(sender.readCount == 1)
        try sender.say(Self.chunk(Self.cue))
        sender.channel.read()
        #expect(sender.readCount == 1)
        serving.loop.run()
        #expect(sender.readCount == 2)
    }
}
