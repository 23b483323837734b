import ByteScan
import Testing

@testable import WebVTT

/// How it is spelled which map files get.
@Suite struct TimestampMapChoiceTests {
    private static func choice(_ text: String) throws(TimestampMapFault) -> TimestampMapChoice {
        try Array(text.utf8).withView { bytes throws(TimestampMapFault) in try TimestampMapChoice(spelling: bytes) }
    }

    @Test(
        arguments: [
            ("0", 0, 0), ("126000", 126_000, 0), ("8589934591", 8_589_934_591, 0),
            ("900000:00:00:10.000", 900_000, 10_000), ("1:00:10.500", 1, 10_500),
        ] as [(String, UInt64, Int64)])
    func aMap(_ text: String, _ ticks: UInt64, _ local: Int64) throws {
        let map = TimestampMap(mpegTS: ticks, local: Timestamp(milliseconds: local))
        #expect(try Self.choice(text) == .given(map))
    }

    @Test func aWord() throws {
        #expect(try Self.choice("auto") == .auto)
        #expect(try Self.choice("none") == .none)
    }

    @Test(
        arguments: [
            ("", .ticks), ("Auto", .ticks), ("-1", .ticks), ("1x", .ticks), ("8589934592", .ticks),
            (":00:00.000", .ticks), ("1:", .local), ("1:0", .local), ("1:00:00.0000", .local), ("1: 00:00.000", .local),
        ] as [(String, TimestampMapFault)])
    func whatIsNone(_ text: String, _ fault: TimestampMapFault) {
        #expect(throws: fault) { try Self.choice(text) }
    }
}
