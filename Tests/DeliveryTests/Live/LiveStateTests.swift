import ByteScan
import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// A saved state: short, exact, and refused if it is anything else.
struct LiveStateTests {
    private static let begin: Int64 = 1_795_000_000_000_000_000

    /// All that a channel answers about its segments.
    private struct Answers: Equatable {
        var playlist: String
        var places: [LivePlace]
        var wanted: LiveWant?
        var notes: LiveNotes
        var heldBytes: Int

        init(_ channel: borrowing LiveChannel) {
            playlist = channel.playlist(prefix: "p/")
            let last = channel.listed?.upperBound ?? 0
            places = []
            for number in (last - min(last, 40))...(last + 1) { places.append(channel.find("\(number).vtt")) }
            for part in 0..<5 { places.append(channel.find("\(last + 1).\(part).vtt")) }
            (wanted, notes, heldBytes) = (channel.next(), channel.notes, channel.heldBytes)
        }
    }

    static let kinds: [LiveOrigin.Kind] = {
        var kinds = [LiveOrigin.Kind](repeating: LiveOrigin.Kind(), count: 6)
        (kinds[1].dates, kinds[1].discontinuity) = (.none, 11)
        (kinds[2].dates, kinds[2].digits, kinds[2].durations) = (.firstListed, 1, [6_440_000_000, 5_610_000_000])
        (kinds[3].parts, kinds[3].hasDiscontinuitySequence) = (4, false)
        (kinds[4].gain, kinds[4].firstNumber) = (50, 1 << 50)
        (kinds[5].dates, kinds[5].digits, kinds[5].durations) = (.none, 0, [2_002_000_000])
        return kinds
    }()

    @Test(arguments: kinds)
    func restoredItGoesOnByteForByte(_ kind: LiveOrigin.Kind) throws {
        let configuration = LiveConfiguration(anchor: kind.dates == .none ? .segment(0) : .date(Self.begin))
        var first = LiveChannel(configuration)
        var second = LiveChannel(configuration)
        var origin = LiveOrigin(kind)
        for index in 0..<(isLong ? 7200 : 200) {
            origin.advance()
            if index % 50 == 30 { for _ in 0..<10 { origin.advance() } }
            if index % 170 == 120 { origin.restart(at: 3, after: 1_000_000_000, ticks: 5) }
            if origin.segments.isEmpty { origin.advance() }
            let version = origin.version(openParts: kind.parts > 0 ? index % 4 : 0)
            let changes = (try first.take(version), try second.take(version))
            #expect(changes.0 == changes.1)
            // Sometimes what is wanted is still on its way when the state is saved.
            if index % 3 > 0 {
                let counts = (first.probe(origin), second.probe(origin))
                #expect(counts.0 == counts.1)
            }
            var saved: [UInt8] = []
            try second.save(into: &saved)
            second = try LiveChannel(restoring: saved.span.bytes, configuration)
            _ = try first.take(version)
            _ = try second.take(version)
            #expect(Answers(first) == Answers(second), "\(index)")
            #expect(saved.count <= 1024 + 16 * first.heldSegments, "\(saved.count)")
        }
    }

    /// A state counts for one configuration alone.
    @Test func everyConfigurationIsAnother() {
        let anchors: [LiveAnchor] = [.date(0), .date(1), .segment(0), .segment(1), .media, .firstVersion, .automatic]
        let maps: [TimestampMapChoice] = [
            .auto, .none, .given(TimestampMap(mpegTS: 1)), .given(TimestampMap(mpegTS: 2)),
        ]
        var fingerprints: Set<UInt64> = []
        for anchor in anchors {
            for map in maps {
                for lowLatency in [LiveConfiguration.LowLatency.mirror, .strip] {
                    for heldBack in 0...2 {
                        let configuration = LiveConfiguration(
                            anchor: anchor, map: map, lowLatency: lowLatency, heldBack: heldBack)
                        fingerprints.insert(configuration.fingerprint)
                    }
                }
            }
        }
        #expect(fingerprints.count == 7 * 4 * 2 * 3)
        // Below 0 is 0, and limits do not count.
        let other = LiveConfiguration(heldBack: -1, limits: LiveLimits(parts: 7))
        #expect(other.heldBack == 0 && other.fingerprint == LiveConfiguration().fingerprint)
    }

