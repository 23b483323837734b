import Delivery
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import SurtitleProxy

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
        ([("Authorization", "Bearer 0123456789abcdef"), ("Sec-Fetch-", "cors"), ("Sec-Fetched", "cors")], nil),
    ])
    func whoMaySendCues(_ fields: [(String, String)], _ refusal: HTTPResponseStatus?) {
        #expect(CuesAccess(token: "0123456789abcdef", isLocal: false).refusal(HTTPHeaders(fields)) == refusal)
        #expect(CuesAccess(token: nil, isLocal: false).refusal(HTTPHeaders(fields)) == .forbidden)
        #expect(CuesAccess(token: nil).refusal(HTTPHeaders(fields)) == (refusal == .forbidden ? .forbidden : nil))
    }

    @Test func withoutOptionsItIsAsTheHelpSays() throws {
        let settings = try Self.settings()
        let limits = settings.limits
        #expect((limits.patience, limits.keepAlive) == (.seconds(30), .seconds(75)))
        #expect((limits.upload, limits.total, limits.grace) == (.seconds(300), .hours(1), .seconds(10)))
        #expect((settings.connections, settings.originConnections, settings.bufferedBytes) == (4096, 4096, 16_777_216))
        #expect((settings.listen.host, settings.listen.port) == ("127.0.0.1", 8080))
        #expect(settings.isLogging && !settings.isPassing && settings.pages == nil && settings.metrics == nil)
        #expect(
            settings.playlistEdits == VideoPlaylistEdits() && settings.authorities == nil && settings.cuesToken == nil)
    }

    @Test func whatIsSaidIsDone() throws {
        let settings = try Self.settings(
            "--listen", "[::1]:81", "--metrics", "127.0.0.1:82", "--cors", "HTTPS://player.example", "--low-latency",
            "strip",
            "--hold-back", "100", "--ca", "a.pem", "--threads", "3", "--patience", "1.5", "--keep-alive", "2",
            "--upload", "3",
            "--total", "999999.9", "--grace", "0.001", "--connections", "1", "--origin-connections", "1073741824",
            "--buffers",
            "1048576", "--pass", "--quiet")
        let limits = settings.limits
        #expect((limits.patience, limits.keepAlive) == (.milliseconds(1500), .seconds(2)))
        #expect(
            (limits.upload, limits.total, limits.grace) == (.seconds(3), .milliseconds(999_999_900), .milliseconds(1)))
        #expect((settings.connections, settings.originConnections, settings.bufferedBytes) == (1, 1 << 30, 1 << 40))
        #expect((settings.listen.host, settings.listen.port) == ("::1", 81))
        #expect((settings.metrics?.host, settings.metrics?.port) == ("127.0.0.1", 82))
        #expect(!settings.isLogging && settings.isPassing && settings.pages == "HTTPS://player.example")
        #expect(settings.playlistEdits == VideoPlaylistEdits(lowLatency: .strip, heldBack: 100))
        #expect(settings.authorities == "a.pem" && settings.threads == 3)
        #expect(try Self.settings("--cors", "*", "--low-latency", "mirror").playlistEdits == VideoPlaylistEdits())
    }

    @Test(arguments: [
        (["--origin"], "--origin is unknown, or its value is missing"), (["--none", "a"], "--none is unknown"),
        (["--origin", "ftp://a"], "--origin ftp://a: no http or https URL with a host"),
        ([], "--origin URL is missing"),
        (["--pass", "--config", "a.json"], "--pass needs --origin URL"),
        (["--listen", "a"], "--listen a: give HOST:PORT"),
        (["--hold-back", "101"], "--hold-back 101: give a number above 0"),
        (["--hold-back", "0"], "--hold-back 0: give a number above 0"),
        (["--threads", "0"], "--threads 0: give a number above 0"),
        (["--connections", "1073741825"], "--connections 1073741825: give a number above 0"),
        (["--buffers", "1048577"], "--buffers 1048577: give a number above 0"),
        (["--grace", "1000000"], "--grace 1000000: give a number of seconds above 0"),
        (["--grace", "-1"], "--grace -1: give a number of seconds above 0"),
        (["--low-latency", "none"], "--low-latency none: give mirror or strip"),
        (["--url", "a"], "--url a: no http or https URL with a host, and not host"),
        (["--cors", "http://a/b"], "--cors http://a/b: give an origin, like https://player.example, or *"),
    ])
    func whatIsWrongIsSaid(_ arguments: [String], _ expected: String) {
        let error = #expect(throws: CommandError.self) { try Options(arguments) }
        #expect(error?.description == expected)
    }

    /// Writes a configuration, and gives its path to `body`.
    private static func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file.path)
    }

    private static let base = "{\"base\": \"http://127.0.0.1:81/\", \"master\": \"http://127.0.0.1:1/m\"}"

    @Test func aBaseSaysWhereToListen() throws {
        try Self.withFile(Self.base) { path in
            let settings = try SiteSource(Options(["--config", path])).settings()
            #expect((settings.listen.host, settings.listen.port) == ("127.0.0.1", 81))
            let other = try SiteSource(Options(["--config", path, "--listen", "0.0.0.0:82"])).settings()
            #expect((other.listen.host, other.listen.port, other.reach) == ("0.0.0.0", 82, .everywhere))
            let entry = try SiteSource(Options(["--config", path])).load(port: 81).entry
            #expect(entry == "http://127.0.0.1:81/master/http/127.0.0.1:1/m")
        }
    }

    @Test func tracksOfTheOptionsComeAfterThoseOfTheFile() throws {
        try Self.withFile("{\"tracks\": [{\"uri\": \"en.m3u8\", \"language\": \"en\"}]}") { path in
            let options = ["--origin", "http://127.0.0.1:1/m", "--config", path, "--track", "uri=sv.m3u8,language=sv"]
            let site = try SiteSource(Options(options)).load(port: 80)
            #expect(site.configuration.tracks.map(\.track.uri) == ["en.m3u8", "sv.m3u8"])
            #expect(site.entry == "http://127.0.0.1/.surtitle/%2Fm/play.m3u8")
        }
    }

    @Test(arguments: [
        (["--url", "http://media.example/a"], "http://media.example/"), (["--url", "host"], "http://127.0.0.1:83/"),
        ([], "http://127.0.0.1:83/"), (["--listen", "0.0.0.0:80", "--url", "host"], "http://127.0.0.1:83/"),
    ])
    func whatClientsCallIt(_ arguments: [String], _ entry: String) throws {
        let site = try SiteSource(Options(["--origin", "http://127.0.0.1:1/"] + arguments)).load(port: 83)
        #expect(site.entry == entry)
        #expect((site.names == .any) == (arguments.contains("host") || arguments.contains("0.0.0.0:80")))
    }

    /// A track's own encoding counts for whatever its file is, another for what is not UTF-8.
    @Test(
        arguments: [
            ([0xE9], "windows-1252", "", "é", 0), ([0xE9], "", "windows-1252", "é", 0), ([0xE9], "", "", "\u{FFFD}", 1),
            ([0xC3, 0xA9], "", "windows-1252", "é", 0), ([0xC3, 0xA9], "windows-1252", "", "Ã©", 0),
            ([0xC3, 0xA9], "", "", "é", 0),
        ] as [([UInt8], String, String, String, Int)])
    func filesOfTracksAreDecoded(
        _ letter: [UInt8], _ own: String, _ others: String, _ expected: String, _ noteCount: Int
    ) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).srt")
        let start = Array("1\n00:00:01,000 --> 00:00:02,000\n".utf8)
        try Data(start + letter + [0x0A]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let track = "file=\(file.path),language=en" + (own == "" ? "" : ",encoding=\(own)")
        let options = ["--origin", "http://127.0.0.1:1/m", "--track", track]
        let site = try SiteSource(Options(options + (others == "" ? [] : ["--from-encoding", others]))).load(port: 80)
        #expect(
            site.files.mapValues { String(decoding: $0, as: UTF8.self) } == [
                file.path: String(decoding: start, as: UTF8.self) + expected + "\n"
            ])
        #expect(site.notes.count == noteCount && site.notes.allSatisfy { $0.hasPrefix("\(file.path): ") })
    }

    @Test func whatCannotBeReadIsSaid() throws {
        func error(_ arguments: [String]) -> String? {
            do {
                _ = try SiteSource(Options(["--origin", "http://127.0.0.1:1/"] + arguments)).load(port: 80)
                return nil
            } catch { return "\(error)" }
        }
        #expect(error(["--config", "/none.json"]) == "/none.json cannot be read")
        #expect(error(["--track", "/none.srt"]) == "track 1: /none.srt cannot be read")
        #expect(error(["--cues-token", "/none"]) == "--cues-token /none cannot be read")
        #expect(error(["--listen", "none.invalid:80"]) == "--listen none.invalid: no such host")
        try Self.withFile("{") { path in #expect(error(["--config", path])?.hasPrefix("\(path): ") == true) }
    }
}
