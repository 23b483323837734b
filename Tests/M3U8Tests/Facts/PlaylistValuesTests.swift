import ByteScan
import Testing

@testable import M3U8

/// Values of EXT-X-DEFINE in the lines that are read (8216bis 4.4.2.3).
@Suite struct PlaylistValuesTests {
    /// The content of the lines of a multivariant playlist, and of the media playlist read after it.
    private static func lines(_ master: String, _ media: String, isImporting: Bool) -> [String] {
        var reader = PlaylistReader()
        var lines: [String] = []
        func read(_ text: String, _ url: String, isImporting: Bool) {
            reader.reset(asking: .timelines, of: Array(url.utf8), isImporting: isImporting)
            Array(text.utf8).withUnsafeBytes { unsafe reader.write($0) { line, _ in lines.append("\(line.bytes)") } }
            reader.finish()
        }
        read(master, "http://h/m.m3u8?q=Q", isImporting: false)
        lines = []
        read(media, "http://h/v.m3u8?p=P", isImporting: isImporting)
        return lines.filter { !$0.hasPrefix("#") }
    }

    private static let master = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"A\"\n#EXT-X-DEFINE:QUERYPARAM=\"q\"\n"

    @Test(arguments: [
        ("#EXT-X-DEFINE:IMPORT=\"a\"\n{$a}/s.ts\n", "A/s.ts", "{$a}/s.ts"),
        ("#EXT-X-DEFINE:IMPORT=\"q\"\n{$q}/s.ts\n", "Q/s.ts", "{$q}/s.ts"),
        // What is not imported is not there.
        ("{$a}/s.ts\n", "{$a}/s.ts", "{$a}/s.ts"),
        ("#EXT-X-DEFINE:QUERYPARAM=\"p\"\n{$p}/s.ts\n", "P/s.ts", "P/s.ts"),
        ("#EXT-X-DEFINE:QUERYPARAM=\"q\"\n{$q}/s.ts\n", "{$q}/s.ts", "{$q}/s.ts"),
        ("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"own\"\n{$a}/s.ts\n", "own/s.ts", "own/s.ts"),
    ])
    func valuesOfTheMasterAreImported(_ media: String, _ imported: String, _ alone: String) {
        #expect(Self.lines(Self.master, "#EXTM3U\n" + media, isImporting: true) == [imported])
        #expect(Self.lines(Self.master, "#EXTM3U\n" + media, isImporting: false) == [alone])
    }

    /// What a line becomes in which `{$p}` stands, of a playlist whose URL has this query.
    private static func line(_ line: String, _ query: String) -> String {
        var reader = PlaylistReader()
        var found: [String] = []
        reader.reset(asking: .timelines, of: Array("http://h/v.m3u8?\(query)#f".utf8), isImporting: false)
        let text = Array("#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"p\"\n\(line)".utf8)
        text.withUnsafeBytes { reader.write($0) { line, _ in found.append("\(line.bytes)") } }
        reader.finish { line, _ in found.append("\(line.bytes)") }
        #expect(found.count == 3)
        return found.last ?? ""
    }

    @Test(arguments: [
        ("p=1", "1"), ("pp=1&p=2", "2"), ("p", "{$p}"), ("p=", "{$p}"), ("p=a%20b", "a%20b"), ("p=1&p=2", "1"),
        ("q=1&p=x=y", "x=y"), ("P=1", "{$p}"), ("", "{$p}"), ("p=&p=2", "{$p}"), ("p=a\"b", "{$p}"), ("&&p=3&", "3"),
        ("px1&p=2", "2"),
    ])
    func valuesOfAQuery(_ query: String, _ value: String) {
        #expect(Self.line("{$p}/s.ts\n", query) == "\(value)/s.ts" && Self.line("{$p}", query) == value)
    }

    /// All values of a playlist and the line that they are put into have a longest, and past it there is none.
    @Test func whatIsTooLongHasNoValue() {
        // A variable costs a KiB besides, and its name a byte.
        let longest = PlaylistValues.limit - 1024 - 1
        let value = String(repeating: "v", count: longest)
        #expect(PlaylistValues.limit == 262_144 && Self.line("{$p}", "p=" + value) == value)
        #expect(Self.line("{$p}", "p=" + value + "v") == "{$p}")
        let rest = String(repeating: "x", count: 1025)
        #expect(Self.line("{$p}" + rest, "p=" + value) == value + rest)
        #expect(Self.line("{$p}" + rest + "x", "p=" + value) == "{$p}" + rest + "x")
    }

    /// What is remembered ends with the playlist after the next.
    @Test func valuesAreForgotten() {
        var reader = PlaylistReader()
        var counts: [Int] = []
        for (text, isImporting) in [
            ("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"AB\"\n", false), ("#EXT-X-DEFINE:IMPORT=\"a\"\n", true),
            ("#EXT-X-DEFINE:IMPORT=\"a\"\n", true), ("#EXT-X-DEFINE:IMPORT=\"a\"\n", false),
            ("#EXT-X-DEFINE:IMPORT=\"a\"\n", true),
        ] {
            reader.reset(asking: [], of: [], isImporting: isImporting)
            Array("#EXTM3U\n\(text)".utf8).withUnsafeBytes { reader.write($0) }
            reader.finish()
            counts.append(reader.valueBytes)
        }
        #expect(counts == [3, 6, 6, 0, 0])
    }
}
