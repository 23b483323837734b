import Drivers
import M3U8
import Support
import Testing

/// What a playlist turns out to be is known as soon as the name of the tag that tells is whole.
@Suite struct VerdictTests {
    /// Configurations that make the scanner skip different lines.
    static func configurations() throws -> [PlaylistEdits] { try compiled.get() }

    private static let compiled = Result {
        [
            try PlaylistEdits([]),
            try PlaylistEdits([], observing: ["EXT-X-STREAM-INF", "EXT-X-MEDIA"], scope: .multivariant),
            try PlaylistEdits([], observing: ["EXTINF"], scope: .media),
            try PlaylistEdits([], selectsURIs: true),
            try PlaylistEdits([], observing: ["EXT-X-A-NAME-THAT-IS-LONGER-THAN-ANY-THAT-HAS-A-NAME-IN-CODE"]),
        ]
    }

    /// The place of the line that decided is known as soon as the verdict is, and does not depend on where the text is cut.
    @Test(
        arguments: [
            ("#EXTM3U\n#EXT-X-VERSION:3\n", nil), ("#EXTINF:1\n", 0), ("", 0),
            ("#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\n", 25),
            ("#EXTM3U\r\n#EXT-X-MEDIA:TYPE=AUDIO,\r\n#EXT-X-MEDIA:TYPE=AUDIO,\r\n#EXT-X-KEY:\r\n#EXTINF:1,\r\n", 61),
        ] as [(String, Int?)])
    func thePlace(text: String, position: Int?) throws {
        let text = Array(text.utf8)
        let window = GuardedWindow(capacity: text.count)
        for edits in try Self.configurations() {
            for split in Splits.all(of: text.count) {
                var rewriter = PlaylistRewriter(edits)
                let run = RewriterRun(of: &rewriter, on: text, split: split, in: window)
                #expect(run.answer.verdictPosition == position, "cut as \(split)")
            }
        }
    }

    static func verdict(
        after chunks: [ArraySlice<UInt8>], _ edits: PlaylistEdits, isWhole: Bool
    ) throws -> NaivePlaylist.Verdict {
        var rewriter = PlaylistRewriter(edits)
        for chunk in chunks { try chunk.withUnsafeBytes { try rewriter.write($0) { _ in } } }
        if isWhole { rewriter.finish { _ in } }
        return NaivePlaylist.Verdict(rewriter.verdict)
    }

    static func checkEveryBeginning(of text: [UInt8], _ edits: PlaylistEdits) throws {
        for end in 0...text.count {
            let beginning = text[..<end]
            let bytes = text.indices[..<end].map { text[$0...$0] }
            for chunks in [[beginning], bytes, [text[..<(end / 2)], text[(end / 2)..<end]]] {
                let early = try verdict(after: chunks, edits, isWhole: false)
                let expected = NaivePlaylist.verdict(onBeginning: Array(beginning))
                let atEnd = try verdict(after: chunks, edits, isWhole: true)
                if early != expected || atEnd != NaivePlaylist.verdict(on: Array(beginning)) {
                    let text = String(decoding: beginning, as: UTF8.self).debugDescription
                    Issue.record("\(text): \(early), not \(expected); at the end \(atEnd)")
                    return
                }
            }
        }
    }

