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
        var writer = DateTimeWriter(fractionDigits: parts.fractionDigits, zone: parts.zone)
        writer.write(date, to: &output)
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
                var writer = DateTimeWriter(fractionDigits: parts.fractionDigits, zone: parts.zone)
                writer.write(date, to: &output)
                #expect(Array(output.view) == changed)
            }
        }
    }

    /// How many bytes may stand at each place of a date: digits as far as the day and the time exist.
    @Test func bytesThatMayStandThere() {
        let text = Array("2024-02-28T19:58:57.125+01:30".utf8)
        let counts = text.indices.map { offset in
            (UInt8.min...UInt8.max).count { byte in
                var changed = text
                changed[offset] = byte
                return changed.withView { DateTimeParts($0) != nil }
            }
        }
        let date = [10, 10, 10, 10, 1, 2, 9, 1, 3, 10]
        let time = [2, 10, 1, 6, 10, 1, 6, 10]
        #expect(counts == date + [3] + time + [2, 10, 10, 10] + [2, 10, 10, 1, 10, 10])
        for count in 0..<19 { #expect(text[..<count].withBytes { DateTimeParts(ByteView($0)) == nil }) }
    }

    /// The short way of a date in the same minute is the long way, whatever byte of it is another.
    @Test(arguments: [
        ("2024-02-28T19:58:57.125+01:30", 3), ("2024-02-29T23:59:00Z", 0), ("1969-12-31T23:59:59.999999999Z", 9),
    ])
    func theSameMinuteIsReadAlike(_ first: String, _ digits: Int) throws {
        let text = Array(first.utf8)
        let zone = Array((first.hasSuffix("Z") ? "Z" : "+01:30").utf8)
        let parts = text.withView { DateTimeParts($0)?.nanosecondsSinceEpoch }
        var reader = DateTimeReader()
        let date = try #require(parts)
        text.withView { reader.keep($0, date) }
        for offset in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[offset] = byte
                let bytes = GuardedBytes(changed)
                let view = unsafe ByteView(bytes.buffer)
                let parts = DateTimeParts(view)
                let isAlike = zone.withView {
                    parts?.isPlain == true && parts?.fractionDigits == digits && parts?.zone == $0
                }
                let isThere = offset > 15 && isAlike
                let found = zone.withView { reader.date(view, fractionDigits: digits, zone: $0) }
                // Of another minute there is none; of this one the same.
                #expect(found == (isThere || changed == text ? parts?.nanosecondsSinceEpoch : nil), "\(changed)")
            }
            let bytes = GuardedBytes(Array(text[..<offset]))
            let short = zone.withView { unsafe reader.date(ByteView(bytes.buffer), fractionDigits: digits, zone: $0) }
            #expect(short == nil)
        }
    }

    /// One writer writes dates as one for each of them does.
    @Test(arguments: [("Z", 3), ("+01:30", 0), ("-09:30", 9), ("", 1)])
    func aWriterOfMany(_ zone: String, _ digits: Int) {
        var generator = SeededGenerator(seed: 7)
        var dates: [Int64] = [
            0, -1, 59_999_999_999, 60_000_000_000, -60_000_000_000, .min, .max, .min, .max - 1, .min + 1,
        ]
        var date: Int64 = 1_795_000_000_000_000_000
        for _ in 0..<400 {
            date += Int64.random(in: -70_000_000_000...70_000_000_000, using: &generator)
            dates.append(date)
        }
        Array(zone.utf8).withView { zone in
            var one = DateTimeWriter(fractionDigits: digits, zone: zone)
            for date in dates {
                var another = DateTimeWriter(fractionDigits: digits, zone: zone)
                var output = ReusableBuffer<UInt8>()
                var expected = ReusableBuffer<UInt8>()
                one.write(date, to: &output)
                another.write(date, to: &expected)
                #expect(Array(output.view) == Array(expected.view), "\(date)")
            }
        }
    }

    /// In the last minute of all dates not every second is one.
    @Test func theEndOfTime() throws {
        let first = Array("2262-04-11T23:47:16.000000000Z".utf8)
        var reader = DateTimeReader()
        let date = try #require(first.withView { DateTimeParts($0)?.nanosecondsSinceEpoch })
        first.withView { reader.keep($0, date) }
        let zone = Array("Z".utf8)
        for (rest, isThere) in [("16.854775807Z", true), ("16.854775808Z", false), ("17.000000000Z", false)] {
            let text = Array("2262-04-11T23:47:\(rest)".utf8)
            let found = text.withView { text in zone.withView { reader.date(text, fractionDigits: 9, zone: $0) } }
            #expect(found == text.withView { DateTimeParts($0)?.nanosecondsSinceEpoch })
            #expect((found != nil) == isThere)
        }
    }

    private static func date(_ text: String, earlierBy seconds: DecimalSeconds) -> String? {
        let bytes = GuardedBytes(Array(text.utf8))
        let date = unsafe ProgramDateTime(ByteView(bytes.buffer), earlierBy: seconds)
        return date.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Nanoseconds after the beginning of 1970, in UTC where no zone is written.
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00", 0), ("1970-01-01T00:00:01.5Z", 1_500_000_000),
            ("1969-12-31T23:59:59.999999999z", -1), ("1970-01-01T01:00:00+01", 0), ("1970-01-01T01:59:00+01:59", 0),
            ("1969-12-31T22:30:00-0130", 0), ("1970-01-01T01:30:00-01:30", 10_800_000_000_000),
            ("1970-01-02T00:00:00+00:00", 86_400_000_000_000), ("1970-01-01T00:00:00+01:60", nil),
            ("1970-01-01T00:00:00+0160", nil), ("1677-09-22T00:00:00Z", -9_223_286_400_000_000_000),
            ("1677-09-21T23:59:59Z", nil),
            ("2262-04-11T23:47:16.854775807Z", .max), ("2262-04-11T23:47:16.854775808Z", nil),
            ("2262-04-11T23:47:16.854775807-00:01", nil), ("1600-01-01T00:00:00Z", nil),
        ] as [(String, Int64?)])
    func nanosecondsSinceEpoch(_ text: String, _ nanoseconds: Int64?) throws {
        let bytes = GuardedBytes(Array(text.utf8))
        let parts = try #require(unsafe DateTimeParts(ByteView(bytes.buffer)))
        #expect(parts.nanosecondsSinceEpoch == nanoseconds)
        #expect(parts.hasZone == !text.hasSuffix("00:00:00") && parts.hasZone == !parts.zone.isEmpty)
    }

    /// What is no zone is written all the same, as if it were UTC; so is one with colons that mean nothing.
    @Test(arguments: [
        ("Z", 0, "1970-01-01T00:00:00Z"), ("", 3, "1970-01-01T00:00:00.000"), ("?", 1, "1970-01-01T00:00:00.0?"),
        ("+01:00", -1, "1970-01-01T01:00:00+01:00"),
        ("-01:::::00", 10, "1970-01-01T00:00:00.000000000-01:::::00"),
        ("+:0:1:0:0", 2, "1970-01-01T00:00:00.00+:0:1:0:0"),
        ("abcdefgh", 0, "1970-01-01T00:00:00abcdefgh"), ("abcdefghi", 0, "1970-01-01T00:00:00abcdefghi"),
    ])
    func zones(_ zone: String, _ digits: Int, _ text: String) {
        Array(zone.utf8).withView { zone in
            var writer = DateTimeWriter(fractionDigits: digits, zone: zone)
            // The long way first, then that of the same minute.
            for _ in 0..<2 {
                var output = ReusableBuffer<UInt8>()
                writer.write(0, to: &output)
                #expect("\(output.view)" == text)
            }
        }
    }

    /// A minute that is kept has dates from its first nanosecond to its last.
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000000000Z"), (59_999_999_999, "1970-01-01T00:00:59.999999999Z"),
        (60_000_000_000, "1970-01-01T00:01:00.000000000Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
        (9_876_543_210, "1970-01-01T00:00:09.876543210Z"), (-60_000_000_001, "1969-12-31T23:58:59.999999999Z"),
    ])
    func theMinuteThatIsKept(_ nanoseconds: Int64, _ text: String) {
        for first in [nil, 0, 30_000_000_000, -30_000_000_000, 59_999_999_999] as [Int64?] {
            var writer = DateTimeWriter(fractionDigits: 9, zone: ByteView("Z"))
            var output = ReusableBuffer<UInt8>()
            if let first { writer.write(first, to: &output) }
            output.removeAll()
            writer.write(nanoseconds, to: &output)
            #expect("\(output.view)" == text, "after \(first ?? -1)")
        }
    }
}
