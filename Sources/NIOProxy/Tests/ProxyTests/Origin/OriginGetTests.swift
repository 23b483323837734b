import Delivery
import NIOCore
import NIOHTTP1
import Sideload
import Testing

@testable import SurtitleProxy

/// Fetches that an origin sends elsewhere.
@Suite struct OriginGetTests {
    private final class Reader: OriginGet.Reader {
        var told: [String] = []
        /// Whether the body is wanted.
        var goesOn = true

        func began(_ status: Int, _ url: String, _ headers: HTTPHeaders) -> Bool {
            told.append("\(status) of \(url)")
            return goesOn
        }

        func read(_ bytes: ByteBuffer) -> Bool {
            told.append(String(buffer: bytes))
            return goesOn
        }

        func ended(isWhole: Bool) { told.append(isWhole ? "whole" : "broken off") }
    }

    private let serving: Serving
    private let reader = Reader()

    init() throws { serving = try Serving() }

    /// Begins to fetch `http://origin.example/a/en.vtt`.
    private func get() throws -> OriginGet {
        var configuration = Configuration()
        configuration.master = Array("http://origin.example/m.m3u8".utf8)
        configuration.tracks = [try TrackConfiguration(spec: "uri=a/en.vtt,language=en")]
        let request = Router.Request(try Router(configuration), RouteRequest("http://proxy.example/"))
        let url = Array("http://origin.example/a/en.vtt".utf8)
        var fetch = Fetch(.content(FetchTrack(url: url, format: .webVTT), map: .own))
        guard case .request(let fetched) = fetch.next() else { throw OriginFailure.malformed }
        return OriginGet(fetched, of: request, by: serving.worker.pool, for: reader)
    }

    private func line(_ text: String) -> Substring { text.prefix { $0 != "\r\n" } }

    @Test(arguments: [
        (299, false), (300, true), (301, true), (303, true), (304, false), (305, true), (399, true), (400, false),
    ])
    func statusesThatLeadElsewhere(_ status: Int, _ leads: Bool) throws {
        let (second, first) = (try serving.origin(), try serving.origin())
        let get = try get()
        #expect(line(first.heard()) == "GET /a/en.vtt HTTP/1.1")
        try first.say("HTTP/1.1 \(status) X\r\nLocation: b.vtt\r\nContent-Length: 0\r\n\r\n")
        #expect(line(second.heard()) == (leads ? "GET /a/b.vtt HTTP/1.1" : ""))
        #expect(reader.told == (leads ? [] : ["\(status) of http://origin.example/a/en.vtt", "whole"]))
        get.cancel()
    }

    @Test func fiveRedirectsAreFollowed() throws {
        let origins = try (0...5).map { _ in try serving.origin() }
        let get = try get()
        for (number, origin) in origins.reversed().enumerated() {
            let path = number == 0 ? "/a/en.vtt" : "/\(number)"
            #expect(line(origin.heard()) == "GET \(path) HTTP/1.1")
            #expect(reader.told == [])
            try origin.say("HTTP/1.1 302 Found\r\nLocation: /\(number + 1)\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(reader.told == ["302 of http://origin.example/5", "whole"], "the sixth is the answer")
        get.cancel()
    }

    @Test func whereNobodyMayGoIsTheAnswer() throws {
        let origin = try serving.origin()
        let get = try get()
        try origin.say("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 2\r\n\r\nno")
        #expect(reader.told == ["302 of http://origin.example/a/en.vtt", "no", "whole"])
        get.cancel()
    }

    @Test func whatIsNotWantedIsDropped() throws {
        reader.goesOn = false
        let origin = try serving.origin()
        let get = try get()
        try origin.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        serving.loop.run()
        #expect(reader.told == ["200 of http://origin.example/a/en.vtt"] && !origin.isOpen)
        get.cancel()
    }

    @Test func whatBreaksOffIsNotWhole() throws {
        let origin = try serving.origin()
        let get = try get()
        try origin.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab")
        origin.leave()
        #expect(reader.told == ["200 of http://origin.example/a/en.vtt", "ab", "broken off"])
        get.cancel()
    }

    /// Whether it has its answer, or is dropped.
    @Test(arguments: [true, false]) func nothingIsLeft(_ isWhole: Bool) throws {
        let origin = try serving.origin()
        weak var left: OriginGet?
        func fetch() throws {
            let get = try get()
            left = get
            try origin.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na")
            if isWhole { try origin.say("bc") } else { get.cancel() }
            serving.loop.run()
        }
        try fetch()
        #expect(left == nil && reader.told.last == (isWhole ? "whole" : "a"))
    }

    @Test func whoLeavesHearsNothing() throws {
        let origin = try serving.origin()
        let get = try get()
        get.cancel()
        serving.loop.run()
        #expect(reader.told == [] && !origin.isOpen)
    }
}
