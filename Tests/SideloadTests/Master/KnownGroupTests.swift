import Sideload
import Support
import Testing

/// Variants that name the group declared first, or named last, are passed over by a search for the attribute. In a chunk of one byte, and at
/// a chunk's end, each is looked at: the answers must be the same.
@Suite struct KnownGroupTests {
    struct Row: Sendable {
        let list: String
        let isKept: Bool
        let reason: String

        init(_ list: String, _ isKept: Bool, _ reason: String) {
            (self.list, self.isKept, self.reason) = (list, isKept, reason)
        }
    }

    static let rows: [Row] = [
        Row("A=1,SUBTITLES=\"a\"", true, "it is the last item"),
        Row("A=1,SUBTITLES=\"a\" \r", true, "white space and stray CRs after the list are none of it"),
        Row("A=1,SUBTITLES=\"a\",B=\"2\"", true, "a comma ends it"),
        Row("A=1,SUBTITLES=a", true, "a name without quotes is one too"),
        Row("A=1,SUBTITLES=\"ab\"", true, "another group, which nobody has declared"),
        Row("A=1,SUBTITLES=\"a\"x", true, "text after the value"),
        Row("A=1,SUBTITLES=\"\"", false, "no name"),
        Row("A=1,SUBTITLES=\"a\u{1}\"", true, "a name that cannot be written again is refused"),
        Row("A=\"1,SUBTITLES=\"a\"", true, "a quote is left open: the line is refused"),
        Row("A=\"\",SUBTITLES=\"a\"", true, "quotes before it are closed"),
        Row("A=\"1,SUBTITLES=a,\"", false, "it stands inside quotes"),
        Row("A=1,SUBTITLES=\"a\",SUBTITLES=\"b\"", true, "another attribute of that name"),
        Row("A=1,SUBTITLES=\"\",SUBTITLES=\"a\"", false, "of two the first counts"),
        Row("A=1,SUBTITLES=\"{$a}\"", true, "a variable that nobody has defined"),
        Row("A=1,SUBTITLES", false, "no value"),
        Row("A=1", false, "it is not there"),
    ]

    /// Wherever the attribute stands among the blocks of 64 bytes, with variables and without, of any kind of groups.
    @Test(arguments: rows) func answersAreTheSame(_ row: Row) throws {
        let sideloading = try Sideloading([Track.english])
        let declarations = [
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"a\",NAME=\"x\",URI=\"x\"\n", "",
            "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n",
        ]
        for indent in 0..<130 {
            let declaration = declarations[indent % declarations.count]
            let line = "#EXT-X-STREAM-INF:X=\(String(repeating: "y", count: indent)),\(row.list)\n"
            let known = "#EXT-X-STREAM-INF:SUBTITLES=\"a\"\nv\n"
            let (first, rest) = ("#EXTM3U\n\(declaration)\(known)", String(repeating: known, count: 4))
            let text = "\(first)\(line)v\n\(known)\(line)v\n\(rest)"
            let count = text.utf8.count
            let output = sideloading.answer(
                to: Array(text.utf8), splits: [Splits.even(of: count, size: 1)] + Splits.random(of: count, times: 2)
            ).bytes
            let parts = String(decoding: output, as: UTF8.self)
                .split(separator: line, omittingEmptySubsequences: false)
            #expect(parts.count == (row.isKept ? 3 : 1), "\(row.reason), \(indent)")
        }
    }

    /// A limit is met where it would be if each variant was looked at.
    @Test(arguments: [64, 65, 66, 67, 128, 130, 131, 200, 300]) func limitsAreMetAtTheSameLine(limit: Int) throws {
        var sideloading = try Sideloading([Track.english])
        sideloading.limits.heldRenditions = limit
        let known = "#EXT-X-STREAM-INF:SUBTITLES=\"aa\"\nv\n"
        let other = "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"b\"\nv\n"
        let text = "#EXTM3U\n\(known)\(known)\(other)\(known)\(other)\(known)\(known)\(known)\(known)"
        sideloading.answer(to: Array(text.utf8))
    }

    /// Those that are passed over count among the variants.
    @Test func variantsAreCounted() throws {
        let known = "#EXT-X-STREAM-INF:SUBTITLES=\"a\"\nv\n"
        let text = Array("#EXTM3U\n\(String(repeating: known, count: 9))#EXT-X-STREAM-INF:A=1\nv\n".utf8)
        for size in [1, 50, text.count] {
            var rewriter = MasterRewriter(try SubtitleTracks([Track.english]))
            for chunk in Splits.even(of: text.count, size: size) {
                try text[chunk].withUnsafeBytes { try rewriter.write($0) { _ in } }
            }
            rewriter.finish { _ in }
            #expect(rewriter.variants == 10)
        }
    }
}
