import Foundation
import Support
import Testing

@testable import WebVTT

/// The files with their boundaries, and for each segment the cues it must hold.
@Suite(.enabled(if: Conformance.isAvailable, "\(Conformance.skipped)"))
struct SegmenterConformanceTests {
    private struct Answers: Decodable {
        let boundaries_ms: [UInt64]
        let segments: [[Int]]
        let style: [String]
    }

    @Test func everyFile() throws {
        let files = try Conformance.files(in: "webvtt/hls-segment", withExtension: "vtt")
        for url in files {
            let answers = try JSONDecoder().decode(
                Answers.self, from: Data(contentsOf: url.deletingPathExtension().appendingPathExtension("json")))
            let file = Array(try Data(contentsOf: url))
            let bounds = answers.boundaries_ms
            let durations = zip(bounds, bounds.dropFirst()).map { ($1 - $0) * 1_000_000 }
            let boundaries = try #require(SegmentBoundaries(durations: durations))
            let made = Segmenting.stream(file, by: boundaries, isThorough: file.count < 1000 && bounds.count < 50)
            let naive = try #require(NaiveSegmenter(file))
            #expect(made.error == nil && made.segments.map(\.duration) == durations)
            for (made, cues) in zip(made.files, answers.segments) {
                let blocks = NaiveWebVTT.blocks(of: made) ?? []
                let found = blocks.filter { $0.kind == "cue" }
                    .map { Array(made[$0.position..<($0.position + $0.count)]) }
                #expect(found == cues.map { naive.bytes(ofCue: $0) }, "\(url.lastPathComponent)")
                #expect(blocks.filter { $0.kind == "style" }.map(\.text) == answers.style)
            }
            #expect(made.files.count == answers.segments.count)
            #expect(Segmenting.whole(file, by: boundaries) == made)
        }
        #expect(files.count >= 3)
    }
}
