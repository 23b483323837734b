import ByteScan
import Foundation
import Support
import Testing

@testable import WebVTT

/// A whole file by time: the same segments as the segmenter's and its oracle's, by any boundaries.
struct CueIndexTests {
    /// The segment of `span`, as text.
    private static func segment(_ index: CueIndex, _ span: CueSpan, threshold: Int = 1024) -> [UInt8] {
        var output = OutputPieces(mergingThreshold: threshold)
        index.write(span, into: &output)
        return bytes(output, of: index.file)
    }

    private static func bytes(_ output: OutputPieces, of file: [UInt8]) -> [UInt8] {
        file.withUnsafeBytes { file in output.reduce(into: []) { $0 += $1.bytes(in: file) } }
    }

    /// The segments that an index has of `durations`, in nanoseconds; the last has no end.
    private static func segments(_ index: CueIndex, durations: [UInt64], map: TimestampMap) -> [[UInt8]] {
        var start: Int64 = 0
        let durations = durations.filter { $0 > 0 }
        return durations.indices.map { number in
            let end = start + Int64(durations[number])
            defer { start = end }
            return segment(index, CueSpan(start: start, end: number == durations.count - 1 ? nil : end, map: map))
        }
    }

    @Test func everySegmentIsThatOfTheSegmenter() throws {
        var generator = SeededGenerator(seed: 27)
        let map = TimestampMap(mpegTS: 126_000, local: Timestamp(milliseconds: 1))
        for _ in 0..<(isLong ? 6_000 : 500) {
            let file = SegmenterRandomTests.file(disorder: Bool.random(using: &generator) ? 0 : 2, using: &generator)
            let (_, oracle, _) = SegmenterRandomTests.boundaries(using: &generator)
            let naive = try #require(NaiveSegmenter(file))
            let durations = oracle(naive).map(\.duration)
            let expected = naive.segments(durations: durations) { _ in
                .given(String(decoding: map.headerLine, as: UTF8.self))
            }
            let made = Self.segments(try CueIndex(file), durations: durations, map: map)
            let name = String(decoding: file, as: UTF8.self).debugDescription
            #expect(made == expected.map(\.bytes), "\(name) \(durations)")
            guard let boundaries = SegmentBoundaries(durations: durations) else { continue }
            let maps = SegmentMaps(first: map, prefersOwn: false)
            #expect(Segmenting.whole(file, by: boundaries, maps: maps).files == made, "\(name)")
        }
    }

    /// Cues in no order are found by their times, and are written in the order of the file.
    @Test(arguments: [
        ("10 0", 0, 1, "0"), ("10 0", 10, 11, "10"), ("10 0", 0, 99, "10 0"), ("20 10 0", 5, 15, "10"),
        ("0 20 10", 15, 25, "20"), ("0 20 10", 5, 99, "20 10"), ("10 10", 10, 11, "10 10"),
    ])
    func cuesInNoOrderAreFound(_ starts: String, _ start: Int64, _ end: Int64, _ expected: String) throws {
        var file = "WEBVTT\n"
        for name in starts.split(separator: " ") {
            let second = name == "0" ? "00" : String(name)
            file += "\n00:00:\(second).000 --> 00:00:\(second).500\n\(name)\n"
        }
        let span = CueSpan(start: start * 1_000_000_000, end: end * 1_000_000_000)
        let segment = String(decoding: Self.segment(try CueIndex(Array(file.utf8)), span), as: UTF8.self)
        let names = segment.split(separator: "\n").filter { $0.allSatisfy(\.isNumber) }
        #expect(names.joined(separator: " ") == expected)
    }

