import Testing

@testable import surtitle

/// The bit rate of a playlist by the sizes of its segments.
@Suite struct SegmentSizesTests {
    /// A segment of less than half the target duration counts only if there is no other.
    @Test(
        arguments: [
            ("#EXT-X-TARGETDURATION:8\n#EXTINF:4,\na\n#EXTINF:1,\nb\n", 2000),
            ("#EXT-X-TARGETDURATION:2\n#EXTINF:4,\na\n#EXTINF:1,\nb\n", 4000),
            ("#EXT-X-TARGETDURATION:x\n#EXTINF:4,\na\n#EXTINF:1,\nb\n", 4000),
            ("#EXT-X-TARGETDURATION:8\n#EXTINF:1,\nb\n", 4000), ("#EXTINF:4,\na\nb\n", 2000), ("a\n", nil),
            ("#EXTINF:4,\ngone\n#EXTINF:1,\nhttp://h/a\n", nil), ("#EXTINF:x,\na\n", nil), ("#EXTINF:3,\nb \t\n", 1334),
        ] as [(String, UInt64?)])
    func peaks(_ lines: String, _ peak: UInt64?) throws {
        let scratch = try Scratch()
        try scratch.write("a", [UInt8](repeating: 0, count: 1000))
        try scratch.write("b", [UInt8](repeating: 0, count: 500))
        let path = scratch.folder.appendingPathComponent("v.m3u8").path
        #expect(SegmentSizes.peak(of: Array("#EXTM3U\n\(lines)".utf8), at: path) == peak)
    }
}