    @Test(
        arguments: [
            ("", .notPlaylist), ("#EXTM3U", .undecided), ("#EXTM3U\nv\n#EXT-X-VERSION:3\n", .undecided),
            ("#EXTM3U\n#EXT-X-MEDIA", .multivariant), ("#EXTM3U\n#EXT-X-STREAM-INF:\n#EXT-X-ENDLIST", .multivariant),
            ("#EXTM3U\n#EXT-X-STREAM-INF:\n#EXT-X-ENDLIST\n#EXT-X-GAP", .mixed),
            ("#EXTM3U\n#EXT-X-ENDLIST\n#EXT-X-STREAM-INF:\n", .multivariant),
            ("#EXTM3U\n#EXT-X-ALLOW-CACHE:YES\n#EXT-X-STREAM-INF:\n#EXT-X-ALLOW-CACHE:NO\n", .multivariant),
            ("#EXTM3U\n#EXT-X-ENDLIST\r\n", .undecided), ("#EXTM3U\n#EXT-X-ENDLIST\n#EXTINF:1,\n", .media),
            ("#EXTM3U\n#EXTINF:1,\nv\n#EXT-X-SESSION-KEY:A=1", .mixed),
            ("#EXTM3U\n#EXTINF\r:\n", .undecided), ("#EXTM3U\n#EXT-X-MEDIAN:\n#ext-x-media:\n", .undecided),
            ("#EXTM3U\n #EXTINF:1\n##EXTINF:1\nx#EXTINF:1\n", .undecided), ("#EXTINF:1\n", .notPlaylist),
            ("#EXTM3U #EXTINF:1\n", .undecided), ("#EXTM3U:\n#EXTINF:1\n", .notPlaylist),
            ("\u{FEFF}#EXTM3U\r\n\r\n#EXT-X-CONTENT-STEERING:\r\n", .multivariant),
        ] as [(String, NaivePlaylist.Verdict)])
    func table(text: String, verdict: NaivePlaylist.Verdict) throws {
        #expect(NaivePlaylist.verdict(on: Array(text.utf8)) == verdict, "the oracle")
        for edits in try Self.configurations() { try Self.checkEveryBeginning(of: Array(text.utf8), edits) }
    }

    @Test(arguments: TagName.allCases)
    func everyTag(_ tag: TagName) throws {
        for other in ["EXTINF", "EXT-X-MEDIA"] {
            let text = "#EXTM3U\n#\(String(decoding: Array(tag.spelling), as: UTF8.self))\n#\(other):1\n"
            for edits in try Self.configurations().prefix(2) {
                try Self.checkEveryBeginning(of: Array(text.utf8), edits)
            }
        }
    }

    @Test func randomPlaylists() throws {
        var generator = SeededGenerator(seed: 51)
        for round in 0..<60 {
            let text = PlaylistTokens.playlist(upTo: 5, using: &generator)
            let configurations = try Self.configurations()
            try Self.checkEveryBeginning(of: text, configurations[round % configurations.count])
        }
    }

    /// In a media playlist only tags that begin with EXT-X- are looked for: none may be missed at any distance.
    @Test func theTagOfTheOtherKindAtEveryDistance() throws {
        for count in 0...200 {
            let filler = String(repeating: count % 2 == 0 ? "-" : "#", count: count)
            let text = Array("#EXTM3U\n#EXTINF:1\n\(filler)\n\n\n#EXT-X-MEDIA:TYPE=AUDIO\n".utf8)
            for edits in try Self.configurations() {
                for size in [text.count, 64, 63, 7] {
                    let chunks = Splits.even(of: text.count, size: size).map { text[$0] }
                    #expect(try Self.verdict(after: chunks, edits, isWhole: false) == .mixed)
                }
            }
        }
    }

    /// Where no lines are skipped, none is taken for one of those, whatever bytes it has.
    @Test(arguments: [0x00, 0x0A, 0xFF] as [UInt8])
    func noLineIsSkippedUnasked(_ byte: UInt8) throws {
        let lines = [UInt8](repeating: byte, count: 40) + Array("\n# \(String(repeating: "-", count: 200))\n".utf8)
        for text in [Array("#EXTM3U\n\n".utf8) + lines, Array("#EXTM3U\n".utf8) + lines] {
            let set = PlaylistEdit.set("EXT-X-STREAM-INF", name: Array("A".utf8), value: Array("1".utf8))
            let edits = try PlaylistEdits([set], selectsURIs: true)
            #expect(try Self.verdict(after: [text[...]], edits, isWhole: true) == .undecided)
        }
    }
}