    @Test(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
    func everyFileOfTheConformanceCorpus() throws {
        let map = TimestampMap(mpegTS: 900_000)
        var count = 0
        for file in try WebVTTExpectation.files() + WebVTTExpectation.corpus() {
            guard let index = try? CueIndex(file.bytes) else { continue }
            let last = UInt64(clamping: index.latestEnd)
            let durations: [UInt64] = [2_000_000_001, 6_006_000_000, 999_999_999, min(last, 100_000_000) * 1_000_000]
            let boundaries = try #require(SegmentBoundaries(durations: durations))
            let whole = Segmenting.whole(file.bytes, by: boundaries, maps: SegmentMaps(first: map, prefersOwn: false))
            guard whole.error == nil else { continue }
            #expect(whole.files == Self.segments(index, durations: durations, map: map), "\(file)")
            count += 1
        }
        #expect(count > 1500)
    }

    /// Thousands of cues, some of which outlast all others, in several levels of the tree.
    @Test(arguments: [0, 1, 15, 16, 17, 255, 256, 257, 4097, 20_000])
    func anySpanHasTheCuesThatShowInIt(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        var times: [(Int, Int)] = []
        var file = "WEBVTT\n\n"
        for number in 0..<count {
            let start = number * 700 + Int.random(in: -2000...2000, using: &generator)
            let lengths = [-1, 0, 1, 900, 2500, 60_000, 900, 2500]
            let isLongest = Int.random(in: 0..<700, using: &generator) == 0
            let length = isLongest ? count * 700 : lengths[Int.random(in: 0..<8, using: &generator)]
            times.append((max(0, start), max(0, max(0, start) + length)))
            let spelled = [times[number].0, times[number].1].map {
                String(decoding: Timestamp(milliseconds: Int64($0)).spelling, as: UTF8.self)
            }
            file += "\(spelled[0]) --> \(spelled[1])\ncue \(number)\n\n"
        }
        let index = try CueIndex(Array(file.utf8))
        #expect(index.cueCount == count)
        for _ in 0..<200 {
            let start = Int.random(in: -5000...(count * 700 + 5000), using: &generator)
            let end = start + [1, 1000, 6000, 60_000][Int.random(in: 0..<4, using: &generator)]
            let span = CueSpan(start: Int64(start) * 1_000_000 + 500_000, end: Int64(end) * 1_000_000 + 1)
            let text = String(decoding: Self.segment(index, span), as: UTF8.self)
            let found = text.split(separator: "\n").filter { $0.hasPrefix("cue ") }.map { Int($0.dropFirst(4)) ?? -1 }
            let expected = times.indices.filter {
                let (first, last) = times[$0]
                return first <= end && (last > first ? last > start : first > start)
            }
            #expect(found == expected, "\(start) to \(end)")
        }
    }

    @Test func rule22NamesEachCueOnce() throws {
        let file = """
            WEBVTT

            00:01.000 --> 00:02.000
            a

            one
            00:03.000 --> 00:04.000
            b

            """
        let span = CueSpan(start: 0, end: 10_000_000_000)
        func cues(_ naming: CueIndex.Naming) throws -> String {
            let index = try CueIndex(Array(file.utf8), naming: naming)
            return String(decoding: Self.segment(index, span).dropFirst("WEBVTT\n\n".utf8.count), as: UTF8.self)
        }
        let (a, b) = ("00:01.000 --> 00:02.000\na\n\n", "00:03.000 --> 00:04.000\nb\n\n")
        #expect(try cues(.asTheyStand) == "\(a)one\n\(b)")
        #expect(try cues(.ifNone(Array("en".utf8))) == "en.8\n\(a)one\n\(b)")
        #expect(try cues(.always(Array("en".utf8))) == "en.8\n\(a)en.one\n\(b)")
    }

    @Test func severalFilesAreOneSegment() throws {
        let first = try CueIndex(Array("WEBVTT\n\n00:01.000 --> 00:02.000\na".utf8), naming: .always(Array("en0".utf8)))
        let second = try CueIndex(
            Array("WEBVTT\r\n\r\nSTYLE\r\n::cue {}\r\n\r\n7\r\n00:01.500 --> 00:09.000\r\nb\r\n".utf8),
            naming: .always(Array("en1".utf8)))
        var output = OutputPieces()
        CueIndex.write(CueSpan(start: 0, end: 5_000_000_000), of: [first, second], into: &output)
        #expect(
            String(decoding: Self.bytes(output, of: []), as: UTF8.self)
                == "WEBVTT\n\nSTYLE\r\n::cue {}\r\n\r\nen0.8\n00:01.000 --> 00:02.000\na\n\nen1.7\r\n"
                + "00:01.500 --> 00:09.000\r\nb\r\n\r\n")
    }

