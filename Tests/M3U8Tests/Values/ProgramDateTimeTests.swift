import ByteScan
import M3U8
import Support
import Testing

@Suite struct ProgramDateTimeTests {
    @Test(
        arguments: [
            ("2024-02-29T23:59:59.999+01:00", 0, "2024-02-29T23:59:59.999+01:00"),
            ("2024-01-01 00:00:00", 0, "2024-01-01 00:00:00"),
            ("2024-03-01T00:00:06.006Z", 6_006_000_000, "2024-03-01T00:00:00.000Z"),
            ("2024-03-01T00:00:00Z", 1_000_000, "2024-02-29T23:59:59.999Z"),
            ("2023-03-01T00:00:00.5+0530", 1_500_000_000, "2023-02-28T23:59:59.000+0530"),
            ("2000-03-01T00:00:00.000000-08", 1, "2000-02-29T23:59:59.999999999-08"),
            ("1900-03-01T12:00:00", 86_400_000_000_000, "1900-02-28T12:00:00.000"),
            ("2024-01-01T00:00:00.250000Z", 250_000_000, "2024-01-01T00:00:00.000000Z"),
            ("2026-11-22T10:00:00.123456789Z", 788, "2026-11-22T10:00:00.123456001Z"),
            ("2024-06-30T23:59:60Z", 1_000_000_000, "2024-06-30T23:59:59.000Z"),
            ("2026-01-01T00:00:00Z", 63_072_000_000_000_000, "2024-01-02T00:00:00.000Z"),
        ] as [(String, UInt64, String)])
    func isCountedBack(_ text: String, _ nanoseconds: UInt64, _ expected: String) {
        #expect(Self.date(text, earlierBy: DecimalSeconds(nanoseconds: nanoseconds)) == expected)
    }

    @Test(arguments: [
        "", "2024", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z",
        "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00:00X",
        "2024-01-01T00:00:00+1", "0000-01-01T00:00:00Z", "2024-01-01X00:00:00Z", "2024-01-01T00:00:00+01:00x",
    ])
    func isRefused(_ text: String) { #expect(Self.date(text, earlierBy: .zero) == nil) }

    @Test func nothingIsBeforeTheCalendar() {
        let second = DecimalSeconds(nanoseconds: 1_000_000_000)
        #expect(Self.date("0001-01-01T00:00:01Z", earlierBy: second) == "0001-01-01T00:00:00.000Z")
        #expect(Self.date("0001-01-01T00:00:00Z", earlierBy: DecimalSeconds(nanoseconds: 1)) == nil)
        #expect(Self.date("0500-01-01T00:00:00Z", earlierBy: .max) == nil)
    }

    /// What is plain is written again as it was; what is not would be written otherwise.
    @Test(
        arguments: [
            ("2024-02-29T23:59:59.999+01:00", true), ("2024-01-01T00:00:00Z", true), ("2024-01-01T00:00:00", true),
            ("1999-12-31T23:59:59.123456789-0930", true), ("2024-01-01T09:08:07.0z", true),
            ("2024-01-01t00:00:00Z", false), ("2024-01-01 00:00:00Z", false), ("2024-01-01T00:00:00,5Z", false),
            ("2024-06-30T23:59:60Z", false), ("2024-01-01T00:00:00.1234567890Z", false),
        ])
    func isWrittenAsItIs(_ text: String, _ isPlain: Bool) throws {
        let bytes = GuardedBytes(Array(text.utf8))
        let parts = try #require(unsafe DateTimeParts(ByteView(bytes.buffer)))
        #expect(parts.isPlain == isPlain)
        var output = ReusableBuffer<UInt8>()
        let date = try #require(parts.nanosecondsSinceEpoch)
        DateTimeParts.write(date, fractionDigits: parts.fractionDigits, zone: parts.zone, to: &output)
        #expect((String(decoding: Array(output.view), as: UTF8.self) == text) == isPlain)
    }

    /// Any byte of a date may be another: what is read is what is written.
    @Test func everyByte() {
        let text = Array("2024-02-28T19:58:57.125+01:30".utf8)
        for offset in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[offset] = byte
                let bytes = GuardedBytes(changed)
                guard let parts = unsafe DateTimeParts(ByteView(bytes.buffer)), let date = parts.nanosecondsSinceEpoch,
                    parts.isPlain
                else { continue }
                var output = ReusableBuffer<UInt8>()
                DateTimeParts.write(date, fractionDigits: parts.fractionDigits, zone: parts.zone, to: &output)
                #expect(Array(output.view) == changed)
            }
        }
    }

    private static func date(_ text: String, earlierBy seconds: DecimalSeconds) -> String? {
        let bytes = GuardedBytes(Array(text.utf8))
        let date = unsafe ProgramDateTime(ByteView(bytes.buffer), earlierBy: seconds)
        return date.map { String(decoding: $0.bytes, as: UTF8.self) }
    }
}