    /// The form, number by number: to change it, raise the version.
    @Test func theFormIsTheDocumentedOne() throws {
        let configuration = LiveConfiguration(anchor: .segment(7), map: .none)
        var channel = LiveChannel(configuration)
        let head = "#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:EVENT\n"
        _ = try channel.take(
            "#EXTM3U\n\(head)#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:6.0,\na.ts\n#EXTINF:6.0,\nb.ts\n#EXT-X-DISCONTINUITY\n"
                + "#EXTINF:05,\nc.ts\n#EXT-X-ENDLIST\n")
        var expected = LiveStateWriter(bytes: Array("SLIV".utf8))
        func numbers(_ numbers: UInt64...) { for number in numbers { expected.append(number) } }
        func identity(_ index: Int) {
            let identity = channel.current.segments[index].identity
            expected.bytes += (0..<4).map { UInt8(truncatingIfNeeded: identity >> (8 * UInt32($0))) }
        }
        numbers(1, configuration.fingerprint)
        // It has begun; life, hash, no date of cue time 0, the next start, nothing pending, no notes, the window.
        numbers(1, 0, channel.state.hash, 0, 1, 2 * 17_000_000_000, 0, 0, 3)
        // The first, in the body too, no discontinuities before, the target, an event that has ended, dates, notes.
        numbers(7, 7, 0, 6, 1 + 2, 0, 0)
        // The zone, the head, none of low latency, no suspect; segments, parts, texts, those that slid out, clocks.
        numbers(0, UInt64(head.utf8.count))
        expected.bytes += Array(head.utf8)
        numbers(0, 0, 3, 0, 1, 0, 2)
        // It begins as expected.
        numbers(1 + 2)
        identity(0)
        numbers(2 * 6_000_000_000, 1)
        // It lasts as long as the one before.
        numbers(1 + 2 + 16)
        identity(1)
        // There is more to be said: a discontinuity, no adjustment, a duration that is kept as text.
        numbers(1 + 2 + 32)
        identity(2)
        numbers(2 * 5_000_000_000, 0, 1, 0, 1)
        numbers(9, 0, 2)
        expected.bytes += Array("05".utf8)
        // Clocks: first, offset, awaited, whether it is apart, failures, probed, due.
        numbers(7, 0, 0, 1, 0, 7, 7)
        numbers(9, 0, 0, 0, 0, 9, 9)
        var saved: [UInt8] = []
        try channel.save(into: &saved)
        #expect(saved == expected.bytes)
    }

    /// A usual segment takes marks and a hash, with and without dates; another date its distance too.
    @Test(arguments: [
        ("", "", 5), ("10:00:00", "10:00:01", 5), ("10:00:00", "10:00:02", 5 + 5),
    ])
    func aUsualSegmentTakesFiveBytes(_ second: String, _ third: String, _ count: Int) throws {
        func text(_ times: [String]) -> String {
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
                + times.enumerated().map { index, time in
                    (time.isEmpty ? "" : "#EXT-X-PROGRAM-DATE-TIME:2026-11-18T\(time)Z\n") + "#EXTINF:1,\n\(index)\n"
                }.joined()
        }
        func size(_ times: [String]) throws -> Int {
            var channel = LiveChannel(LiveConfiguration(anchor: .segment(0), map: .none))
            _ = try channel.take(text(times))
            channel.state.hash = 0
            channel.state.nextStart = nil
            channel.state.anchorDate = channel.state.anchorDate.map { _ in 1_795_000_000_000_000_000 }
            for index in 0..<channel.current.segments.count { channel.current.segments[index].start = nil }
            var saved: [UInt8] = []
            try channel.save(into: &saved)
            return saved.count
        }
        #expect(try size([second, third]) - size([second]) == count)
    }

    /// Durations and dates that are written in unusual ways, and all that is said once.
    @Test func whatIsKeptAsTextIsRestored() throws {
        let configuration = LiveConfiguration(anchor: .automatic, map: .none)
        var channel = LiveChannel(configuration)
        let date = "#EXT-X-PROGRAM-DATE-TIME:2026-11-18"
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-PART-INF:PART-TARGET=1\n"
        let hint = "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"p\"\n"
        let text =
            head + "\(date)T12:00:00.0+01:00\n#EXTINF:06,\na\n\(date) 12:00:06Z\n#EXTINF:6,\nb\n#EXTINF:006,\nc\n"
        for (end, isComplete, hasHint) in [("", false, false), (hint, false, true), ("#EXT-X-ENDLIST\n", true, false)] {
            _ = try channel.take(text + end)
            var (saved, again): ([UInt8], [UInt8]) = ([], [])
            try channel.save(into: &saved)
            let restored = try LiveChannel(restoring: saved.span.bytes, configuration)
            try restored.save(into: &again)
            #expect(again == saved && restored.playlist() == channel.playlist())
            let facts = restored.current.facts
            #expect(facts.isEvent && facts.isComplete == isComplete && facts.hasHint == hasHint)
            #expect(facts.dateDigits == 1 && Array(restored.current.zone.view) == Array("+01:00".utf8))
            #expect(restored.playlist().contains("\(date)T12:00:00.0+01:00\n#EXTINF:06,\n"))
            #expect(restored.playlist().contains("\(date) 12:00:06Z\n#EXTINF:6,\n"))
            #expect(restored.playlist().contains("#EXTINF:006,\n"))
            #expect(restored.span(0)?.isKnown == true, "an event that begins at 0")
        }
    }

