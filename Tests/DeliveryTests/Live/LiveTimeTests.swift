import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// Rules 12 to 17: when segments are, and their maps.
struct LiveTimeTests {
    static let begin: Int64 = 1_795_000_000_000_000_000

    static func kind(_ change: (inout LiveOrigin.Kind) -> Void) -> LiveOrigin.Kind {
        var kind = LiveOrigin.Kind()
        change(&kind)
        return kind
    }

    @Test(arguments: [
        kind { _ in },
        kind { $0.dates = .firstListed },
        kind { $0.discontinuity = 10 },
        kind { ($0.discontinuity, $0.hasDiscontinuitySequence) = (3, false) },
        kind { ($0.firstTicks, $0.durations) = ((1 << 33) - 900_000, [2_000_000_000]) },
        kind { ($0.firstNumber, $0.zone, $0.window) = (1 << 40, "+05:30", 3) },
        kind { ($0.durations, $0.digits) = ([5_966_633_333, 6_000_000_000, 2_123_456_789], 6) },
    ])
    func rule12SpansFollowDates(_ kind: LiveOrigin.Kind) throws {
        var run = LiveRun(kind, anchor: .date(Self.begin - 3_600_000_000_000), zero: Self.begin - 3_600_000_000_000)
        run.tolerance = (2, 2)
        try run.run(60)
    }

    @Test(arguments: [
        kind { $0.dates = .none },
        kind { ($0.dates, $0.discontinuity) = (.none, 7) },
        kind { ($0.dates, $0.durations, $0.digits) = (.none, [5_966_633_333, 6_000_000_000], 6) },
        kind { ($0.dates, $0.isEvent) = (.none, true) },
    ])
    func rule12SpansFollowTheAnchorSegment(_ kind: LiveOrigin.Kind) throws {
        var run = LiveRun(kind, anchor: kind.isEvent ? .automatic : .segment(0), zero: Self.begin)
        try run.run(60)
    }

