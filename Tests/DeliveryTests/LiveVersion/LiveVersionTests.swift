import ByteScan
import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// Rules 18 to 21: what a version is beside the one before.
struct LiveVersionTests {
    private static let begin: Int64 = 1_795_000_000_000_000_000

    private static func run(_ change: (inout LiveOrigin.Kind) -> Void = { _ in }) -> LiveRun {
        var kind = LiveOrigin.Kind()
        change(&kind)
        return LiveRun(kind, anchor: .date(begin), zero: begin)
    }

    static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"

    @Test(arguments: [
        ("", LiveError.Reason.notMedia, 0),
        ("#EXTM3U", .notMedia, 0),
        ("#EXTM3U\n", .notMedia, 0),
        ("WEBVTT\n\n", .notMedia, 0),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n", .notMedia, 0),
        ("#EXTM3U\n#EXTINF:6,\na.ts\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n", .notMedia, 0),
        ("#EXTM3U\n#EXTINF:6,\na.ts\n", .noTargetDuration, 0),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:x\n", .malformedNumber, 8),
        ("\(head)#EXT-X-MEDIA-SEQUENCE:-1\n", .malformedNumber, 32),
        ("\(head)#EXT-X-MEDIA-SEQUENCE:4611686018427387904\n", .malformedNumber, 32),
        ("\(head)#EXT-X-DISCONTINUITY-SEQUENCE:\n", .malformedNumber, 32),
        ("\(head)#EXTINF:x,\na.ts\n", .malformedDuration, 32),
        ("\(head)#EXTINF:99999999,\na.ts\n", .malformedDuration, 32),
        ("\(head)a.ts\n", .malformedDuration, 32),
        ("\(head)#EXTINF:6,\na.ts\nb.ts\n", .malformedDuration, 48),
        ("\(head)#EXT-X-PART:URI=\"a\"\n", .malformedDuration, 32),
        ("\(head)#EXT-X-I-FRAMES-ONLY\n", .iFramesOnly, 32),
        ("\(head)#EXT-X-SKIP:SKIPPED-SEGMENTS=x\n", .malformedNumber, 32),
    ])
    func whatIsRefusedChangesNothing(_ text: String, _ reason: LiveError.Reason, _ position: Int) throws {
        var run = Self.run()
        try run.run(10)
        var saved: [UInt8] = []
        try run.channel.save(into: &saved)
        do {
            _ = try run.channel.take(text)
            Issue.record("taken: \(text)")
        } catch let error as LiveError { #expect(error == LiveError(reason: reason, position: position), "\(text)") }
        var after: [UInt8] = []
        try run.channel.save(into: &after)
        #expect(after == saved)
        try run.run(3)
    }

    @Test func limitsOneBelowAtAndAboveThem() throws {
        let text = Self.head + "#EXTINF:06,\na.ts\n#EXT-X-PART:DURATION=1\n#EXT-X-PART:DURATION=1\n"
        func reason(_ limits: LiveLimits) -> LiveError.Reason? {
            var channel = LiveChannel(LiveConfiguration(limits: limits))
            do { _ = try channel.take(text) } catch { return (error as? LiveError)?.reason }
            return nil
        }
        let count = text.utf8.count
        #expect(reason(LiveLimits(playlist: count)) == nil && reason(LiveLimits(playlist: count + 1)) == nil)
        #expect(reason(LiveLimits(playlist: count - 1)) == .playlistTooLong(limit: count - 1))
        #expect(reason(LiveLimits(segments: 1)) == nil && reason(LiveLimits(parts: 2)) == nil)
        #expect(reason(LiveLimits(parts: 1)) == .tooManyParts(limit: 1))
        #expect(
            LiveLimits(playlist: 0, segments: 0, parts: -1, text: 0, state: 0)
                == LiveLimits(playlist: 1, segments: 1, parts: 1, text: 1, state: 1))
        // EXT-X-TARGETDURATION has 23 bytes, and its line end.
        #expect(reason(LiveLimits(text: 24)) == nil && reason(LiveLimits(text: 23)) == .textTooLong(limit: 23))
    }

    /// A second segment, a second text: a text takes its bytes and its entry.
    @Test(
        arguments: [
            (LiveLimits(segments: 2), nil),
            (LiveLimits(segments: 1), LiveError(reason: .tooManySegments(limit: 1), position: 61)),
            (LiveLimits(text: 37), nil),
            (LiveLimits(text: 36), LiveError(reason: .textTooLong(limit: 36), position: 49)),
        ] as [(LiveLimits, LiveError?)])
    func theSecondMayBeTooMuch(_ limits: LiveLimits, _ expected: LiveError?) {
        var channel = LiveChannel(LiveConfiguration(limits: limits))
        var failure: LiveError?
        do {
            _ = try channel.take(Self.head + "#EXTINF:06,\na.ts\n#EXTINF:06,\nb.ts\n")
        } catch { failure = error as? LiveError }
        #expect(failure == expected && MemoryLayout<LiveTexts.Entry>.stride == 32)
    }

