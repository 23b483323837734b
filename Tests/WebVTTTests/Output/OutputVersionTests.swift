import Support
import Testing
import WebVTT

/// What becomes of WebVTT files changes only with the versions that are in every fingerprint.
@Suite struct OutputVersionTests {
    static func texts() throws -> [[UInt8]] {
        var texts = try GoldenOutput.fixtures(withExtension: "vtt") + OutputFormTests.files
        var generator = SeededGenerator(seed: 433)
        for _ in 0..<300 { texts.append(WebVTTTokens.file(using: &generator)) }
        return texts
    }

    @Test func timestampMaps() throws {
        let recorded = [1: GoldenOutput(inputs: 0x72b8_cd02_7b26_2b92, outputs: 0x291b_8eb2_6edb_7c80)]
        var golden = GoldenOutput()
        var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 900_000))
        for text in try Self.texts() {
            var output: [UInt8] = []
            rewriter.reset()
            text.withUnsafeBytes { rewriter.write($0) { output += $0.bytes } }
            rewriter.finish { output += $0.bytes }
            golden.add(text, output)
        }
        #expect(golden.fault(beside: recorded[TimestampMap.outputVersion]) == nil)
    }

    @Test func shifts() throws {
        let recorded = [1: GoldenOutput(inputs: 0x8f7c_666a_6d50_507d, outputs: 0x1f89_0bd3_c374_e175)]
        var golden = GoldenOutput()
        for shift in [Int64(-1500), 3_600_000] {
            var shifter = CueShifter(byMilliseconds: shift)
            for text in try Self.texts() {
                var output: [UInt8] = []
                shifter.reset()
                try text.withUnsafeBytes { try shifter.write($0) { output += $0.bytes } }
                shifter.finish { output += $0.bytes }
                golden.add(text, output)
            }
        }
        #expect(golden.fault(beside: recorded[CueShifter.outputVersion]) == nil)
    }

    @Test func segments() throws {
        let recorded = [1: GoldenOutput(inputs: 0x8f7c_666a_6d50_507d, outputs: 0x99d4_dba2_1e13_7585)]
        var golden = GoldenOutput()
        let boundaries = try #require(SegmentBoundaries(every: 2_000_000_000))
        for cuesOnce in [false, true] {
            var segmenter = Segmenter(boundaries, map: TimestampMap(mpegTS: 900_000), cuesOnce: cuesOnce)
            for text in try Self.texts() {
                var output: [UInt8] = []
                text.withUnsafeBytes { file in
                    try? segmenter.segment(file) { event in
                        switch event {
                        case .began(let index): output += "began \(index)\n".utf8
                        case .bytes(let slice): output += slice.bytes
                        case .ended(let segment): output += "ended \(segment)\n".utf8
                        }
                    }
                }
                golden.add(text, output)
            }
        }
        #expect(golden.fault(beside: recorded[Segmenter.outputVersion]) == nil)
    }
}
