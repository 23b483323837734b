import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// The last value that counts and the first that does not, where rules have a number.
struct LiveBoundaryTests {
    private static let begin: Int64 = 1_795_000_000_000_000_000
    private static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"

    private static func origin(_ change: (inout LiveOrigin.Kind) -> Void = { _ in }) -> LiveOrigin {
        var kind = LiveOrigin.Kind()
        (kind.dates, kind.durations) = (.none, [6_000_000_000])
        change(&kind)
        return LiveOrigin(kind)
    }

    private static func segments(_ names: some Sequence<String>, duration: String = "6") -> String {
        names.map { "#EXTINF:\(duration),\n\($0).ts\n" }.joined()
    }

    private func restored(_ channel: borrowing LiveChannel) throws -> LiveChannel {
        var (saved, again): ([UInt8], [UInt8]) = ([], [])
        try channel.save(into: &saved)
        let other = try LiveChannel(restoring: saved.span.bytes, channel.configuration)
        try other.save(into: &again)
        #expect(saved == again && other.playlist() == channel.playlist())
        return other
    }

    // Numbers and durations of a playlist.

    /// The first number may have 62 bits, and those that follow it more: all have names, and are restored.
    @Test func numbersGoOnBehind62Bits() throws {
        let first: UInt64 = 1 << 62 - 1
        let head = Self.head + "#EXT-X-MEDIA-SEQUENCE:\(first)\n#EXT-X-DISCONTINUITY-SEQUENCE:\(first)\n"
        let rest = "#EXT-X-DISCONTINUITY\n" + Self.segments(["c"], duration: "06.0")
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(first)))
        #expect(try channel.take(head + Self.segments(["a", "b"]) + rest) == .first)
        while let want = channel.next() { channel.take(mediaStart: 900_000, of: want.segment) }
        channel = try restored(channel)
        #expect(LiveListing(channel.playlist()).segments.map(\.duration) == ["6", "6", "06.0"])
        #expect(channel.span(first + 2)?.isKnown == true && channel.find("\(first + 5).vtt") != .notOurs)
        #expect(channel.find("\(first + 6).vtt") == .notOurs && channel.find("\(UInt64.max).vtt") == .notOurs)
        // Of a delta update the body begins behind it.
        let more = Self.segments(["d"])
        #expect(
            try channel.take(head + "#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n" + rest + more)
                == .advanced(first + 3...first + 3))
        channel = try restored(channel)
        // A stale edge lists what has slid out, and its discontinuities count.
        let later = Self.head + "#EXT-X-MEDIA-SEQUENCE:\(first + 0)\n#EXT-X-DISCONTINUITY-SEQUENCE:\(first)\n"
        #expect(
            try channel.take(later + Self.segments(["a", "b"]) + rest + more + Self.segments(["e"]))
                == .advanced(first + 4...first + 4))
        channel = try restored(channel)
        // Another life, once it goes on.
        let life = "#EXT-X-DISCONTINUITY\n" + Self.segments(["x", "y"])
        #expect(try channel.take(Self.head + life) == .suspect)
        channel = try restored(channel)
        #expect(throws: LiveError(reason: .malformedNumber, position: 32)) {
            try channel.take(Self.head + "#EXT-X-MEDIA-SEQUENCE:\(first + 1)\n" + Self.segments(["a"]))
        }
    }

    @Test(arguments: ["#EXTINF:?,\na.ts\n", "#EXT-X-PART:DURATION=?,URI=\"a\"\n#EXTINF:6,\na.ts\n"])
    func thirteenDaysAreTheLongest(_ lines: String) throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(Self.head + lines.replacing("?", with: "1125899.906842623"))
        #expect(channel.playlist().contains("1125899.906842623"))
        channel = try restored(channel)
        #expect(throws: LiveError(reason: .malformedDuration, position: 32)) {
            try channel.take(Self.head + lines.replacing("?", with: "1125899.906842624"))
        }
    }

    /// Whatever the limits are, what a channel comes to is restored.
    @Test(arguments: [1, 2, 3, 4, 9, .max])
    func whatTheLimitsAllowIsRestored(_ limit: Int) throws {
        var origin = Self.origin { ($0.window, $0.discontinuity, $0.durations) = (min(limit, 12), 1, [6_400_000_000]) }
        let limits = LiveLimits(playlist: .max, segments: limit, parts: .max, text: .max, state: .max)
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0), limits: limits))
        for _ in 0..<60 {
            origin.advance()
            _ = try channel.take(origin.version())
            _ = channel.probe(origin)
            channel = try restored(channel)
        }
    }

    // What a version is.

    @Test(arguments: [
        // More than half of what both have must differ.
        ("abcd", 0, "abXYe", LiveChange.advanced(4...4)), ("abcd", 0, "aXYZe", .restarted),
        ("abc", 0, "abXd", .advanced(3...3)), ("abc", 0, "aXYd", .restarted), ("a", 0, "Xb", .restarted),
        // Where the next one begins.
        ("abc", 3, "d", .advanced(3...3)), ("abc", 4, "e", .missed(3...3)), ("abc", 2, "cd", .advanced(3...3)),
        ("abc", 1, "b", .stale), ("abc", 0, "ab", .stale), ("abc", 0, "abc", .unchanged),
    ])
    func besideTheOneBefore(_ held: String, _ first: UInt64, _ names: String, _ expected: LiveChange) throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(Self.head + Self.segments(held.map(String.init)))
        let version = Self.head + "#EXT-X-MEDIA-SEQUENCE:\(first)\n" + Self.segments(names.map(String.init))
        #expect(try channel.take(version) == expected)
    }

    /// What has nothing in common begins anew if the next version goes on from it.
    @Test(arguments: [
        (3, "DE", LiveChange.restarted), (2, "CD", .restarted), (2, "XD", .suspect), (4, "E", .suspect),
        (1, "BC", .suspect),
    ])
    func behindASuspect(_ first: UInt64, _ names: String, _ expected: LiveChange) throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        func version(_ first: UInt64, _ names: String) -> String {
            Self.head + "#EXT-X-MEDIA-SEQUENCE:\(first)\n" + Self.segments(names.map(String.init))
        }
        _ = try channel.take(version(50, "abc"))
        #expect(try channel.take(version(0, "ABC")) == .suspect)
        #expect(try channel.take(version(first, names)) == expected)
    }

    @Test(arguments: [
        (0, 3, "d", LiveChange.advanced(3...3)), (1, 2, "d", .advanced(3...3)), (0, 4, "e", .needsFull),
        (0, 0, "abcd", .needsFull),
        (2, 1, "d", .advanced(3...3)), (3, 1, "e", .needsFull),
    ])
    func deltasOfWhatIsHeld(_ first: UInt64, _ skipped: Int, _ names: String, _ expected: LiveChange) throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(Self.head + Self.segments(["a", "b", "c"]))
        let delta = "#EXT-X-MEDIA-SEQUENCE:\(first)\n#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n"
        #expect(try channel.take(Self.head + delta + Self.segments(names.map(String.init))) == expected)
    }

    // Times.

    /// Rule 15: dates and media part by more than 50 ms.
    @Test(arguments: [(4500, false), (4501, true), (-4500, false), (-4501, true)])
    func rule15FiftyMilliseconds(_ ticks: Int64, _ parts: Bool) throws {
        var origin = Self.origin { $0.dates = .each }
        var channel = LiveChannel(LiveConfiguration(anchor: .date(Self.begin)))
        for _ in 0..<51 {
            origin.advance()
            _ = try channel.take(origin.version())
            while let want = channel.next() {
                let off = want.segment >= 50 ? ticks : 0
                channel.take(mediaStart: UInt64(origin.segments[Int(want.segment)].ticks + off), of: want.segment)
            }
        }
        #expect(channel.notes.contains(.parted) == parts)
    }

    /// Rule 14: without dates the next span ends later by what a time stamp is off, from 25 ms on.
    @Test(arguments: [(2250, 0), (2251, 2251), (-2250, 0), (-2251, -2251)])
    func rule14TwentyFiveMilliseconds(_ ticks: Int64, _ moved: Int64) throws {
        var origin = Self.origin()
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0)))
        for _ in 0..<52 {
            origin.advance()
            _ = try channel.take(origin.version())
            while let want = channel.next() {
                let off = want.segment >= 50 ? ticks : 0
                channel.take(mediaStart: UInt64(origin.segments[Int(want.segment)].ticks + off), of: want.segment)
            }
        }
        let cues = try #require(channel.span(51)?.cues)
        #expect(cues.start == 306_000_000_000)
        #expect(cues.end == 312_000_000_000 + LiveClock.nanoseconds(moved) / 1000 * 1000)
    }

    /// Rule 16: how long the gap may be, in which versions were missed: two target durations for each.
    @Test(arguments: [(-2250, true), (-2251, false), (0, true), (6_480_000, true), (6_480_001, false)])
    func rule16HowLongAGapIs(_ ticks: Int64, _ isKnown: Bool) throws {
        var origin = Self.origin()
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0)))
        for _ in 0..<6 { origin.advance() }
        _ = try channel.take(origin.version())
        _ = channel.probe(origin)
        for _ in 0..<12 { origin.advance() }
        #expect(try channel.take(origin.version()) == .missed(6...11))
        #expect(channel.next()?.segment == 12)
        channel.take(mediaStart: UInt64(126_000 + 36 * 90_000 + ticks), of: 12)
        #expect(channel.span(12)?.isKnown == isKnown && channel.notes.contains(.unknownGap) == !isKnown)
    }

    /// Of what was missed nothing is held if that is more than two windows.
    @Test(arguments: [(12, 12), (13, 0)])
    func whatIsHeldOfWhatWasMissed(_ missed: Int, _ held: Int) throws {
        var origin = Self.origin()
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0)))
        for _ in 0..<6 { origin.advance() }
        _ = try channel.take(origin.version())
        for _ in 0..<(6 + missed) { origin.advance() }
        _ = try channel.take(origin.version())
        #expect(channel.heldSegments == 6 + held)
        #expect(channel.firstHeld == UInt64(6 + missed - held))
    }

    /// Rule 25: what slid out is held for two windows, and a quarter of that more at times.
    @Test func rule25TwoWindowsAreHeld() throws {
        var run = LiveRun(LiveOrigin.Kind(), anchor: .date(Self.begin), zero: Self.begin)
        var most = 0
        for _ in 0..<60 {
            try run.run(1)
            let first = run.channel.firstHeld
            most = max(most, run.channel.heldSegments)
            guard first > 0 else { continue }
            #expect(run.channel.heldSegments >= 18 && run.channel.span(first)?.isKnown == true)
            guard case .gone = run.channel.find("\(first - 1).vtt") else {
                Issue.record("\(first - 1) is held")
                return
            }
        }
        #expect(most == 6 + 12 + 4)
    }

    /// Four time stamps are wanted at a time.
    @Test func fourAreWantedAtATime() throws {
        var origin = Self.origin { $0.discontinuity = 1 }
        for _ in 0..<6 { origin.advance() }
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0)))
        _ = try channel.take(origin.version())
        #expect(channel.wants.map(\.segment) == [0, 1, 2, 3])
        #expect(channel.probe(origin) == 4)
        _ = try channel.take(origin.version())
        #expect(channel.wants.map(\.segment) == [4, 5])
    }

    /// Rule 17: another try when 20 segments have come.
    @Test func rule17TwentySegmentsLater() throws {
        var origin = Self.origin()
        for _ in 0..<6 { origin.advance() }
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0)))
        for _ in 0..<3 {
            _ = try channel.take(origin.version())
            let wanted = channel.next()
            channel.noMediaStart(of: try #require(wanted).segment)
        }
        #expect(channel.notes.contains(.noTimestamp))
        for count in 7...27 {
            origin.advance()
            _ = try channel.take(origin.version())
            #expect((channel.next() != nil) == (count == 27), "\(count)")
        }
    }

    /// Parts that are waited for: of the next three segments, and not without end.
    @Test func namesThatMayComeAreFew() throws {
        var origin = Self.origin { $0.parts = 4 }
        for _ in 0..<6 { origin.advance() }
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0), map: .none))
        _ = try channel.take(origin.version(openParts: 2))
        for (name, isAwaited) in [
            ("6.1", false), ("6.2", true), ("6.9999", true), ("6.10000", false), ("8.0", true), ("8", true),
            ("9", false), ("9.0", false),
            ("5.3", false), ("5.4", false),
        ] {
            let place = channel.find("\(name).vtt")
            if case .wait = place { #expect(isAwaited, "\(name)") } else { #expect(!isAwaited, "\(name)") }
        }
    }

    /// The turn of a time stamp is the nearest.
    @Test func halfATurnIsOneBack() {
        let (turn, half): (Int64, Int64) = (1 << 33, 1 << 32)
        for expected in [0, 5, half, turn - 1, turn, 7 * turn + 3, -1, -turn - 9] as [Int64] {
            for (distance, found) in [
                (0, 0), (half - 1, half - 1), (half, -half), (half + 1, 1 - half), (turn - 1, -1),
            ] {
                let ticks = UInt64((expected + distance) & (turn - 1))
                #expect(LiveClock.unwrap(ticks, near: expected) == expected + found)
                #expect(LiveClock.unwrap(ticks + UInt64(turn), near: expected) == expected + found)
            }
        }
        for (nanoseconds, ticks) in [(5555, 0), (5556, 1), (-5555, 0), (-5556, -1), (1_000_005_556, 90_001)]
            as [(Int64, Int64)]
        {
            #expect(LiveClock.ticks(nanoseconds) == ticks)
        }
        for time in [0, 1, -1, 89_999, 90_001, -90_001, 1 << 45] as [Int64] {
            #expect(LiveClock.ticks(LiveClock.nanoseconds(time)) == time)
        }
    }
}
