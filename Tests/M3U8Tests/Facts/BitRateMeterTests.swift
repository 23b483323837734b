import ByteScan
import Testing

@testable import M3U8

/// The peak of what segments and EXT-X-BITRATE tell.
@Suite struct BitRateMeterTests {
    /// EXT-X-BITRATE is in kbit/s, of 15 digits at most.
    @Test(
        arguments: [
            ("1500", 1_500_000), (" 1 ", 1000), ("999999999999999", 999_999_999_999_999_000), ("1000000000000000", nil),
            ("99999999999999999999", nil), ("x", nil), ("0", nil),
        ] as [(String, UInt64?)])
    func rates(_ text: String, _ peak: UInt64?) {
        var meter = BitRateMeter()
        Array(text.utf8).withView { meter.noteRate($0) }
        meter.noteSegment(.none, lasting: 6_000_000_000)
        #expect(meter.peak == peak)
    }

    /// Bits per second, rounded up, of so many bytes in so many nanoseconds.
    @Test(
        arguments: [
            (1, 8_000_000_000, 1), (1, 8_000_000_001, 1), (1, 7_999_999_999, 2), (1, 4_000_000_000, 2),
            (750_000, 6_000_000_000, 1_000_000), (750_001, 6_000_000_000, 1_000_002), (1, .max, 1), (0, 1, nil),
            (1, 0, nil),
            // What does not fit into 64 bits is the most that does, rounded or not.
            (.max, 1, .max), (.max, 7_999_999_999, .max), (.max, 8_000_000_000, .max),
            (.max, 8_000_000_001, 18_446_744_071_403_708_607), (18_446_744_071_403_708_606, 7_999_999_999, .max),
            // Remainders of 64 bits.
            (.max, .max, 8_000_000_000), (.max - 1, .max, 8_000_000_000), (.max, 1 << 63 + 1, 16_000_000_000),
        ] as [(UInt64, UInt64, UInt64?)])
    func bitsPerSecond(_ bytes: UInt64, _ nanoseconds: UInt64, _ peak: UInt64?) {
        var meter = BitRateMeter()
        meter.noteSegment(byteCount: bytes, lasting: nanoseconds)
        #expect(meter.peak == peak)
    }

    /// Segments of half the target duration and more count, shorter ones only where there is no other.
    @Test(
        arguments: [
            (10, [(5, 3)], 3), (10, [(5, 3), (4, 9)], 3), (10, [(4, 9), (5, 3)], 3), (10, [(4, 9)], 9),
            (10, [(4, 2), (3, 9), (1, 4)], 9), (10, [(10, 2), (5, 9), (20, 4)], 9), (11, [(5, 9), (6, 1)], 1),
            (0, [(1, 2), (6, 1)], 2), (10, [(10, 0), (1, 5)], 5), (10, [], nil),
        ] as [(UInt64, [(seconds: UInt64, rate: UInt64)], UInt64?)])
    func thePeak(_ target: UInt64, _ segments: [(seconds: UInt64, rate: UInt64)], _ peak: UInt64?) {
        var meter = BitRateMeter()
        meter.target = target * 1_000_000_000
        for segment in segments {
            // So many bytes are the rate in bits per second.
            meter.noteSegment(byteCount: segment.rate * segment.seconds, lasting: segment.seconds * 1_000_000_000)
        }
        #expect(meter.peak == peak.map { 8 * $0 })
    }

    /// A byte range tells more than EXT-X-BITRATE, which counts until it is said anew, or has no meaning.
    @Test(
        arguments: [
            ("#EXT-X-BITRATE:5\n#EXTINF:8,\na\n", 5000), ("#EXT-X-BYTERANGE:7@0\n#EXTINF:8,\na\n", 7),
            ("#EXT-X-BITRATE:5\n#EXT-X-BYTERANGE:7@0\n#EXTINF:8,\na\n", 7),
            ("#EXT-X-BITRATE:5\n#EXT-X-BYTERANGE:7@0\n#EXTINF:8,\na\n#EXTINF:8,\nb\n", 5000),
            ("#EXT-X-BITRATE:5\n#EXT-X-BYTERANGE:x\n#EXTINF:8,\na\n", 5000),
            ("#EXT-X-BITRATE:5\n#EXT-X-BITRATE:x\n#EXTINF:8,\na\n", nil),
            ("#EXT-X-BITRATE:5\n#EXTINF:0,\na\n", nil), ("#EXT-X-BYTERANGE:7@0\n#EXTINF:0,\na\n", nil),
            ("#EXT-X-TARGETDURATION:8\n#EXT-X-BITRATE:9\n#EXTINF:3,\na\n#EXT-X-BITRATE:5\n#EXTINF:4,\na\n", 5000),
            ("#EXT-X-TARGETDURATION:x\n#EXT-X-BITRATE:9\n#EXTINF:3,\na\n#EXT-X-BITRATE:5\n#EXTINF:4,\na\n", 9000),
        ] as [(String, UInt64?)])
    func ofAPlaylist(_ lines: String, _ peak: UInt64?) {
        let text = Array("#EXTM3U\n\(lines)".utf8)
        #expect(PlaylistFacts(of: text, asking: .bitRate).peak == peak)
        #expect(PlaylistFacts(of: text, asking: .timelines).peak == nil)
    }
}
