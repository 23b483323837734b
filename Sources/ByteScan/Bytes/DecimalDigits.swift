/// The digits of a number, the highest first, without a buffer in between.
package struct DecimalDigits: Sequence, IteratorProtocol, Sendable {
    private let value: UInt64
    /// The power of ten of the digit that is next, or 0 after the last one.
    private var power: UInt64 = 1

    /// The digits of `value`, with zeros before them where they are fewer than `minimumCount`, at most 19.
    package init(_ value: UInt64, minimumCount: Int = 1) {
        self.value = value
        var count = 1
        while value / power >= 10 || count < Swift.min(minimumCount, 19) {
            power &*= 10
            count += 1
        }
    }

    /// The digits of so many billionths after a decimal point: nine, without the zeros at their end that are more than
    /// `minimumCount`.
    package init(billionths: UInt64, minimumCount: Int) {
        var (value, count) = (billionths, 9)
        while count > minimumCount, value % 10 == 0 { (value, count) = (value / 10, count - 1) }
        self.init(value, minimumCount: count)
        if count == 0 { power = 0 }
    }

    /// The next digit in ASCII, or nil after the last.
    package mutating func next() -> UInt8? {
        guard power > 0 else { return nil }
        let digit = value / power % 10
        power /= 10
        return ASCII.zero &+ UInt8(truncatingIfNeeded: digit)
    }
}

extension [UInt8] {
    /// Seconds as they are written, `634.567`: with as many decimals as they have, nine at most, and at least as many
    /// as `decimals`.
    package init(seconds: UInt64, billionths: UInt64, decimals: Int) {
        let fraction = DecimalDigits(billionths: billionths, minimumCount: decimals)
        self = Array(DecimalDigits(seconds)) + (billionths == 0 && decimals == 0 ? [] : [ASCII.period]) + fraction
    }
}
