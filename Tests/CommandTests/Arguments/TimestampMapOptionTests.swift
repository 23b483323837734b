import Testing
import WebVTT

@testable import surtitle

@Suite struct TimestampMapOptionTests {
    @Test(arguments: [
        ("0", 0, 0), ("126000", 126_000, 0), ("8589934591", 8_589_934_591, 0), ("000", 0, 0),
        ("900000:00:00:10.000", 900_000, 10_000), ("1:00:10.500", 1, 10_500), ("1:100:00:00.000", 1, 360_000_000),
    ])
    func isRead(_ text: String, _ ticks: UInt64, _ local: Int64) throws {
        var request = MapRequest()
        try request.choose(text)
        #expect(request.choice == .given(TimestampMap(mpegTS: ticks, local: Timestamp(milliseconds: local))))
    }

    @Test(arguments: [
        ("", "ticks"), ("x", "ticks"), ("-1", "ticks"), ("+1", "ticks"), ("1.4", "ticks"), (":00:00.000", "ticks"),
        (" 1", "ticks"),
        ("8589934592", "ticks"), ("99999999999999999999999", "ticks"), ("1:", "00:00:10.000"), ("1:0", "00:00:10.000"),
        ("1:00:00", "00:00:10.000"), ("1:00:60.000", "00:00:10.000"), ("1:00:00.000 ", "00:00:10.000"),
        ("1:00:00,000", "00:00:10.000"),
    ])
    func isRefused(_ text: String, _ part: String) {
        let error = #expect(throws: Failure.self) {
            var request = MapRequest()
            try request.choose(text)
        }
        #expect(error?.status == 2)
        #expect(error?.message?.hasPrefix("--map is \(text), ") == true)
        #expect(error?.message?.contains(part) == true)
    }
}
