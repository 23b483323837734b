import Support
import Testing

@testable import WebVTT

@Suite struct SegmenterLimitsTests {
    static let endless = "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:03.000 --> 1234567890:00:00.000\nb\n"

    private func stream(_ text: String, _ limits: Segmenter.Limits) throws -> Segmenting {
        let boundaries = try #require(SegmentBoundaries(every: 1_000_000_000))
        return Segmenting.stream(Array(text.utf8), by: boundaries, limits: limits)
    }

    @Test func limitsThemselvesAreBounded() {
        for (asked, bytes, segments, repeated) in [(0, 1, 1, 1), (-1, 1, 1, 1), (.max, 1 << 30, .max, 1 << 60)] {
            let limits = Segmenter.Limits(
                largestBlock: asked, head: asked, spanningCues: asked, segments: asked, repeatedBytes: asked)
            #expect(limits.largestBlock == bytes && limits.head == bytes && limits.spanningCues == bytes)
            #expect(limits.segments == segments && limits.repeatedBytes == repeated)
        }
        let limits = Segmenter.Limits(
            largestBlock: 1_048_576, head: 65_536, spanningCues: 1_048_576, segments: 100_000, repeatedBytes: 67_108_864
        )
        #expect(Segmenter.Limits() == limits)
    }

    /// A cue that waits is held, with no blank line, until content has reached it or the segmenter is reset.
    @Test func whatWaitsIsHeld() throws {
        var segmenter = Segmenter(try #require(SegmentBoundaries(every: 1_000_000_000)))
        func write(_ text: String) throws {
            try Array(text.utf8).withUnsafeBytes { try segmenter.write($0) { _ in } }
        }
        for _ in 0..<2 {
            try write("WEBVTT\n\n00:08.000 --> 00:08.000\na\n\n00:08.100 --> 00:08.000\nbc\n\n")
            #expect(segmenter.heldBytes == 26 + 27)
            segmenter.reset()
            #expect(segmenter.heldBytes == 0 && segmenter.position == 0)
        }
        try write("WEBVTT\n\n00:08.000 --> 00:08.000\na\n\n00:08.500 --> 00:09.500\nb\n\n")
        // The one that shows in two segments, and its blank line.
        #expect(segmenter.heldBytes == 27)
    }

    @Test func aCueThatEndsInAThousandYears() throws {
        let boundaries = try #require(SegmentBoundaries(every: 1_000_000_000))
        let error = SegmenterError(reason: .tooManySegments(limit: 100_000), position: 35)
        let made = try stream(Self.endless, Segmenter.Limits())
        #expect(made.error == error && made.files.count == 2)
        let whole = Segmenting.whole(Array(Self.endless.utf8), by: boundaries)
        #expect(whole.error == error && whole.files.isEmpty)
        // A list bounds it by itself.
        let listed = Segmenting.stream(
            Array(Self.endless.utf8), by: try #require(SegmentBoundaries(durations: [2, 3].map { $0 * 1_000_000_000 })))
        #expect(SegmenterTests.names(listed) == ["a", "b"])
    }

    /// The limit allows as many segments as it says.
    @Test(arguments: [("00:09.000", 9), ("00:09.001", 10), ("00:10.000", 10), ("00:10.001", nil)] as [(String, Int?)])
    func theLimitOfSegments(end: String, count: Int?) throws {
        let made = try stream("WEBVTT\n\n00:01.000 --> \(end)\na\n", Segmenter.Limits(segments: 10))
        #expect(made.error?.reason == (count == nil ? .tooManySegments(limit: 10) : nil))
        #expect(made.files.count == count ?? 0)
    }

    @Test(arguments: [(10, true), (9, false)])
    func theLimitCountsForListsToo(limit: Int, isAllowed: Bool) throws {
        let list = try #require(SegmentBoundaries(durations: Array(repeating: 1_000_000_000, count: 10)))
        let bounded = try #require(SegmentBoundaries(every: 1_000_000_000, until: 9_000_000_001))
        for boundaries in [list, bounded] {
            let limits = Segmenter.Limits(segments: limit)
            let made = Segmenting.stream(Array(Self.endless.utf8), by: boundaries, limits: limits)
            let error = SegmenterError(reason: .tooManySegments(limit: limit), position: 0)
            #expect(made.error == (isAllowed ? nil : error))
            #expect(made.files.count == (isAllowed ? 10 : 0))
        }
    }

    /// Cues of 26 bytes that go on, and a blank line after each. Those that have ended count no longer.
    @Test(arguments: [(53, nil), (52, 34), (26, 34), (25, 8)] as [(Int, Int?)])
    func theLimitOfSpanningCues(limit: Int, position: Int?) throws {
        let text =
            "WEBVTT\n\n00:00.100 --> 00:01.500\na\n00:00.200 --> 00:01.500\nb\n"
            + "00:00.300 --> 00:00.500\nc\n00:01.700 --> 00:02.500\nd\n"
        let made = try stream(text, Segmenter.Limits(spanningCues: limit))
        #expect(made.error == position.map { SegmenterError(reason: .spanningCuesTooLong(limit: limit), position: $0) })
        // The form for whole files keeps no copies.
        let boundaries = try #require(SegmentBoundaries(every: 1_000_000_000))
        let whole = Segmenting.whole(Array(text.utf8), by: boundaries, limits: Segmenter.Limits(spanningCues: limit))
        #expect(whole.error == nil && SegmenterTests.names(whole) == ["abc", "abd", "d"])
    }

    /// Cues of 26 bytes that never show; those that content has reached count no longer.
    @Test(arguments: [(52, nil), (51, 86), (26, 86), (25, 8)] as [(Int, Int?)])
    func theLimitOfCuesThatWait(limit: Int, position: Int?) throws {
        let text =
            "WEBVTT\n\n00:01.000 --> 00:01.000\na\n00:01.200 --> 00:01.500\nb\n"
            + "00:08.000 --> 00:00.500\nc\n00:09.700 --> 00:02.500\nd\n"
        let made = try stream(text, Segmenter.Limits(spanningCues: limit))
        #expect(made.error == position.map { SegmenterError(reason: .hiddenCuesTooLong(limit: limit), position: $0) })
        let boundaries = try #require(SegmentBoundaries(every: 1_000_000_000))
        let whole = Segmenting.whole(Array(text.utf8), by: boundaries, limits: Segmenter.Limits(spanningCues: limit))
        #expect(whole.error == nil && SegmenterTests.names(whole) == ["", "abcd"])
    }

    /// Heads of 8 bytes and two cues of 26 with a blank line, of which one goes on for three segments and one for two: the second
    /// segment repeats 62 bytes, the third 35, and the fourth nothing but its head.
    @Test(
        arguments: [
            (105, nil, 4), (104, 0, 3), (97, 0, 3), (96, 35, 2), (62, 35, 2), (61, 8, 1), (1, 8, 1),
        ] as [(Int, Int?, Int)])
    func theLimitOfRepeatedBytes(limit: Int, position: Int?, count: Int) throws {
        let text =
            "WEBVTT\n\n00:00.100 --> 00:01.500\na\n\n00:00.200 --> 00:02.500\nb\n\n00:03.300 --> 00:03.500\nc\n"
        let limits = Segmenter.Limits(repeatedBytes: limit)
        let error = position.map {
            SegmenterError(reason: .tooManyRepeatedBytes(limit: limit), position: $0)
        }
        let made = try stream(text, limits)
        #expect(made.error == error)
        #expect(made.files.count == count && made.isComplete)
        let boundaries = try #require(SegmentBoundaries(every: 1_000_000_000))
        let whole = Segmenting.whole(Array(text.utf8), by: boundaries, limits: limits)
        #expect(whole.error == error && whole.files.count == (error == nil ? 4 : 0))
        // Once each: only heads are repeated.
        let once = Segmenting.whole(Array(text.utf8), by: boundaries, cuesOnce: true, limits: limits)
        #expect(
            once.error == (limit >= 24 ? nil : SegmenterError(reason: .tooManyRepeatedBytes(limit: limit), position: 0))
        )
    }

    /// The head that is repeated is that of the segment's own timeline: one with a map of 44 bytes, and one without.
    @Test(arguments: [true, false], [0, 1])
    func theHeadOfEachTimelineCounts(isMappedLater: Bool, tooFew: Int) throws {
        let map = TimestampMap(mpegTS: 1)
        var maps = SegmentMaps(first: isMappedLater ? nil : map)
        maps.append(isMappedLater ? map : nil, fromSegment: 1)
        let limit = (isMappedLater ? 8 + 44 : 8) - tooFew
        let file = Array("WEBVTT\n\n00:00.100 --> 00:00.500\na\n\n00:01.200 --> 00:02.000\nb\n".utf8)
        let boundaries = try #require(SegmentBoundaries(every: 1_000_000_000))
        let limits = Segmenter.Limits(repeatedBytes: limit)
        let error = SegmenterError(reason: .tooManyRepeatedBytes(limit: limit), position: 0)
        var segmenter = Segmenter(boundaries, maps: maps, limits: limits)
        let stream = file.withUnsafeBytes { Segmenting(&segmenter, $0, in: [0..<file.count]) }
        let whole = Segmenting.whole(file, by: boundaries, maps: maps, limits: limits)
        #expect(stream.error == (tooFew == 0 ? nil : error) && whole.error == stream.error)
    }

    /// 10 KB in one cue that shows for three hours, and the same out of order.
    @Test(arguments: [false, true])
    func aLongCueInManySegments(isOutOfOrder: Bool) throws {
        let cue = "00:00.000 --> 03:00:00.000\n\(String(repeating: "x", count: 10_000))\n\n"
        let other = "00:01.000 --> 00:02.000\nother\n\n"
        let late = "02:59:59.000 --> 02:59:59.500\nlate\n\n"
        let file = Array(("WEBVTT\n\n" + (isOutOfOrder ? late + cue + other : cue + other)).utf8)
        let boundaries = try #require(SegmentBoundaries(every: 1_000_000_000))
        let error = SegmenterError(
            reason: .tooManyRepeatedBytes(limit: 64 << 20), position: isOutOfOrder ? 8 + late.utf8.count : 8)
        #expect(Segmenting.whole(file, by: boundaries).error == error)
        if isOutOfOrder { return }
        var segmenter = Segmenter(boundaries)
        var (count, thrown) = (0, SegmenterError?.none)
        file.withUnsafeBytes { bytes in
            do throws(SegmenterError) {
                try segmenter.write(bytes) { if case .bytes(let slice) = $0 { count += slice.count } }
                try segmenter.finish { if case .bytes(let slice) = $0 { count += slice.count } }
            } catch {
                thrown = error
            }
        }
        #expect(thrown == error)
        #expect(count <= 64 << 20 + file.count + 16 && count > 60 << 20)
    }

    /// What is written once never counts: a file of many segments under a limit of one byte, but for heads.
    @Test func whatIsWrittenOnceDoesNotCount() throws {
        let text = "WEBVTT\n\n00:00.100 --> 00:00.500\na\n\n00:09.200 --> 00:10.000\nb\n\n"
        #expect(try stream(text, Segmenter.Limits(repeatedBytes: 72)).error == nil)
        let boundaries = try #require(SegmentBoundaries(every: 10_000_000_000))
        let limits = Segmenter.Limits(repeatedBytes: 1)
        #expect(Segmenting.stream(Array(text.utf8), by: boundaries, limits: limits).error == nil)
        #expect(Segmenting.whole(Array(text.utf8), by: boundaries, limits: limits).error == nil)
    }

    @Test(arguments: [(18, nil), (17, 53), (8, 53), (7, 8)] as [(Int, Int?)])
    func theLimitOfTheHead(limit: Int, position: Int?) throws {
        let text =
            "WEBVTT\n\nSTYLE\n-\n\nREGION\n\nSTYLE\n\nNOTE a long comment\n\nREGION\n-\n\n00:00.100 --> 00:00.500\nc\n"
        let made = try stream(text, Segmenter.Limits(head: limit))
        #expect(made.error == position.map { SegmenterError(reason: .headTooLong(limit: limit), position: $0) })
        let map = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\n\n00:00.100 --> 00:00.500\nc\n"
        #expect(try stream(map, Segmenter.Limits(head: 43)).error == nil)
        let tooLong = SegmenterError(reason: .headTooLong(limit: 42), position: 7)
        #expect(try stream(map, Segmenter.Limits(head: 42)).error == tooLong)
        // Both together: 43 bytes and 8. Of the block its blank line does not count.
        let both = map.replacing("MPEGTS:1\n", with: "MPEGTS:1\n\nSTYLE\n-\n")
        #expect(try stream(both, Segmenter.Limits(head: 51)).error == nil)
        let styleTooLong = SegmenterError(reason: .headTooLong(limit: 50), position: 52)
        #expect(try stream(both, Segmenter.Limits(head: 50)).error == styleTooLong)
    }

    @Test func theLimitOfABlock() throws {
        let text = "WEBVTT\n\n00:00.100 --> 00:00.500\nfour\n\nNOTE a long one, a very long one\n"
        #expect(try stream(text, Segmenter.Limits(largestBlock: 33)).error == nil)
        let note = SegmenterError(reason: .blockTooLong(limit: 32), position: 38)
        #expect(try stream(text, Segmenter.Limits(largestBlock: 32)).error == note)
        let cue = SegmenterError(reason: .blockTooLong(limit: 28), position: 8)
        #expect(try stream(text, Segmenter.Limits(largestBlock: 28)).error == cue)
        let boundaries = try #require(SegmentBoundaries(every: 1))
        let whole = Segmenting.whole(
            Array(text.utf8), by: boundaries, limits: Segmenter.Limits(largestBlock: 28, segments: .max))
        #expect(whole.error == cue)
    }

    @Test func anErrorIsThrownAgainUntilTheReset() throws {
        let boundaries = try #require(SegmentBoundaries(every: 10_000_000_000))
        var segmenter = Segmenter(boundaries)
        let late = SegmenterTests.file("a 11-12,b 1-2,c 25-26")
        for _ in 0..<2 {
            late.withUnsafeBytes { file in
                let made = Segmenting(&segmenter, file, in: [0..<file.count, 0..<0])
                #expect(made.error?.reason == .outOfOrder(segment: 0))
                #expect(SegmenterTests.names(made) == ["", "a"])
                #expect(throws: SegmenterError.self) { try segmenter.write(file) { _ in } }
                #expect(throws: SegmenterError.self) { try segmenter.finish { _ in } }
            }
            segmenter.reset()
            SegmenterTests.file("a 1-12").withUnsafeBytes { file in
                let made = Segmenting(&segmenter, file, in: [0..<file.count])
                #expect(made.error == nil && SegmenterTests.names(made) == ["a", "a"])
            }
            segmenter.reset()
        }
    }

    @Test func errorsSayWhereAndWhatToDo() {
        let reasons: [(SegmenterError.Reason, String)] = [
            (.notWebVTT, "no WEBVTT signature"), (.outOfOrder(segment: 3), "segment 3, which has ended"),
            (.tooManySegments(limit: 4), "more than 4 segments"), (.blockTooLong(limit: 5), "limit of 5 bytes"),
            (.headTooLong(limit: 6), "limit of 6 bytes"), (.spanningCuesTooLong(limit: 7), "limit of 7 bytes"),
            (.hiddenCuesTooLong(limit: 8), "limit of 8 bytes"), (.tooManyRepeatedBytes(limit: 9), "more than 9 bytes"),
            (.fileTooLong(limit: 10), "limit of 10 bytes"), (.brokenOff, "broken off here"),
        ]
        for (reason, text) in reasons {
            let description = SegmenterError(reason: reason, position: 123).description
            #expect(description.hasPrefix("at byte 123: ") && description.contains(text) && description.contains(";"))
            #expect(reason.segment == (text.hasPrefix("segment 3") ? 3 : nil))
        }
    }
}
