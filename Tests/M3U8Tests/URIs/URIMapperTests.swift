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
        "#EXT-X-OTHER:URI=\"k\"",
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
            (.media, "#EXT-X-PART:URI=\"S://h/4\""), (.media, "#EXT-X-PRELOAD-HINT:URI=\"S://h/5\",TYPE=PART"),
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
    private func expect(_ line: String, _ expected: String, _ mapping: URIMapping) throws {
        let edits = try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true)
        for ending in ["\n", "\r\n"] {
            func playlist(_ line: String) -> [UInt8] {
                Array("#EXTM3U\n#EXT-X-VERSION:7\n\(line)\n#EXT-X-ENDLIST\n\(line)".replacing("\n", with: ending).utf8)
            }
            let input = playlist(line)
            for split in Splits.all(of: input.count, random: 2) {
                var mapper = URIMapper(mapping)
                let output = RewriterRun.output(of: edits, input, split) { line, edits in mapper.map(line, &edits) }
                guard output != playlist(expected) else { continue }
                Issue.record("\(split): \(String(decoding: output, as: UTF8.self))")
                return
            }
        }
    }
}
