import Foundation
import NIOHTTP1
import SurtitleProxy
import Testing

/// What the command line says, and what it leaves to be said.
@Suite struct OptionsTests {
    private static func settings(_ more: String...) throws -> ProxyServer.Settings {
        try SiteSource(Options(["--origin", "http://127.0.0.1:1/"] + more)).settings()
    }

    @Test(arguments: ["0.0.0.0:80", "[::]:80", "0:80", "0.0:80", "[::0]:80", "[::ffff:0.0.0.0]:80"])
    func whereAnybodyComesTheNameIsSaid(_ place: String) throws {
        #expect(throws: CommandError.self) { try Self.settings("--listen", place) }
        for url in ["http://media.example", "host"] {
            #expect(try !Self.settings("--listen", place, "--url", url).givesMetrics)
        }
    }

    @Test(arguments: [
        ("127.0.0.1:80", true), ("localhost:80", true), ("[::1]:80", true), ("127.1.2.3:80", true),
        ("192.0.2.1:80", false), ("[2001:db8::1]:80", false),
    ])
    func clientsGetMetricsOnLoopbackAlone(_ place: String, _ getThem: Bool) throws {
        #expect(try Self.settings("--listen", place).givesMetrics == getThem)
        #expect(try !Self.settings("--listen", place, "--metrics", "127.0.0.1:81").givesMetrics)
    }

    @Test(arguments: [
        ["--cors", "player.example"], ["--cors", "https://player.example/"], ["--cors", ""],
        ["--url", "media.example"],
        ["--metrics", "81"], ["--total", "0"], ["--buffers", "-1"], ["--origin-connections", "none"],
    ])
    func whatMakesNoSenseIsRefused(_ arguments: [String]) {
        #expect(throws: CommandError.self) { try Options(["--origin", "http://127.0.0.1:1/"] + arguments) }
    }

    @Test(arguments: [
        ("0123456789abcdef\n", true), ("aZ09-._~+/==aZ09", true), ("0123456789abcde", false), ("", false),
        ("0123456789 abcdef", false), ("0123456789,abcdef", false), ("0123456789\nabcdef", false),
    ])
    func aTokenIsLongEnoughToBeNone(_ text: String, _ isToken: Bool) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("token-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let track = ["--track", "cues=http,language=en", "--listen", "192.0.2.1:80"]
        if isToken {
            let source = try SiteSource(
                Options(["--origin", "http://127.0.0.1:1/m.m3u8", "--cues-token", file.path] + track))
            #expect(throws: Never.self) { try source.load(port: 80) }
        } else {
            #expect(throws: CommandError.self) { try Self.settings("--cues-token", file.path) }
        }
    }

    @Test func whereOthersComeCuesNeedAToken() throws {
        let arguments = ["--origin", "http://127.0.0.1:1/m.m3u8", "--track", "cues=http,language=en"]
        #expect(throws: Never.self) { try SiteSource(Options(arguments)).load(port: 80) }
        let source = try SiteSource(Options(arguments + ["--listen", "192.0.2.1:80"]))
        let error = try #require(throws: CommandError.self) { _ = try source.load(port: 80) }
        #expect("\(error)" == "track 1: others than this machine could send cues; give --cues-token FILE")
    }

    @Test(arguments: [
        ([("Authorization", "Bearer 0123456789abcdef")], HTTPResponseStatus?.none),
        ([("authorization", "bearer 0123456789abcdef")], nil),
        ([("Authorization", "Bearer 0123456789abcdee")], .unauthorized),
        ([("Authorization", "Bearer 0123456789abcdef0")], .unauthorized),
        ([("Authorization", "Bearer ")], .unauthorized), ([("Authorization", "0123456789abcdef")], .unauthorized),
        ([("Authorization", "Bearer 0123456789abcdef"), ("Authorization", "Bearer x")], .unauthorized),
        ([], .unauthorized),
        ([("Authorization", "Bearer 0123456789abcdef"), ("Origin", "https://a.example")], .forbidden),
        ([("Authorization", "Bearer 0123456789abcdef"), ("SEC-FETCH-MODE", "cors")], .forbidden),
    ])
    func whoMaySendCues(_ fields: [(String, String)], _ refusal: HTTPResponseStatus?) {
        #expect(CuesAccess(token: "0123456789abcdef", isLocal: false).refusal(HTTPHeaders(fields)) == refusal)
        #expect(CuesAccess(token: nil, isLocal: false).refusal(HTTPHeaders(fields)) == .forbidden)
        #expect(CuesAccess(token: nil).refusal(HTTPHeaders(fields)) == (refusal == .forbidden ? .forbidden : nil))
    }
}
