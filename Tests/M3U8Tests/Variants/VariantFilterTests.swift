import Drivers
import M3U8
import Support
import Testing

@Suite struct VariantFilterTests {
    /// With the tag of a variant goes its URI line, and no other.
    @Test(arguments: [
        ("#EXT-X-STREAM-INF:A=1\n1\n2\n", "2\n"), ("#EXT-X-STREAM-INF\n# c\n\n \t\n #\n1\n2", "# c\n\n \t\n #\n2"),
        ("1\n#EXT-X-STREAM-INF:A=1\n#EXT-X-STREAM-INF:A=\"\n 1 \n2\n", "1\n2\n"), ("#EXT-X-STREAM-INF:A=1", ""),
    ])
    func aDroppedVariantTakesItsURIAlong(_ text: String, _ expected: String) throws {
        let edits = try PlaylistEdits(
            [.drop("EXT-X-STREAM-INF")], observing: VariantDrops.tags + VariantFilter.tags, selectsURIs: true)
        for ending in ["\n", "\r\n"] {
            let input = Array("#EXTM3U\n\(text)".replacing("\n", with: ending).utf8)
            let output = Array("#EXTM3U\n\(expected)".replacing("\n", with: ending).utf8)
            var drops = VariantDrops()
            // A filter that keeps everything drops the URI of what is dropped without it.
            var filter = VariantFilter(try VariantExpression(Array("A!=7".utf8)))
            for split in Splits.all(of: input.count) {
                #expect(RewriterRun.output(of: edits, input, split) { drops.follow($0, &$1) } == output)
                #expect(RewriterRun.output(of: edits, input, split) { filter.filter($0, &$1) } == output)
                drops.reset()
                filter.reset()
            }
        }
    }

    /// In each line that starts with `-` the rest is what goes when variants above 2 are left out.
    @Test(arguments: [
        """
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a"
        #EXT-X-STREAM-INF:BANDWIDTH=1
        1.m3u8
        -#EXT-X-STREAM-INF:BANDWIDTH=3
        -3.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=2
        2.m3u8
        -#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=3,URI="3"
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=2,URI="2"
        -#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=4,URI="4"
        """,
        // Comments, blank lines and white space between a variant and its URI stay.
        """
        -#EXT-X-STREAM-INF:BANDWIDTH=3
        # comment

          \t
        #EXT-X-X
        -3.m3u8
        4.m3u8
        """,
        // A variant without a URI takes none from the next one.
        """
        -#EXT-X-STREAM-INF:BANDWIDTH=3
        #EXT-X-STREAM-INF:BANDWIDTH=1
        1.m3u8
        -#EXT-X-STREAM-INF:BANDWIDTH=3
        -#EXT-X-STREAM-INF:BANDWIDTH=4
        -4.m3u8
        """,
        // What cannot be read stays.
        """
        #EXT-X-STREAM-INF:BANDWIDTH=3,CODECS="a
        3.m3u8
        #EXT-X-STREAM-INF
        4.m3u8
        -#EXT-X-STREAM-INF:
        -5.m3u8
        """,
    ])
    func leavesOut(_ text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let whole = lines.map { $0.hasPrefix("-") ? $0.dropFirst() : $0 }
        let kept = lines.filter { !$0.hasPrefix("-") }
        for ending in ["\n", "\r\n"] {
            func playlist(_ lines: [Substring]) -> [UInt8] {
                Array((["#EXTM3U"] + lines + ["#EXT-X-END", ""]).joined(separator: ending).utf8)
            }
            try expect(playlist(whole), playlist(kept))
        }
    }

    @Test func leavesOutTheLastLine() throws {
        try expect(Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=3\n3".utf8), Array("#EXTM3U\n".utf8))
        try expect(Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=3".utf8), Array("#EXTM3U\n".utf8))
    }

    @Test func counts() throws {
        let input = Array(
            """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=1
            1
            #EXT-X-STREAM-INF:BANDWIDTH=3
            3
            #EXT-X-STREAM-INF:BANDWIDTH=3,A="
            3
            """.utf8)
        var filter = try Self.filter()
        let edits = try PlaylistEdits([], observing: VariantFilter.tags, selectsURIs: true)
        _ = RewriterRun.output(of: edits, input, [0..<input.count]) { filter.filter($0, &$1) }
        #expect(filter.keptVariants == 2)
        #expect(filter.droppedVariants == 1)
        #expect(filter.unreadableLines == 1)
        #expect(filter.firstUnreadableLine == 72)
        filter.reset()
        #expect(filter.keptVariants == 0 && filter.firstUnreadableLine == nil)
    }

    private func expect(_ input: [UInt8], _ expected: [UInt8]) throws {
        let edits = try PlaylistEdits([], observing: VariantFilter.tags, selectsURIs: true)
        for split in Splits.all(of: input.count, random: 2) {
            var filter = try Self.filter()
            let output = RewriterRun.output(of: edits, input, split) { filter.filter($0, &$1) }
            guard output != expected else { continue }
            Issue.record("\(split): \(String(decoding: output, as: UTF8.self))")
            return
        }
    }

    private static func filter() throws -> VariantFilter {
        VariantFilter(try VariantExpression(Array("BANDWIDTH<=2".utf8)))
    }
}
