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

    @Test(arguments: ["cues=http,language=en", "cues=said.jsonl,language=en"])
    func cuesThatComeWhileTheStreamGoesOnAreRefused(_ track: String) throws {
        let source = try SiteSource(Options(["--origin", "http://127.0.0.1:1/m.m3u8", "--track", track]))
        let error = try #require(throws: CommandError.self) { _ = try source.load(port: 8080) }
        #expect("\(error)" == "track 1: cues is for surtitle live, and not taken here yet; give a file")
    }
}
