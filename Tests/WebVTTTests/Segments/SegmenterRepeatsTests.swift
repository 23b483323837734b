import Support
import Testing

@testable import WebVTT

@Suite struct SegmenterRepeatsTests {
    /// What is wrong by the oracle: the first segment up to which more than `limit` bytes are repeated, and the cue to blame.
    private static func error(
        of segments: [NaiveSegmenter.Segment], _ naive: NaiveSegmenter, terminator: Int, limit: Int
    ) -> SegmenterError? {
        var repeated = 0
        for (before, segment) in zip(segments, segments.dropFirst()) {
            let new = segment.cues.filter { !before.cues.contains($0) }.map { cue in
                let bytes = naive.bytes(ofCue: cue)
                return bytes.count + (bytes.last == 0x0A || bytes.last == 0x0D ? 1 : 2) * terminator
            }
            repeated += segment.bytes.count - new.reduce(0, +)
            guard repeated > limit else { continue }
            let toBlame = segment.cues.first { before.cues.contains($0) }
            return SegmenterError(
                reason: .tooManyRepeatedBytes(limit: limit), position: toBlame.map { naive.cues[$0].position } ?? 0)
        }
        return nil
    }

    /// Streams in order and whole files are refused for the same bytes, at the same place, which is the oracle's.
    @Test func repeatedBytesAreThoseOfTheOracle() throws {
        var generator = SeededGenerator(seed: 79)
        var counts = (refused: 0, allowed: 0)
        for _ in 0..<(isLong ? 4000 : 300) {
            let disorder = Bool.random(using: &generator) ? 0 : 2
            let file = SegmenterRandomTests.file(disorder: disorder, using: &generator)
            let (made, oracle, _) = SegmenterRandomTests.boundaries(using: &generator)
            let boundaries = try #require(made)
            let cuesOnce = Int.random(in: 0..<4, using: &generator) == 0
            let naive = try #require(NaiveSegmenter(file, cuesOnce: cuesOnce))
            let limit = Int.random(in: 1...500, using: &generator)
            let text = file.drop { $0 != 0x0A && $0 != 0x0D }
            let terminator = text.starts(with: [0x0D, 0x0A]) ? 2 : 1
            let expected = Self.error(of: oracle(naive), naive, terminator: terminator, limit: limit)
            let limits = Segmenter.Limits(repeatedBytes: limit)
            let whole = Segmenting.whole(file, by: boundaries, cuesOnce: cuesOnce, limits: limits)
            let name = String(decoding: file, as: UTF8.self).debugDescription
            #expect(whole.error == expected, "\(name) \(boundaries)")
            let stream = Segmenting.stream(file, by: boundaries, cuesOnce: cuesOnce, limits: limits, isThorough: false)
            if disorder == 0 {
                #expect(stream.error == expected, "\(name) \(boundaries)")
                if expected == nil {
                    #expect(stream == whole, "\(name)")
                } else {
                    #expect(stream.isComplete, "\(name)")
                }
            }
            if expected == nil { counts.allowed += 1 } else { counts.refused += 1 }
        }
        #expect(counts.refused > 60 && counts.allowed > 60)
    }
}