    /// Durations are written with as many digits as they have, parts with nine at most, and 255 discontinuities.
    @Test(arguments: [
        ("6", "6"), ("6.0", "6.0"), ("06.50", "06.50"), ("6.123456789", "6.123456789"), (".5", ".5"),
        ("0.000000001", "0.000000001"), ("6.", "6."),
    ])
    func durationsStayAsTheyAre(_ duration: String, _ expected: String) throws {
        let lines = String(repeating: "#EXT-X-DISCONTINUITY\n", count: 300)
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(Self.head + "\(lines)#EXTINF:\(duration),t\na.ts\n#EXT-X-PART:DURATION=1.12345678919\n")
        let playlist = channel.playlist()
        #expect(playlist.contains("#EXTINF:\(expected),\n0.vtt\n"), "\(playlist)")
        #expect(playlist.contains("#EXT-X-PART:DURATION=1.123456789,"))
        #expect(playlist.split(separator: "\n").filter { $0 == "#EXT-X-DISCONTINUITY" }.count == 255)
    }

    /// A number is written where a text is missing, which no version lacks but a state might.
    @Test func aTextThatIsMissing() {
        var version = LiveVersion()
        var segment = LiveSegment()
        (segment.duration, segment.durationDigits) = (6_050_000_000, 2)
        segment.flags.insert(.durationText)
        for text in ["6.05", "06.05"] {
            var output = ReusableBuffer<UInt8>()
            if text == "06.05" {
                for (text, isDate, number) in [("x", true, 7), ("06.05", false, 7), ("y", true, 8)]
                    as [(String, Bool, UInt64)]
                {
                    Array(text.utf8).withView { version.texts.append($0, isDate: isDate, of: number) }
                }
            }
            version.writeDuration(of: segment, 7, to: &output)
            #expect(String(decoding: Array(output.view), as: UTF8.self) == text)
        }
        #expect(version.texts.text(isDate: false, of: 8).isEmpty && version.texts.text(isDate: true, of: 6).isEmpty)
    }

    @Test func rule18TheSameBytesAreUnchanged() throws {
        var run = Self.run()
        try run.run(10)
        #expect(try run.take(run.origin.version()) == .unchanged)
        #expect(try run.take(run.origin.version(trailing: "#EXT-X-NEW:1\n")) == .unchanged)
    }