    @Test func whatIsCopiedChangesNothing() throws {
        let file = Array("WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:01.000 --> 00:02.000\nb".utf8)
        let index = try CueIndex(file)
        let span = CueSpan(start: 0, end: nil)
        let expected = Self.segment(index, span)
        for threshold in [0, 1, 30, .max] { #expect(Self.segment(index, span, threshold: threshold) == expected) }
    }

    @Test func whatCannotBeIndexedIsRefused() {
        func reason(_ text: String, _ limits: Segmenter.Limits = Segmenter.Limits()) -> SegmenterError? {
            do { _ = try CueIndex(Array(text.utf8), limits: limits) } catch { return error }
            return nil
        }
        #expect(reason("WEBVT\n\n") == SegmenterError(reason: .notWebVTT, position: 0))
        #expect(reason("") == SegmenterError(reason: .notWebVTT, position: 0))
        #expect(
            reason("WEBVTT\n\n00:01.000 --> 00:02.000\nlong\n", Segmenter.Limits(largestBlock: 20))
                == SegmenterError(reason: .blockTooLong(limit: 20), position: 8))
        #expect(
            reason("WEBVTT\n\nSTYLE\n::cue {}\n\n", Segmenter.Limits(head: 10))
                == SegmenterError(reason: .headTooLong(limit: 10), position: 8))
        #expect(reason("WEBVTT\n\nSTYLE\n::cue {}\n") == nil)
        // The first of two is told.
        #expect(
            reason(
                "WEBVTT\n\nSTYLE\n::cue {}\n\nSTYLE\n::cue {}\n\n00:01.000 --> 00:02.000\n",
                .init(largestBlock: 20, head: 10))
                == SegmenterError(reason: .headTooLong(limit: 10), position: 8))
    }

    /// Of those that ever show the latest counts, wherever it stands.
    @Test(
        arguments: [("a 1-9,b 2-3", 9000), ("a 1-2,b 20-5,c 30-30", 2000), ("b 20-5,c 30-30", 0), ("", 0)]
            as [(String, Int64)])
    func theLatestEnd(_ cues: String, _ expected: Int64) throws {
        #expect(try CueIndex(SegmenterTests.file(cues)).latestEnd == expected)
    }

    /// The bounds of a span in milliseconds: a cue that starts before the first starts before its end, one that ends after the second
    /// ends after its start, and one that never shows starts in it from the third on.
    @Test(
        arguments: [
            (0, 1, 1, 0, 0), (1, 1_000_000, 1, 0, 1), (999_999, 1_000_001, 2, 0, 1), (-1, 0, 0, -1, 0),
            (-1_000_000, -1, 0, -1, -1), (-1_000_001, -999_999, 0, -2, -1), (1_000_000, nil, .max, 1, 1),
        ] as [(Int64, Int64?, Int64, Int64, Int64)])
    func bounds(start: Int64, end: Int64?, startLimit: Int64, endLimit: Int64, firstHidden: Int64) {
        let span = CueSpan(start: start, end: end)
        #expect(span.startLimit == startLimit && span.endLimit == endLimit)
        for time in -3...Int64(3) {
            let isInSpan = end == nil || time < startLimit
            #expect(span.holds(start: time, end: time) == (isInSpan && time >= firstHidden))
            #expect(span.holds(start: time, end: time + 1) == (isInSpan && time + 1 > endLimit))
        }
    }
}
