import ByteScan
import Foundation
import M3U8
import Support
import Testing

@Suite struct DecimalSecondsTests {
    @Test(
        arguments: [
            ("6", 6_000_000_000), ("6.00000", 6_000_000_000), ("5.99999", 5_999_990_000), ("6.006,", 6_006_000_000),
            ("6,title", 6_000_000_000), ("6.5,1.5", 6_500_000_000), (" \t6.5\t ,", 6_500_000_000),
            ("6.5 ", 6_500_000_000),
            ("0", 0), ("0.000000001", 1), ("0.0000000019", 1), ("0.0000000009999999999999", 0), (".5", 500_000_000),
            ("5.", 5_000_000_000), ("5.,", 5_000_000_000), ("007", 7_000_000_000),
            ("1.000000000000000000000000", 1_000_000_000),
            ("18446744073.709551615", .max), ("18446744073.709551614", .max - 1), ("18446744073.709551616", .max),
            ("18446744074", .max), ("18446744073709551615", .max), ("99999999999999999999999999999.9", .max),
        ] as [(String, UInt64)])
    func reads(_ text: String, _ nanoseconds: UInt64) {
        #expect(seconds(text)?.nanoseconds == nanoseconds)
    }

    @Test(
        arguments: [
            ("6", 0, true), ("0", 0, true), ("6.000,", 3, true), ("0.5", 1, true), ("123.123456789,a", 9, true),
            (" 6.25\t,", 2, true), ("06", 0, false), ("00.5", 1, false), ("6.", 0, false), (".5", 1, false),
            ("6.1234567890", 10, false),
        ])
    func spelling(_ text: String, _ digits: Int, _ isPlain: Bool) throws {
        let bytes = GuardedBytes(Array(text.utf8))
        let spelling = try #require(unsafe DecimalSpelling(ByteView(bytes.buffer)))
        #expect(spelling.fractionDigits == digits)
        #expect(spelling.isPlain == isPlain)
    }

    @Test(arguments: [
        "", " ", ",", " ,", ".", ".,", "-1", "+1", "-1,", "1e3", "1.2.3", "1 2", "1. 5", "1 .5", "0x6", "6s", "6;",
        "6\r", "６",
        "{$d}", "NaN", "inf", "\u{0}",
    ])
    func refuses(_ text: String) { #expect(seconds(text) == nil) }

    @Test(
        arguments: [
            (0, 0, "0.000"), (1, 1, "0.001"), (999_999, 1, "0.001"), (1_000_000, 1, "0.001"), (1_000_001, 2, "0.002"),
            (999_000_001, 1000, "1.000"), (1_000_000_000, 1000, "1.000"), (634_567_000_000, 634_567, "634.567"),
            (634_566_000_001, 634_567, "634.567"), (60_050_000_000, 60_050, "60.050"),
            (.max, 18_446_744_073_710, "18446744073.710"),
        ] as [(UInt64, Int64, String)])
    func roundsUp(_ nanoseconds: UInt64, _ milliseconds: Int64, _ text: String) {
        let seconds = DecimalSeconds(nanoseconds: nanoseconds)
        #expect(seconds.millisecondsRoundedUp == milliseconds)
        #expect(seconds.description == text)
    }

    @Test func sumsAreExact() throws {
        let tenth = try #require(seconds("0.1"))
        let frame = try #require(seconds("5.99999"))
        var sum = DecimalSeconds.zero
        for _ in 0..<10_000 { sum += tenth }
        #expect(sum.description == "1000.000")
        for _ in 0..<10_000 { sum += frame }
        #expect(sum.nanoseconds == 60_999_900_000_000)
    }

    @Test func sumsStayAtTheLargestValue() {
        let one = DecimalSeconds(nanoseconds: 1)
        #expect(DecimalSeconds.max + one == .max)
        #expect(DecimalSeconds(nanoseconds: .max - 1) + one == .max)
        #expect(DecimalSeconds.max + .max == .max)
        #expect(DecimalSeconds.max > one)
        #expect(!(one < one))
    }

    @Test func noBytesTrap() {
        var generator = SeededGenerator(seed: 8216)
        let alphabet = Array("0123456789.., \t-x".utf8) + [0, 0xFF]
        for _ in 0..<3000 {
            let count = Int.random(in: 0...40, using: &generator)
            let guarded = GuardedBytes((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 })
            _ = (DecimalSeconds(ByteView(guarded.buffer)), DecimalSeconds(ByteView(guarded.leadingBuffer)))
        }
    }

    private func seconds(_ text: String) -> DecimalSeconds? {
        let guarded = GuardedBytes(Array(text.utf8))
        return withExtendedLifetime(guarded) { DecimalSeconds(ByteView(guarded.buffer)) }
    }

    @Test(
        arguments: [
            (-1, 0), (.min, 0), (0, 0), (1, 1_000_000), (18_446_744_073_709, 18_446_744_073_709_000_000),
            (18_446_744_073_710, .max), (.max, .max),
        ] as [(Int64, UInt64)])
    func ofMilliseconds(_ milliseconds: Int64, _ nanoseconds: UInt64) {
        #expect(DecimalSeconds(milliseconds: milliseconds).nanoseconds == nanoseconds)
    }

    @Test(
        arguments: [
            (0, 0, 0, 0), (999_999, 0, 999_999, 1_000_000), (1_000_000, 1, 0, 1_000_000), (1_000_001, 1, 1, 2_000_000),
            (.max, 18_446_744_073_709, 551_615, .max),
        ] as [(UInt64, Int64, Int32, UInt64)])
    func wholeMilliseconds(_ nanoseconds: UInt64, _ milliseconds: Int64, _ rest: Int32, _ covering: UInt64) {
        let seconds = DecimalSeconds(nanoseconds: nanoseconds)
        #expect(seconds.milliseconds == milliseconds && seconds.nanosecondRest == rest)
        #expect(DecimalSeconds(covering: seconds).nanoseconds == covering)
    }

    @Test(
        arguments: [
            (0, 0, "0"), (0, 3, "0.000"), (634_567_000_000, 0, "634.567"), (6_000_000_000, 1, "6.0"),
            (999_999_999, 0, "0.999999999"), (1_000_000_001, 3, "1.000000001"), (.max, 0, "18446744073.709551615"),
        ] as [(UInt64, Int, String)])
    func spells(_ nanoseconds: UInt64, _ decimals: Int, _ text: String) throws {
        let seconds = DecimalSeconds(nanoseconds: nanoseconds)
        #expect(String(decoding: seconds.spelling(decimals: decimals), as: UTF8.self) == text)
        guard decimals == 0 else { return }
        // As text it is written with as many decimals as make it exact, and read again.
        let json = try JSONEncoder().encode([seconds])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
        #expect(try JSONDecoder().decode([DecimalSeconds].self, from: json) == [seconds])
    }

    @Test(arguments: [
        "", "-1", "1.", ".5", "1,5", "1.0000000001", "18446744073.709551616", "18446744074", "1 ", "x",
    ])
    func decodesNothingElse(_ text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([DecimalSeconds].self, from: Data("[\"\(text)\"]".utf8))
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([DecimalSeconds].self, from: Data("[6]".utf8)) }
    }

