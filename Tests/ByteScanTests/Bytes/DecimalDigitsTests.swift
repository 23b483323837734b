import ByteScan
import Support
import Testing

@Suite struct DecimalDigitsTests {
    @Test(
        arguments: [
            (0, 1, "0"), (9, 1, "9"), (10, 1, "10"), (0, 3, "000"), (7, 3, "007"), (1000, 3, "1000"), (99, 0, "99"),
            (5, -1, "5"),
            (.max, 1, "18446744073709551615"), (.max, 99, "18446744073709551615"), (1, 99, "0000000000000000001"),
            (9_999_999_999_999_999_999, 1, "9999999999999999999"),
            (10_000_000_000_000_000_000, 1, "10000000000000000000"),
        ] as [(UInt64, Int, String)])
    func writes(_ value: UInt64, _ minimumCount: Int, _ text: String) {
        #expect(String(decoding: Array(DecimalDigits(value, minimumCount: minimumCount)), as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            (0, 0, ""), (0, 3, "000"), (500_000_000, 0, "5"), (500_000_000, 3, "500"), (1, 0, "000000001"),
            (966_633_000, 3, "966633"), (999_999_999, 9, "999999999"), (10_000_000, 1, "01"), (0, 9, "000000000"),
        ] as [(UInt64, Int, String)])
    func writesFractions(_ billionths: UInt64, _ minimumCount: Int, _ text: String) {
        let digits = DecimalDigits(billionths: billionths, minimumCount: minimumCount)
        #expect(String(decoding: Array(digits), as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            (0, 0, 0, "0"), (0, 0, 1, "0.0"), (634, 567_000_000, 0, "634.567"), (6, 0, 3, "6.000"),
            (6, 6_000_000, 1, "6.006"), (6, 500_000_000, 3, "6.500"), (6, 1, 0, "6.000000001"),
            (60, 100_000_000, 0, "60.1"), (.max, 999_999_999, 9, "18446744073709551615.999999999"),
        ] as [(UInt64, UInt64, Int, String)])
    func writesSeconds(_ seconds: UInt64, _ billionths: UInt64, _ decimals: Int, _ text: String) {
        let bytes = [UInt8](seconds: seconds, billionths: billionths, decimals: decimals)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test(
        arguments: [
            ("0", 0), ("007", 7), ("9223372036854775807", .max), ("9223372036854775808", nil),
            ("00000000000000000000000000000000001", 1), ("99999999999999999999", nil), ("", nil), ("+1", nil),
            ("-1", nil), ("1 ", nil), ("1.0", nil), ("/", nil), (":", nil),
        ] as [(String, Int?)])
    func reads(_ text: String, _ value: Int?) {
        let bytes = GuardedBytes(Array(text.utf8))
        #expect(unsafe Int(decimal: ByteView(bytes.buffer)) == value)
        #expect(unsafe UInt8(decimal: ByteView(bytes.buffer)) == value.flatMap { UInt8(exactly: $0) })
    }

    @Test(
        arguments: [
            ("1", 1000), ("1.5", 1500), ("1.567", 1567), ("01.05", 1050), ("0.001", 1), ("1.5678", nil),
            ("1.", nil), (".5", nil), (".", nil), ("", nil), ("1.5.6", nil), ("1,5", nil), ("-1", nil),
            ("9223372036854775.807", .max), ("9223372036854775.808", nil), ("9223372036854776", nil),
        ] as [(String, Int64?)])
    func readsPlaces(_ text: String, _ value: Int64?) {
        let bytes = GuardedBytes(Array(text.utf8))
        #expect(unsafe Int64(decimal: ByteView(bytes.buffer), places: 3) == value)
    }

    @Test func products() {
        #expect(UInt8(15).times(17) == 255 && UInt8(15).times(17, plus: 1) == nil && UInt8(16).times(16) == nil)
        #expect(Int8(-12).times(10, plus: -8) == -128 && Int8(-12).times(10, plus: -9) == nil)
        #expect(UInt64.max.times(1) == .max && UInt64.max.times(1, plus: 1) == nil && UInt64.max.times(0) == 0)
    }
}
