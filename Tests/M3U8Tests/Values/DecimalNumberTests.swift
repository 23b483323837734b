import ByteScan
import Support
import Testing

@testable import M3U8

/// Numbers of any length, compared digit by digit.
@Suite struct DecimalNumberTests {
    private static func order(_ left: String, _ right: String) -> DecimalNumber.Order? {
        let (left, right) = (GuardedBytes(Array(left.utf8)), GuardedBytes(Array(right.utf8)))
        guard let one = DecimalNumber(ByteView(left.buffer)), let other = DecimalNumber(ByteView(right.buffer)) else {
            return nil
        }
        return one.order(to: other)
    }

    @Test(arguments: ["0", "5", "05", "5.", "5.0", ".5", "00", "0.0", "00.00", "1.50", "99999999999999999999.9"])
    func isANumber(_ text: String) { #expect(Self.order(text, text) == .same) }

    @Test(arguments: ["", ".", "..", "a", "1a", "a1", "1.a", ".a", "-1", "+1", "1.2.3", " 1", "1 ", "1e3", "0x", "1,5"])
    func isNone(_ text: String) { #expect(Self.order(text, "1") == nil) }

    @Test(
        arguments: [
            ("1", "2", .before), ("2", "10", .before), ("10", "9.99", .after), ("1.5", "1.50", .same),
            ("5.", "5", .same),
            (".5", "0.5", .same), ("00", "0", .same), ("0", "0.0", .same), ("007", "7.000", .same),
            ("100", "10", .after),
            ("1.5", "1.49", .after), ("1.5", "1.51", .before), ("1.05", "1.5", .before), ("1", "1.0001", .before),
            ("2.9", "10.1", .before), ("12.3", "13.1", .before),
            ("99999999999999999999", "100000000000000000000", .before),
            ("0.30", "0.3000", .same), ("0", ".0001", .before),
        ] as [(String, String, DecimalNumber.Order)])
    func order(_ left: String, _ right: String, _ order: DecimalNumber.Order) {
        #expect(Self.order(left, right) == order)
        let opposite: DecimalNumber.Order = order == .same ? .same : order == .before ? .after : .before
        #expect(Self.order(right, left) == opposite)
    }

    @Test(
        arguments: [
            ("1920x1080", "1920", "1080"), ("1x1", "1", "1"), ("1.5x2", "1.5", "2"), ("x1", nil, ""), ("1x", nil, ""),
            ("x", nil, ""), ("1", nil, ""), ("", nil, ""), ("1x1x1", nil, ""), ("1X1", nil, ""), ("1x 1", nil, ""),
        ] as [(String, String?, String)])
    func sizes(_ text: String, _ width: String?, _ height: String) {
        let bytes = GuardedBytes(Array(text.utf8))
        let size = Resolution(ByteView(bytes.buffer))
        func isSame(_ number: DecimalNumber?, _ text: String) -> Bool {
            Array(text.utf8).withView { text in
                number.flatMap { number in DecimalNumber(text)?.order(to: number) } == .same
            }
        }
        #expect((size == nil) == (width == nil))
        if let width { #expect(isSame(size?.width, width) && isSame(size?.height, height)) }
    }
}
