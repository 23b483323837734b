import ByteScan
import Support
import Testing

@testable import M3U8

/// What one read of a playlist tells.
@Suite struct PlaylistFactsTests {
    private static func facts(
        _ text: String, asking questions: PlaylistFacts.Questions = .timelines, start: String = "#EXTM3U\n"
    ) -> PlaylistFacts {
        let bytes = Array((start + text).utf8)
        let whole = PlaylistFacts(of: bytes, asking: questions)
        var reader = PlaylistReader()
        for size in [1, 7, 64] {
            reader.reset(asking: questions)
            for range in Splits.even(of: bytes.count, size: size) {
                bytes[range].withUnsafeBytes { unsafe reader.write($0) }
            }
            reader.finish()
            #expect("\(reader.facts)" == "\(whole)", "\(size)")
        }
        return whole
    }

    private static func words(_ uri: [UInt8]) -> String { String(decoding: uri, as: UTF8.self) }

    @Test(
        arguments: [
            ("#EXTINF:1,\na\n#EXTINF:2.5,\nb\n", [1000, 2500], 2),
            ("#EXTINF:1,\n#EXTINF:2,\nb\n#EXTINF:9,\n", [2000], 1),
            ("#EXTINF:0,\na\n#EXTINF:1,\n\n# comment\nb\n", [1000], 2), ("a\n#EXTINF:1,\nb\nc\n", [1000], 1),
        ] as [(String, [Int64], Int)])
    func durationsCountWithTheirURI(_ text: String, _ milliseconds: [Int64], _ count: Int) {
        let facts = Self.facts(text)
        #expect(facts.durations.map(\.millisecondsRoundedUp) == milliseconds && facts.segmentCount == count)
        #expect(facts.duration.millisecondsRoundedUp == milliseconds.reduce(0, +))
        let unasked = Self.facts(text, asking: [])
        #expect(unasked.duration == facts.duration && unasked.segmentCount == count && unasked.durations.isEmpty)
        #expect(unasked.timelines.count == 1 && unasked.timelines[0].segment == nil)
    }

    private static let timelines = """
        #EXT-X-MAP:URI="i.mp4",BYTERANGE="700@20"
        #EXT-X-KEY:METHOD=AES-128,URI="k"
        #EXT-X-GAP
        #EXTINF:1,
        gap.ts
        #EXT-X-BYTERANGE:100@50
        #EXTINF:2,
        a.ts
        #EXT-X-BYTERANGE:10
        #EXTINF:1,
        a.ts
        #EXT-X-DISCONTINUITY
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="k"
        #EXT-X-BYTERANGE:10
        #EXTINF:4,
        a.ts
        #EXT-X-DISCONTINUITY
        #EXT-X-GAP
        #EXTINF:8,
        c.ts

        """

    @Test func everyDiscontinuityBeginsATimeline() throws {
        let facts = Self.facts(Self.timelines)
        #expect(facts.timelines.map(\.start.millisecondsRoundedUp) == [0, 4000, 8000])
        #expect(facts.timelines.map(\.isDiscontinuous) == [false, true, true])
        #expect(facts.timelines.map(\.firstDuration) == [0, 3, 4])
        let segments = try facts.timelines.map { try $0.segment?.get() }
        #expect(segments[0]?.start.millisecondsRoundedUp == 1000 && segments[0]?.isEncrypted == true)
        #expect(segments[0]?.part.uri == Array("a.ts".utf8) && segments[0]?.part.range == 50..<150)
        #expect(segments[0]?.initialization == MediaPart(uri: Array("i.mp4".utf8), range: 20..<720))
        // A range without an offset goes on where the one before ended.
        #expect(segments[1]?.part.range == 160..<170 && segments[1]?.isEncrypted == false)
        #expect(segments[2] == nil)
    }

