import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// A day of versions: how far cues and spans are off, how many time stamps are asked for, how much is held.
@Suite(.serialized)
struct LiveDayTests {
    private static let begin: Int64 = 1_795_000_000_000_000_000

    struct Day: Sendable {
        var name: String
        var seconds: Int64
        var digits: Int
        var dates: LiveOrigin.Dates
        var gain: Int64 = 0
        var discontinuity: Int?
        var tolerance = 50.0
    }

    static let days: [Day] = [
        Day(name: "6 s, milliseconds, dates", seconds: 6, digits: 3, dates: .each),
        Day(name: "6 s, milliseconds, none", seconds: 6, digits: 3, dates: .none),
        Day(name: "2 s, milliseconds, none", seconds: 2, digits: 3, dates: .none),
        Day(name: "6 s, tenths, dates", seconds: 6, digits: 1, dates: .each),
        Day(name: "6 s, tenths, none", seconds: 6, digits: 1, dates: .none, tolerance: 200),
        Day(name: "2 s, whole, none", seconds: 2, digits: 0, dates: .none, tolerance: 1100),
        Day(name: "6 s, 50 ppm", seconds: 6, digits: 3, dates: .each, gain: 50, tolerance: 70),
        Day(name: "6 s, discontinuities", seconds: 6, digits: 3, dates: .each, discontinuity: 300),
        Day(name: "6 s, discontinuities, none", seconds: 6, digits: 3, dates: .none, discontinuity: 300),
        // What EXTINF is off by, from the last time stamp to the discontinuity, must not add up.
        Day(name: "6 s, many discontinuities, none", seconds: 6, digits: 3, dates: .none, discontinuity: 47),
    ]

    @Test(arguments: days)
    func aDayOfVersions(_ day: Day) throws {
        var kind = LiveOrigin.Kind()
        // Not whole milliseconds.
        kind.durations =
            day.seconds == 6 ? [6_006_400_000, 6_005_733_333, 5_989_200_000] : [2_002_000_133, 1_998_400_100]
        (kind.digits, kind.dates, kind.gain, kind.discontinuity) = (day.digits, day.dates, day.gain, day.discontinuity)
        // The clock wraps in the middle of the day, where it does not begin anew.
        kind.firstTicks = (1 << 33) - 12 * 3600 * 90_000
        var run = LiveRun(
            kind, anchor: day.dates == .none ? .segment(0) : .date(Self.begin), zero: Self.begin)
        run.tolerance = (day.tolerance, day.tolerance)
        let count = Int((isLong ? 86_400 : 3600) / day.seconds)
        var held = 0
        for index in 0..<count {
            try run.run(1, checksTimes: index % (isLong ? 97 : 7) == 0)
            if index == 60 { held = run.channel.heldBytes }
        }
        #expect(run.channel.heldBytes <= 48 * run.channel.heldSegments + 256, "\(run.channel.heldBytes)")
        #expect(run.channel.heldBytes <= held + held / 2, "\(run.channel.heldBytes) after \(held)")
        if day.digits == 3, day.discontinuity == nil { #expect(run.probes <= count / 48 + 2, "\(run.probes)") }
    }
}
