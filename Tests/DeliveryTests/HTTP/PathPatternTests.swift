import Delivery
import Testing

/// Which requests are likely for playlists.
@Suite struct PathPatternTests {
    static func isLikely(_ target: String, _ patterns: [String]? = nil) throws -> Bool {
        var exchange = Exchange()
        if let patterns { exchange.rules.paths = try patterns.map { pattern throws in try PathPattern(pattern) } }
        return exchange.request(target).decision.standing == .likely
    }

    @Test(arguments: [
        ("/master.m3u8", true), ("/a/b.M3U8", true), ("/list.m3u", true), ("/a.m3u8?x=1", true), ("/a.m3u8#t", true),
        ("/a.m3u8?x=/b.ts", true), ("/.m3u8", true), ("/a.m3u8;session=1", true), ("/a%2Em3u8", true),
        ("/a.m3%75%38", true), ("/a%2em3u8?%", true), ("http://example.com/a.m3u8", true),
        ("HTTPS://user@[::1]:80/a.m3u8?b", true), ("//a.m3u8", true), ("/a.ism/manifest(format=m3u8-aapl)", true),
        ("/a.ism/Manifest(format=m3u8-aapl,filter=x)", true), ("/a.ism/manifest%28format%3dm3u8-aapl%29", true),
        ("/a.ism/QualityLevels(1)/Manifest(video,format=m3u8-aapl-v3)", true),
        ("/a.ism/manifest(format=mpd-time-csf)", false), ("/a.ism/manifest", false),
        ("/manifest(format=m3u8-aapl", false),
        ("/a.m3u8/b.ts", false), ("/a.m3u8x", false), ("/a.m3u9", false), ("/a?b.m3u8", false), ("/a#b.m3u8", false),
        ("/a%3Fb.m3u8", true), ("/a.m3u8%", false), ("/a.m3u8%2", false), ("/a.%6", false), ("", false), ("*", false),
        ("a.m3u8", false), ("a.m3u8:443", false), ("http://a.m3u8", false), ("http://a.m3u8/", false),
        ("mailto:a.m3u8", false), ("/\u{0}.m3u8", true), ("/a.m3u8\u{FF}", false),
    ])
    func usual(target: String, isLikely: Bool) throws { #expect(try Self.isLikely(target) == isLikely) }

    @Test(arguments: [
        ("/live/*", "/live/", true), ("/live/*", "/LIVE/a/b", true), ("/live/*", "/live", false), ("*", "/", true),
        ("/a*b*c", "/abc", true), ("/a*b*c", "/aXbYbZc", true), ("/a*b*c", "/acb", false), ("/A**B", "/aab", true),
        ("/a.m3u8", "/a.m3u8", true), ("/a.m3u8", "/b/a.m3u8", false), ("*aab", "/aaaaaab", true), ("*/", "/", true),
        ("/é", "/%C3%A9", true), ("*%41", "/A", false), ("*%41", "/%2541", true), ("*x", "/", false),
        ("a*", "/a", false), ("*longer.m3u8", "/LONGER.m3u8", true), ("*longer.m3u8", "/longer.m3u9", false),
        ("*longer.m3u8", "/onger.m3u8", false), ("*longer.m3u8", "/a/xonger.m3u8", false), ("*8", "/8", true),
        ("*.m3u8", "/long-name.mSu8", false), ("*.m3u8", "/long-name\u{E}m3u8", false), ("/*;*", "/a;b", true),
        ("/*;*", "/a/b/c/d", false), ("/*;*", "/a/b/c%3Bd", true), ("*a;b*", "/longer;a;b", true),
        ("*abc.m3u8", "/x/abc.m3u8", true), ("*abc.m3u8", "/x/xbc.m3u8", false), ("*abcd.m3u8", "/abcd.m3u8", true),
        ("*abcd.m3u8", "/x/xbcd.m3u8", false), ("/abc.m3u8", "/xabc.m3u8", false), ("/a*.m3u8", "/b/a/b.m3u8", false),
        ("*.m3u8", "/\(String(repeating: "a", count: 70)).m3u8?x", true),
        ("*.m3u8", "/\(String(repeating: "a", count: 70))?x.m3u8", false),
    ])
    func own(pattern: String, target: String, isLikely: Bool) throws {
        #expect(try Self.isLikely(target, [pattern]) == isLikely)
        #expect(try Self.isLikely(target, ["/never", pattern]) == isLikely)
        #expect(try Self.isLikely(target, []) == false)
    }

    @Test(arguments: [("", 0), ("?", 0), ("/a?b", 2), ("/a.m3u8#", 7)])
    func refused(pattern: String, position: Int) {
        let error = #expect(throws: PathPatternError.self) { try PathPattern(pattern) }
        #expect(error?.position == position && error?.reason == (pattern.isEmpty ? .empty : .notInPath))
        #expect(error?.description.isEmpty == false)
    }
}
