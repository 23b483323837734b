import ByteScan
import M3U8
import Sideload
import Testing

@testable import surtitle

/// The line that decided a verdict, told from a rewriter's position, against what a reader of every line tells.
@Suite struct DecidingLineTests {
    private static let long = String(repeating: "#EXT-X-VERSION:3\n\n", count: 40)

    private static let texts = [
        "", "#EXTM3U", "#EXTM3U\n", "#EXTM3U\r\n# c\r\n", "hello\n#EXTINF:1,\n", Samples.master, Samples.media,
        Samples.mixed, Samples.undecided, "#EXTM3U\n\(long)uri", "#EXTM3U\n\(long)#EXTINF:1,\n\(long)",
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO\n\(long)#EXT-X-DISCONTINUITY-SEQUENCE",
        "#EXTM3U\n\(long)#EXT-X-ENDLIST\r\n\(long)#EXT-X-I-FRAME-STREAM-INF:URI=\"a\"\r\n#EXTINF:1,",
        "#EXTM3U\n#EXTINF 1,\n#EXT-X-ENDLIST \n", "#EXTM3U\n#EXT-X-GAP \t\n", "#EXTM3U\n#EXT-X-STREAM-INF :\n",
        "\u{FEFF}#EXTM3U x\r\n#EXT-X-GAP\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\r\n#EXT-X-ENDLIST\r",
    ]

    @Test(arguments: texts, ["", "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n"])
    func chunksDoNotShow(_ text: String, _ end: String) throws {
        let bytes = Array((text + end).utf8)
        let facts = PlaylistFacts(of: bytes)
        for size in [1, 2, 3, 7, 16, 61, 64, 100, 10_000] {
            var rewriter = MasterRewriter(try SubtitleTracks([SubtitleTrack(uri: "en.m3u8", name: "en")]))
            var line = DecidingLine()
            for start in stride(from: 0, to: bytes.count, by: size) {
                try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
                    try rewriter.write($0) { _ in }
                    line.note(ByteView($0), decidedAt: rewriter.verdictPosition)
                }
            }
            rewriter.finish { _ in }
            line.note(ByteView(), decidedAt: rewriter.verdictPosition)
            #expect(line.lineCount == facts.lineCount)
            if rewriter.verdict != .notPlaylist { #expect(line.description == facts.kind.decidingLine, "\(size)") }
            #expect(bytes.isEmpty || rewriter.verdict == facts.kind.verdict)
        }
    }
}
