import NIOCore
import Testing

@testable import SurtitleProxy

/// What a URL names, and what Host says of it.
@Suite struct OriginURLTests {
    struct Row: Sendable {
        let url: String
        let root: String
        let host: String
        let port: Int
        let target: String

        init(_ url: String, _ root: String, _ host: String, _ port: Int, _ target: String) {
            (self.url, self.root, self.host, self.port, self.target) = (url, root, host, port, target)
        }
    }

    static let rows: [Row] = [
        Row("http://a", "http://a", "a", 80, "/"), Row("https://a/", "https://a", "a", 443, "/"),
        Row("HTTP://a:81/b?c#d", "http://a:81", "a", 81, "/b?c"), Row("hTTps://a?b/c", "https://a", "a", 443, "/?b/c"),
        Row("http://a:80/", "http://a", "a", 80, "/"), Row("http://a:443/", "http://a:443", "a", 443, "/"),
        Row("https://a:443/", "https://a", "a", 443, "/"), Row("https://a:80/", "https://a:80", "a", 80, "/"),
        Row("http://[::1]:81/b", "http://[::1]:81", "::1", 81, "/b"),
        Row("http://[::1]", "http://[::1]", "::1", 80, "/"),
        Row("http://a:0/", "http://a:0", "a", 0, "/"), Row("http://a:65535/", "http://a:65535", "a", 65535, "/"),
    ]

    @Test(arguments: rows) func aURLNamesAServer(_ row: Row) throws {
        let url = try #require(OriginURL(row.url))
        #expect((url.root, url.target) == (row.root, row.target))
        #expect((url.address.host, url.address.port) == (row.host, row.port))
        #expect(url.address.isSecure == row.root.hasPrefix("https"))
    }

    @Test(arguments: [
        "", "a", "/a", "ftp://a", "httpss://a", "http:a", "http:/a", "http//a", "http://", "http:///b", "http://:80/",
        "http://a:/",
        "http://a:b/", "http://a:65536/", "http://a:-1/", "http://u@a/", "http://u:p@a:80/", "http://[]/",
    ])
    func whatNamesNone(_ url: String) { #expect(OriginURL(url) == nil) }

    @Test(arguments: [
        ("127.0.0.1", ListenPlace.Reach.loopback, "http://127.0.0.1:81"),
        ("127.9.9.9", .loopback, "http://127.9.9.9:81"),
        ("::1", .loopback, "http://[::1]:81"), ("localhost", .loopback, "http://localhost:81"),
        ("0.0.0.0", .everywhere, "http://127.0.0.1:81"), ("::", .everywhere, "http://[::1]:81"),
        ("::ffff:0.0.0.0", .everywhere, "http://[::1]:81"),
        ("::ffff:127.0.0.1", .loopback, "http://[::ffff:127.0.0.1]:81"),
        ("192.0.2.127", .address, "http://192.0.2.127:81"), ("1.0.0.1", .address, "http://1.0.0.1:81"),
        ("2001:db8::1", .address, "http://[2001:db8::1]:81"), ("::2", .address, "http://[::2]:81"),
        ("::ffff:192.0.2.1", .address, "http://[::ffff:192.0.2.1]:81"),
    ])
    func whoReachesAListener(_ host: String, _ reach: ListenPlace.Reach, _ url: String) throws {
        let place = ListenPlace(host: host, port: 80)
        #expect(try place.reach == reach)
        #expect(place.url(at: 81, reach) == url)
    }

    @Test func loopbackHasThreeNames() {
        let names = HostNames(loopbackAt: 80, ["B.example"])
        for name in [
            "127.0.0.1", "[::1]", "localhost", "LOCALHOST:80", "127.0.0.1:80", "[::1]:80", "b.example", "B.EXAMPLE",
        ] {
            #expect(names.contain(name) == true, "\(name)")
        }
        for name in ["localhost:81", "127.0.0.2", "b.example:80", "a.example", "", "localhosT!", "\u{22}.example"] {
            #expect(names.contain(name) == false, "\(name)")
        }
        #expect(HostNames(loopbackAt: 80, ["a`b"]).contain("a@b") == false)
        #expect(HostNames.any.contain("a") == nil)
        #expect(HostNames(loopbackAt: 81, []).contain("localhost") == false)
    }
}
