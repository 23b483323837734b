import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// Rules 1 to 11: the playlist of a rendition, and names.
struct LivePlaylistTests {
    private static let begin: Int64 = 1_795_000_000_000_000_000

    private static func run(_ change: (inout LiveOrigin.Kind) -> Void) -> LiveRun {
        var kind = LiveOrigin.Kind()
        change(&kind)
        return LiveRun(kind, anchor: .date(begin), zero: begin)
    }

    private static let video = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:06
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-START:TIME-OFFSET=-12
        #EXT-X-DEFINE:NAME="a",VALUE="b"
        #EXT-X-MEDIA-SEQUENCE:9
        #EXT-X-DISCONTINUITY-SEQUENCE:4
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://a"
        #EXT-X-MAP:URI="init.mp4",BYTERANGE="700@0"
        #EXT-X-PROGRAM-DATE-TIME:2026-11-18T12:26:40.000+0000
        #EXT-X-BYTERANGE:1000@0
        #EXTINF:5.0,A title
        all.mp4
        #comment
        #EXT-X-DISCONTINUITY
        #EXT-X-DISCONTINUITY
        #EXT-X-PROGRAM-DATE-TIME:2026-11-18 12:26:45Z
        #EXT-X-DATERANGE:ID="x",START-DATE="2026-11-18T12:26:45Z"
        #EXT-X-BITRATE:800
        #EXT-X-GAP
        #EXT-X-BYTERANGE:1000
        #EXTINF:06.50
        all.mp4

