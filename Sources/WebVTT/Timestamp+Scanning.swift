import ByteScan

extension Timestamp {
    /// Reads the timestamp that begins at `start`, and tells where it ended; nil where there is none.
    ///
    ///     digits ':' dd [':' dd] '.' ddd        (and no digit behind)
    ///
    /// Without a third field the first one is minutes and has exactly two digits, 59 at most; with it, hours of any
    /// number of digits. Minutes and seconds are 59 at most (W3C WebVTT, section 6.3, "collect a WebVTT timestamp").
    static func scan(_ bytes: ByteView, from start: Int) -> (timestamp: Timestamp, end: Int)? {
        let first = DigitRun(in: bytes, from: start)
        guard first.count > 0, bytes.has(ASCII.colon, at: first.end) else { return nil }
        let second = DigitRun(in: bytes, from: first.end &+ 1)
        guard second.count == 2 else { return nil }

        let hours: Int64
        let minutes, seconds: DigitRun
        if bytes.has(ASCII.colon, at: second.end) {
            (hours, minutes, seconds) = (first.value, second, DigitRun(in: bytes, from: second.end &+ 1))
        } else {
            (hours, minutes, seconds) = (0, first, second)
        }
        guard minutes.count == 2, minutes.value <= 59, seconds.count == 2, seconds.value <= 59,
            bytes.has(ASCII.period, at: seconds.end)
        else { return nil }
        let fraction = DigitRun(in: bytes, from: seconds.end &+ 1)
        guard fraction.count == 3 else { return nil }
        let rest = (minutes.value &* 60 &+ seconds.value) &* 1000 &+ fraction.value
        return (Timestamp(hours: hours, milliseconds: rest), fraction.end)
    }

    /// A number of hours and less than an hour more, or ``maximum`` where that does not fit.
    init(hours: Int64, milliseconds rest: Int64) {
        let (whole, isTooMuch) = hours.multipliedReportingOverflow(by: 3_600_000)
        let (sum, isTooMuchAfterAll) = whole.addingReportingOverflow(rest)
        self = isTooMuch || isTooMuchAfterAll ? .maximum : Timestamp(milliseconds: sum)
    }
}

/// A run of decimal digits and the number it spells.
struct DigitRun {
    /// The number of digits that ``value`` takes in before it stops growing; hours of 13 digits may still fit a
    /// timestamp, hours of 14 that do not begin with 0 never do.
    static let significantCount = 13

    /// The number, or one above every number of 13 digits.
    var value: Int64 = 0

    /// The offset behind the last digit.
    var end: Int

    /// How many digits there are; 0 where the run is empty.
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

extension ByteView {
    /// Whether `byte` stands at `offset`; no byte stands behind the end.
    @inline(__always)
    func has(_ byte: UInt8, at offset: Int) -> Bool { offset < count && self[offset] == byte }
}
