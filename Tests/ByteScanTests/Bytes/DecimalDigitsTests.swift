import ByteScan
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
}
