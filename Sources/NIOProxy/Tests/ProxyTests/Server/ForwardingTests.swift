import NIOHTTP1
import Testing

@testable import SurtitleProxy

/// Header fields on their way.
@Suite struct ForwardingTests {
    private static func forwarded(_ fields: [(String, String)], _ framing: Framing = .head) -> [String]? {
        HTTPHeaders(fields).forwarded(framing).map { $0.map { "\($0.name): \($0.value)" } }
    }

    @Test(arguments: [
        "TE", "upgrade", "Trailer", "Connection", "Keep-Alive", "proxy-connection", "Proxy-Authenticate",
        "Proxy-Authorization",
        "Content-Length", "Transfer-Encoding",
    ])
    func whatIsTheConnectionsStaysBehind(_ name: String) {
        #expect(Self.forwarded([(name, "x"), ("X-A", "b")]) == ["X-A: b", "Via: 1.1 surtitle"])
        // Another letter at its end, or one more, is another name.
        #expect(Self.forwarded([(name.dropLast() + "_", "x")]) == ["\(name.dropLast())_: x", "Via: 1.1 surtitle"])
        #expect(Self.forwarded([(name + "s", "x")]) == ["\(name)s: x", "Via: 1.1 surtitle"])
    }

    @Test func whatConnectionNamesStaysBehind() {
        let fields = [
            ("Connection", "x-a , \t X-B,,cache-control"), ("X-A", "1"), ("x-b", "2"), ("X-C", "3"), ("Via", "1.0 a"),
            ("connection", "via"), ("Cache-Control", "4"),
        ]
        #expect(Self.forwarded(fields) == ["X-C: 3", "Via: 1.0 a", "Cache-Control: 4", "Via: 1.1 surtitle"])
        #expect(HTTPHeaders(fields).connectionNames == ["x-a", "X-B", "cache-control", "via"])
    }

    @Test(arguments: [
        (Framing.length(5), ["Content-Length: 5"]), (.length(0), ["Content-Length: 0"]),
        (.chunks, ["Transfer-Encoding: chunked"]),
        (.head, []), (.connection, []),
    ])
    func aMessageIsFramedAnew(_ framing: Framing, _ fields: [String]) {
        #expect(Self.forwarded([("content-length", "7")], framing) == ["Via: 1.1 surtitle"] + fields)
    }

    @Test func trailersSayNothingOfTheWay() {
        let trailers: HTTPHeaders = [
            "X-A": "b", "Content-Length": "3", "transfer-encoding": "chunked", "HOST": "c", "Keep-Alive": "1",
            "Hosts": "d",
        ]
        #expect(trailers.forwardedTrailers.map(\.name) == ["X-A", "Hosts"])
    }

    @Test func aResponseSaysThatTheConnectionEnds() throws {
        let head = HTTPResponseHead(version: .http1_0, status: .ok, headers: ["X-A": "b"])
        let kept = try #require(head.forwarded(.head, keepsAlive: true))
        #expect(kept.version == .http1_1 && kept.headers.map(\.name) == ["X-A", "Via"])
        let last = try #require(head.forwarded(.head, keepsAlive: false))
        #expect(last.headers.map(\.name) == ["X-A", "Via", "Connection"] && last.headers["Connection"] == ["close"])
    }

    @Test func tooManyNamesAreNone() {
        #expect(HTTPHeaders([("Connection", HeadJudgeTests.names(33))]).connectionNames == nil)
        #expect(HTTPHeaders([("Connection", HeadJudgeTests.names(32))]).connectionNames?.count == 32)
    }

    /// Whether nothing but the end of its connection tells a response's end.
    @Test(
        arguments: [
            (.GET, .ok, [:], true), (.HEAD, .ok, [:], false),
            (.GET, .noContent, [:], false),
            (.GET, .notModified, [:], false), (.GET, .ok, ["content-length": "5"], false),
            (.GET, .ok, ["Transfer-Encoding": "chunked"], false),
            (.GET, .ok, ["Content-Lengts": "5", "Transfer-Encodings": "x"], true),
        ] as [(HTTPMethod, HTTPResponseStatus, HTTPHeaders, Bool)])
    func whatEndsWithItsConnection(
        _ method: HTTPMethod, _ status: HTTPResponseStatus, _ fields: HTTPHeaders, _ does: Bool
    ) {
        #expect(
            HTTPResponseHead(version: .http1_1, status: status, headers: fields).endsWithConnection(to: method) == does)
    }
}
