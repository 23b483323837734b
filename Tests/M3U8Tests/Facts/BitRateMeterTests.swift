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
}
