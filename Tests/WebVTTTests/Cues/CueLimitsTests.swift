import ByteScan
import Support
import Testing

@testable import WebVTT

@Suite struct CueLimitsTests {
    static func outcome(of file: [UInt8], limits: CueLimits) -> (cues: [NaiveWebVTT.Block], skipped: [SkippedBlock]) {
        var (cues, skipped): ([NaiveWebVTT.Block], [SkippedBlock]) = ([], [])
        var scanner = CueScanner(limits: limits)
        let handle = { (event: CueEvent) in
            switch event {
            case .skipped(let block): skipped.append(block)
            case .cue: cues.append(Transcript.block(event))
            default: break
            }
        }
        file.withUnsafeBytes { try? scanner.scan($0, handle) }
        try? scanner.finish(handle)
        return (cues, skipped)
    }

    @Test func onlyWhatIsTooLargeIsLost() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<(isLong ? 100_000 : 800) {
            let file = WebVTTTokens.file(upTo: 30, using: &generator)
            guard let blocks = NaiveWebVTT.blocks(of: file) else { continue }
            let limit = Int.random(in: 1...80, using: &generator)
            let (cues, skipped) = Self.outcome(of: file, limits: CueLimits(largestBlock: limit))
            var expected = blocks.filter { $0.kind == "cue" && $0.count <= limit }
            for index in expected.indices { (expected[index].line, expected[index].count) = (0, 0) }
            #expect(cues == expected)
            let tooLarge = blocks.filter { $0.kind != "header" && $0.count > limit }
            let header = blocks.first?.kind == "header" ? blocks[0].position : -1
            #expect(skipped.filter { $0.position != header }.map(\.position) == tooLarge.map(\.position))
            #expect(skipped.filter { $0.position != header }.map(\.lineNumber) == tooLarge.map(\.line))
            #expect(skipped.filter { $0.position != header }.map(\.byteCount) == tooLarge.map(\.count))
            CueScannerTests.checkSplits(
                file, sizes: [1, 2, Int.random(in: 3...64, using: &generator)], limits: CueLimits(largestBlock: limit))
        }
    }

    @Test func aSkippedCueKeepsItsTimesWhereItsTimingLineFits() throws {
        let text = "WEBVTT\n\nid\n00:01.000 --> 00:02.000\nsome text\n\n00:03.000 --> 00:04.000\n"
        for limit in 1...60 {
            let (cues, skipped) = Self.outcome(of: Array(text.utf8), limits: CueLimits(largestBlock: limit))
            #expect(cues.count == (limit >= 37 ? 2 : limit >= 24 ? 1 : 0))
            guard limit < 37 else { continue }
            let first = try #require(skipped.first)
            #expect((first.position, first.lineNumber, first.byteCount) == (8, 3, 37))
            #expect(first.start?.milliseconds == (limit >= 26 ? 1000 : nil))
            #expect(first.end?.milliseconds == (limit >= 26 ? 2000 : nil))
        }
    }

    @Test func memoryIsBoundedByTwiceTheLimit() {
        let note = "WEBVTT\n\n00:01.000 --> 00:02.000\n" + String(repeating: "x", count: 70_000)
        let file = Array((note + String(repeating: " line\n", count: 20_000) + "\n00:03.000 --> 00:04.000\n").utf8)
        for size in [1000, 4096, 65_536] {
            var scanner = CueScanner(limits: CueLimits(largestBlock: 5000))
            var ends: [Int64] = []
            file.withUnsafeBytes { buffer in
                for chunk in Splits.even(of: file.count, size: size) {
                    try? scanner.scan(UnsafeRawBufferPointer(rebasing: buffer[chunk])) { event in
                        if case .cue(let cue) = event { ends.append(cue.end.milliseconds) }
                    }
                    #expect(scanner.carry.view.count <= 10_000)
                }
            }
            try? scanner.finish { if case .cue(let cue) = $0 { ends.append(cue.end.milliseconds) } }
            #expect(ends == [4000])
            #expect(scanner.exceededLimit == CueLimitError(position: 8, lineNumber: 3, largestBlock: 5000))
        }
    }

    @Test func thePolicyThrowsOnceAndLosesNothing() {
        let text = "WEBVTT\n\nNOTE a long one\n\nNOTE another long one\n\n00:03.000 --> 00:04.000\n"
        for size in [1, 7, 100] {
            var scanner = CueScanner(limits: CueLimits(largestBlock: 24, policy: .fail))
            var smaller = CueScanner(limits: CueLimits(largestBlock: 12, policy: .fail))
            var (ends, errors): ([Int64], [CueLimitError]) = ([], [])
            let handle = { (event: CueEvent) in if case .cue(let cue) = event { ends.append(cue.end.milliseconds) } }
            Array(text.utf8).withUnsafeBytes { buffer in
                for chunk in Splits.even(of: buffer.count, size: size) {
                    let chunk = UnsafeRawBufferPointer(rebasing: buffer[chunk])
                    #expect(throws: Never.self) { try scanner.scan(chunk, handle) }
                    do throws(CueLimitError) { try smaller.scan(chunk, handle) } catch { errors.append(error) }
                }
            }
            #expect(throws: Never.self) { try scanner.finish(handle) }
            do throws(CueLimitError) { try smaller.finish(handle) } catch { errors.append(error) }
            #expect(ends == [4000])
            #expect(errors == [CueLimitError(position: 8, lineNumber: 3, largestBlock: 12)])
            #expect(errors.first?.description == "at byte 8, line 3: a block is longer than the limit of 12 bytes")
        }
    }

    @Test func aResetScannerIsAsNew() {
        var scanner = CueScanner()
        var outcomes: [[NaiveWebVTT.Block]] = []
        for text in ["WEBVTT\nx\n\n00:01.000 --> 00:02.000\ny", "WEBVTT\n\nSTYLE\na\n\nx\n00:01.000 -->", "nothing"] {
            for _ in 0..<2 {
                var blocks: [NaiveWebVTT.Block] = []
                Array(text.utf8).withUnsafeBytes { try? scanner.scan($0) { blocks.append(Transcript.block($0)) } }
                try? scanner.finish { blocks.append(Transcript.block($0)) }
                #expect(blocks == Transcript.expected(Array(text.utf8)) ?? [])
                outcomes.append(blocks)
                scanner.reset()
            }
        }
        #expect(outcomes.map(\.count) == [2, 2, 2, 2, 0, 0])
    }
}
