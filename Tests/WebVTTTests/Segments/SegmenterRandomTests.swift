import Foundation
import Support
import Testing

@testable import WebVTT

@Suite struct SegmenterRandomTests {
    /// A file whose cues come in order, but for what `disorder` in ten do.
    static func file(disorder: Int, using generator: inout SeededGenerator) -> [UInt8] {
        let ends = ["\n", "\r\n", "\r"]
        let end = ends[Int.random(in: 0..<3, using: &generator)]
        var text = "WEBVTT" + (Bool.random(using: &generator) ? " x" : "") + end
        if Int.random(in: 0..<3, using: &generator) == 0 {
            text += "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000" + end
        }
        text += end
        var time = Int.random(in: 0...8000, using: &generator)
        for _ in 0..<Int.random(in: 0...14, using: &generator) {
            if Int.random(in: 0..<10, using: &generator) < disorder {
                time = Int.random(in: 0...20_000, using: &generator)
            }
            let last = time + [-500, 0, 1, 700, 1000, 5000, 15_000][Int.random(in: 0..<7, using: &generator)]
            let pieces = ["", "", "NOTE x\n\n", "STYLE\nx\n\n", "REGION\nid:a\n\n", "\n", "junk\n\n", "id\n", "7\n"]
            let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            let settings = ["", " line:0", "\talign:end "][Int.random(in: 0..<3, using: &generator)]
            let lines = ["", "a\n", "b\nc\n", "\0\n"][Int.random(in: 0..<4, using: &generator)]
            let block = "\(piece)\(stamp(time)) --> \(stamp(max(0, last)))\(settings)\n\(lines)"
            // Now and then another terminator, or none after the cue.
            let odd = ends[Int.random(in: 0..<3, using: &generator)]
            let own = Int.random(in: 0..<6, using: &generator) == 0 ? odd : end
            let gap = ["", own, own, own, own + own][Int.random(in: 0..<5, using: &generator)]
            text += block.replacing("\n", with: own) + gap
            time += [0, 0, 1, 500, 999, 1000, 2500, 9000][Int.random(in: 0..<8, using: &generator)]
        }
        while Bool.random(using: &generator), text.unicodeScalars.last == "\n" || text.unicodeScalars.last == "\r" {
            text.unicodeScalars.removeLast()
        }
        return Array(text.utf8)
    }

    private static func stamp(_ time: Int) -> String {
        func digits(_ number: Int, _ unit: Int) -> Substring { String(unit + number % unit).dropFirst() }
        return "00:\(digits(time / 60_000, 100)):\(digits(time / 1000 % 60, 100)).\(digits(time, 1000))"
    }

