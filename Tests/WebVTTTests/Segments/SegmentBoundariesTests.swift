import Support
import Testing

@testable import WebVTT

@Suite struct SegmentBoundariesTests {
    /// Durations as EXTINF writes them, in nanoseconds.
    static let durations: [UInt64] = [6_006_000_000, 5_966_633_000, 1, 999_999, 4_000_000_001]

    /// A bound between two milliseconds: what ends at the one before has ended, what starts at the one after has not begun.
    @Test(
        arguments: [
            (5_966_633_000, "a 0-5.966,b 5.967-7", ["a", "b"]),
            (5_966_633_000, "a 0-5.967,b 5.966-7", ["ab", "ab"]),
            (6_006_000_000, "a 0-6.006,b 6.006-7", ["a", "b"]),
            (6_006_000_001, "a 0-6.006,b 6.006-7", ["ab", "b"]),
            (6_005_999_999, "a 0-6.006,b 6.006-7", ["a", "ab"]),
        ] as [(UInt64, String, [String])])
    func boundsAreExact(bound: UInt64, cues: String, expected: [String]) throws {
        let file = SegmenterTests.file(cues)
        let boundaries = try #require(SegmentBoundaries(durations: [bound, 5_000_000_000]))
        let made = Segmenting.stream(file, by: boundaries)
        #expect(SegmenterTests.names(made) == expected)
        #expect(made.segments.map(\.duration) == [bound, 5_000_000_000])
        #expect(Segmenting.whole(file, by: boundaries) == made)
    }

    /// The caller's list decides, whether the cues end before it or after it.
    @Test(arguments: ["a 1-2", "a 1-16", "a 1-2,b 30-31", "a 1-50,b 17-18,c 45-46"])
    func durationsAreKept(cues: String) throws {
        let boundaries = try #require(SegmentBoundaries(durations: [0] + Self.durations + [0, 0]))
        let made = Segmenting.stream(SegmenterTests.file(cues), by: boundaries)
        #expect(made.segments.map(\.duration) == Self.durations)
        #expect(made.segments.map(\.start) == Self.durations.indices.map { Self.durations[..<$0].reduce(0, +) })
        let expected = try #require(NaiveSegmenter(SegmenterTests.file(cues))).segments(durations: Self.durations)
        #expect(made.files == expected.map(\.bytes))
        // No cue is lost.
        let names = Set(SegmenterTests.names(made).joined())
        #expect(names.count == cues.split(separator: ",").count)
    }

