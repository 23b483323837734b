import Drivers
import M3U8
import Support
import Testing

/// URIs that a rewriter maps at once become what the mapper makes of them when it is shown each line: text, counts and
/// errors alike.
@Suite struct MappedAtOnceTests {
    /// Mappings that differ in what they do to each form of URI.
    static let mappings: [(name: String, mapping: URIMapping)] = {
        do {
            let base = Array("https://example.com/video/master.m3u8?token=1".utf8)
            let scheme = try URIEdits(scheme: "custom")
            let all = try URIEdits(scheme: "custom", host: "cdn.example:8080", queryItem: "k=v")
            var roles = try URIMapping(base: base)
            roles.setEdits(
                try URIEdits(replacingHTTP: Array("key-http://".utf8), https: Array("key-https://".utf8)), of: .key)
            roles.setEdits(scheme, of: .variant)
            var moved = try URIMapping(directory: Array("../video/".utf8))
            moved.setEdits(try URIEdits(queryItem: "k=v"), of: .media)
            return [
                ("scheme", try URIMapping(edits: scheme)),
                ("the same scheme", try URIMapping(edits: URIEdits(scheme: "https"))),
                ("host", try URIMapping(edits: URIEdits(host: "h"))),
                ("query", try URIMapping(edits: URIEdits(queryItem: "k=v"))),
                ("base", try URIMapping(base: base)), ("base and all", try URIMapping(base: base, edits: all)),
                ("base without a path", try URIMapping(base: Array("http://u@[::1]:80".utf8), edits: all)),
                ("base without a host", try URIMapping(base: Array("file:a/b".utf8))), ("directory", moved),
                (
                    "another scheme",
                    try URIMapping(base: base, edits: URIEdits(scheme: "x", replacing: "skd", host: "h"))
                ),
                ("by role", roles), ("nothing", try URIMapping()),
            ]
        } catch {
            Issue.record("a mapping was refused: \(error)")
            return []
        }
    }()

    static let uris = [
        "seg/1.ts", "/seg/1.ts", "//h/seg/1.ts", "http://h/a.ts", "https://h/a.ts", "HTTPS://h/a.ts", "http:/a",
        "http:a", "https://h", "https://u:p@h:1/a", "http://[::1]:80/a?b", "https://?a", "https://h?a", "a:b", "a/b:c",
        "a?b:c", "?a", "a?", "a?b", "a?b&", "a?b=?", "a??", "a#b", "a?b#c", "./a", "../a", "a/../b", "a/.b", "a/b.",
        ".", "a..b", "{$v}a", "a{$v}", "a{$w}", "a{b", "skd://k/1", "urn:a", "data:,a", "a b", " a", "a ", "\ta\t",
        "a\rb", "\ra", "a\r", "é/ö.ts", "@a", "a/@b", "https://h/@b", "x", "h", "http://", "http://h/x?k=v",
        "custom://h/a", String(repeating: "a", count: 70), "a/" + String(repeating: "b", count: 300) + "?c",
        "https://" + String(repeating: "h", count: 80) + "/a", "a/" + String(repeating: "b", count: 61) + "/.c",
        "a/" + String(repeating: "b", count: 61), "a/" + String(repeating: "b", count: 62),
        "a?" + String(repeating: "b", count: 130) + "&", "",
    ]

    /// Lines with a URI, `§`, in the ways that it may stand there.
    static let lines = [
        "§", "#EXT-X-STREAM-INF:BANDWIDTH=1\n§\n§", "#EXT-X-KEY:METHOD=AES-128,URI=\"§\"",
        "#EXT-X-KEY:URI=\"§\",METHOD=AES-128", "#EXT-X-MAP:URI=\"§\"", "#EXT-X-PART:DURATION=1, URI=\"§\"",
        "#EXT-X-PART:URI =\"§\",URI=\"b\"", "#EXT-X-KEY:URI,URI=\"§\"", "#EXT-X-KEY:METHOD=NONE,URI,URI=\"§\"",
        "#EXT-X-PART:DURATION=1,URI=§",
        "#EXT-X-PART:DURATION=1,URI=\"§\",BYTERANGE=\"1@2\",INDEPENDENT=YES", "#EXT-X-MEDIA:NAME=\"a,URI=\",URI=\"§\"",
        "#EXT-X-MEDIA:NAME=\"a\"b,URI=\"§\"", "#EXT-X-MEDIA:URI=\"§\"x", "#EXT-X-MEDIA:NAME=\"a b\",URI=\"§\"",
        "#EXT-X-STREAM-INF:BANDWIDTH=1\nb\n#EXT-X-SESSION-DATA:DATA-ID=\"a\",URI=\"§\"",
        "#EXT-X-RENDITION-REPORT:URI=\"§\",LAST-MSN=1",
        "#EXT-X-KEY:METHOD=NONE", "#EXT-X-PART:URI=\"§", "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"§\"",
        "#EXT-X-DATERANGE:ID=\"a\",X-ASSET-URI=\"§\",X-ASSET-LIST=\"§\"", "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"§\"\n§",
        "#EXT-X-PREFETCH:§", "#EXTINF:4,\n§\n#EXTINF:4,\n\n§", "#EXT-X-I-FRAME-STREAM-INF:URI=\"§\"",
        "#EXT-X-CONTENT-STEERING:SERVER-URI=\"§\",URI=\"a\"", "# a\n§", "#EXT-X-PARTY:URI=\"§\"", "#EXT-X-PART\n§",
        "#EXT-X-SESSION-DATA:DATA-ID=\"" + String(repeating: "d", count: 60) + "\",URI=\"§\"", "#EXT-X-ENDLIST\n§",
    ]