    /// Boundaries, the oracle's segments by them, and the step if they have no end.
    static func boundaries(
        using generator: inout SeededGenerator
    ) -> (SegmentBoundaries?, (NaiveSegmenter) -> [NaiveSegmenter.Segment], step: UInt64?) {
        let steps: [UInt64] = [1_000_000_000, 5_966_633_000, 6_006_000_000, 999_999_999, 10_000_000_000, 700_000_001]
        let step = steps[Int.random(in: 0..<steps.count, using: &generator)]
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return (SegmentBoundaries(every: step), { $0.segments(every: step) }, step)
        case 1:
            let end = UInt64.random(in: 1...40_000_000_000, using: &generator)
            return (SegmentBoundaries(every: step, until: end), { $0.segments(every: step, until: end) }, nil)
        default:
            var list = [step]
            for _ in 0..<Int.random(in: 0...9, using: &generator) {
                list.append([0, 1, 1_000_000, step, 2_500_000_000][Int.random(in: 0..<5, using: &generator)])
            }
            let durations = list
            return (SegmentBoundaries(durations: durations), { $0.segments(durations: durations) }, nil)
        }
    }

    @Test func theSegmentsAreThoseOfTheOracle() throws {
        var generator = SeededGenerator(seed: 77)
        var counts = (ordered: 0, refused: 0)
        for _ in 0..<(isLong ? 6_000 : 500) {
            let disorder = Bool.random(using: &generator) ? 0 : 2
            let file = Self.file(disorder: disorder, using: &generator)
            let (made, oracle, step) = Self.boundaries(using: &generator)
            let boundaries = try #require(made)
            let cuesOnce = Int.random(in: 0..<3, using: &generator) == 0
            let naive = try #require(NaiveSegmenter(file, cuesOnce: cuesOnce))
            let expected = oracle(naive)
            let name = String(decoding: file, as: UTF8.self).debugDescription
            let whole = Segmenting.whole(file, by: boundaries, cuesOnce: cuesOnce)
            #expect(whole.error == nil && whole.isComplete, "\(name)")
            let isRight = zip(zip(whole.segments, whole.files), expected).allSatisfy { $1.isMade($0.0, $0.1) }
            #expect(isRight && whole.segments.count == expected.count, "\(name) \(boundaries)")
            Self.checkInvariants(whole, naive, name)

            let stream = Segmenting.stream(file, by: boundaries, cuesOnce: cuesOnce, isThorough: false)
            // The first cue that starts in a segment before that of an earlier cue, in one that the content may not reach too.
            let starts = naive.cues.indices.map { cue in
                step.map { Int(UInt64(naive.cues[cue].start) * 1_000_000 / $0) }
                    ?? expected.firstIndex { $0.cues.contains(cue) } ?? -1
            }
            let late = starts.indices.first { index in starts[..<index].contains { $0 > starts[index] } }
            if let late {
                counts.refused += 1
                let error = SegmenterError(
                    reason: .outOfOrder(segment: starts[late]), position: naive.cues[late].position)
                #expect(stream.error == error, "\(name) \(boundaries)")
            } else {
                counts.ordered += 1
                #expect(stream == whole, "\(name) \(boundaries)")
            }
        }
        #expect(counts.ordered > 100 && counts.refused > 30)
    }

    /// What holds whatever the rules: nothing is lost, nothing added, and a parser finds each cue again as it was.
    private static func checkInvariants(_ made: Segmenting, _ naive: NaiveSegmenter, _ name: String) {
        var seen = Set<Int>()
        for (segment, file) in zip(made.segments, made.files) {
            let isLast = segment.index == made.segments.count - 1
            let parsed = NaiveWebVTT.blocks(of: file) ?? []
            let cues = parsed.filter { $0.kind == "cue" }
            #expect(cues.count == segment.cueCount, "\(name)")
            #expect(parsed.allSatisfy { ["cue", "style", "region", "header"].contains($0.kind) }, "\(name)")
            let (start, end) = (Double(segment.start) / 1e6, Double(segment.start + segment.duration) / 1e6)
            var next = 0
            for cue in cues {
                let bytes = Array(file[cue.position..<(cue.position + cue.count)])
                // In the order of the file, byte for byte but for a line that the file leaves unended.
                let found = naive.cues.indices[next...].first { index in
                    let original = naive.bytes(ofCue: index)
                    return bytes.starts(with: original) && bytes.count - original.count <= 2
                        && naive.cues[index].start == cue.start && naive.cues[index].end == cue.end
                }
                guard let found else {
                    Issue.record("\(name): a cue of segment \(segment.index) is not the file's")
                    return
                }
                seen.insert(found)
                next = found + 1
                #expect(isLast || Double(cue.start) < end)
                #expect(Double(cue.end) > start || cue.end <= cue.start || isLast)
            }
        }
        #expect(made.segments.isEmpty || seen.count == naive.cues.count, "\(name)")
        #expect(made.segments.allSatisfy { $0.duration > 0 })
    }

    /// Files of the parser's own tokens, most of them nearly right.
    @Test func nearlyRightFiles() throws {
        var generator = SeededGenerator(seed: 78)
        for _ in 0..<(isLong ? 60_000 : 400) {
            let file = WebVTTTokens.file(using: &generator)
            let durations: [UInt64] = [1_000_000_000, 1_500_000_000, 60_000_000_000, 3]
            let boundaries = try #require(SegmentBoundaries(durations: durations))
            let whole = Segmenting.whole(file, by: boundaries)
            let name = String(decoding: file, as: UTF8.self).debugDescription
            guard let naive = NaiveSegmenter(file) else {
                #expect(whole.error?.reason == .notWebVTT)
                continue
            }
            let expected = naive.segments(durations: durations)
            #expect(whole.files == expected.map(\.bytes), "\(name)")
            Self.checkInvariants(whole, naive, name)
            let stream = Segmenting.stream(file, by: boundaries, isThorough: false)
            if stream.error == nil { #expect(stream == whole, "\(name)") }
        }
    }
}
