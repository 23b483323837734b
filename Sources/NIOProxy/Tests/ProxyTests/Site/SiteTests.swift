import Delivery
import NIOHTTP1
import Sideload
import Testing

@testable import SurtitleProxy

/// Which addresses are the proxy's own, and what they say.
@Suite struct SiteTests {
    private static func site(
        _ origin: String?, _ tracks: [String] = ["uri=en.vtt,language=en"],
        _ authority: Site.Authority = .fixed("http://proxy.example")
    ) throws -> Site {
        var configuration = Configuration()
        configuration.tracks = try tracks.map { try TrackConfiguration(spec: $0) }
        return try Site(configuration, origin: origin.flatMap { OriginURL($0) }, authority: authority)
    }

    private static func head(_ uri: String, _ fields: HTTPHeaders = [:]) -> HTTPRequestHead {
        HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: fields)
    }

    @Test(arguments: [
        ("http://o.example", ["uri=en.vtt,language=en"], "http://proxy.example/"),
        (
            "http://o.example/a/M-1_2.~?x=%20&y", ["uri=en.vtt,language=en"],
            "http://proxy.example/.surtitle/%2Fa%2FM-1_2.~%3Fx%3D%2520%26y/play.m3u8"
        ),
        (
            "http://o.example/zAZ09@[`{/:é", ["uri=en.vtt,language=en"],
            "http://proxy.example/.surtitle/%2FzAZ09%40%5B%60%7B%2F%3A%C3%A9/play.m3u8"
        ),
        ("http://o.example/a?b", [], "http://proxy.example/a?b"),
        (
            "http://o.example/\u{1}\u{F}\u{10}", ["uri=en.vtt,language=en"],
            "http://proxy.example/.surtitle/%2F%01%0F%10/play.m3u8"
        ),
    ])
    func whatAPlayerBeginsWith(_ origin: String, _ tracks: [String], _ entry: String) throws {
        #expect(try Self.site(origin, tracks).entry == entry)
    }

    @Test func withoutAnOriginItBeginsAtTheRoot() throws {
        #expect(try Self.site(nil, []).entry == "http://proxy.example/")
    }

    /// An own address, and the playlist of the origin that it says, if it is one.
    @Test(
        arguments: [
            ("/.surtitle/%2Fm.m3u8/track/en.m3u8", "/m.m3u8", false),
            ("/.surtitle/%2Fm.m3u8/play.m3u8", "/m.m3u8", true),
            ("/.surtitle/%2fa%2Fm.m3u8%3Fb/play.m3u8", "/a/m.m3u8?b", true),
            ("/.surtitle/%2F%21/play.m3u8", "/!", true),
            ("/.surtitle/%2Fm/play.m3u8?a", "/m", false), ("/.surtitle/%2Fm/xplay.m3u8", "/m", false),
            ("/.surtitle/%2F%C3%A9/play.m3u8", "/é", true), ("/.surtitle/%2F%7E/play.m3u8", "/~", true),
            ("/.surtitle/%2F%C3/play.m3u8", nil, false), ("/.surtitle/%2F%20/play.m3u8", nil, false),
            ("/.surtitle/%2F%7F/play.m3u8", nil, false), ("/.surtitle/%2F%0A/play.m3u8", nil, false),
            ("/.surtitle/%2F%2/play.m3u8", nil, false), ("/.surtitle/%2F%zz/play.m3u8", nil, false),
            ("/.surtitle/m/play.m3u8", nil, false), ("/.surtitle//play.m3u8", nil, false),
            ("/surtitle/%2Fm/play.m3u8", nil, false),
            ("/m.m3u8", nil, false),
        ] as [(String, String?, Bool)])
    func ownAddresses(_ uri: String, _ target: String?, _ isEntry: Bool) throws {
        let own = try Self.site("http://o.example/").own(Self.head(uri))
        #expect(
            (own?.router.master).map { String(decoding: $0, as: UTF8.self) } == target.map { "http://o.example\($0)" })
        guard let own else { return }
        if case .entry(let entry) = own.kind { #expect(isEntry && entry == target) } else { #expect(!isEntry) }
        #expect(own.authority == "http://proxy.example")
        #expect(String(decoding: own.request.url, as: UTF8.self) == "http://proxy.example\(uri)")
    }

    /// What no router can serve is told at once, and not when the first player comes.
    @Test func tracksThatCannotBeServedAreRefused() throws {
        let wrong = ["uri=en.m3u8,language=en", "uri=en.m3u8,language=en"]
        #expect(throws: (any Error).self) { try Self.site("http://o.example/", wrong) }
        #expect(throws: Never.self) { try Self.site(nil, wrong) }
    }

    /// With a base of its own everything below that is answered, and nothing else.
    @Test func whatIsBelowTheBase() throws {
        let text =
            "{\"base\": \"http://b.example:81/x/\", \"master\": \"http://o.example/m\","
            + " \"tracks\": [{\"uri\": \"en.vtt\", \"language\": \"en\"}]}"
        let site = try Site(
            Configuration(Array(text.utf8)), origin: OriginURL("http://o.example/"), authority: .fixed("http://y"))
        #expect(!site.hasTracks && site.hasOneAuthority && site.authority(for: nil) == "http://b.example:81")
        #expect(site.entry.hasPrefix("http://b.example:81/x/"))
        let path = String(site.entry.dropFirst("http://b.example:81".count))
        let own = try #require(site.own(Self.head(path, ["Host": "b.example:81", "X-A": "b"])))
        if case .entry = own.kind { Issue.record("it is routed") }
        #expect(own.authority == "http://b.example:81" && own.site === site)
        #expect(String(decoding: own.request.url, as: UTF8.self) == site.entry)
        #expect(own.request.headers.map { String(decoding: $0.name, as: UTF8.self) } == ["Host", "X-A"])
        #expect(site.own(Self.head("/y")) == nil)
        #expect(site.own(Self.head("/.surtitle/%2Fm/play.m3u8")) == nil)
    }

    @Test(arguments: [(nil, "NO"), ("true", "YES")] as [(String?, String)])
    func whoseDefaultIsKept(_ replaces: String?, _ isDefault: String) throws {
        let setting = replaces.map { ", \"replace-default\": \($0)" } ?? ""
        let text = "{\"tracks\": [{\"uri\": \"en.m3u8\", \"language\": \"en\", \"default\": true}]\(setting)}"
        let site = try Site(
            Configuration(Array(text.utf8)), origin: OriginURL("http://o.example/"), authority: .fixed("http://y"))
        let master =
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"a\",NAME=\"b\",DEFAULT=YES,URI=\"c\"\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"a\"\nv.m3u8\n"
        let tracks = try #require(try site.tracks(besides: "/m", at: "http://b"))
        let lines = String(decoding: try tracks.sideloaded(into: Array(master.utf8)).bytes, as: UTF8.self).split(
            separator: "\n")
        let line = try #require(lines.first { $0.contains("en.m3u8") })
        #expect(line.contains("DEFAULT=\(isDefault)") || (isDefault == "NO" && !line.contains("DEFAULT=")))
    }

    @Test func withoutTracksNoAddressIsOurs() throws {
        #expect(try Self.site("http://o.example/", []).own(Self.head("/.surtitle/%2Fm/play.m3u8")) == nil)
    }

    @Test func anAuthorityMayBeWhatHostSays() throws {
        let site = try Self.site(
            "http://o.example/", ["uri=en.vtt,language=en"], .ofRequest(unlessItHasNone: "http://x"))
        #expect(!site.hasOneAuthority && site.authority(for: nil) == "http://x")
        #expect(site.authority(for: Self.head("/")) == "http://x")
        #expect(site.authority(for: Self.head("/", ["Host": "b:81"])) == "http://b:81")
        let own = try #require(site.own(Self.head("/.surtitle/%2Fm/track/en.m3u8", ["Host": "b:81"])))
        #expect(own.authority == "http://b:81")
        let fixed = try Self.site("http://o.example/")
        #expect(fixed.hasOneAuthority && fixed.authority(for: Self.head("/", ["Host": "b"])) == "http://proxy.example")
    }

    @Test func playlistsOfTracksStayWhereTheyAre() throws {
        let all = try Self.site("http://o.example/", ["uri=en.m3u8,language=en", "uri=sv.vtt,language=sv"])
        #expect(!all.hasOneList)
        let master = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n".utf8)
        let bytes = try all.tracks(besides: "/m", at: "http://b")?.sideloaded(into: master).bytes ?? []
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(",URI=\"en.m3u8\"") && text.contains(",URI=\"http://b/.surtitle/%2Fm/track/sv.m3u8\""))
        #expect(all.addressBytes(besides: "/m", at: "http://b") == 2 * (24 + 64))
        let playlists = try Self.site("http://o.example/", ["uri=en.m3u8,language=en"])
        #expect(playlists.hasOneList && playlists.hasTracks)
        let none = try Self.site("http://o.example/", [])
        #expect(!none.hasTracks)
        #expect(try none.tracks(besides: "/m", at: "http://b") == nil)
    }

    @Test func cuesAreSentBesideThePlaylistOfTheOrigin() throws {
        let site = try Self.site("http://o.example/m.m3u8", ["uri=en.vtt,language=en", "cues=http,language=sv"])
        #expect(site.cuesAddresses == ["http://proxy.example/.surtitle/%2Fm.m3u8/cues/sv"])
        #expect(try Self.site(nil, []).cuesAddresses == [])
    }
}
