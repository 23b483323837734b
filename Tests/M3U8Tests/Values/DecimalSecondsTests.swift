import ByteScan
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
}
