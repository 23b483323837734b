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

    /// The digits of durations are those of whole segments; of parts, if there is nothing else.
    @Test(arguments: [
        ("", 0), ("#EXT-X-PART:DURATION=1.25,URI=\"a\"\n#EXT-X-PART:DURATION=1,URI=\"b\"\n", 2),
        ("#EXT-X-PART:DURATION=1,URI=\"a\"\n#EXT-X-PART:DURATION=1.125,URI=\"b\"\n", 3),
        ("#EXTINF:6.0,\na.ts\n#EXT-X-PART:DURATION=1.125,URI=\"b\"\n", 1),
        ("#EXTINF:6.25,\na.ts\n#EXTINF:6,\nb.ts\n", 2), ("#EXTINF:6,\na.ts\n#EXTINF:6.5,\nb.ts\n", 1),
    ])
    func digitsOfDurations(_ segments: String, _ digits: Int) throws {
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0), map: .none))
        _ = try channel.take(Self.head + "#EXT-X-PART-INF:PART-TARGET=1.25\n" + segments)
        #expect(channel.durationDigits == digits)
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
        // Nothing yet, or nothing any more.
        ("", 0, "ab", .advanced(0...1)), ("", 1, "ab", .advanced(0...2)), ("", 0, "", .unchanged),
        ("abc", 3, "", .unchanged), ("abc", 2, "", .stale),
    ])
    func besideTheOneBefore(_ held: String, _ first: UInt64, _ names: String, _ expected: LiveChange) throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(Self.head + Self.segments(held.map(String.init)))
        let version = Self.head + "#EXT-X-MEDIA-SEQUENCE:\(first)\n" + Self.segments(names.map(String.init))
        #expect(try channel.take(version) == expected)
    }

    /// Parts of the segment that is not whole, and the end.
    @Test(arguments: [
        ("ab1", "ab2", LiveChange.advanced(2...2)), ("ab1", "ab1 ", .unchanged), ("ab1", "ab", .stale),
        ("ab2", "ab1", .stale), ("ab3", "abc", .advanced(2...2)), ("ab", "abc1", .advanced(2...3)),
        ("1", "2", .advanced(0...0)), ("ab", "ab!", .ended), ("ab!", "ab", .stale), ("ab!", "ab! ", .unchanged),
        ("ab!", "abc", .advanced(2...2)), ("ab!", "abc!", .advanced(2...2)), ("ab", "abc!", .ended),
    ])
    func partsAndEnds(_ held: String, _ next: String, _ expected: LiveChange) throws {
        func version(_ text: String) -> String {
            Self.head
                + text.map { letter in
                    switch letter {
                    case "1"..."9":
                        String(repeating: "#EXT-X-PART:DURATION=1,URI=\"p\"\n", count: letter.wholeNumberValue ?? 0)
                    case "!": "#EXT-X-ENDLIST\n"
                    case " ": "# other bytes\n"
                    default: "#EXTINF:6,\n\(letter).ts\n"
                    }
                }.joined()
        }
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(version(held))
        #expect(try channel.take(version(next)) == expected)
    }

    /// Rule 19: what makes two segments differ. The only one that both versions have does, so the stream begins anew.
    @Test(arguments: [
        ("#EXTINF:6,\na.ts\n", "#EXTINF:6,\na.ts\n", false), ("#EXTINF:6,\na.ts\n", "#EXTINF:5,\na.ts\n", true),
        ("#EXTINF:6,\na.ts\n", "#EXTINF:6.000,\na.ts\n", false), ("#EXTINF:6,\na.ts\n", "#EXTINF:6,\na.tS\n", true),
        ("#EXTINF:6,\nx/a.ts?1\n", "#EXTINF:6,\ny/a.ts#2\n", false),
        ("#EXTINF:6,\nx/a\n", "#EXTINF:6,\nx/a/\n", true), ("#EXTINF:6,\na\n", "#EXTINF:6,\nab?x/a\n", true),
        ("#EXT-X-BYTERANGE:5@0\n#EXTINF:6,\na\n", "#EXT-X-BYTERANGE:5@5\n#EXTINF:6,\na\n", true),
        ("\(date)0Z\n#EXTINF:6,\na\n", "\(date)1Z\n#EXTINF:6,\na\n", true),
        ("\(date)0Z\n#EXTINF:6,\na\n", "\(date)0.0Z\n#EXTINF:6,\na\n", false),
        ("\(date)0Z\n#EXTINF:6,\na\n", "#EXTINF:6,\na\n", false),
        ("#EXTINF:6,\na\n", "\(date)1Z\n#EXTINF:6,\na\n", false),
    ])
    func rule19WhatMakesSegmentsDiffer(_ held: String, _ next: String, _ differs: Bool) throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(Self.head + held)
        let change = try channel.take(Self.head + next + "#EXTINF:6,\nnext.ts\n")
        #expect(change == (differs ? .restarted : .advanced(1...1)))
        #expect(channel.notes.contains(.restarted) == differs && !channel.notes.contains(.segmentChanged))
    }
    private static let date = "#EXT-X-PROGRAM-DATE-TIME:2026-11-18T12:26:4"

    /// Rule 19: a segment that is not whole yet differs from none.
    @Test func rule19ASegmentIsCompletedFromParts() throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(Self.head + "#EXT-X-PART:DURATION=1,URI=\"p\"\n")
        #expect(try channel.take(Self.head + "#EXTINF:6,\na.ts\n#EXTINF:6,\nb.ts\n") == .advanced(0...1))
        #expect(!channel.notes.contains(.restarted) && !channel.notes.contains(.segmentChanged))
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

    /// Takes versions of so many segments more, with time stamps that are `ticks` late from the newest segment on.
    private func run(
        _ count: Int, _ ticks: Int64, openParts: Int = 0, _ origin: inout LiveOrigin, _ channel: inout LiveChannel
    ) throws {
        for index in 1...count {
            origin.advance()
            _ = try channel.take(origin.version(openParts: index == count ? openParts : 0))
            let newest = UInt64(origin.segments.count - 1)
            while let want = channel.next() {
                let off = index == count && want.segment == newest ? ticks : 0
                channel.take(mediaStart: UInt64(origin.segments[Int(want.segment)].ticks + off), of: want.segment)
            }
        }
    }

    /// The time stamp at cue time 0 by the map of a segment, of which 33 bits count.
    private func offset(_ channel: borrowing LiveChannel, _ number: UInt64) -> Int64? {
        channel.span(number)?.cues.map.map { (Int64($0.mpegTS) - 90 * $0.local.milliseconds) & ((1 << 33) - 1) }
    }

    /// Rule 15: the new map begins behind what is listed, parts of a segment too.
    @Test(arguments: [0, 2])
    func rule15WhereTheNewMapBegins(_ openParts: Int) throws {
        var origin = Self.origin { ($0.dates, $0.parts) = (.each, 4) }
        var channel = LiveChannel(LiveConfiguration(anchor: .date(Self.begin)))
        try run(51, 9000, openParts: openParts, &origin, &channel)
        #expect(channel.notes.contains(.parted))
        try run(2, 0, &origin, &channel)
        #expect(offset(channel, 50) == 126_000 && offset(channel, 52) == 135_000)
        #expect(offset(channel, 51) == (openParts == 0 ? 135_000 : 126_000))
    }

    /// Rule 15: a new map that has not begun is compared with, and may be replaced.
    @Test(arguments: [(9000, 13_500, 9000), (9000, 13_501, 13_501), (9000, 0, 0), (9000, 4500, 9000)])
    func rule15ANewMapMayBeReplaced(_ first: Int64, _ second: Int64, _ expected: Int64) throws {
        var origin = Self.origin { $0.dates = .each }
        var channel = LiveChannel(LiveConfiguration(anchor: .date(Self.begin)))
        try run(51, first, &origin, &channel)
        channel.take(mediaStart: UInt64(origin.segments[50].ticks + second), of: 50)
        #expect(channel.clocks.count == 2)
        try run(1, 0, &origin, &channel)
        #expect(offset(channel, 50) == 126_000 && offset(channel, 51) == 126_000 + expected)
        // It is asked for as often as before.
        #expect(channel.clocks[1].probed == 50 && channel.clocks[1].due == 100)
    }

    /// Rule 15: a discontinuity where the new map would begin has a clock of its own.
    @Test func rule15ADiscontinuityComesFirst() throws {
        var origin = Self.origin { $0.dates = .each }
        var channel = LiveChannel(LiveConfiguration(anchor: .date(Self.begin)))
        try run(51, 9000, &origin, &channel)
        origin.interrupt(for: 0, ticks: 700_000)
        origin.advance()
        _ = try channel.take(origin.version())
        #expect(channel.clocks.count == 2 && channel.find("51.vtt") == .mediaStart(51))
        _ = channel.probe(origin)
        #expect(offset(channel, 51) == 700_000 - 51 * 6 * 90_000 + (1 << 33) as Int64)
        // Of the time line before nothing is learned any more.
        channel.take(mediaStart: UInt64(origin.segments[50].ticks + 90_000), of: 50)
        #expect(channel.clocks.count == 2 && offset(channel, 50) == 126_000)
    }

    /// Rule 14: a span keeps half of its length, and gets 1000 s more at most; what is left is for the next.
    @Test(
        arguments: [
            (4, [10, 6, 6]), (-2, [4, 6, 6]), (-3, [3, 6, 6]), (-4, [3, 5, 6]), (2500, [1006, 1006, 506]),
        ] as [(Int64, [Int64])])
    func rule14HowMuchASpanIsMoved(_ seconds: Int64, _ lengths: [Int64]) throws {
        var origin = Self.origin()
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0)))
        try run(51, seconds * 90_000, &origin, &channel)
        var start: Int64 = 306
        for length in lengths {
            origin.advance()
            _ = try channel.take(origin.version())
            let cues = try #require(channel.span(UInt64(origin.segments.count - 1))?.cues)
            #expect(cues == CueSpan(start: start * 1_000_000_000, end: (start + length) * 1_000_000_000, map: cues.map))
            start += length
        }
    }

    /// Rule 14: every how many segments a time stamp is asked for, by how exact EXTINF is, or by dates.
    @Test(arguments: [
        (0, LiveOrigin.Dates.none, 1), (1, .none, 1), (2, .none, 5), (3, .none, 50), (4, .none, 100), (6, .none, 100),
        (0, .each, 50), (6, .each, 50),
    ])
    func rule14EveryHowManySegments(_ digits: Int, _ dates: LiveOrigin.Dates, _ count: UInt64) throws {
        var origin = Self.origin { ($0.digits, $0.dates) = (digits, dates) }
        var channel = LiveChannel(LiveConfiguration(anchor: dates == .none ? .segment(0) : .date(Self.begin)))
        for number in 0...count {
            origin.advance()
            _ = try channel.take(origin.version())
            #expect(channel.wants.map(\.segment) == (number == 0 || number == count ? [number] : []), "\(number)")
            _ = channel.probe(origin)
        }
    }

    /// Rule 14: a span is wider by a unit of EXTINF for each segment from the one whose time stamp came last, 100 at most.
    @Test(arguments: [
        (0, 1_000_000_000), (1, 100_000_000), (2, 10_000_000), (3, 0),
    ])
    func rule14HowWideSpansAre(_ digits: Int, _ unit: Int64) throws {
        var origin = Self.origin { ($0.digits, $0.isEvent) = (digits, true) }
        for _ in 0..<103 { origin.advance() }
        for probed in [0, 50] as [UInt64] {
            var channel = LiveChannel(LiveConfiguration(anchor: .segment(0)))
            _ = try channel.take(origin.version())
            channel.take(mediaStart: UInt64(origin.segments[Int(probed)].ticks), of: probed)
            let widths: [(Int64, Int64)] =
                probed == 0 ? [(0, 1), (1, 2), (99, 100), (100, 101), (102, 101)] : [(49, 2), (50, 1), (51, 2)]
            for (number, units) in widths {
                let (start, wide) = (number * 6_000_000_000, units * unit)
                let cues = channel.span(UInt64(number))?.cues
                #expect(cues?.start == start - wide && cues?.end == start + 6_000_000_000 + wide, "\(number)")
            }
        }
    }

    /// Rule 13: the map tells the cue time at which the turn began, in whole milliseconds, and never MPEGTS:0.
    @Test(
        arguments: [
            (126_000, 0, 126_000, 0), (126_000, 95_443, 28, 95_442_318), (0, 0, 90_000, 1000),
            (1 << 33, 0, 90_000, 1000),
            (-900, 0, 8_589_933_692, 0), (-900, 20, 90_000, 1010), (-901, 20, 89, 11), (-899, 20, 1, 10),
        ] as [(Int64, Int64, UInt64, Int64)])
    func rule13TheMapOfATurn(_ offset: Int64, _ start: Int64, _ ticks: UInt64, _ local: Int64) {
        let map = LiveClock.map(offset: offset, at: start * 1_000_000_000)
        #expect(map.mpegTS == ticks && map.local.milliseconds == local)
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

    /// Rule 16: how long the gap may be, in which versions were missed: two target durations for each. If the first
    /// segment tells nothing, the newest does.
    @Test(arguments: [(-2250, true), (-2251, false), (0, true), (6_480_000, true), (6_480_001, false)], [12, 17])
    func rule16HowLongAGapIs(_ gap: (ticks: Int64, isKnown: Bool), _ asked: UInt64) throws {
        let (ticks, isKnown) = gap
        var origin = Self.origin()
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0)))
        for _ in 0..<6 { origin.advance() }
        _ = try channel.take(origin.version())
        _ = channel.probe(origin)
        for _ in 0..<12 { origin.advance() }
        #expect(try channel.take(origin.version()) == .missed(6...11))
        if asked == 17 {
            channel.noMediaStart(of: 12)
            _ = try channel.take(origin.version())
        }
        #expect(channel.wants.map(\.segment) == [asked])
        let seconds = 36 + 6 * Int64(asked - 12)
        channel.take(mediaStart: UInt64(126_000 + seconds * 90_000 + ticks), of: asked)
        #expect(channel.notes.contains(.unknownGap) == !isKnown)
        origin.advance()
        _ = try channel.take(origin.version())
        let late = LiveClock.nanoseconds(ticks)
        for number in 13...18 as ClosedRange<UInt64> {
            let start = Int64(36 + 6 * (number - 12)) * 1_000_000_000 + late
            let span = channel.span(number)
            #expect(span?.isKnown == isKnown && (span?.cues.start == start || !isKnown), "\(number)")
        }
    }

    /// Rule 16: of a gap that is longer than all time only its clock counts.
    @Test func rule16AGapWithoutEnd() throws {
        let first: UInt64 = 1 << 60
        for (asked, ticks, start) in [(first, 126_000 + 46 * 90_000, 46), (first + 1, 126_000 + 52 * 90_000, 46)]
            as [(UInt64, UInt64, Int64)]
        {
            var channel = LiveChannel(LiveConfiguration(anchor: .segment(0)))
            _ = try channel.take(Self.head + Self.segments((0...5).map(String.init), duration: "6.000"))
            channel.take(mediaStart: 126_000, of: 0)
            let version = Self.head + "#EXT-X-MEDIA-SEQUENCE:\(first)\n" + Self.segments(["x", "y"], duration: "6.000")
            #expect(try channel.take(version) == .missed(6...first - 1))
            channel.take(mediaStart: ticks, of: asked)
            #expect(channel.span(first)?.cues.start == start * 1_000_000_000 && !channel.notes.contains(.unknownGap))
        }
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
    @Test(arguments: [(1, 6 + 4), (3, 6 + 4), (6, 12 + 4), (10, 20 + 5)])
    func rule25TwoWindowsAreHeld(_ window: Int, _ past: Int) throws {
        var run = LiveRun(
            Self.origin { ($0.dates, $0.window) = (.each, window) }.kind, anchor: .date(Self.begin), zero: Self.begin)
        var most = 0
        for _ in 0..<60 {
            try run.run(1)
            let first = run.channel.firstHeld
            most = max(most, run.channel.heldSegments)
            for number in first..<(run.channel.listed?.lowerBound ?? first) {
                let start = Int64(number) * 6_000_000_000
                let cues = run.channel.span(number)?.cues
                #expect(cues?.start == start && cues?.end == start + 6_000_000_000, "\(number)")
            }
            guard first > 0 else { continue }
            #expect(run.channel.heldSegments >= window + 2 * max(window, 3))
            guard case .gone = run.channel.find("\(first - 1).vtt") else {
                Issue.record("\(first - 1) is held")
                return
            }
        }
        #expect(most == window + past)
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
