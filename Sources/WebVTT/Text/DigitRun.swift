import ByteScan

/// A run of decimal digits and the number it spells.
struct DigitRun {
    /// The number of digits that ``value`` takes in before it stops growing; hours of 13 digits may still fit a
    /// timestamp, hours of 14 that do not begin with 0 never do.
    static let significantCount = 13

    /// The number, or one above every number of 13 digits.
    var value: Int64 = 0

    /// The offset after the last digit.
    var end: Int

    /// How many digits there are; 0 if the run is empty.
    var count: Int

    /// The digits of `bytes` from `start` on, up to the first byte that is none.
    init(in bytes: ByteView, from start: Int) {
        end = start
        while end < bytes.count, let digit = ASCII.digit(bytes[end]) {
            value = min(value &* 10 &+ Int64(digit), Self.limit)
            end &+= 1
        }
        count = end &- start
    }

    /// 10 to the 13th.
    private static let limit: Int64 = 10_000_000_000_000
}
