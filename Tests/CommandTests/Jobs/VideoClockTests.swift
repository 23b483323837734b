import Testing
import WebVTT

@testable import surtitle

/// By how much maps differ.
@Suite struct VideoClockTests {
    /// A map's ticks and milliseconds, another's ticks, and how many ticks later cues show by the first.
    @Test(
        arguments: [
            (0, 0, 0, 0), (9, 0, 7, 2), (7, 0, 9, -2), (0, 0, 8_589_934_591, 1), (8_589_934_591, 0, 0, -1),
            (4_294_967_295, 0, 0, 4_294_967_295), (4_294_967_296, 0, 0, -4_294_967_296), (90_000, 1000, 0, 0),
            (0, 1, 0, -90), (0, 10, 9000, -9900),
        ] as [(UInt64, Int64, UInt64, Int64)])
    func delays(_ ticks: UInt64, _ local: Int64, _ other: UInt64, _ delay: Int64) {
        let map = TimestampMap(mpegTS: ticks, local: Timestamp(milliseconds: local))
        #expect(map.delay(after: TimestampMap(mpegTS: other)) == delay)
    }

    @Test(arguments: [(0, "0.000"), (89, "0.000"), (90, "0.001"), (-126_000, "1.400"), (90_000, "1.000")])
    func ticksAreToldAsSeconds(_ ticks: Int64, _ seconds: String) { #expect(TimestampMap.seconds(ticks) == seconds) }

    @Test func withoutAMapCuesShowAsTheyStand() { #expect(TimestampMap.none == TimestampMap(mpegTS: 0)) }
}
