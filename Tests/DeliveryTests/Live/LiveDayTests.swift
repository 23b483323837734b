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
        var durations: [Int64]?
        var gain: Int64 = 0
        var discontinuity: Int?
        /// How far cues may be off, in milliseconds, and the middle of spans.
        var cue = 50.0
        var span = 50.0
    }

    // What EXTINF rounds moves no cue: the map of a time line is made of one time stamp, and stays. It moves spans. The
    // end of a span is told when its segment is listed, and the newest time stamp is that of the segment before: so the
    // EXTINF of two segments is in it, each rounded by half a unit, and only media that nobody has yet could tell more.
    // That is 2 x 50 ms at tenths, 2 x 500 ms at whole seconds, and 25 ms that are not corrected. So such spans are
    // widened, and `LiveRun` finds out whether all of a segment is in its span.

    static let days: [Day] = [
        Day(name: "6 s, milliseconds, dates", seconds: 6, digits: 3, dates: .each),
        Day(name: "6 s, milliseconds, none", seconds: 6, digits: 3, dates: .none),
        Day(name: "2 s, milliseconds, none", seconds: 2, digits: 3, dates: .none),
        Day(name: "6 s, tenths, dates", seconds: 6, digits: 1, dates: .each),
        Day(name: "6 s, tenths, none", seconds: 6, digits: 1, dates: .none),
        Day(
            name: "tenths at their worst, none", seconds: 6, digits: 1, dates: .none,
            durations: [6_449_000_000, 6_449_000_000, 5_551_000_000, 5_551_000_000], span: 125),
        Day(name: "2 s, whole, none", seconds: 2, digits: 0, dates: .none),
        Day(
            name: "whole seconds at their worst, none", seconds: 2, digits: 0, dates: .none,
            durations: [2_490_000_000, 2_490_000_000, 1_510_000_000, 1_510_000_000], span: 1025),
        Day(name: "2 s, whole, dates", seconds: 2, digits: 0, dates: .each),
        Day(name: "6 s, 50 ppm", seconds: 6, digits: 3, dates: .each, gain: 50, cue: 70),
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
            day.durations
            ?? (day.seconds == 6 ? [6_006_400_000, 6_005_733_333, 5_989_200_000] : [2_002_000_133, 1_998_400_100])
        (kind.digits, kind.dates, kind.gain, kind.discontinuity) = (day.digits, day.dates, day.gain, day.discontinuity)
        // The clock wraps in the middle of the day, where it does not begin anew.
        kind.firstTicks = (1 << 33) - 12 * 3600 * 90_000
        var run = LiveRun(
            kind, anchor: day.dates == .none ? .segment(0) : .date(Self.begin), zero: Self.begin)
        run.tolerance = (day.cue, day.span)
        let count = Int((isLong ? 86_400 : 3600) / day.seconds)
        var held = 0
        for index in 0..<count {
            try run.run(1, checksTimes: index % (isLong ? 97 : 7) == 0)
            if index == 60 { held = run.channel.heldBytes }
        }
        #expect(run.channel.heldBytes <= 48 * run.channel.heldSegments + 256, "\(run.channel.heldBytes)")
        #expect(run.channel.heldBytes <= held + held / 2, "\(run.channel.heldBytes) after \(held)")
        var saved: [UInt8] = []
        try run.channel.save(into: &saved)
        #expect(saved.count <= 1024 + 16 * run.channel.heldSegments, "\(saved.count)")
        // 289 at 6 s.
        if day.digits == 3, day.discontinuity == nil { #expect(run.probes <= count / 50 + 1, "\(run.probes)") }
    }

    /// With a map that was given, nothing is read of the video. Without dates nothing but EXTINF tells then when a segment
    /// is, and what it rounds adds up: of 6.0064 s, 6.4 ms a segment at tenths and 0.4 ms at milliseconds.
    @Test(arguments: [(1, 6.4), (3, 0.4), (4, 0.0)])
    func withoutDatesAndTimeStampsRoundingsAddUp(_ digits: Int, _ milliseconds: Double) throws {
        var kind = LiveOrigin.Kind()
        (kind.durations, kind.digits, kind.dates, kind.firstTicks) = ([6_006_400_000], digits, .none, 0)
        var run = LiveRun(kind, anchor: .segment(0), zero: Self.begin, map: .given(TimestampMap(mpegTS: 0)))
        run.seesTime = false
        try run.run(600)
        let start = try #require(run.channel.span(599)?.cues.start)
        let off = Double(run.origin.segments[599].start - Self.begin - start) / 1e6
        #expect(abs(off - 599 * milliseconds) < 0.001 && run.probes == 0)
    }
}
