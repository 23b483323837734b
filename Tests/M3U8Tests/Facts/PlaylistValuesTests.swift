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
}
