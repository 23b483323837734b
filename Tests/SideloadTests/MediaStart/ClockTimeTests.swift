import Testing

@testable import Sideload

/// Times on a clock that wraps.
@Suite struct ClockTimeTests {
    /// A time, how far it is to another, and whether it is before that.
    @Test(
        arguments: [0, 1, 5_000_000_000, 1 << 33 - 1] as [UInt64],
        [
            (0, false), (1, true), (1 << 32 - 1, true), (1 << 32, false), (1 << 33 - 1, false),
        ] as [(UInt64, Bool)])
    func order(ticks: UInt64, row: (distance: UInt64, isBefore: Bool)) {
        let (time, other) = (ClockTime(ticks), ClockTime(ticks + row.distance))
        #expect(other.ticks < 1 << 33 && time.isBefore(other) == row.isBefore)
        #expect(other.orEarlier(time) == (row.isBefore ? time : other) && other.orEarlier(nil) == other)
    }

    /// Units, how many of them are a second, and the nearest tick.
    @Test(
        arguments: [
            (0, 1, 0), (1, 1, 90_000), (-1, 1, 1 << 33 - 90_000), (1, 180_000, 1), (1, 180_001, 0), (-1, 180_000, 0),
            (-1, 179_999, 1 << 33 - 1), (3, 180_000, 2), (1_024, 44_100, 2_090), (7, 0, nil),
        ] as [(Int64, UInt32, UInt64?)])
    func ofUnits(units: Int64, timescale: UInt32, ticks: UInt64?) {
        #expect(ClockTime(units: units, timescale: timescale)?.ticks == ticks)
    }
}