        """

    @Test func rules3To7WhatIsWrittenAndWhatIsNot() throws {
        var channel = LiveChannel(LiveConfiguration(map: .none))
        #expect(try channel.take(Self.video) == .first)
        #expect(
            channel.playlist(prefix: "en/") == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:06
                #EXT-X-MEDIA-SEQUENCE:9
                #EXT-X-DISCONTINUITY-SEQUENCE:4
                #EXT-X-PROGRAM-DATE-TIME:2026-11-18T12:26:40.000+0000
                #EXTINF:5.0,
                en/9.vtt
                #EXT-X-DISCONTINUITY
                #EXT-X-DISCONTINUITY
                #EXT-X-PROGRAM-DATE-TIME:2026-11-18 12:26:45Z
                #EXTINF:06.50,
                en/10.vtt

                """)
        #expect(try channel.take(Self.video + "#EXT-X-ENDLIST\n") == .ended)
        #expect(channel.playlist().hasSuffix("10.vtt\n#EXT-X-ENDLIST\n"))
    }

    @Test func rule1NamesHoldNothingThatIsDerived() throws {
        // Two instances, of which one begins later and misses versions.
        var first = Self.run { ($0.hasDiscontinuitySequence, $0.discontinuity) = (false, 9) }
        var second = LiveChannel(LiveConfiguration(anchor: .date(Self.begin)))
        for index in 0..<60 {
            try first.run(1)
            guard index > 20, index % 3 == 0 else { continue }
            _ = try second.take(first.origin.version())
            _ = second.probe(first.origin)
            #expect(first.channel.playlist() == second.playlist())
            for number in first.channel.listed.map(Array.init) ?? [] {
                #expect(first.channel.span(number)?.cues == second.span(number)?.cues, "\(number)")
            }
        }
    }

    @Test func rule1WhatSlidOutStaysOut() throws {
        var run = Self.run { $0.discontinuity = 4 }
        try run.run(20)
        let version = run.origin.version()
        run.origin.kind.window = 12
        #expect(try run.take(run.origin.version()) == .unchanged)
        var expected = LiveListing(version).segments
        for index in expected.indices { expected[index].uri = "\(expected[index].number).vtt" }
        #expect(LiveListing(run.channel.playlist()).segments == expected)
        try run.run(20)
    }

    /// A stale edge lists what has slid out, with its parts and discontinuities.
    @Test func rule1PartsOfWhatSlidOutStayOut() throws {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=2\n"
        func part(_ name: String) -> String { "#EXT-X-PART:DURATION=2.00,URI=\"\(name)\"\n" }
        func segment(_ number: Int) -> String {
            part("\(number).0") + part("\(number).1") + "#EXTINF:4,\n\(number).ts\n"
        }
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(head + "#EXT-X-MEDIA-SEQUENCE:5\n" + segment(5) + segment(6))
        let older = "#EXT-X-MEDIA-SEQUENCE:3\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n" + segment(3) + "#EXT-X-DISCONTINUITY\n"
        let later = segment(4) + segment(5) + "#EXTINF:4,\n6.ts\n" + segment(7) + part("8.0")
        let hint = "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"m\"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"8.1\"\n"
        #expect(try channel.take(head + older + later + hint) == .advanced(7...8))
        func written(_ name: String) -> String { "#EXT-X-PART:DURATION=2.00,INDEPENDENT=YES,URI=\"p/\(name).vtt\"\n" }
        let parts = [5, 7].map { written("\($0).0") + written("\($0).1") + "#EXTINF:4,\np/\($0).vtt\n" }
        #expect(
            channel.playlist(prefix: "p/") == head
                + "#EXT-X-MEDIA-SEQUENCE:5\n#EXT-X-DISCONTINUITY-SEQUENCE:3\n"
                + parts[0] + "#EXTINF:4,\np/6.vtt\n" + parts[1] + written("8.0")
                + "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"p/8.1.vtt\"\n")
        #expect(channel.listed == 5...7 && channel.openPartCount == 1)
        _ = try channel.take(head + older + later + "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"m\"\n")
        #expect(!channel.playlist().contains("HINT"))
    }

    @Test func rule2AMapIsNotWaitedFor() throws {
        var origin = LiveOrigin(LiveOrigin.Kind())
        for _ in 0..<8 { origin.advance() }
        var channel = LiveChannel(LiveConfiguration(anchor: .date(Self.begin)))
        _ = try channel.take(origin.version())
        #expect(LiveListing(channel.playlist()).segments.count == 6)
        #expect(channel.find("7.vtt") == .mediaStart(2))
    }

    @Test func rule3ATargetDurationThatChangesIsFollowed() throws {
        var run = Self.run { _ in }
        try run.run(8)
        run.origin.kind.durations = [9_000_000_000]
        try run.run(1)
        #expect(run.channel.notes.contains(.targetDurationChanged))
        #expect(run.channel.playlist().contains("#EXT-X-TARGETDURATION:9\n"))
    }

    @Test func rule5ADateMayLeaveASegment() throws {
        var run = Self.run { $0.dates = .firstListed }
        try run.run(30)
        let dates = LiveListing(run.channel.playlist()).segments.filter { $0.date != nil }
        #expect(dates.map(\.number) == [24])
    }

    @Test func rule6AnEventRemovesNothing() throws {
        var run = Self.run { $0.isEvent = true }
        try run.run(100)
        #expect(LiveListing(run.channel.playlist()).segments.count == 100)
        // Over the limit: the playlist stays as it was.
        var channel = LiveChannel(LiveConfiguration(limits: LiveLimits(segments: 100)))
        _ = try channel.take(run.origin.version())
        let playlist = channel.playlist()
        run.origin.advance()
        #expect(throws: LiveError.self) { try channel.take(run.origin.version()) }
        #expect(channel.playlist() == playlist)
    }

    @Test func rule6ANewLifeBehindTheEnd() throws {
        // ffmpeg with append_list: the playlist goes on behind its end, with two EXT-X-DISCONTINUITY at once.
        var run = Self.run { _ in }
        try run.run(10)
        let before = run.origin.version()
        run.origin.isEnded = true
        #expect(try run.take(run.origin.version()) == .ended)
        #expect(try run.take(before) == .stale)
        #expect(run.channel.isEnded == true)
        run.origin.interrupt(for: 30_000_000_000, ticks: 126_000, tags: 2)
        try run.run(20)
        #expect(run.channel.isEnded == false)
    }

    @Test func rule8PartsAreMirrored() throws {
        var run = Self.run { $0.parts = 4 }
        for index in 0..<20 {
            run.origin.advance()
            if index == 9 { run.origin.interrupt(for: 1_000_000_000, ticks: 0) }
            for parts in 0..<4 {
                try run.take(run.origin.version(openParts: parts))
                run.checkTimes()
            }
            try checkParts(&run)
        }
    }

    /// The spans of parts lie one after the other in that of their segment.
    private func checkParts(_ run: inout LiveRun) throws {
        let listed = LiveListing(run.channel.playlist())
        for segment in listed.segments where !segment.parts.isEmpty {
            guard case .span(let whole) = run.channel.find("\(segment.number).vtt") else { continue }
            var next = whole.cues.start
            for part in 0..<segment.parts.count {
                guard case .span(let span) = run.channel.find("\(segment.number).\(part).vtt") else {
                    Issue.record("no part \(part) of \(segment.number)")
                    return
                }
                #expect(span.cues.start == next && span.part == part)
                #expect(span.cues.map?.mpegTS == whole.cues.map?.mpegTS)
                next = try #require(span.cues.end)
            }
            #expect(next == whole.cues.end)
        }
    }

    /// A time line's first part tells its clock: who plays it does not wait until the segment is whole.
    @Test(arguments: [LiveOrigin.Dates.each, .none])
    func rule13AFirstPartTellsTheClock(_ dates: LiveOrigin.Dates) throws {
        var kind = LiveOrigin.Kind()
        (kind.parts, kind.dates, kind.discontinuity) = (4, dates, 3)
        var run = LiveRun(kind, anchor: dates == .none ? .segment(0) : .date(Self.begin), zero: Self.begin)
        for _ in 0..<10 {
            let open = run.origin.next
            for parts in 1..<4 {
                try run.take(run.origin.version(openParts: parts))
                guard case .span(let span) = run.channel.find("\(open.number).\(parts - 1).vtt"), span.isKnown,
                    let map = span.cues.map
                else {
                    Issue.record("part \(parts - 1) of \(open.number) has no time")
                    return
                }
                let start = run.origin.wallClock(open.start) - run.zero
                let ticks = Int64(map.mpegTS) + 90 * (start / 1_000_000 - map.local.milliseconds)
                #expect(abs((ticks - open.ticks) % (1 << 33)) <= 4500, "\(open.number)")
            }
            run.origin.advance()
            try run.take(run.origin.version())
            run.checkTimes()
        }
        // One for each of the four time lines at least.
        #expect(run.probes >= 4)
    }

    /// A part whose bytes cannot be had, or not be read, is not asked for again: the whole segment is.
    @Test(arguments: ["", "#EXT-X-KEY:METHOD=AES-256,URI=\"k\"\n"])
    func rule17AFirstPartThatTellsNothing(_ key: String) throws {
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0)))
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=1\n\(key)"
        let parts = "#EXT-X-PART:DURATION=1,URI=\"0.0.ts\"\n"
        _ = try channel.take(head + parts)
        if key.isEmpty {
            #expect(channel.next().map { String(decoding: $0.media.uri, as: UTF8.self) } == "0.0.ts")
            channel.noMediaStart(of: 0)
        }
        #expect(channel.next() == nil)
        _ = try channel.take(head + parts + "#EXT-X-PART:DURATION=1,URI=\"0.1.ts\"\n")
        #expect(channel.next() == nil && channel.find("0.1.vtt") == .mediaStart(0))
        _ = try channel.take(head.replacing(key, with: "") + parts + "#EXTINF:4,\n0.ts\n")
        #expect(channel.next().map { String(decoding: $0.media.uri, as: UTF8.self) } == "0.ts")
    }

    @Test func rule9APartThatIsNotThereYetIsWaitedFor() throws {
        var run = Self.run { $0.parts = 4 }
        try run.run(8)
        try run.take(run.origin.version(openParts: 2))
        #expect(run.channel.find("8.2.vtt") == .wait(segment: 8, part: 2))
        #expect(run.channel.find("9.0.vtt") == .wait(segment: 9, part: 0))
        #expect(run.channel.find("8.vtt") == .wait(segment: 8, part: nil))
        #expect(run.channel.find("7.4.vtt") == .notOurs)
        if case .span(let span) = run.channel.find("8.1.vtt") {
            #expect(span.segment == 8 && span.part == 1 && span.isKnown)
        } else {
            Issue.record("no part")
        }
    }

    /// Parts lie one after the other, and the last one of a whole segment ends with it.
    @Test(arguments: [
        ("1 1 2", "#EXTINF:4,\n0.ts\n", [0, 1, 2], [1, 2, 4]),
        ("1 1 1.5", "#EXTINF:4,\n0.ts\n", [0, 1, 2], [1, 2, 4]),
        ("3 3", "#EXTINF:4,\n0.ts\n", [0, 3], [3, 4]), ("5 1", "#EXTINF:4,\n0.ts\n", [0, 5], [5, 5]),
        ("1 1 1", "", [0, 1, 2], [1, 2, 3]),
    ])
    func rule8WherePartsAre(_ durations: String, _ rest: String, _ starts: [Int64], _ ends: [Int64]) throws {
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0), map: .none))
        let parts = durations.split(separator: " ").map { "#EXT-X-PART:DURATION=\($0),URI=\"p\"\n" }.joined()
        _ = try channel.take("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(parts)\(rest)")
        for part in starts.indices {
            guard case .span(let span) = channel.find("0.\(part).vtt") else {
                Issue.record("no part \(part)")
                return
            }
            let (start, end) = (starts[part] * 1_000_000_000, ends[part] * 1_000_000_000)
            #expect(span.isKnown && span.cues == CueSpan(start: start, end: end), "\(part)")
        }
    }

    /// A part of a segment of which none is listed, any more or at all, has no cues, and the segment has.
    @Test func rule9APartThatIsNotListed() throws {
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0), map: .none))
        _ = try channel.take("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n")
        let none = LiveSpan(segment: 0, part: 0, cues: CueSpan(start: -2, end: -1), isKnown: false, life: 0)
        #expect(channel.find("0.0.vtt") == .gone(none))
        #expect(channel.span(0)?.cues == CueSpan(start: 0, end: 4_000_000_000))
    }

    /// What takes buffers does what takes spans.
    @Test func buffersAreAsGoodAsSpans() throws {
        let version = Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n".utf8)
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0), map: .none))
        #expect(try version.withUnsafeBytes { try channel.take($0) } == .first)
        let place = Array("0.vtt".utf8).withUnsafeBytes { channel.find($0) }
        #expect(place == channel.find("0.vtt") && place != .notOurs)
        var saved: [UInt8] = []
        try channel.save(into: &saved)
        let configuration = channel.configuration
        let playlist = try saved.withUnsafeBytes { try LiveChannel(restoring: $0, configuration).playlist() }
        #expect(playlist == channel.playlist())
    }

    /// What is held: 40 bytes a segment, 24 of one that has slid out, lines of the head, clocks and what is wanted.
    @Test func heldBytesAreCounted() throws {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-SERVER-CONTROL:HOLD-BACK=12\n"
        var channel = LiveChannel(LiveConfiguration(anchor: .segment(0)))
        #expect(channel.heldBytes == 0)
        let part = "#EXT-X-PART:DURATION=1,URI=\"p\"\n"
        _ = try channel.take(
            head + "#EXT-X-MAP:URI=\"init\"\n#EXT-X-PROGRAM-DATE-TIME:2026-11-18T12:26:40.0Z\n#EXTINF:04,\na.mp4\n"
                + part)
        let clock = MemoryLayout<LiveClock>.stride
        let lines = "#EXT-X-TARGETDURATION:4\n#EXT-X-SERVER-CONTROL:HOLD-BACK=12\n".utf8.count
        let text = MemoryLayout<LiveTexts.Entry>.stride + "04".utf8.count
        let known = 2 * 40 + MemoryLayout<LivePart>.stride + lines + text + "Z".utf8.count + clock
        #expect(channel.heldBytes == known + "a.mp4".utf8.count + "init".utf8.count)
        channel.take(mediaStart: 0, of: 0)
        #expect(channel.heldBytes == known && channel.heldSegments == 2)
        _ = try channel.take(head + "#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:4,\nb.mp4\n")
        #expect(channel.heldSegments == 2 && channel.wants.isEmpty)
        #expect(channel.heldBytes == 40 + 24 + lines + clock)
    }

    @Test func rule11StripIsPlain() throws {
        var kind = LiveOrigin.Kind()
        kind.parts = 4
        var origin = LiveOrigin(kind)
        for _ in 0..<8 { origin.advance() }
        var channel = LiveChannel(LiveConfiguration(anchor: .date(Self.begin), lowLatency: .strip))
        _ = try channel.take(origin.version(openParts: 2))
        let playlist = channel.playlist()
        for tag in ["PART", "SERVER-CONTROL", "PRELOAD", "#EXT-X-SKIP"] { #expect(!playlist.contains(tag)) }
        #expect(playlist.hasSuffix("7.vtt\n"))
    }

    @Test func rule24LagLeavesOutTheLast() throws {
        var run = Self.run { $0.discontinuity = 3 }
        try run.run(9)
        #expect(LiveListing(run.channel.playlist(lag: 1)).segments.last?.number == 7)
        #expect(LiveListing(run.channel.playlist(lag: 100)).segments.isEmpty)
        run.origin.isEnded = true
        try run.take(run.origin.version())
        #expect(LiveListing(run.channel.playlist(lag: 1)).segments.last?.number == 8)
    }

    /// With a lag there are no parts, and none of the segment that is not whole.
    @Test(arguments: [(0, ["6", "7", "8.0", "8.1"]), (1, ["6"]), (2, []), (-1, ["6", "7", "8.0", "8.1"])])
    func rule24LagAndParts(_ lag: Int, _ names: [String]) throws {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-MEDIA-SEQUENCE:6\n"
        let parts = "#EXT-X-PART:DURATION=1,URI=\"a\"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"b\"\n"
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take(head + "#EXTINF:4,\na\n#EXTINF:4,\nb\n" + parts)
        let playlist = channel.playlist(prefix: "p/", lag: lag)
        let written = playlist.split(whereSeparator: { "\"\n".contains($0) }).filter { $0.hasPrefix("p/") }
        #expect(written == names.map { "p/\($0).vtt" })
        #expect(playlist.contains("PART-INF") == (lag <= 0))
    }

    /// Each segment has its own number, also where one has more digits than the one before.
    @Test(arguments: [0, 7, 98, 999, 1 << 62 - 1] as [UInt64])
    func rule1NumbersGoOn(_ first: UInt64) throws {
        let segments = (0..<12).map { "#EXTINF:4,\n\($0).ts\n" }.joined()
        var channel = LiveChannel(LiveConfiguration(map: .none))
        _ = try channel.take("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n\(segments)")
        let names = channel.playlist().split(separator: "\n").filter { $0.hasSuffix(".vtt") }
        #expect(names == (first..<first + 12).map { "\($0).vtt" })
    }

    @Test(arguments: [
        "", "vtt", ".vtt", "8", "8.", "8.vt", "8.vtt ", "08.vtt", "-8.vtt", "+8.vtt", "8..vtt", "8.1.2.vtt", "8.01.vtt",
        "8.vtt.vtt", "a.vtt", "8a.vtt", "99999999999999999999999.vtt", "18446744073709551615.vtt",
        "4611686018427387904.vtt",
        "1000.vtt", "20.99999999999999999999.vtt", "20.100000.vtt", "\u{665}.vtt", "8/9.vtt",
    ])
    func forgedNamesAreNotOurs(_ name: String) throws {
        var run = Self.run { $0.firstNumber = 10 }
        try run.run(10)
        #expect(run.channel.find(name) == .notOurs)
    }

    @Test func rule25WhatHasSlidOut() throws {
        var run = Self.run { $0.window = 5 }
        try run.run(100)
        // Two windows later it still has its cues, then it is empty, with a map.
        for age in 0..<15 { #expect(run.channel.span(UInt64(99 - age))?.isKnown == true, "\(age)") }
        guard case .gone(let span) = run.channel.find("10.vtt") else {
            Issue.record("\(run.channel.find("10.vtt"))")
            return
        }
        #expect(!span.isKnown && span.cues.map != nil)
        let index = try CueIndex(Array("WEBVTT\n\n00:00.000 --> 99:00:00.000\na\n".utf8))
        var output = OutputPieces()
        index.write(span.cues, into: &output)
        #expect(output.byteCount > 8 && output.byteCount < 80)
        // Nothing is listed twice.
        #expect(run.channel.find("100.vtt") == .wait(segment: 100, part: nil))
        #expect(run.channel.find("102.vtt") == .wait(segment: 102, part: nil))
        #expect(run.channel.find("103.vtt") == .notOurs)
    }

    @Test func beforeTheFirstVersionNothingIsKnown() {
        let channel = LiveChannel()
        #expect(channel.playlist().isEmpty && channel.find("7.vtt") == .wait(segment: 7, part: nil))
        #expect(channel.find("x") == .notOurs && channel.next() == nil && channel.listed == nil)
    }
}
