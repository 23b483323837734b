import ByteScan
import Support
import Testing

@testable import WebVTT

@Suite struct TimestampTests {
    /// Text, the milliseconds it spells and the number of bytes left unread.
    static let accepted: [(String, Int64, Int)] = [
        ("00:00.000", 0, 0),
        ("00:01.000", 1000, 0),
        ("59:59.999", 3_599_999, 0),
        ("00:00:00.001", 1, 0),
        ("0:00:00.001", 1, 0),
        ("000:00:00.001", 1, 0),
        ("60:00:00.000", 216_000_000, 0),
        ("99:59:59.999", 359_999_999, 0),
        ("123:00:00.000", 442_800_000, 0),
        ("1234567890:00:00.000", 4_444_444_404_000_000, 0),
        ("0000000000000000000000000000000000000001:00:00.000", 3_600_000, 0),
        ("2562047788015:12:55.806", .max - 1, 0),
        ("2562047788015:12:55.807", .max, 0),
        ("2562047788015:12:55.808", .max, 0),
        ("2562047788016:00:00.000", .max, 0),
        ("9999999999999:59:59.999", .max, 0),
        ("10000000000000:00:00.000", .max, 0),
        ("99999999999999999999999999999999999999999:00:00.000", .max, 0),
        ("00:01.000align:start", 1000, 11),
        ("00:01.000 ", 1000, 1),
        ("00:01.000.5", 1000, 2),
        ("00:01.000:00", 1000, 3),
        ("01:02:03.004:05", 3_723_004, 3),
    ]

    static let rejected = [
        "", "0", "00", "00:", "00:0", "00:00", "00:00.", "00:00.0", "00:00.00", "00:00.0000", "00:00,000",
        "00:60.000", "60:00.000", "0:00.000", "000:00.000", "00:000.000", "00:0.000", ":00.000", ":00:00.000",
        "00::00.000", "00:00:.000", "00:00:0.000", "00:00:000.000", "00:60:00.000", "00:00:60.000", "00:00:00:00.000",
        "00:00:00.0000", "-00:01.000", "+00:01.000", " 00:01.000", "٠٠:٠١.٠٠٠", "99:00.000", "x",
    ]

    @Test(arguments: accepted)
    func reads(text: String, milliseconds: Int64, unread: Int) throws {
        let bytes = GuardedBytes(Array(text.utf8))
        defer { withExtendedLifetime(bytes) {} }
        for buffer in [bytes.buffer, bytes.leadingBuffer] {
            let scanned = try #require(Timestamp.scan(ByteView(buffer), from: 0))
            #expect(scanned.timestamp.milliseconds == milliseconds)
            #expect(scanned.end == text.utf8.count - unread)
        }
    }

    @Test(arguments: rejected)
    func refuses(text: String) {
        let bytes = GuardedBytes(Array(text.utf8))
        defer { withExtendedLifetime(bytes) {} }
        #expect(Timestamp.scan(ByteView(bytes.buffer), from: 0) == nil)
    }

    @Test func agreesWithTheOracleOnEveryByteInEveryPlace() {
        for text in ["00:01.000", "1:00:00.000", "00:00:01.999", "123:59:59.999"] {
            for place in 0...text.utf8.count {
                for byte in UInt8.min...UInt8.max {
                    for replaced in [0, 1] {
                        var bytes = Array(text.utf8)
                        bytes.replaceSubrange(place..<min(bytes.count, place + replaced), with: [byte])
                        var rest = bytes[...]
                        let expected = NaiveTimings.timestamp(&rest)
                        let scanned = bytes.withUnsafeBytes { Timestamp.scan(ByteView($0), from: 0) }
                        guard scanned?.timestamp.milliseconds != expected else { continue }
                        Issue.record("\(bytes): \(String(describing: expected)) expected")
                    }
                }
            }
        }
    }
}