    @Test func rule18ALastLineWithoutItsEndIsDropped() throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(Self.head + "#EXTINF:6,\na.ts\n#EXTINF:6,\nb.t")
        #expect(channel.listed == 0...0)
        _ = try channel.take(Self.head + "#EXTINF:6,\na.ts\n#EXTINF:6,\nb.ts\r\n#EXT-X-ENDLIST")
        #expect(channel.listed == 0...1 && !channel.isEnded)
    }

    @Test func tagsWithoutTheirValuesAreLeftOut() throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        let lines = "#EXT-X-VERSION\n#EXT-X-VERSION:6\n#EXT-X-PLAYLIST-TYPE\n#EXT-X-SERVER-CONTROL\n"
        _ = try channel.take("#EXTM3U\n\(lines)#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n")
        #expect(
            channel.playlist().split(separator: "\n").filter { $0.hasPrefix("#EXT-X") }
                == ["#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:6", "#EXT-X-MEDIA-SEQUENCE:0"])
    }

    @Test func aTagThatIsCalledNearlyAsADateIsNone() throws {
        let date = { (name: String) in "#EXT-X-\(name):2026-11-22T10:00:00Z\n" }
        for name in ["PROGRAM-DATE-TIME", "PROGRAM-DATE-TIMX", "PROGRAN-DATE-TIME"] {
            var channel = LiveChannel(LiveConfiguration(map: .none))
            _ = try channel.take("\(Self.head)\(date(name))#EXTINF:6,\na.ts\n")
            let isDate = name == "PROGRAM-DATE-TIME"
            #expect(channel.playlist().contains(date("PROGRAM-DATE-TIME")) == isDate, "\(name)")
        }
    }

    @Test func rule19FoldersAndQueriesMayChange() throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(Self.head + "#EXTINF:6,\n/x/a.ts?t=1\n#EXTINF:6,\n/x/b.ts\n")
        let other = Self.head + "#EXTINF:6,\n/y/a.ts\n#EXTINF:6,\n/y/b.ts?t=9\n#EXTINF:6,\nc.ts\n"
        #expect(try channel.take(other) == .advanced(2...2))
        #expect(try channel.take(other + "#EXTINF:6,\nd.ts\n#EXTINF:6,\ne.ts\n#EXTINF:6,\nf.ts\n") == .advanced(3...5))
    }

    @Test func rule19OverlappingNumbersAreARestart() throws {
        // Fewer segments than before, and names of another life: not stale, or the rendition were frozen for ever.
        var run = Self.run()
        try run.run(20)
        run.origin.restart(at: 12, after: 3_000_000_000, ticks: 42)
        for _ in 0..<4 { run.origin.advance() }
        #expect(try run.take(run.origin.version()) == .restarted)
        run.checkTimes()
        #expect(run.channel.notes.contains(.restarted) && run.channel.listed == 12...15)
        try run.run(20)
    }

    @Test func rule19OneSegmentThatChangesStaysAsItWas() throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(Self.head + "#EXTINF:6.0,\na.ts\n#EXTINF:6.0,\nb.ts\n#EXTINF:6,\nc.ts\n")
        _ = try channel.take(Self.head + "#EXTINF:6.0,\na.ts\n#EXTINF:5.9,\nb.ts\n#EXTINF:6,\nc.ts\n#EXTINF:6,\nd.ts\n")
        #expect(channel.notes.contains(.segmentChanged))
        #expect(LiveListing(channel.playlist()).segments.map(\.duration) == ["6.0", "6.0", "6", "6"])
    }

    @Test func rule20StaleVersionsAreIgnored() throws {
        var run = Self.run { $0.parts = 4 }
        try run.run(20)
        try run.take(run.origin.version(openParts: 3))
        let playlist = run.channel.playlist()
        for age in 1...5 { #expect(try run.take(run.origin.version(age: age)) == .stale) }
        #expect(try run.take(run.origin.version(openParts: 2)) == .stale)
        #expect(run.channel.playlist() == playlist)
    }

    @Test func rule20LowerNumbersAreSuspectAndThenARestart() throws {
        var run = Self.run()
        try run.run(30)
        let (held, fresh) = (run.channel.playlist(), run.origin.version())
        var other = LiveOrigin(run.origin.kind, at: Self.begin + 7_200_000_000_000)
        for _ in 0..<6 { other.advance() }
        let first = other.version()
        #expect(try run.take(first) == .suspect)
        #expect(try run.take(first) == .suspect)
        #expect(run.channel.playlist() == held)
        // An edge that lags by far takes turns with one that does not: no restart.
        #expect(try run.take(fresh) == .unchanged)
        other.advance()
        #expect(try run.take(other.version()) == .suspect)
        run.origin = other
        run.origin.advance()
        #expect(try run.take(run.origin.version()) == .restarted)
        run.checkTimes()
        try run.run(10)
    }

    @Test func rule20AJumpAheadHasAClockOfItsOwn() throws {
        // Higher numbers, the same DSN, another clock: it looks as if versions were missed.
        var run = Self.run { $0.hasDiscontinuitySequence = false }
        try run.run(10)
        run.origin.restart(at: 100, after: 60_000_000_000, ticks: 7_777_777)
        for _ in 0..<6 { run.origin.advance() }
        #expect(try run.take(run.origin.version()) == .missed(10...99))
        run.checkTimes()
        try run.run(10)
    }

    @Test func rule21DeltasAreMerged() throws {
        var run = Self.run { ($0.window, $0.discontinuity) = (12, 5) }
        try run.run(20)
        for _ in 0..<20 {
            run.origin.advance()
            let (full, delta) = (run.origin.version(), run.origin.version(skipping: 7))
            let newest = UInt64(run.origin.segments.count - 1)
            #expect(try run.channel.take(delta) == .advanced(newest...newest))
            _ = run.channel.probe(run.origin)
            run.checkPlaylist(full)
            run.checkTimes()
        }
        // Of a version that is not known.
        for _ in 0..<10 { run.origin.advance() }
        #expect(try run.channel.take(run.origin.version(skipping: 7)) == .needsFull)
        var other = LiveChannel()
        #expect(try other.take(run.origin.version(skipping: 7)) == .needsFull)
        try run.take(run.origin.version())
    }

    @Test func rule21DatesOfDeltasStayAsTheyWere() throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        let a = "#EXT-X-PROGRAM-DATE-TIME:2026-11-18T12:26:40Z\n#EXTINF:6,\na.ts\n"
        let b = "#EXT-X-PROGRAM-DATE-TIME:2026-11-18T13:26:46.0+01\n#EXTINF:06,\nb.ts\n"
        let c = "#EXT-X-PROGRAM-DATE-TIME:2026-11-18T12:26:52.000Z\n#EXTINF:6,\nc.ts\n"
        _ = try channel.take(Self.head + a + b)
        _ = try channel.take(Self.head + "#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n" + c)
        let (made, video) = (LiveListing(channel.playlist()), LiveListing(Self.head + a + b + c))
        #expect(made.segments.map(\.date) == video.segments.map(\.date))
        #expect(made.segments.map(\.duration) == ["6", "06", "6"])
    }
}