    private typealias Change = @Sendable (inout LiveChannel, Int64) -> Void

    /// The last value that is restored, and the change that gives a channel that value or one more.
    private static let bounds: [(String, Int64, Change)] = [
        ("the next start", 1 << 61, { $0.state.nextStart = $1 }),
        ("the earliest next start", 1 << 61, { $0.state.nextStart = -$1 }),
        ("what is pending", 1 << 50, { $0.state.pendingAdjustment = $1 }),
        ("the longest window", 3, { $0.state.longestWindow = Int($1) }),
        ("the target duration", 1 << 62 - 1, { $0.current.facts.targetDuration = UInt64($1) }),
        ("digits of dates", 9, { $0.current.facts.dateDigits = UInt8($1) }),
        ("the zone", 6, { $0.current.zone.append(contentsOf: [UInt8](repeating: 0x2B, count: Int($1))) }),
        ("the head", 64, { channel, count in for _ in 24..<count { channel.current.head.append(0x23) } }),
        (
            "the low-latency head", 64,
            { channel, count in for _ in 0..<count { channel.current.lowLatencyHead.append(0x23) } }
        ),
        ("a segment's start", 1 << 61, { $0.current.segments[1].start = $1 }),
        (
            "what is behind an open segment", 1,
            { channel, count in channel.current.segments[2 - Int(count)].flags.insert(.open) }
        ),
        ("a segment's duration", 1 << 50, { $0.current.segments[1].duration = $1 }),
        ("an adjustment", 1_000_000_000, { $0.current.segments[1].adjustment = Int32($1) }),
        ("a negative length", 1_000_000_000, { channel, _ in channel.current.segments[1].adjustment = -6_000_000 }),
        (
            "segments", 4,
            { channel, count in
                for _ in 2..<count { channel.current.segments.append(channel.current.segments[1]) }
            }
        ),
        (
            "parts", 2,
            { channel, count in
                for _ in 0..<count { channel.current.parts.append(LivePart(segment: 1, duration: 1, digits: 0)) }
            }
        ),
        ("a part's segment", 1, { $0.current.parts.append(LivePart(segment: UInt64($1), duration: 1, digits: 0)) }),
        ("a part's duration", 1 << 50, { $0.current.parts.append(LivePart(segment: 1, duration: $1, digits: 0)) }),
        ("a part's digits", 9, { $0.current.parts.append(LivePart(segment: 1, duration: 1, digits: UInt8($1))) }),
        (
            "texts", 64,
            { channel, count in
                for _ in 0..<count { channel.current.texts.append(ByteView(), isDate: true, of: 1) }
            }
        ),
        (
            "a text", 64,
            { channel, count in
                [UInt8](repeating: 0x23, count: Int(count)).withView {
                    channel.current.texts.append($0, isDate: true, of: 1)
                }
            }
        ),
        (
            "segments that slid out", 12,
            { channel, count in
                for _ in 0..<count { channel.past.append(LivePast(length: 1, start: nil)) }
            }
        ),
        ("the length of one", 1 << 52, { $0.past.append(LivePast(length: $1, start: nil)) }),
        ("the start of one", 1 << 61, { $0.past.append(LivePast(length: 1, start: $1)) }),
        (
            "clocks", 16,
            { channel, count in
                for number in 1..<UInt64(count) { channel.clocks.append(LiveClock(first: number, isApart: true)) }
            }
        ),
        ("a clock's offset", 1 << 50, { $0.clocks[0].offset = $1 }),
        ("a gap's offset", 1 << 50, { $0.clocks[0].before = LiveClock.Gap(offset: $1, end: 0, longest: 0) }),
        ("a gap's end", 1 << 61, { $0.clocks[0].before = LiveClock.Gap(offset: 0, end: $1, longest: 0) }),
        ("the order of clocks", 0, { $0.clocks.append(LiveClock(first: 1 - UInt64($1), isApart: false)) }),
    ]