    @Test func durationsSumToTheContent() throws {
        let file = SegmenterTests.file("a 1-2,b 12-47.123,c 13-14")
        for step: UInt64 in [1_000_000_000, 5_966_633_000, 6_006_000_000, 47_123_000_000, 47_122_999_999, .max] {
            let made = Segmenting.stream(file, by: try #require(SegmentBoundaries(every: step)), isThorough: false)
            #expect(made.segments.map(\.duration).reduce(0, +) == 47_123_000_000)
            #expect(made.segments.dropLast().allSatisfy { $0.duration == step })
            #expect(made.segments.count == Int((47_123_000_000 - 1) / step + 1))
            let bounded = try #require(SegmentBoundaries(every: step, until: 60_000_000_007))
            let longer = Segmenting.stream(file, by: bounded, isThorough: false)
            #expect(longer.segments.map(\.duration).reduce(0, +) == 60_000_000_007)
        }
    }

    @Test func whatHasNoDurationIsRefused() {
        #expect(SegmentBoundaries(every: 0) == nil)
        #expect(SegmentBoundaries(every: 1, until: 0) == nil)
        #expect(SegmentBoundaries(durations: []) == nil)
        #expect(SegmentBoundaries(durations: [0, 0]) == nil)
    }

    /// A step and an end, and the same in nanoseconds; nil if there are no such boundaries.
    @Test(
        arguments: [
            (.seconds(6), nil, SegmentBoundaries(every: 6_000_000_000)),
            (.nanoseconds(1), .nanoseconds(2), SegmentBoundaries(every: 1, until: 2)),
            (.zero, nil, nil), (.seconds(-1), nil, nil), (.seconds(1), .zero, nil), (.seconds(1), .seconds(-1), nil),
            (Duration(secondsComponent: 1, attosecondsComponent: 500_000_000), nil, nil),
            (.seconds(1), Duration(secondsComponent: 1, attosecondsComponent: 500_000_000), nil),
        ] as [(Duration, Duration?, SegmentBoundaries?)])
    func durationsOfSwift(step: Duration, end: Duration?, expected: SegmentBoundaries?) {
        #expect(SegmentBoundaries(every: step, until: end) == expected)
    }

    /// How many segments there are, and when content must end for a limit of three of them, in milliseconds.
    @Test(
        arguments: [
            (SegmentBoundaries(every: 10, until: 9), 1, .max), (SegmentBoundaries(every: 10, until: 10), 1, .max),
            (SegmentBoundaries(every: 10, until: 11), 2, .max), (SegmentBoundaries(every: 10, until: 20), 2, .max),
            (SegmentBoundaries(durations: [1, 0, 2]), 2, .max), (SegmentBoundaries(every: 1_500_000), nil, 4),
            (SegmentBoundaries(every: 1_666_666), nil, 4), (SegmentBoundaries(every: 1_666_667), nil, 5),
            (SegmentBoundaries(every: .max / 2), nil, 18_446_744_073_709),
        ] as [(SegmentBoundaries?, UInt64?, Int64)])
    func countsAndEnds(boundaries: SegmentBoundaries?, count: UInt64?, latestEnd: Int64) throws {
        let boundaries = try #require(boundaries)
        #expect(boundaries.count == count && boundaries.isEndKnown == (count != nil))
        #expect(boundaries.latestEnd(ofSegments: 3) == latestEnd)
    }

    /// A step, a time, and the number and the beginning of the segment that holds it, rounded up.
    @Test(
        arguments: [
            (1_000_000, 0, 0, 0), (1_000_000, 1, 1, 1), (1_000_000, -1, 0, 0), (1_500_000, 1, 0, 0),
            (1_500_000, 2, 1, 2), (1_500_000, 3, 2, 3), (1_000_001, 2, 1, 2), (999_999, 1, 1, 1),
        ] as [(UInt64, Int64, UInt64, Int64)])
    func theSegmentOfATime(step: UInt64, time: Int64, index: UInt64, start: Int64) throws {
        let segment = try #require(SegmentBoundaries(every: step)).segment(at: time)
        #expect(segment?.index == index && segment?.start == start)
        #expect(try #require(SegmentBoundaries(every: step, until: 9)).segment(at: time) == nil)
    }

    /// An end that is a bound ends the segment before it, and begins none.
    @Test(arguments: [(20, [10, 10]), (21, [10, 10, 1]), (19, [10, 9])] as [(UInt64, [UInt64])])
    func theEndMayBeABound(end: UInt64, durations: [UInt64]) throws {
        let boundaries = try #require(SegmentBoundaries(every: 10, until: end))
        let made = Segmenting.stream(SegmenterTests.file("a 1-2"), by: boundaries)
        #expect(made.segments.map(\.duration) == durations)
        #expect(Segmenting.whole(SegmenterTests.file("a 1-2"), by: boundaries) == made)
    }

    /// Times that no number holds do not trap.
    @Test func timesPastAllBounds() throws {
        // What is behind the end of time is no segment.
        let lists: [([UInt64], kept: [UInt64])] = [
            ([.max], [.max]), ([.max, .max, .max], [.max]), ([1, .max, 1], [1, .max - 1]),
            ([.max - 1, 1, 1], [.max - 1, 1]),
        ]
        let endless = "WEBVTT\n\n00:01.000 --> 99999999999999999999:00:00.000\na\n\n"
        let late = endless + "99999999999999999999:00:00.000 --> 99999999999999999999:00:00.000\nb\n"
        for text in [endless, late] {
            for (list, kept) in lists {
                let boundaries = try #require(SegmentBoundaries(durations: list))
                let made = Segmenting.stream(Array(text.utf8), by: boundaries, isThorough: false)
                #expect(made.error == nil && made.isComplete && SegmenterTests.names(made).joined().contains("a"))
                #expect(made.segments.map(\.duration) == kept)
                #expect(Segmenting.whole(Array(text.utf8), by: boundaries) == made)
            }
            let made = Segmenting.stream(
                Array(text.utf8), by: try #require(SegmentBoundaries(every: .max)), isThorough: false)
            #expect(made.error?.reason == .tooManySegments(limit: 100_000))
        }
    }

    /// The largest time lies in the last segment that there is room for.
    @Test(
        arguments: [
            (.max, 0, 0), (.max / 3, 2, 12_297_829_382_474), (.max / 5, 4, 14_757_395_258_968),
            (1 << 63, 1, 9_223_372_036_855),
        ] as [(UInt64, UInt64, Int64)])
    func theLargestTimeHasASegment(step: UInt64, index: UInt64, start: Int64) throws {
        let boundaries = try #require(SegmentBoundaries(every: step))
        for time: Int64 in [.max, .max - 1, .max / 1000] {
            let segment = boundaries.segment(at: time)
            #expect(segment?.index == index && segment?.start == start)
        }
    }
}
