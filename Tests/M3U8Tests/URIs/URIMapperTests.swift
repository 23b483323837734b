import Drivers
import M3U8
import Support
import Testing

@Suite struct URIMapperTests {
    private static let base = "https://h.example/a/b.m3u8"

    @Test(arguments: [
        ("v/1.m3u8", "https://h.example/a/v/1.m3u8"),
        ("../1.ts?x=y", "https://h.example/1.ts?x=y"),
        ("  1.ts \t", "  https://h.example/a/1.ts \t"),
        ("1.ts \r\r", "https://h.example/a/1.ts \r\r"), ("1.ts\r2", "1.ts\r2"),
        (
            "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1",
            "#EXT-X-KEY:METHOD=AES-128,URI=\"https://h.example/a/k\",IV=0x1"
        ),
        ("#EXT-X-MAP:URI=\"i.mp4\"  ", "#EXT-X-MAP:URI=\"https://h.example/a/i.mp4\"  "),
        ("#EXT-X-MEDIA:TYPE=AUDIO,URI=\"/e\"", "#EXT-X-MEDIA:TYPE=AUDIO,URI=\"https://h.example/e\""),
        ("#EXT-X-I-FRAME-STREAM-INF:URI=\"i\"", "#EXT-X-I-FRAME-STREAM-INF:URI=\"https://h.example/a/i\""),
        ("#EXT-X-IMAGE-STREAM-INF:URI=\"i\"", "#EXT-X-IMAGE-STREAM-INF:URI=\"https://h.example/a/i\""),
        ("#EXT-X-SESSION-KEY:URI=\"s\"", "#EXT-X-SESSION-KEY:URI=\"https://h.example/a/s\""),
        ("#EXT-X-SESSION-DATA:URI=\"s\"", "#EXT-X-SESSION-DATA:URI=\"https://h.example/a/s\""),
        ("#EXT-X-PART:DURATION=1,URI=\"p\"", "#EXT-X-PART:DURATION=1,URI=\"https://h.example/a/p\""),
        ("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"p\"", "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"https://h.example/a/p\""),
        ("#EXT-X-RENDITION-REPORT:URI=\"r\"", "#EXT-X-RENDITION-REPORT:URI=\"https://h.example/a/r\""),
        ("#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\"", "#EXT-X-CONTENT-STEERING:SERVER-URI=\"https://h.example/a/s\""),
        (
            "#EXT-X-DATERANGE:X-ASSET-LIST=\"l\",X-ASSET-URI=\"u\"",
            "#EXT-X-DATERANGE:X-ASSET-LIST=\"https://h.example/a/l\",X-ASSET-URI=\"https://h.example/a/u\""
        ),
        ("#EXT-X-KEY:URI=k", "#EXT-X-KEY:URI=\"https://h.example/a/k\""),
        ("#EXT-X-PREFETCH:1.ts", "#EXT-X-PREFETCH:https://h.example/a/1.ts"),
        ("#EXT-X-TWITCH-PREFETCH: /1.ts?a=\"b,c\" \r", "#EXT-X-TWITCH-PREFETCH: https://h.example/1.ts?a=\"b,c\" \r"),
        ("HTTP://h/a/../b", "HTTP://h/b"),
        ("#EXT-X-KEY:URI=\"data:,x\",URI=\"k\"", "#EXT-X-KEY:URI=\"data:,x\",URI=\"k\""),
    ])
    func resolves(_ line: String, _ expected: String) throws {
        try expect(line, expected, URIMapping(base: Array(Self.base.utf8)))
    }

    /// What a playlist becomes that moves to a directory beside its own.
    @Test(arguments: [
        ("v/1.m3u8", "../a%20b/v/1.m3u8"), ("./1.ts?x=y#z", "../a%20b/./1.ts?x=y#z"), ("../1.ts", "../a%20b/../1.ts"),
        (" 1.ts ", " ../a%20b/1.ts "),
        ("#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXT-X-KEY:METHOD=AES-128,URI=\"../a%20b/k\""),
    ])
    func movesWithADirectory(_ line: String, _ expected: String) throws {
        try expect(line, expected, URIMapping(directory: Array("../a%20b/".utf8)))
    }

    @Test(arguments: ["/v/1.m3u8", "//h/1.ts", "https://h/1.ts", "urn:a", "?x=y", "{$base}/a.ts", "data:,a"])
    func whatNoDirectoryMoves(_ line: String) throws {
        try expect(line, line, URIMapping(directory: Array("../a/".utf8)))
    }

    @Test func refusesADirectoryThatIsNoPath() {
        #expect(throws: URIMappingError(.baseByte, at: 1)) { try URIMapping(directory: Array("a b/".utf8)) }
    }

    @Test(arguments: [
        "data:text/plain,a", "{$base}/a.ts", "https://h.example/a/x.ts", "   ", "\t#not a URI", "#comment",
        "# http://a",
        "#EXT-X-KEY:METHOD=NONE", "#EXT-X-KEY:URI=\"data:,a\"", "#EXT-X-KEY:URI=\"{$k}\"", "#EXT-X-KEY:URI=\"\"",
        "#EXT-X-KEY:X-URI=\"k\"", "#EXT-X-KEY:A=\"URI=k\"", "#EXT-X-KEY:URI=\"k", "#EXT-X-KEY",
        "#EXT-X-OTHER:URI=\"k\"", "#EXT-X-PREFETCH", "#EXT-X-PREFETCH:", "#EXT-X-PREFETCH: \t",
        "#EXT-X-PREFETCH:data:,a",
        "#EXT-X-PREFETCH:{$a}", "#EXT-X-PREFETCH-DISCONTINUITY:a", "#EXT-X-DEFINE:NAME=\"URI\",VALUE=\"a\"",
        // What other schemes stand for is their own affair.
        "skd://h/a/../b", "urn:a:./b", "#EXT-X-KEY:URI=\"skd://k/./1\"", "#EXT-X-KEY:URI=\"urn:x:../y\"",
        "#EXT-X-STREAM-INF:URI=\"k\"", "#EXT-X-DATERANGE:URI=\"k\"", "#EXT-X-CONTENT-STEERING:URI=\"k\"",
    ])
    func leavesAlone(_ line: String) throws {
        try expect(line, line, URIMapping(base: Array(Self.base.utf8)))
    }

    @Test(arguments: URIRole.allCases)
    func editsOneRole(_ role: URIRole) throws {
        let lines: [(URIRole, String)] = [
            (.variant, "#EXT-X-I-FRAME-STREAM-INF:URI=\"S://h/1\""),
            (.variant, "#EXT-X-IMAGE-STREAM-INF:URI=\"S://h/1\""),
            (.variant, "#EXT-X-STREAM-INF:BANDWIDTH=1\n# c\n\nS://h/2"), (.media, "S://h/3"),
            (.media, "#EXT-X-PART:URI=\"S://h/4\""), (.media, "#EXT-X-PREFETCH:S://h/16"),
            (.media, "#EXT-X-TWITCH-PREFETCH:S://h/17"), (.media, "#EXT-X-PRELOAD-HINT:URI=\"S://h/5\",TYPE=PART"),
            (.rendition, "#EXT-X-MEDIA:URI=\"S://h/6\""), (.rendition, "#EXT-X-RENDITION-REPORT:URI=\"S://h/7\""),
            (.key, "#EXT-X-KEY:URI=\"S://h/8\""), (.key, "#EXT-X-SESSION-KEY:URI=\"S://h/9\""),
            (.map, "#EXT-X-MAP:URI=\"S://h/10\""), (.map, "#EXT-X-PRELOAD-HINT:URI=\"S://h/11\",TYPE=MAP"),
            (.other, "#EXT-X-SESSION-DATA:URI=\"S://h/12\""),
            (.other, "#EXT-X-CONTENT-STEERING:SERVER-URI=\"S://h/13\""),
            (.other, "#EXT-X-DATERANGE:X-ASSET-URI=\"S://h/14\",X-ASSET-LIST=\"S://h/15\""),
        ]
        func text(_ scheme: (URIRole) -> String) -> String {
            lines.map { $1.replacing("S://", with: scheme($0) + "://") }.joined(separator: "\n")
        }
        var mapping = try URIMapping()
        mapping.setEdits(try URIEdits(scheme: "skd"), of: role)
        try expect(text { _ in "http" }, text { $0 == role ? "skd" : "http" }, mapping)
    }

    @Test func editsWhatWasResolved() throws {
        let edits = try URIEdits(scheme: "http", host: "c.example", queryItem: "k=v")
        try expect("1.ts#f", "http://c.example/a/1.ts?k=v#f", URIMapping(base: Array(Self.base.utf8), edits: edits))
        try expect("1.ts", "1.ts?k=v", URIMapping(edits: edits))
        try expect(
            "#EXT-X-PREFETCH:1.ts", "#EXT-X-PREFETCH:http://c.example/a/1.ts?k=v",
            URIMapping(base: Array(Self.base.utf8), edits: edits))
    }

    @Test func editsASchemeThatIsNamed() throws {
        var mapping = try URIMapping(base: Array(Self.base.utf8))
        mapping.setEdits(try URIEdits(scheme: "https", replacing: "skd"), of: .key)
        try expect(
            "#EXT-X-KEY:URI=\"skd://k/1\"\n#EXT-X-MAP:URI=\"skd://k/1\"",
            "#EXT-X-KEY:URI=\"https://k/1\"\n#EXT-X-MAP:URI=\"skd://k/1\"",
            mapping)
    }

    // MARK: Variables

    private static let definitions = [
        "NAME=\"v\",VALUE=\"v1\"", "VALUE=\"https://c.example/{$v}\",NAME=\"b\"", "NAME=\"v\",VALUE=\"v2\"",
        "NAME=\"e\",VALUE=\"\"",
        "NAME=\"q\",VALUE=\"a\"b\"c\"", "IMPORT=\"i\"", "QUERYPARAM=\"p\"", "NAME=\"n\"",
        "NAME=\"k\",VALUE=\"skd://k\"",
        "NAME=\"u\",VALUE=\"{$i}/x\"", "NAME=\"d\",VALUE=\"data:,\"",
    ].map { "#EXT-X-DEFINE:\($0)\n" }.joined()

    @Test(arguments: [
        ("{$v}/1.ts", "https://h.example/a/v1/1.ts", 0), ("{$b}/1.ts", "https://c.example/v1/1.ts", 0),
        ("{$e}", "{$e}", 0), ("{$e}{$v}", "https://h.example/a/v1", 0), ("x{$v}{$v}", "https://h.example/a/xv1v1", 0),
        ("#EXT-X-KEY:URI=\"{$b}/k\"", "#EXT-X-KEY:URI=\"https://c.example/v1/k\"", 0),
        ("#EXT-X-PREFETCH:{$b}/1.ts", "#EXT-X-PREFETCH:https://c.example/v1/1.ts", 0),
        ("#EXT-X-STREAM-INF:A=1\n{$v}.m3u8", "#EXT-X-STREAM-INF:A=1\nhttps://h.example/a/v1.m3u8", 0),
        ("https://c.example/{$v}", "https://c.example/v1", 0), ("{$b}", "https://c.example/v1", 0),
        // What is of another scheme stays.
        ("{$k}/1", "{$k}/1", 0),
        ("{$d}{$v}", "{$d}{$v}", 0), ("skd://{$i}", "skd://{$i}", 0), ("data:,{$i}", "data:,{$i}", 0),
        // What begins with a variable without a value is left alone as a whole.
        ("{$i}/1.ts", "{$i}/1.ts", 2), ("{$e}{$i}", "{$e}{$i}", 2), ("{$q}", "{$q}", 2), ("{$p}", "{$p}", 2),
        ("{$n}", "{$n}", 2), ("{$u}", "{$u}", 2), ("{$V}", "{$V}", 2), ("{$}", "{$}", 2),
        // Behind a literal beginning it stays, and the rest is resolved.
        ("{$v}/{$i}", "https://h.example/a/v1/{$i}", 0), ("a{$v", "https://h.example/a/a{$v", 0),
        ("1.ts?t={$p}&v={$v}", "https://h.example/a/1.ts?t={$p}&v=v1", 0),
        ("?{$p}", "https://h.example/a/b.m3u8?{$p}", 0),
        ("x#{$p}", "https://h.example/a/x#{$p}", 0), ("/{$i}/1.ts", "https://h.example/{$i}/1.ts", 0),
        ("//{$i}/1.ts", "https://{$i}/1.ts", 0), ("https://{$i}/{$v}", "https://{$i}/v1", 0),
        ("https://{$i}/1.ts", "https://{$i}/1.ts", 0),
        // The variable may stand for several segments: dots after it are resolved once it is known.
        ("x/../y/{$i}/../1.ts", "https://h.example/a/y/{$i}/../1.ts", 0), ("../{$i}/.", "https://h.example/{$i}/.", 0),
        ("./x{$i}/..", "https://h.example/a/x{$i}/..", 0), ("..{$i}", "https://h.example/a/..{$i}", 0),
        ("x/..?{$i}/../y", "https://h.example/a/?{$i}/../y", 0),
        ("#EXT-X-MAP:URI=\"i?{$p}\"", "#EXT-X-MAP:URI=\"https://h.example/a/i?{$p}\"", 0),
        ("#EXT-X-KEY:URI=\"k/{$p}\"", "#EXT-X-KEY:URI=\"https://h.example/a/k/{$p}\"", 0),
        (
            "#EXT-X-STREAM-INF:A=1\n{$b}/v.m3u8?{$p}",
            "#EXT-X-STREAM-INF:A=1\nhttps://c.example/v1/v.m3u8?{$p}", 0
        ),
        (
            "#EXT-X-DATERANGE:X-ASSET-URI=\"{$i}\",X-ASSET-LIST=\"{$v}\"",
            "#EXT-X-DATERANGE:X-ASSET-URI=\"{$i}\",X-ASSET-LIST=\"https://h.example/a/v1\"", 2
        ),
    ])
    func putsInVariables(_ line: String, _ expected: String, _ unresolved: Int) throws {
        try expect(
            Self.definitions + line, Self.definitions + expected, URIMapping(base: Array(Self.base.utf8)),
            unresolved: unresolved)
    }

    /// Without a base, what no edit applies to is not rewritten for the sake of its variables.
    @Test(arguments: [
        ("{$v}/1.ts", "{$v}/1.ts"), ("{$b}/1.ts", "https://d/v1/1.ts"), ("{$k}/1", "{$k}/1"), ("{$e}", "{$e}"),
        ("{$i}", "{$i}"), ("//{$i}/{$v}", "//{$i}/{$v}"), ("//h/{$i}/{$v}", "//d/{$i}/v1"), ("//h{$i}/1", "//h{$i}/1"),
        ("x/{$i}", "x/{$i}"),
    ])
    func editsVariables(_ line: String, _ expected: String) throws {
        let mapping = try URIMapping(edits: URIEdits(host: "d"))
        try expect(Self.definitions + line, Self.definitions + expected, mapping)
    }

    /// A query item goes behind a path whose end is known.
    @Test(arguments: [
        ("a?t={$i}", "https://h.example/a/a?t={$i}&k=v", 0), ("a#{$i}", "https://h.example/a/a?k=v#{$i}", 0),
        ("a/{$i}", "a/{$i}", 2), ("a/{$i}?b", "a/{$i}?b", 2), ("{$i}?b", "{$i}?b", 2),
    ])
    func addsAQueryItemBehindAKnownPath(_ line: String, _ expected: String, _ unresolved: Int) throws {
        let mapping = try URIMapping(base: Array(Self.base.utf8), edits: URIEdits(queryItem: "k=v"))
        try expect(line, expected, mapping, unresolved: unresolved)
    }

    /// An address of ours is the beginning alone.
    @Test(arguments: [
        ("a?t={$i}", "http://p/v/https/h.example/a/a?t={$i}"), ("https://{$i}/a", "http://p/v/https/{$i}/a"),
        ("//{$i}", "http://p/v/https/{$i}"), ("{$i}", "{$i}"),
    ])
    func makesAddresses(_ line: String, _ expected: String) throws {
        let edits = try URIEdits(
            replacingHTTP: Array("http://p/v/http/".utf8), https: Array("http://p/v/https/".utf8))
        try expect(line, expected, URIMapping(base: Array(Self.base.utf8), edits: edits))
    }

    /// A variable is known from its line on.
    @Test func variablesThatComeLaterAreUnknown() throws {
        try expect(
            "{$v}\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"x\"", "{$v}\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"x\"",
            URIMapping(), unresolved: 0)
        let text = Array("#EXTM3U\n{$v}\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"x\"\n{$v}\n".utf8)
        let edits = try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true)
        var mapper = URIMapper(try URIMapping(base: Array(Self.base.utf8)))
        for split in Splits.all(of: text.count) {
            let output = RewriterRun.output(of: edits, text, split) { line, edits in mapper.map(line, &edits) }
            #expect(
                output == Array("#EXTM3U\n{$v}\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"x\"\nhttps://h.example/a/x\n".utf8))
            #expect(mapper.unresolvedURIs == 1 && mapper.firstUnresolvedURI == 8 && mapper.mappedURIs == 1)
            mapper.reset()
            #expect(mapper.unresolvedURIs == 0 && mapper.firstUnresolvedURI == nil && mapper.mappedURIs == 0)
        }
    }

    /// One byte below a limit, at it and above it.
    @Test(arguments: [
        ("#EXT-X-DEFINE:NAME=\"n\",VALUE=\"ab\"\nx", 1027, LimitError.Limit.heldVariables, 8),
        (
            "#EXT-X-DEFINE:NAME=\"n\",VALUE=\"ab\"\n#EXT-X-DEFINE:NAME=\"m\",VALUE=\"{$n}{$n}\"\nx", 2056,
            .heldVariables, 42
        ),
        ("#EXT-X-DEFINE:NAME=\"n\",VALUE=\"abcdefgh\"\n{$n}{$n}.ts", 19, .longestURI, 48),
        ("#EXT-X-DEFINE:NAME=\"n\",VALUE=\"abcdefgh\"\n#EXT-X-KEY:URI=\"{$n}\"", 8, .longestURI, 48),
    ])
    func variablesAreBounded(_ lines: String, _ size: Int, _ limit: LimitError.Limit, _ position: Int) throws {
        let text = Array("#EXTM3U\n\(lines)\ny\n".utf8)
        let edits = try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true)
        let mapping = try URIMapping(base: Array(Self.base.utf8))
        let window = GuardedWindow(capacity: text.count)
        for bytes in [size - 1, size, size + 1] {
            let limits =
                limit == .longestURI ? URIMapper.Limits(longestURI: bytes) : URIMapper.Limits(heldVariables: bytes)
            for (policy, split) in Splits.all(of: text.count).flatMap({
                [(LineLimits.Policy.passThrough, $0), (.fail, $0)]
            }) {
                var mapper = URIMapper(mapping, limits: limits)
                var rewriter = PlaylistRewriter(edits, limits: LineLimits(policy: policy))
                let run = RewriterRun(of: &rewriter, on: text, split: split, in: window) { mapper.map($0, &$1) }
                let error = LimitError(limit, bytes: bytes, position: position)
                #expect(run.answer.exceededLimit == (bytes < size ? error : nil))
                #expect(run.answer.error == (bytes < size && policy == .fail ? error : nil))
                #expect(String(decoding: run.answer.bytes, as: UTF8.self).hasSuffix("/y\n") == (bytes >= size))
                if bytes < size, position == 8 { #expect(run.answer.bytes == text) }
            }
        }
    }

    // MARK: Edits by name

    /// What the caller asks for by name wins, whether the URI would be mapped or not, and whether it is there or not.
    @Test(
        arguments: [
            (.set("EXT-X-KEY", "URI", to: "\"n\""), "#EXT-X-KEY:URI=\"k\"", "#EXT-X-KEY:URI=\"n\""),
            (.set("EXT-X-KEY", "URI", to: "\"n\""), "#EXT-X-KEY:URI=\"https://h.example/a\"", "#EXT-X-KEY:URI=\"n\""),
            (.set("EXT-X-KEY", "URI", to: "\"n\""), "#EXT-X-KEY:METHOD=NONE", "#EXT-X-KEY:METHOD=NONE,URI=\"n\""),
            (.set("EXT-X-KEY", "URI", to: "\"n\""), "#EXT-X-KEY:URI=\"skd://k\"", "#EXT-X-KEY:URI=\"n\""),
            (.replace("EXT-X-KEY", "URI", with: "\"n\""), "#EXT-X-KEY:URI=\"k\"", "#EXT-X-KEY:URI=\"n\""),
            (.remove("EXT-X-KEY", "URI"), "#EXT-X-KEY:URI=\"k\",A=1", "#EXT-X-KEY:A=1"),
            (.remove("EXT-X-KEY", "A"), "#EXT-X-KEY:URI=\"k\",A=1", "#EXT-X-KEY:URI=\"https://h.example/a/k\""),
            (
                .set("EXT-X-DATERANGE", "X-ASSET-URI", to: "\"n\""),
                "#EXT-X-DATERANGE:X-ASSET-URI=\"k\",X-ASSET-LIST=\"l\"",
                "#EXT-X-DATERANGE:X-ASSET-URI=\"n\",X-ASSET-LIST=\"https://h.example/a/l\""
            ),
            (.set("EXT-X-PREFETCH", "A", to: "1"), "#EXT-X-PREFETCH:k", "#EXT-X-PREFETCH:k,A=1"),
            (.drop("EXT-X-PREFETCH"), "#EXT-X-PREFETCH:k\n#", "#"),
            (
                .set("EXT-X-DEFINE", "VALUE", to: "\"n\""), "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"o\"\n{$v}",
                "#EXT-X-DEFINE:NAME=\"v\",VALUE=\"n\"\n{$v}"
            ),
        ] as [(PlaylistEdit, String, String)])
    func editsByNameWin(_ edit: PlaylistEdit, _ line: String, _ expected: String) throws {
        try expect(line, expected, URIMapping(base: Array(Self.base.utf8)), beside: [edit])
    }

    @Test(arguments: [
        ("video/", URIMappingError.Reason.relativeBase, 0), ("//h.example/", .relativeBase, 0), ("", .relativeBase, 0),
        ("data:,a", .relativeBase, 0), ("https://h.example/a b", .baseByte, 19),
        ("https://h.example/\"", .baseByte, 18), ("https://h.example/{$a}", .baseByte, 18),
        ("https://h.example/\n", .baseByte, 18),
    ])
    func refusesBases(_ base: String, _ reason: URIMappingError.Reason, _ position: Int) {
        #expect(throws: URIMappingError(reason, at: position)) { try URIMapping(base: Array(base.utf8)) }
    }

    /// Expects a playlist with `line` to become the same playlist with `expected`, wherever its chunks end.
    private func expect(
        _ line: String, _ expected: String, _ mapping: URIMapping, beside named: [PlaylistEdit] = [],
        unresolved: Int? = nil
    ) throws {
        let edits = try PlaylistEdits(named, observing: URIMapping.tags, selectsURIs: true)
        for ending in ["\n", "\r\n"] {
            func playlist(_ line: String) -> [UInt8] {
                Array("#EXTM3U\n#EXT-X-VERSION:7\n\(line)\n#EXT-X-ENDLIST\n\(line)".replacing("\n", with: ending).utf8)
            }
            let input = playlist(line)
            for split in Splits.all(of: input.count, random: 2) {
                var mapper = URIMapper(mapping)
                let output = RewriterRun.output(of: edits, input, split) { line, edits in mapper.map(line, &edits) }
                if let unresolved { #expect(mapper.unresolvedURIs == unresolved) }
                guard output != playlist(expected) else { continue }
                Issue.record("\(split): \(String(decoding: output, as: UTF8.self))")
                return
            }
        }
    }
}
