import NIOHTTP1
import SurtitleProxy
import Testing

/// What a request's head becomes, or why it is refused.
@Suite struct HeadJudgeTests {
    struct Row: CustomStringConvertible, Sendable {
        let text: String
        /// The target that goes on, or the status.
        let outcome: Outcome
        let reason: String

        init(_ text: String, _ outcome: Outcome, _ reason: String) {
            (self.text, self.outcome, self.reason) = (text, outcome, reason)
        }

        var description: String { "\(reason): \(text.prefix(60))" }

        /// `GET /a HTTP/1.1|Host: a`
        var head: HTTPRequestHead {
            let lines = text.split(separator: "|", omittingEmptySubsequences: false)
            let line = lines[0].split(separator: " ")
            let fields = lines.dropFirst().map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
            }
            return HTTPRequestHead(
                version: HTTPVersion(major: line[2].hasSuffix("2.0") ? 2 : 1, minor: line[2].hasSuffix("1.1") ? 1 : 0),
                method: HTTPMethod(rawValue: String(line[0])), uri: String(line[1]), headers: HTTPHeaders(fields))
        }
    }

    enum Outcome: Equatable, Sendable {
        case target(String)
        case status(UInt)
    }

    static let long = "/" + String(repeating: "a", count: HeadJudge.longestTarget - 1)

    static let targets: [Row] = [
        Row("GET /a?b=//c HTTP/1.1|Host: a", .target("/a?b=//c"), "a path and a query"),
        Row("GET \(long) HTTP/1.1|Host: a", .target(long), "as long as can be"),
        Row("GET \(long)a HTTP/1.1|Host: a", .status(414), "a byte longer"),
        Row("GET http://h\(long) HTTP/1.1|Host: a", .status(414), "with a host before it"),
        Row("GET http://h/a?b HTTP/1.1|Host: a", .target("/a?b"), "an absolute form"),
        Row("GET HTTPS://h:444 HTTP/1.1|Host: a", .target("/"), "one without a path"),
        Row("GET http://u@h/a HTTP/1.1|Host: a", .status(400), "user information"),
        Row("GET http://u:p@h/a HTTP/1.1|Host: a", .status(400), "a password too"),
        Row("GET foo://internal/ HTTP/1.1|Host: a", .status(400), "a scheme of others"),
        Row("GET http:///a HTTP/1.1|Host: a", .status(400), "no host"),
        Row("GET http://h:99999/a HTTP/1.1|Host: a", .status(400), "no port"),
        Row("GET a HTTP/1.1|Host: a", .status(400), "no path"),
        Row("GET //evil/a HTTP/1.1|Host: a", .status(400), "a path that is read as a host"),
        Row("GET /\\evil/a HTTP/1.1|Host: a", .status(400), "also so, by browsers"),
        Row("GET http://h//evil/a HTTP/1.1|Host: a", .status(400), "behind a host"),
        Row("GET /a//b HTTP/1.1|Host: a", .target("/a//b"), "two slashes elsewhere"),
        Row("GET /.surtitle/%2F%2Fevil/play.m3u8 HTTP/1.1|Host: a", .status(400), "the path of a playlist"),
        Row("GET /.surtitle/%2f%5cevil/play.m3u8 HTTP/1.1|Host: a", .status(400), "with a backslash"),
        Row("GET /.surtitle/%2F\\evil/play.m3u8 HTTP/1.1|Host: a", .status(400), "a raw one"),
        Row(
            "GET /.surtitle/%2Fa%2F%2Fb/play.m3u8 HTTP/1.1|Host: a", .target("/.surtitle/%2Fa%2F%2Fb/play.m3u8"),
            "two slashes elsewhere in it"),
        Row("GET /a\tb HTTP/1.1|Host: a", .status(400), "a tab"),
        Row("GET /a\u{7F}b HTTP/1.1|Host: a", .status(400), "DEL"),
        Row("OPTIONS * HTTP/1.1|Host: a", .target("*"), "the server as a whole"),
        Row("GET * HTTP/1.1|Host: a", .status(400), "which cannot be got"),
        Row("CONNECT a:1 HTTP/1.1|Host: a", .status(405), "no tunnel"),
        Row("GET /a HTTP/2.0|Host: a", .status(505), "another version"),
    ]

    static let fields: [Row] = [
        Row("GET /a HTTP/1.1", .status(400), "no Host"),
        Row("GET /a HTTP/1.0", .target("/a"), "HTTP/1.0 needs none"),
        Row("GET /a HTTP/1.1|Host: a|host: a", .status(400), "two, though the same"),
        Row("GET /a HTTP/1.0|Host: a|Host: b", .status(400), "two in HTTP/1.0"),
        Row("GET /a HTTP/1.1|Host: a|Connection: close, X-Mine", .target("/a"), "a name of its own"),
        Row("GET /a HTTP/1.1|Host: a|Connection: Content-Length", .status(400), "the length"),
        Row("GET /a HTTP/1.1|Host: a|cOnnection: close,\tCONTENT-length\t, x", .status(400), "in a list, with tabs"),
        Row("GET /a HTTP/1.1|Host: a|Connection: x|Connection: transfer-encoding", .status(400), "in a second field"),
        Row("GET /a HTTP/1.1|Host: a|Connection: ,,host", .status(400), "the host"),
        Row("GET /a HTTP/1.1|Host: a|Connection: hosts, content-lengt", .target("/a"), "names alike"),
        Row("GET /a HTTP/1.1|Host: a|Connection: Cache-Control, Via", .target("/a"), "those that stay anyway"),
        Row("GET /a HTTP/1.1|Host: a|Connection: \(names(32))", .target("/a"), "32 names"),
        Row("GET /a HTTP/1.1|Host: a|Connection: \(names(32))|Connection: y", .status(400), "one more"),
        Row("GET /a HTTP/1.1|Host: a|Connection: \(names(33))", .status(400), "33 in a field"),
        Row("POST /a HTTP/1.1|Host: a|Content-Length: 5", .target("/a"), "a length"),
        Row("POST /a HTTP/1.1|Host: a|Content-Length: 5|content-length: 5", .target("/a"), "said twice"),
        Row("POST /a HTTP/1.1|Host: a|Content-Length: 5|Content-Length: 6", .status(400), "two lengths"),
        Row("POST /a HTTP/1.1|Host: a|Content-Length: 5, 5", .status(400), "a list of lengths"),
        Row("POST /a HTTP/1.1|Host: a|Content-Length: +5", .status(400), "a sign"),
        Row("POST /a HTTP/1.1|Host: a|Content-Length: 0x5", .status(400), "no decimal number"),
        Row("POST /a HTTP/1.1|Host: a|Content-Length: ", .status(400), "an empty one"),
        Row("POST /a HTTP/1.1|Host: a|Content-Length: 99999999999999999999", .status(400), "more than can be counted"),
        Row("POST /a HTTP/1.1|Host: a|Transfer-Encoding: chunked", .target("/a"), "chunks"),
        Row("POST /a HTTP/1.1|Host: a|Transfer-Encoding: Chunked", .target("/a"), "in another case"),
        Row("POST /a HTTP/1.1|Host: a|Transfer-Encoding: gzip, chunked", .status(501), "another coding first"),
        Row("POST /a HTTP/1.1|Host: a|Transfer-Encoding: gzip", .status(501), "another coding"),
        Row("POST /a HTTP/1.1|Host: a|Transfer-Encoding: xchunked", .status(501), "a coding alike"),
        Row("POST /a HTTP/1.1|Host: a|Transfer-Encoding: chunked|Transfer-Encoding: chunked", .status(501), "twice"),
        Row("POST /a HTTP/1.1|Host: a|Transfer-Encoding: chunked|Content-Length: 5", .status(400), "both"),
        Row("POST /a HTTP/1.1|Host: a|Content-Length: 5|Transfer-Encoding: chunked", .status(400), "the other way"),
        Row("POST /a HTTP/1.0|Host: a|Transfer-Encoding: chunked", .status(400), "HTTP/1.0 knows no chunks"),
    ]

    static let hosts: [Row] = [
        Row("GET /a HTTP/1.1|Host: A.example:80", .target("/a"), "a name and a port"),
        Row("GET /a HTTP/1.1|Host: [::1]:80", .target("/a"), "an address of IPv6"),
        Row("GET /a HTTP/1.1|Host: ", .status(400), "an empty one"),
        Row("GET /a HTTP/1.1|Host: a/b", .status(400), "a path behind it"),
        Row("GET /a HTTP/1.1|Host: u@a", .status(400), "user information before it"),
        Row("GET /a HTTP/1.1|Host: a:b", .status(400), "no port"),
        Row("GET /a HTTP/1.1|Host: a%2Eb", .status(400), "an escape"),
        Row("GET /a HTTP/1.0|Host: a b", .status(400), "a space, in HTTP/1.0"),
        Row("GET http://a,b/ HTTP/1.1|Host: a", .status(400), "in an absolute form"),
    ]

    @Test(arguments: [
        ("GET /a HTTP/1.1|Host: 127.0.0.1:81", true), ("GET /a HTTP/1.1|Host: LOCALHOST:81", true),
        ("GET /a HTTP/1.1|Host: [::1]:81", true), ("GET /a HTTP/1.1|Host: media.example", true),
        ("GET /a HTTP/1.0", true), ("GET http://localhost:81/a HTTP/1.1|Host: evil.example", true),
        ("GET /a HTTP/1.1|Host: evil.example", false), ("GET /a HTTP/1.1|Host: evil.example:81", false),
        ("GET /a HTTP/1.1|Host: localhost", false), ("GET /a HTTP/1.1|Host: localhost:80", false),
        ("GET /a HTTP/1.0|Host: evil.example", false), ("GET http://evil.example/ HTTP/1.1|Host: localhost:81", false),
    ])
    func onlyNamesOfTheProxyAreServed(_ text: String, _ isServed: Bool) {
        let names = HostNames(loopbackAt: 81, ["Media.example"])
        do {
            _ = try HeadJudge.judge(Row(text, .status(421), "").head, for: names)
            #expect(isServed)
        } catch {
            #expect(!isServed && error.status == .misdirectedRequest)
        }
    }

    /// What is no host is malformed, and not only unknown, where names are known.
    @Test(arguments: ["", "a/b", "u@a", "a:b", "a%2Eb"])
    func whatIsNoHostIsMalformed(_ host: String) {
        for names in [HostNames.any, HostNames(loopbackAt: 81, [])] {
            do {
                _ = try HeadJudge.judge(Row("GET /a HTTP/1.1|Host: \(host)", .status(400), "").head, for: names)
                Issue.record("it is let through")
            } catch { #expect(error.status == .badRequest) }
        }
    }

    static func names(_ count: Int) -> String { (1...count).map { "x\($0)" }.joined(separator: ",") }

    @Test(arguments: targets + fields + hosts)
    func aHeadIsJudged(_ row: Row) {
        let head = row.head
        var outcome: Outcome
        do {
            let judged = try HeadJudge.judge(head)
            outcome = .target(judged.uri)
            // The host of an absolute form takes the place of Host.
            if judged.uri == head.uri { #expect(judged.headers == head.headers, "fields stay as they came") }
        } catch {
            outcome = .status(error.status.code)
        }
        #expect(outcome == row.outcome)
    }
}