    @Test(arguments: bounds.indices)
    func whatNoChannelComesToIsRefused(_ index: Int) throws {
        let (name, most, change) = Self.bounds[index]
        let configuration = LiveConfiguration(
            anchor: .segment(0), map: .none, limits: LiveLimits(segments: 3, parts: 2, text: 64))
        for (value, isRestored) in [(most, name != "a negative length"), (most + 1, false)] {
            var channel = LiveChannel(configuration)
            _ = try channel.take("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na\n#EXTINF:5,\nb\n")
            change(&channel, value)
            var (saved, again): ([UInt8], [UInt8]) = ([], [])
            try channel.save(into: &saved)
            guard let restored = try? LiveChannel(restoring: saved.span.bytes, configuration) else {
                #expect(!isRestored, "\(name): \(value)")
                continue
            }
            try restored.save(into: &again)
            #expect(isRestored && again == saved, "\(name): \(value)")
        }
    }

    /// A state may be as long as the limit.
    @Test func aStateMayBeAsLongAsTheLimit() throws {
        func channel(_ limit: Int) throws -> (saved: [UInt8]?, isRestored: Bool) {
            let configuration = LiveConfiguration(anchor: .segment(0), map: .none, limits: LiveLimits(state: limit))
            var channel = LiveChannel(configuration)
            var saved: [UInt8] = []
            _ = try channel.take("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na\n")
            guard (try? channel.save(into: &saved)) != nil else { return (nil, false) }
            return (saved, (try? LiveChannel(restoring: saved.span.bytes, configuration)) != nil)
        }
        let count = try #require(try channel(1000).saved).count
        #expect(try channel(count).isRestored && channel(count - 1).saved == nil)
        let whole = LiveConfiguration(anchor: .segment(0), map: .none, limits: LiveLimits(state: count - 1))
        let saved = try #require(try channel(count).saved)
        #expect(throws: LiveError(reason: .notState, position: 0)) {
            _ = try LiveChannel(restoring: saved.span.bytes, whole)
        }
    }

    /// The numbers farthest from 0 are numbers too.
    @Test(arguments: [LiveAnchor.date(.min), .date(.max), .segment(.max), .media])
    func anyAnchorIsRestored(_ anchor: LiveAnchor) throws {
        let configuration = LiveConfiguration(anchor: anchor)
        var channel = LiveChannel(configuration)
        _ = try channel.take("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n0.ts\n")
        var saved: [UInt8] = []
        try channel.save(into: &saved)
        let restored = try LiveChannel(restoring: saved.span.bytes, configuration)
        // What is wanted is found out anew.
        #expect(restored.playlist(prefix: "p/") == channel.playlist(prefix: "p/"))
        #expect(restored.heldSegments == 1)
    }

    @Test func whatIsNoStateIsRefused() throws {
        let configuration = LiveConfiguration(anchor: .date(Self.begin))
        var run = LiveRun(LiveOrigin.Kind(), anchor: .date(Self.begin), zero: Self.begin)
        try run.run(20)
        var saved: [UInt8] = []
        try run.channel.save(into: &saved)
        func isTaken(_ bytes: [UInt8], _ configuration: LiveConfiguration) -> Bool {
            (try? LiveChannel(restoring: bytes.span.bytes, configuration)) != nil
        }
        #expect(isTaken(saved, configuration))
        #expect(!isTaken(saved, LiveConfiguration(anchor: .date(Self.begin + 1))))
        #expect(!isTaken(saved, LiveConfiguration(anchor: .date(Self.begin), lowLatency: .strip)))
        #expect(!isTaken(saved + [0], configuration) && !isTaken([], configuration))
        for count in 0..<saved.count { #expect(!isTaken(Array(saved[..<count]), configuration)) }
        // Whatever a byte becomes, nothing traps, then or later.
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<(isLong ? 200_000 : 1500) {
            var bytes = saved
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard var channel = try? LiveChannel(restoring: bytes.span.bytes, configuration) else { continue }
            _ = Answers(channel)
            _ = try? channel.take(run.origin.version())
            _ = channel.probe(run.origin)
            _ = Answers(channel)
        }
        var small = LiveChannel(LiveConfiguration(limits: LiveLimits(state: 100)))
        _ = try small.take(run.origin.version())
        #expect(throws: LiveError(reason: .stateTooLong(limit: 100), position: 0)) { try small.save(into: &saved) }
        #expect(saved.isEmpty)
    }
}