    /// What is asked for alone, and what nobody remembers then.
    /// What is asked for is the first part of a segment as long as the segment is not whole.
    @Test(arguments: [
        ("#EXT-X-PART:DURATION=1,URI=\"p\"\n#EXT-X-PART:DURATION=1,URI=\"q\"\n", "p", nil),
        ("#EXT-X-PART:DURATION=1,URI=\"p\",BYTERANGE=\"20@5\"\n", "p", 5..<25),
        ("#EXT-X-PART:DURATION=1,URI=\"p\"\n#EXTINF:4,\nb\n", "b", nil),
        ("#EXT-X-PART:DURATION=1,URI=\"p\",BYTERANGE=\"20\"\n#EXTINF:4,\nb\n", "b", nil),
        ("#EXT-X-PART:DURATION=1,URI=\"p\",BYTERANGE=\"20\"\n", nil, nil),
        ("#EXT-X-PART:DURATION=1,URI=\"p\",BYTERANGE=\"x\"\n", nil, nil),
        ("#EXT-X-PART:DURATION=1,URI=\"p\",GAP=YES\n", nil, nil), ("#EXT-X-PART:DURATION=1\n", nil, nil),
        ("#EXT-X-PART:DURATION=1,URI=\"{$p}\"\n", nil, nil), ("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"p\"\n", nil, nil),
    ])
    func theFirstPartOfWhatIsNotWhole(_ open: String, _ uri: String?, _ range: Range<Int>?) throws {
        let text =
            "#EXTM3U\n#EXT-X-MAP:URI=\"i\"\n#EXT-X-PART:DURATION=1,URI=\"o\"\n#EXTINF:4,\na\n\(open)"
        var reader = PlaylistReader(askingForSegment: 1, numbered: 8)
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBytes { unsafe reader.write($0) }
        let found = reader.facts.numberedSegment.flatMap { try? $0.get() }
        #expect(found?.part.uri == uri.map { Array($0.utf8) } && found?.part.range == range)
        #expect(found == nil || found?.initialization?.uri == Array("i".utf8))
    }

    @Test func everySegmentIfAskedFor() throws {
        let text =
            "#EXTM3U\n#EXTINF:1,\na\n#EXT-X-BYTERANGE:5@2\n#EXTINF:2,\nb\nno duration\n#EXT-X-GAP\n#EXTINF:3,\n{$c}\n"
        let facts = PlaylistFacts(of: Array(text.utf8), asking: .everySegment)
        #expect(facts.everySegment.count == 3 && facts.timelines.count == 1)
        let segments = facts.everySegment.map { try? $0.get() }
        #expect(segments.map { $0.map { $0.start.nanoseconds / 1_000_000_000 } } == [0, 1, nil])
        #expect(segments.map { $0?.part.range } == [nil, 2..<7, nil])
        #expect(PlaylistFacts(of: Array(text.utf8), asking: .timelines).everySegment.isEmpty)
    }

    @Test func theStartAlone() throws {
        let facts = Self.facts(Self.timelines, asking: [.segment, .onlyStart])
        #expect(facts.isSettled && facts.timelines.count == 1 && facts.durations.isEmpty && facts.lineCount == 9)
        #expect(try facts.timelines[0].segment?.get().part.range == 50..<150)
        let all = Self.facts(Self.timelines, asking: .segment)
        #expect(!all.isSettled && all.timelines.count == 1 && all.segmentCount == 5)
        // A segment behind a discontinuity is the first one if there are gaps before it.
        let late = Self.facts("#EXT-X-GAP\n#EXTINF:1,\na\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\nb\n", asking: .segment)
        #expect(try late.timelines[0].segment?.get().start.millisecondsRoundedUp == 1000)
    }

    /// What EXT-X-BYTERANGE says is of the next URI, be it that of a gap.
    @Test func theRangeOfAGapIsItsOwn() throws {
        let facts = Self.facts("#EXT-X-GAP\n#EXT-X-BYTERANGE:5@7\n#EXTINF:1,\na\n#EXTINF:1,\nb\n")
        #expect(try facts.timelines[0].segment?.get().part == MediaPart(uri: Array("b".utf8), range: nil))
    }