    @Test func ofDurations() {
        #expect(DecimalSeconds(Duration.milliseconds(1500))?.nanoseconds == 1_500_000_000)
        #expect(DecimalSeconds(Duration.zero) == .zero && DecimalSeconds(Duration.nanoseconds(-1)) == nil)
        #expect(DecimalSeconds(Duration(secondsComponent: 0, attosecondsComponent: 1)) == nil)
    }

    /// Times as people write them: seconds, marked or not, or fields of which all but the first have two digits.
    @Test(
        arguments: [
            ("634.567", 634_567_000_000), ("634.567s", 634_567_000_000), ("0", 0), ("0s", 0), (" 6 ", 6_000_000_000),
            ("10:34.567", 634_567_000_000), ("1:02:03.5", 3_723_500_000_000), ("0:00", 0), ("00:00:00", 0),
            ("61:01", 3_661_000_000_000), ("99:59:59", 359_999_000_000_000), ("0:59", 59_000_000_000),
            ("1:0.5", nil), ("1:60", nil), ("0:60:00", nil), ("0:59:60", nil), ("0:59:59", 3_599_000_000_000),
            ("0:5:00", nil), ("0:005:00", nil), ("0:05:0", nil), ("0:05:000", nil), ("0:0x:00", nil), ("0:00:0x", nil),
            ("1:2:03:04", nil), ("0:00:00:00", nil), (":30", nil), ("1:", nil), ("1::30", nil), (":", nil), ("", nil),
            ("s", nil), ("6ss", nil), ("1:30s", nil), ("6,title", nil), ("1:30,", nil), ("1:30,5", nil), ("-1", nil),
            ("-1:30", nil), ("1.5:30", nil), ("1:30.", 90_000_000_000), ("1:30.0000000001", 90_000_000_000),
            ("1:30.5.5", nil), ("x", nil),
            ("307445734:33.709551615", .max), ("307445734:33.709551614", .max - 1), ("307445734:34", .max),
            ("5124095:34:33.709551614", .max - 1), ("18446744073709551615:00", .max), ("18446744073709551616:00", nil),
            ("18446744073709551615:00:00", .max),
        ] as [(String, UInt64?)])
    func clocks(_ text: String, _ nanoseconds: UInt64?) {
        let bytes = GuardedBytes(Array(text.utf8))
        #expect(DecimalSeconds(clock: ByteView(bytes.buffer))?.nanoseconds == nanoseconds)
    }
}