    @Test func rule12ALaterDateTellsOfEarlierSegments() throws {
        var channel = LiveChannel(LiveConfiguration(anchor: .date(Self.begin), map: .none))
        _ = try channel.take(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-MEDIA-SEQUENCE:5
            #EXTINF:6,
            a5.ts
            #EXTINF:4,
            a6.ts
            #EXT-X-PROGRAM-DATE-TIME:\(LiveOrigin.date(Self.begin + 20_000_000_000))
            #EXTINF:6,
            a7.ts

            """)
        #expect(channel.span(5)?.cues == CueSpan(start: 10_000_000_000, end: 16_000_000_000))
        #expect(channel.span(6)?.cues == CueSpan(start: 16_000_000_000, end: 20_000_000_000))
        #expect(channel.span(7)?.cues == CueSpan(start: 20_000_000_000, end: 26_000_000_000))
    }

    @Test(arguments: [
        "2026-11-18T12:26:40", "2026-11-18T12:26:40Z", "2026-11-18 12:26:40.000Z", "2026-11-18T14:26:40+02",
    ])
    func rule12ADateWithoutAZoneIsUTC(_ date: String) throws {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF:6,\na.ts\n"
        var channel = LiveChannel(LiveConfiguration(anchor: .date(1_795_004_800_000_000_000), map: .none))
        _ = try channel.take(text)
        #expect(channel.span(0)?.cues.start == 0)
        #expect(channel.notes.contains(.dateWithoutZone) == (date == "2026-11-18T12:26:40"))
        #expect(channel.playlist().contains("DATE-TIME:\(date)\n"))
    }

    @Test(arguments: ["", "2026-13-01T00:00:00Z", "today"])
    func rule12AMalformedDateIsNone(_ date: String) throws {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF:6,\na.ts\n"
        var channel = LiveChannel(LiveConfiguration(anchor: .date(Self.begin), map: .none))
        _ = try channel.take(text)
        #expect(channel.notes.contains(.malformedDate))
        #expect(channel.span(0)?.isKnown == false)
        // What has been noted stays, whatever later versions have.
        _ = try channel.take("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:6,\nb.ts\n")
        #expect(channel.firstHeld == 0 && channel.notes.contains(.malformedDate))
    }

    @Test func rule13TheMapOfATimeLineNeverChanges() throws {
        var kind = LiveOrigin.Kind()
        (kind.dates, kind.durations, kind.digits) = (.none, [5_966_633_333, 6_012_000_000], 3)
        var run = LiveRun(kind, anchor: .segment(0), zero: Self.begin)
        var maps: Set<String> = []
        for _ in 0..<300 {
            try run.run(1)
            for number in run.channel.listed.map(Array.init) ?? [] {
                let map = try #require(run.channel.span(number)?.cues.map)
                maps.insert(String(decoding: map.headerLine, as: UTF8.self))
            }
        }
        #expect(maps.count == 1)
    }

    @Test func rule13TheOldestSegmentOfATimeLineIsAskedFirst() throws {
        var kind = LiveOrigin.Kind()
        kind.discontinuity = 8
        var origin = LiveOrigin(kind)
        for _ in 0..<10 { origin.advance() }
        var channel = LiveChannel(LiveConfiguration(anchor: .date(Self.begin)))
        _ = try channel.take(origin.version())
        var asked: [UInt64] = []
        while let want = channel.next() {
            asked.append(want.segment)
            channel.take(mediaStart: 0, of: want.segment)
        }
        #expect(asked == [4, 8])
    }

    @Test func rule13TheClockWraps() throws {
        // Two turns, with segments of 90 s.
        var kind = LiveOrigin.Kind()
        (kind.durations, kind.dates) = ([90_000_000_000], .none)
        var run = LiveRun(kind, anchor: .segment(0), zero: Self.begin)
        try run.run(2300)
        let map = try #require(run.channel.span(2299)?.cues.map)
        #expect(map.mpegTS < 90 && map.local.milliseconds > 90_000_000 && map.local.milliseconds < 191_000_000)
    }

    @Test func rule14DriftMovesSpansAndNotMaps() throws {
        // A segment is 6.0064 s and says 6.006: after 50 of them 20 ms, after 100 40 ms.
        var kind = LiveOrigin.Kind()
        (kind.durations, kind.digits, kind.dates) = ([6_006_400_000], 3, .none)
        var run = LiveRun(kind, anchor: .segment(0), zero: Self.begin)
        try run.run(1000)
        #expect(run.worst.span > 15 && run.worst.cue < 1)
        #expect(run.probes <= 1 + 1000 / 50)
    }

    @Test(arguments: [(6, 0.012), (3, 0.022), (2, 0.22), (1, 1.02), (0, 1.02)])
    func rule14HowOftenTimeStampsAreAskedFor(digits: Int, share: Double) throws {
        var kind = LiveOrigin.Kind()
        (kind.durations, kind.digits, kind.dates) = ([6_004_400_000], digits, .none)
        var run = LiveRun(kind, anchor: .segment(0), zero: Self.begin)
        run.tolerance.span = 500
        try run.run(500)
        #expect(Double(run.probes) <= 500 * share + 1 && Double(run.probes) > 500 * share * 0.7)
    }

    @Test(arguments: [0, 1, 2])
    func rule14WidenedSpansLoseNoCue(digits: Int) throws {
        // Every second has a cue; each must be in the segment in which it is really shown.
        var kind = LiveOrigin.Kind()
        (kind.durations, kind.digits, kind.dates) = ([6_440_000_000, 5_610_000_000], digits, .none)
        var run = LiveRun(kind, anchor: .segment(0), zero: Self.begin)
        run.seesTime = false
        for _ in 0..<200 {
            try run.run(1)
            for number in run.channel.listed.map(Array.init) ?? [] {
                let segment = try #require(run.origin.segments.first { $0.number == number })
                let span = try #require(run.channel.span(number)?.cues)
                let (start, end) = (segment.start - Self.begin, segment.start + segment.duration - Self.begin)
                #expect(span.start <= start + 50_000_000, "\(number)")
                #expect(try #require(span.end) >= end - 50_000_000, "\(number)")
            }
        }
    }

    @Test func rule15DatesAndMediaPart() throws {
        var kind = LiveOrigin.Kind()
        kind.gain = 50
        var run = LiveRun(kind, anchor: .date(Self.begin), zero: Self.begin)
        run.tolerance = (70, 2)
        try run.run(3000)
        #expect(run.channel.notes.contains(.parted) && run.worst.cue > 45)
    }

    @Test func rule16MissedVersionsAreCountedByTheClock() throws {
        var kind = LiveOrigin.Kind()
        kind.dates = .none
        var run = LiveRun(kind, anchor: .segment(0), zero: Self.begin)
        try run.run(10)
        for _ in 0..<20 { run.origin.advance() }
        #expect(try run.take(run.origin.version()) == .missed(10...23))
        run.checkTimes()
        #expect(run.channel.notes.contains(.missed) && !run.channel.notes.contains(.unknownGap))
        try run.run(10)
    }

    @Test func rule16AnUnknownGapHasNoCues() throws {
        var kind = LiveOrigin.Kind()
        kind.dates = .none
        var run = LiveRun(kind, anchor: .segment(0), zero: Self.begin)
        try run.run(10)
        // It looks like a jump ahead, with another clock.
        run.origin.restart(at: 14, after: 5_000_000_000, ticks: 1_234_567)
        for _ in 0..<6 { run.origin.advance() }
        #expect(try run.take(run.origin.version()) == .missed(10...13))
        #expect(run.channel.notes.contains(.unknownGap))
        for number in UInt64(14)...19 { #expect(run.channel.span(number)?.isKnown == false) }
        // What was before keeps its time.
        #expect(run.channel.span(9)?.isKnown == true)
    }

    @Test func rule16AnAnchorThatHasGoneBy() throws {
        var kind = LiveOrigin.Kind()
        (kind.dates, kind.firstNumber) = (.none, 100)
        var run = LiveRun(kind, anchor: .segment(99), zero: Self.begin)
        run.seesTime = false
        try run.run(8)
        #expect(run.channel.notes.contains(.anchorGone) && run.channel.span(105)?.isKnown == false)
    }

    @Test(arguments: [(0, true), (1, false)])
    func rule12AnEventFromItsBeginningNeedsNoAnchor(_ first: Int, _ isKnown: Bool) throws {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take("\(head)#EXTINF:6,\na.ts\n")
        #expect(channel.notes.contains(.noAnchor) == !isKnown)
        #expect(channel.span(UInt64(first))?.isKnown == isKnown)
    }

    @Test func rule17AProbeThatFailsGoesToAnotherSegment() throws {
        var origin = LiveOrigin(LiveOrigin.Kind())
        for _ in 0..<10 { origin.advance() }
        var channel = LiveChannel(LiveConfiguration(anchor: .date(Self.begin)))
        _ = try channel.take(origin.version())
        #expect(channel.next()?.segment == 4)
        #expect(channel.find("9.vtt") == .mediaStart(4))
        channel.noMediaStart(of: 4)
        #expect(channel.next() == nil && channel.find("9.vtt") == .mediaStart(9))
        _ = try channel.take(origin.version())
        #expect(channel.next()?.segment == 9)
        channel.noMediaStart(of: 9)
        _ = try channel.take(origin.version())
        #expect(channel.next()?.segment == 7 && !channel.notes.contains(.noTimestamp))
        channel.noMediaStart(of: 7)
        _ = try channel.take(origin.version())
        #expect(channel.next() == nil && channel.notes.contains(.noTimestamp))
        #expect(channel.span(9)?.isKnown == false && channel.span(9)?.cues.map == nil)
        // Some segments later there is another try.
        for _ in 0..<22 { origin.advance() }
        _ = try channel.take(origin.version(age: 16))
        _ = try channel.take(origin.version(age: 11))
        _ = try channel.take(origin.version(age: 6))
        _ = try channel.take(origin.version(age: 1))
        #expect(channel.next()?.segment == 30)
        channel.take(mediaStart: UInt64(origin.segments[30].ticks), of: 30)
        #expect(channel.span(30)?.isKnown == true)
    }

    @Test(arguments: ["#EXT-X-KEY:METHOD=AES-128,URI=\"skd://k\",KEYFORMAT=\"com.x\"\n", ""])
    func rule17WhatCannotBeReadIsNotAskedFor(_ key: String) throws {
        let uri = key.isEmpty ? "{$base}/a.ts" : "a.ts"
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(key)#EXTINF:6,\n\(uri)\n#EXTINF:6,\n\(uri)\n"
        var channel = LiveChannel(LiveConfiguration(anchor: .date(Self.begin)))
        _ = try channel.take(text)
        #expect(channel.next() == nil && channel.notes.contains(.noTimestamp))
    }

    @Test func rule17AGivenMapNeedsNoTimeStamp() throws {
        let map = TimestampMap(mpegTS: 126_000)
        var run = LiveRun(LiveOrigin.Kind(), anchor: .date(Self.begin), zero: Self.begin, map: .given(map))
        run.tolerance = (2, 2)
        try run.run(20)
        #expect(run.probes == 0)
    }

    @Test func cuesOfTheVideosOwnClock() throws {
        var kind = LiveOrigin.Kind()
        (kind.dates, kind.firstTicks) = (.none, 900_000)
        var run = LiveRun(kind, anchor: .media, zero: Self.begin - 10_000_000_000)
        try run.run(120)
        let map = try #require(run.channel.span(119)?.cues.map)
        #expect(map == TimestampMap(mpegTS: 90_000, local: Timestamp(milliseconds: 1000)))
    }

    /// hls.js takes MPEGTS:0 for no map as long as it does not know the clock of the video's time line.
    @Test(arguments: [0, 900, -900, -90_000 * 11_617, 1 << 33, 90 - (1 << 33), 45, -45] as [Int64])
    func rule13NoMapIsZero(_ offset: Int64) {
        for start in [0, 20, 40_000, 100_000, 200_000] as [Int64] {
            let map = LiveClock.map(offset: offset, at: start * 1_000_000_000)
            #expect(map.mpegTS != 0)
            let told = Int64(map.mpegTS) - 90 * map.local.milliseconds
            #expect((told - offset) & ((1 << 33) - 1) == 0, "\(map)")
        }
    }

    @Test func cuesThatAreShownFromWhenTheyCome() throws {
        var kind = LiveOrigin.Kind()
        (kind.dates, kind.firstNumber) = (.none, 77)
        var run = LiveRun(kind, anchor: .firstVersion, zero: Self.begin)
        try run.run(20)
    }
}