    /// Lines before the first segment, and why that cannot be read: nil if it can.
    private static let faults: [(lines: String, fault: PlaylistFacts.Fault?)] = [
        ("#EXTINF:1,\na\n", nil),
        ("#EXT-X-BYTERANGE:x\n#EXTINF:1,\na\n", .malformed),
        ("#EXT-X-BYTERANGE:\n#EXTINF:1,\na\n", .malformed),
        ("#EXT-X-BYTERANGE:5@\n#EXTINF:1,\na\n", .malformed),
        ("#EXT-X-BYTERANGE:0@4\n#EXTINF:1,\na\n", .malformed),
        ("#EXT-X-BYTERANGE:9223372036854775807@1\n#EXTINF:1,\na\n", .malformed),
        ("#EXT-X-BYTERANGE: 5@4 \n#EXTINF:1,\na\n", nil),
        ("#EXT-X-MAP:URI=\"i\",BYTERANGE=\"x\"\n#EXTINF:1,\na\n", .malformed),
        ("#EXT-X-MAP:X=1\n#EXTINF:1,\na\n", .malformed),
        ("#EXT-X-MAP:X=1\n#EXT-X-MAP:URI=\"i\"\n#EXTINF:1,\na\n", nil),
        ("#EXTINF:x,\na\n#EXTINF:1,\nb\n", .malformed),
        ("#EXTINF:1,\n{$x}/a\n", .variable(uri: Array("{$x}/a".utf8))),
        ("#EXT-X-MAP:URI=\"{$x}\"\n#EXTINF:1,\na\n", .variable(uri: Array("{$x}".utf8))),
        ("#EXTINF:1,\n\(String(repeating: "a", count: 70_000))\n", .malformed),
        // What is wrong with a gap matters only to a range that follows from it.
        ("#EXT-X-GAP\n#EXT-X-BYTERANGE:x\n#EXTINF:1,\n{$x}\n#EXTINF:1,\na\n", nil),
        ("#EXT-X-GAP\n#EXT-X-BYTERANGE:x\n#EXTINF:1,\na\n#EXT-X-BYTERANGE:5\n#EXTINF:1,\na\n", .malformed),
        ("#EXT-X-GAP\n#EXT-X-BYTERANGE:x\n#EXTINF:1,\na\n#EXT-X-BYTERANGE:5@7\n#EXTINF:1,\na\n", nil),
    ]

    @Test(arguments: faults)
    func aSegmentThatCannotBeRead(_ row: (lines: String, fault: PlaylistFacts.Fault?)) {
        let segment = Self.facts(row.lines).timelines.first?.segment
        guard case .failure(let fault) = segment else {
            #expect(segment != nil && row.fault == nil, "\(row.lines)")
            return
        }
        #expect(fault == row.fault, "\(row.lines)")
    }

    /// What is remembered of variables has a bound, past which they have no value.
    @Test(arguments: [(255, true), (256, false)]) func variablesCost(_ count: Int, _ isKnown: Bool) throws {
        var text = "#EXTM3U\n"
        for number in 1..<count { text += "#EXT-X-DEFINE:NAME=\"v\(number)\",VALUE=\"\"\n" }
        text += "#EXT-X-DEFINE:NAME=\"last\",VALUE=\"a\"\n#EXTINF:1,\n{$last}\n"
        var reader = PlaylistReader()
        reader.reset(asking: .segment, of: [], isImporting: false)
        Array(text.utf8).withUnsafeBytes { unsafe reader.write($0) }
        reader.finish()
        let segment = try #require(reader.facts.timelines.first?.segment)
        #expect(((try? segment.get())?.part.uri == Array("a".utf8)) == isKnown)
        #expect(reader.valueBytes > 0)
        // As new, it knows none.
        reader.reset(asking: .segment)
        Array(text.utf8).withUnsafeBytes { unsafe reader.write($0) }
        #expect(throws: PlaylistFacts.Fault.self) { try reader.facts.timelines.first?.segment?.get() }
    }

