import Drivers
import M3U8
import Support
import Testing

/// Variants that a rewriter filters at once are those that the filter leaves out when it is shown each line: text,
/// counts and errors alike.
@Suite struct FilteredAtOnceTests {
    static let conditions = [
        "BANDWIDTH<=2", "RESOLUTION<=720", "RESOLUTION!=1280x720 && BANDWIDTH>1", "CODECS==\"a,b\"",
        "FRAME-RATE>=29.97",
        "AN-ATTRIBUTE-WHOSE-NAME-IS-LONGER-THAN-ANY-SEARCH-COMPARES!=1", "BANDWIDTH<=9999999999999999999",
        "AUDIO==\"x\" && BANDWIDTH<=2",
    ]

    static let lists = [
        "BANDWIDTH=1", "BANDWIDTH=3", "BANDWIDTH=0003", "BANDWIDTH=2.0", "BANDWIDTH=\"3\"",
        "BANDWIDTH=99999999999999999999",
        "RESOLUTION=1280x720,BANDWIDTH=2", "BANDWIDTH=3,RESOLUTION=1920x1080", "RESOLUTION=x720", "RESOLUTION=1x",
        "CODECS=\"a,b\"", "CODECS=\"a,b\",BANDWIDTH=1,BANDWIDTH=3", "FRAME-RATE=30", "FRAME-RATE=29.970,BANDWIDTH=1",
        "BANDWIDTH = 3", "BANDWIDTH=3 ", "BANDWIDTH", "BANDWIDTH=", "A=\"BANDWIDTH=3,BANDWIDTH=1", "A=\"BANDWIDTH=3\"",
        "",
        "AUDIO=\"x\",BANDWIDTH=1", "AN-ATTRIBUTE-WHOSE-NAME-IS-LONGER-THAN-ANY-SEARCH-COMPARES=1",
        "A=\"" + String(repeating: "x", count: 120) + "\",BANDWIDTH=3",
    ]

    /// What stands around a variant's list, `L`.
    static let lines = [
        "#EXT-X-STREAM-INF:L\nv.m3u8", "#EXT-X-STREAM-INF:L\n# a comment\n\nv.m3u8\nw.m3u8",
        "#EXT-X-STREAM-INF:L\n v.m3u8 ",
        "#EXT-X-STREAM-INF:L", "#EXT-X-I-FRAME-STREAM-INF:L\nv.m3u8", "#EXT-X-IMAGE-STREAM-INF:L",
        "#EXT-X-STREAM-INF:L\n#EXTINF:4,\nv",
        "#EXT-X-STREAM-INF:L\n#EXT-X-I-FRAME-STREAM-INF:L\nv", "#EXT-X-STREAM-INF\n#EXT-X-STREAM-INF:L\n\rv\nv\r",
        "#EXT-X-STREAM-INF:L\n#EXT-X-MEDIA:L\nv.m3u8",
    ]

    @Test(arguments: conditions)
    func areWhatTheFilterLeavesOut(_ condition: String) throws {
        for line in Self.lines {
            for list in Self.lists {
                try check(Self.playlist(line.replacing("L", with: list)), condition)
            }
        }
    }

    /// So many variants come before that the finder's first answer has not all, and lines come in answers with others.
    @Test(arguments: lines)
    func areTheSameWhereverTheFinderEnds(_ line: String) throws {
        for variants in 1...40 {
            try check(
                Self.playlist(line.replacing("L", with: "BANDWIDTH=3"), after: variants), "BANDWIDTH<=2",
                endings: ["\n"])
        }
    }

    @Test(arguments: lines)
    func areTheSameWhereverAChunkEnds(_ line: String) throws {
        for list in ["BANDWIDTH=3", "BANDWIDTH=1", "BANDWIDTH=3 "] {
            let text = Self.playlist(line.replacing("L", with: list))
            try check(text, "BANDWIDTH<=2", splits: Splits.all(of: text.count, random: 2), endings: ["\n"])
        }
    }

