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

    /// Seconds that are a whole number of ticks below 2 to the 33rd are told as such.
    @Test(arguments: [
        ("1.4", 126_000), ("0.1", 9000), ("0.00001", nil), ("95443.7", 8_589_933_000), ("95443.72", nil),
        ("95444.0", nil),
        ("1:00.5", nil),
    ])
    func secondsAreTold(_ text: String, _ ticks: Int?) {
        let error = #expect(throws: Failure.self) {
            var request = MapRequest()
            try request.choose(text)
        }
        let hint = ticks.map { "as seconds that would be \($0): --map \($0)" }
        #expect(
            error?.message?.hasSuffix(hint ?? "") == true && error?.message?.contains("as seconds") == (hint != nil))
    }

    /// Options win over a configuration, `--map-from` is for `auto`, and both are for files of cues.
    @Test(
        arguments: [
            (nil, [], true, nil), (nil, [], false, nil), ("auto", ["a"], true, nil), (nil, ["a", "b"], true, nil),
            ("none", [], true, nil), ("none", ["a"], true, "--map-from is for --map auto"),
            ("auto", [], false, "--map is for the tracks' local files"),
            (nil, ["a"], false, "--map-from is for the tracks' local files"),
        ] as [(String?, [String], Bool, String?)])
    func combinations(_ choice: String?, _ segments: [String], _ writesCues: Bool, _ fault: String?) throws {
        var request = MapRequest()
        if let choice { try request.choose(choice) }
        for segment in segments { request.read(from: segment) }
        let map = TimestampMapChoice.given(TimestampMap(mpegTS: 7))
        var configured = request
        configured.take(map)
        #expect((configured.choice == map) == (choice == nil && segments.isEmpty) && request.segments == segments)
        guard let fault else { return try request.check(writesCues: writesCues) }
        let error = #expect(throws: Failure.self) { try request.check(writesCues: writesCues) }
        #expect(error?.message?.contains(fault) == true, "\(error?.message ?? "")")
    }
}