    @Test func theVariantWithVideoCounts() throws {
        let audio = "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\"\na.m3u8\n"
        let otherAudio = audio.replacing("a.m3u8", with: "b.m3u8")
        let video = "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2, HVC1.1\"\n\n v.m3u8 \n"
        let size = "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x1\ns.m3u8\n"
        for (text, uri) in [
            (audio + video + size, "v.m3u8"), (audio + audio + size, "s.m3u8"), (audio, "a.m3u8"),
            (audio + otherAudio, "a.m3u8"),
        ] {
            #expect(try Self.words(Self.facts(text).variant?.get() ?? []) == uri)
        }
        #expect(Self.facts("#EXT-X-MEDIA:TYPE=AUDIO\na\n").variant == nil)
        // A variable matters in the variant that counts, not in others.
        let variable = audio.replacing("a.m3u8", with: "{$host}/a.m3u8")
        #expect(try Self.words(Self.facts(variable + video).variant?.get() ?? []) == "v.m3u8")
        #expect(throws: PlaylistFacts.Fault.variable(uri: Array("{$host}/a.m3u8".utf8))) {
            try Self.facts(variable + audio).variant?.get()
        }
    }

    @Test(arguments: [
        ("#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z\n#EXTINF:6,\na\n", "2024-01-01T00:00:00Z", false),
        (
            "#EXTINF:6,\na\n#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z\n#EXTINF:6,\nb\n", "2023-12-31T23:59:54.000Z",
            false
        ),
        (
            "#EXTINF:6,\na\n#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z\n#EXTINF:6,\nb\n", nil,
            true
        ),
        ("#EXTINF:6,\na\n#EXTINF:6,\nb\n", nil, false),
        ("#EXT-X-PROGRAM-DATE-TIME:soon\n#EXTINF:6,\na\n", nil, true),
        (
            "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME: 2024-01-01T00:00:00Z \n#EXTINF:6,\na\n",
            "2024-01-01T00:00:00Z", false
        ),
    ])
    func theFirstDateIsCountedBack(_ text: String, _ date: String?, _ isDistant: Bool) {
        for questions in [[], .timelines] as [PlaylistFacts.Questions] {
            let facts = Self.facts(text, asking: questions)
            #expect(facts.programDateTime?.bytes == date.map { Array($0.utf8) } && facts.hasDistantDate == isDistant)
        }
    }

    @Test(
        arguments: [
            ("7", 7), (" 7 ", 7), ("\t18446744073709551615", UInt64.max), ("", nil), ("-1", nil), ("x", nil),
        ] as [(String, UInt64?)])
    func numbers(_ value: String, _ expected: UInt64?) {
        #expect(Self.facts("#EXT-X-DISCONTINUITY-SEQUENCE:\(value)\n").discontinuitySequence == expected)
        #expect(Self.facts("#EXT-X-TARGETDURATION:\(value)\n").targetDuration == expected)
    }

    @Test func whatElseTheLinesTell() {
        let facts = Self.facts(
            "#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-PLAYLIST-TYPE:LIVE\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXTINF:,\nx\n#EXT-X-ENDLIST"
        )
        #expect(facts.playlistType == .event && facts.isComplete && facts.verdict == .media && facts.lineCount == 7)
        #expect(facts.skipLine?.description == "line 4, at byte 61")
        #expect(facts.malformedDuration == LineLocation(position: 92, number: 5))
        #expect(facts.decidingLine?.tag == .playlistType && facts.decidingLine?.location.number == 2)
    }

    @Test(arguments: [
        ("", PlaylistVerdict.notPlaylist), ("#EXTINF:1,\n", .notPlaylist), ("#EXTM3U", .undecided),
        ("#EXTM3U\n#EXT-X-MEDIA:\n#EXT-X-GAP\n#EXT-X-STREAM-INF:\n", .mixed),
    ])
    func theVerdict(_ text: String, _ verdict: PlaylistVerdict) {
        let facts = Self.facts(text, start: "")
        #expect(facts.verdict == verdict)
        #expect(facts.decidingLine?.tag == (verdict == .mixed ? .gap : nil))
    }

    @Test(
        arguments: [
            ("100", 0, 0..<100), ("100@7", 3, 7..<107), ("5", 3, 3..<8), ("0@0", 9, nil),
            ("", 0, nil), ("x", 0, nil), ("1@", 0, nil), ("1@-1", 0, nil), ("9223372036854775807@1", 0, nil),
            ("9223372036854775807", 1, nil), ("99999999999999999999", 0, nil),
        ] as [(String, Int, Range<Int>?)])
    func byteRanges(_ text: String, _ next: Int, _ range: Range<Int>?) {
        let found = Array(text.utf8).withUnsafeBytes { unsafe ByteRange(ByteView($0))?.range(after: next) }
        #expect(found == range)
    }

    /// When the start is known, by how many lines have been read until then.
    @Test(
        arguments: [
            ("#EXTM3\n#EXTINF:1,\na\n", [], 1, true), ("#EXT-X-STREAM-INF:RESOLUTION=1x1\nv\n# a\n", [], 3, true),
            ("#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n# a\n", [], 4, false), ("#EXTINF:x,\n# a\n", [], 2, true),
            ("#EXTINF:1,\na\n# a\n", [], 3, true), ("#EXT-X-GAP\n#EXTINF:1,\na\n# a\n", [], 5, false),
            ("#EXTINF:1,\na\n# a\n#EXT-X-ENDLIST\n# a\n", .staying, 5, true),
            ("#EXTINF:1,\na\n# a\n", .staying, 4, false),
            ("#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:1,\na\n# a\n", .staying, 4, true),
            ("#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:1,\na\n# a\n", .staying, 4, true),
            ("#EXT-X-PLAYLIST-TYPE:LIVE\n#EXTINF:1,\na\n# a\n", .staying, 5, false),
            ("#EXT-X-ENDLIST\n#EXTINF:1,\na\n# a\n", .staying, 4, true), ("#EXTINF:x,\n# a\n", .staying, 2, true),
        ] as [(String, PlaylistFacts.Questions, Int, Bool)])
    func theStartIsKnown(_ text: String, _ more: PlaylistFacts.Questions, _ lines: Int, _ isSettled: Bool) {
        let start = text.hasPrefix("#EXTM3\n") ? "" : "#EXTM3U\n"
        let facts = Self.facts(text, asking: more.union([.segment, .onlyStart]), start: start)
        #expect(facts.isSettled == isSettled && facts.lineCount == lines)
        // Who asks for more reads all.
        let all = Self.facts(text, asking: more.union(.segment), start: start)
        #expect(!all.isSettled && all.lineCount == (start + text).utf8.count { $0 == 0x0A })
    }

    @Test(
        arguments: [
            ("avc", true), ("avc1.4d401e", true), ("av", false), ("hvc1.2.4", true), ("hev1", true), ("dvh1", true),
            ("dva1", true), ("av01.0", true), ("av1", false), ("mp4v.20.9", true), ("vp8", true), ("vp9", true),
            ("vp09.00", true), ("vp", false), ("vvc1", true), ("vvi1", true), ("mjpg", true), ("HVC1", true),
            ("mp4a.40.2", false), ("mp4a.40.2,avc1", true), ("mp4a.40.2 , avc1 ", true), (",avc1", true), ("", false),
            (",", false), ("xavc1", false), ("mp4a,ac-3,stpp.ttml", false), ("av,c1", false), ("avc1,mp4a", true),
        ])
    func codecsOfVideo(_ codecs: String, _ isVideo: Bool) throws {
        let text = "#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"\(codecs)\"\nv\n"
        #expect(try Self.words(Self.facts(text).variant?.get() ?? []) == (isVideo ? "v" : "a"))
        #expect((Self.facts(text).videoVariant != nil) == isVideo)
    }

    /// The ranges of segments in order, where `-` is the whole resource, and nil is no range that could be told.
    @Test(
        arguments: [
            ([("10@5", "a"), ("7", "a")], [5..<15, 15..<22]), ([("10@5", "a"), ("7", "b")], [5..<15, 0..<7]),
            ([("10@5", "a"), ("-", "a"), ("7", "a")], [5..<15, 0..<0, 0..<7]), ([("7", "a")], [0..<7]),
            ([("10@5", "a"), ("x", "a"), ("7", "a")], [5..<15, nil, nil]),
            ([("10@5", "a"), ("x", "a"), ("7@1", "a"), ("1", "a")], [5..<15, nil, 1..<8, 8..<9]),
            ([("7@0", "a"), ("3@20", "a"), ("4", "a")], [0..<7, 20..<23, 23..<27]),
            ([("9223372036854775807@0", "a"), ("1", "a")], [0..<Int.max, nil]),
            ([("10@5", "a"), ("1", "b"), ("1", "a")], [5..<15, 0..<1, 0..<1]),
        ] as [([(range: String, uri: String)], [Range<Int>?])])
    func rangesGoOn(_ segments: [(range: String, uri: String)], _ ranges: [Range<Int>?]) {
        let lines = segments.map { segment in
            (segment.range == "-" ? "" : "#EXT-X-BYTERANGE:\(segment.range)\n") + "#EXTINF:1,\n\(segment.uri)\n"
        }
        let facts = Self.facts(lines.joined(), asking: .everySegment)
        let found = facts.everySegment.map { segment in (try? segment.get()).map { $0.part.range ?? 0..<0 } }
        #expect(found == ranges)
    }

    /// Without a vector of its own a segment's key takes its number: that of the first is the playlist's, and those
    /// with a duration count.
    @Test func segmentsHaveNumbers() throws {
        let key = "#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-MEDIA-SEQUENCE:x\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
        let text = "\(key)#EXTINF:1,\na\nno duration\n#EXT-X-DISCONTINUITY\n#EXT-X-GAP\n#EXTINF:0,\nb\n#EXTINF:1,\nc\n"
        func number(_ segment: MediaSegment) -> UInt8? {
            if case .aes128(let key) = segment.part.encryption { key.vector.last } else { nil }
        }
        let facts = Self.facts(text, asking: .everySegment)
        #expect(try facts.everySegment.map { try number($0.get()) } == [7, 8, 9] && facts.mediaSequence == 7)
        // The one that is asked for has the number that is asked for.
        for (place, uri) in [(0, "a"), (1, "b"), (2, "c"), (3, nil)] {
            var reader = PlaylistReader(askingForSegment: place, numbered: 42)
            Array("#EXTM3U\n\(text)".utf8).withUnsafeBytes { reader.write($0) }
            let segment = try reader.facts.numberedSegment?.get()
            #expect(segment?.part.uri == uri.map { Array($0.utf8) } && segment.map(number) == uri.map { _ in 42 })
        }
    }
}