    @Test(arguments: mappings.indices)
    func areWhatTheMapperMakes(_ number: Int) throws {
        let edits = try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true)
        let window = GuardedWindow(capacity: 4096)
        for line in Self.lines {
            for uri in Self.uris {
                let text = Self.playlist(line.replacing("§", with: uri))
                try check(text, edits, Self.mappings[number], window, [[0..<text.count]])
            }
        }
    }

    @Test func areTheSameWhereverAChunkEnds() throws {
        let edits = try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true)
        let window = GuardedWindow(capacity: 4096)
        for mapping in Self.mappings where ["base and all", "by role"].contains(mapping.name) {
            for line in Self.lines.prefix(12) {
                let text = Self.playlist(line.replacing("§", with: "https://h/a.ts?b"))
                try check(text, edits, mapping, window, Splits.all(of: text.count, random: 2), endings: [false])
            }
        }
    }

    /// A line longer than the limit ends the editing, whether it is plain or not.
    @Test(arguments: [0, 1, 2], [true, false])
    func longLinesEndTheEditing(_ more: Int, _ isCRLF: Bool) throws {
        let edits = try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true)
        let window = GuardedWindow(capacity: 4096)
        for line in [
            "a/" + String(repeating: "b", count: 38), "#EXT-X-KEY:URI=\"" + String(repeating: "b", count: 23) + "\"",
            "#EXT-X-STREAM-INF:BANDWIDTH=" + String(repeating: "1", count: 12) + "\nb",
        ] {
            // Behind nothing, behind a URI of the same form, and where the kind of playlist is known.
            for before in ["", "a/b\n", "#EXT-X-KEY:URI=\"k\"\n", "#EXT-X-STREAM-INF:BANDWIDTH=1\nb\n"] {
                let text = Self.playlist(before + line + "\nhttp://h/c", isCRLF: isCRLF)
                for mapping in Self.mappings where ["base", "base and all", "query"].contains(mapping.name) {
                    try check(
                        text, edits, mapping, window, [[0..<text.count]],
                        limits: LineLimits(longestLine: 38 + more, policy: .fail))
                }
            }
        }
    }

    /// What an edit does to a tag's attribute wins; so such tags are not mapped at once.
    @Test func editsByNameWin() throws {
        let edits = try PlaylistEdits(
            [.set("EXT-X-KEY", name: Array("URI".utf8), value: Array("\"named\"".utf8)), .drop("EXT-X-MAP")],
            observing: URIMapping.tags, selectsURIs: true)
        let window = GuardedWindow(capacity: 4096)
        let text = Self.playlist("#EXT-X-KEY:METHOD=AES-128,URI=\"a\"\n#EXT-X-MAP:URI=\"b\"\nc")
        try check(text, edits, Self.mappings[5], window, [[0..<text.count]])
    }

    /// Edits that are not for playlists of every kind have all lines shown.
    @Test func editsOfOneKindOfPlaylist() throws {
        let edits = try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true, scope: .media)
        let window = GuardedWindow(capacity: 4096)
        for line in ["#EXT-X-STREAM-INF:BANDWIDTH=1\na", "#EXTINF:4,\na\n#EXT-X-STREAM-INF:BANDWIDTH=1\na"] {
            let text = Self.playlist(line)
            try check(text, edits, Self.mappings[5], window, [[0..<text.count]])
        }
    }

    /// A playlist with `lines` in it twice, because the first may tell what kind it is of, and enough after them for
    /// whole blocks.
    private static func playlist(_ lines: String, isCRLF: Bool = false) -> [UInt8] {
        let text =
            "#EXTM3U\n#EXT-X-VERSION:6\n\(lines)\n\(lines)\n#EXTINF:4,\nlast.ts\n"
            + String(repeating: "# padding\n", count: 20)
        return Array((isCRLF ? text.replacing("\n", with: "\r\n") : text).utf8)
    }

    private func check(
        _ text: [UInt8], _ edits: PlaylistEdits, _ mapping: (name: String, mapping: URIMapping),
        _ window: GuardedWindow, _ splits: [[Range<Int>]], limits: LineLimits = LineLimits(),
        endings: [Bool] = [false, true]
    ) throws {
        var shown = URIMapper(mapping.mapping)
        var atOnce = URIMapper(mapping.mapping)
        var rewriter = PlaylistRewriter(edits, limits: limits)
        for isCRLF in endings {
            let text = isCRLF ? Array(String(decoding: text, as: UTF8.self).replacing("\n", with: "\r\n").utf8) : text
            for split in isCRLF ? [[0..<text.count]] : splits {
                shown.reset()
                atOnce.reset()
                rewriter.reset()
                let expected = RewriterRun(of: &rewriter, on: text, split: split, in: window) { shown.map($0, &$1) }
                rewriter.reset()
                let found = RewriterRun(of: &rewriter, on: text, split: split, in: window, mapping: &atOnce)
                let comment = Comment(
                    "\(mapping.name), \(split): \(String(decoding: text, as: UTF8.self).debugDescription)")
                #expect(found.answer == expected.answer, comment)
                #expect(found.faults.isEmpty, comment)
                #expect(atOnce.mappedURIs == shown.mappedURIs, comment)
                #expect(atOnce.unresolvedURIs == shown.unresolvedURIs, comment)
                #expect(atOnce.firstUnresolvedURI == shown.firstUnresolvedURI, comment)
            }
        }
    }
}
