import Sideload
import Testing

@testable import surtitle

/// What is told of a segment's first time stamp.
@Suite struct SegmentStartTests {
    @Test(
        arguments: [
            (0, "0 (0.000 s)"), (1, "1 (0.000011 s)"), (126_000, "126000 (1.400 s)"), (89_999, "89999 (0.999988 s)"),
            (8_589_934_591, "8589934591 (95443.717677 s)"),
        ] as [(UInt64, String)])
    func aTimeStamp(_ ticks: UInt64, _ words: String) throws {
        let start = try #require(SegmentStart(.found(ticks)))
        #expect(start.words == words && start.ticks == Int64(ticks))
    }

    @Test func noTimeStamp() throws {
        let start = try #require(SegmentStart(.unsupported(.tooLong)))
        #expect(start.words == "unknown: \(MediaStartError.tooLong)" && start.ticks == nil)
        for answer in [.needsMoreBytes, .unsupported(.notMedia), .unsupported(.encrypted)] as [MediaStartScanner.Answer]
        {
            #expect(SegmentStart(answer) == nil)
        }
    }
}