    /// A line longer than the limit ends the editing, though nobody looks at it: between two variants, behind the
    /// last, and across chunks.
    @Test(arguments: [-1, 0, 1])
    func longLinesEndTheEditing(more: Int) throws {
        let long = String(repeating: "v", count: 140)
        for text in [
            Self.playlist("#EXT-X-STREAM-INF:BANDWIDTH=1\n\(long)\n#EXT-X-STREAM-INF:BANDWIDTH=3\nw"),
            Self.playlist("#EXT-X-STREAM-INF:BANDWIDTH=3\n\(long)\n#EXT-X-STREAM-INF:BANDWIDTH=3\nw"),
            Self.playlist("#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n\(long)"),
            Self.playlist("# \(long)\n#EXT-X-STREAM-INF:BANDWIDTH=3\nv"),
            Self.playlist("#EXT-X-STREAM-INF:BANDWIDTH=3,A=\(long.dropLast(31))\nv"),
        ] {
            let limits = LineLimits(longestLine: 140 + more, policy: .fail)
            try check(text, "BANDWIDTH<=2", splits: Splits.all(of: text.count, random: 2), limits: limits)
        }
    }

    /// Tags with edits of their own are shown, and so is every line of edits for one kind of playlist.
    @Test func editsBesideTheFilter() throws {
        let text = Self.playlist(
            "#EXT-X-STREAM-INF:BANDWIDTH=3,A=1\nv\n#EXT-X-STREAM-INF:A=1,BANDWIDTH=1\nv\n#EXT-X-MEDIA:A=1")
        for tag in ["EXT-X-STREAM-INF", "EXT-X-MEDIA"] {
            for scope in [PlaylistEdits.Scope.any, .multivariant, .media] {
                let edits = try PlaylistEdits(
                    [.remove(TagSelector(spelling: tag.utf8), "A")], observing: VariantFilter.tags, selectsURIs: true,
                    scope: scope)
                try check(text, "BANDWIDTH<=2", edits)
            }
        }
    }

    /// Streams that nobody observes are skipped, whether they make a playlist multivariant or come later.
    @Test func streamsThatAreSkipped() throws {
        let edits = try PlaylistEdits([], observing: VariantDrops.tags, selectsURIs: true)
        let skipped = "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=3\n"
        let variant = "#EXT-X-STREAM-INF:BANDWIDTH=3\nv\n"
        for lines in [
            skipped + variant, variant + skipped + variant, skipped + skipped + variant + skipped,
            skipped + "#EXTINF:1,\nv\n" + variant, "#EXTINF:1,\nv\n" + skipped + variant,
        ] {
            let text = Array("#EXTM3U\n\(lines)\(String(repeating: "# padding\n", count: 14))".utf8)
            try check(text, "BANDWIDTH<=2", edits, splits: Splits.all(of: text.count, random: 2))
        }
    }

    /// A playlist with `lines` in it three times, enough after them for whole blocks.
    private static func playlist(_ lines: String, after variants: Int = 1) -> [UInt8] {
        let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a\"\nfirst.m3u8\n"
        let first = String(repeating: variant, count: variants)
        let text = "#EXTM3U\n#EXT-X-VERSION:6\n\(first)\(lines)\n\(lines)\n\(lines)\n"
        return Array((text + String(repeating: "# padding\n", count: 14)).utf8)
    }

    private func check(
        _ text: [UInt8], _ condition: String, _ edits: PlaylistEdits? = nil, splits: [[Range<Int>]]? = nil,
        limits: LineLimits = LineLimits(), endings: [String] = ["\n", "\r\n"]
    ) throws {
        let edits = try edits ?? PlaylistEdits([], observing: VariantFilter.tags, selectsURIs: true)
        var shown = VariantFilter(try VariantExpression(Array(condition.utf8)))
        var atOnce = shown
        var rewriter = PlaylistRewriter(edits, limits: limits)
        let window = GuardedWindow(capacity: 2 * text.count)
        for ending in endings {
            let text = Array(String(decoding: text, as: UTF8.self).replacing("\n", with: ending).utf8)
            for split in (ending == "\n" ? splits : nil) ?? [[0..<text.count]] {
                rewriter.reset()
                let expected = RewriterRun(of: &rewriter, on: text, split: split, in: window) { shown.filter($0, &$1) }
                rewriter.reset()
                let found = RewriterRun(of: &rewriter, on: text, split: split, in: window, filtering: &atOnce)
                let comment = Comment(
                    "\(condition), \(split): \(String(decoding: text, as: UTF8.self).debugDescription)")
                #expect(found.answer == expected.answer, comment)
                #expect(found.faults.isEmpty, comment)
                #expect(atOnce.keptVariants == shown.keptVariants, comment)
                #expect(atOnce.droppedVariants == shown.droppedVariants, comment)
                #expect(atOnce.unreadableLines == shown.unreadableLines, comment)
                #expect(atOnce.firstUnreadableLine == shown.firstUnreadableLine, comment)
                shown.reset()
                atOnce.reset()
            }
        }
    }
}
