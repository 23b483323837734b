import ByteScan

extension Timestamp {
    /// Reads the timestamp that begins at `start`, and returns where it ends; nil if there is none.
    ///
    ///     digits ':' dd [':' dd] '.' ddd        (and no digit after)
    ///
    /// Without a third field the first one is minutes and has exactly two digits, 59 at most; with it, hours of any
    /// number of digits. Minutes and seconds are 59 at most (W3C WebVTT, section 6.3, "collect a WebVTT timestamp").
    static func scan(_ bytes: ByteView, from start: Int) -> (timestamp: Timestamp, end: Int)? {
        let first = DigitRun(in: bytes, from: start)
        guard first.count > 0, bytes.has(ASCII.colon, at: first.end) else { return nil }
        if let rest = fixedRest(bytes, from: first.end &+ 1) {
            return (Timestamp(hours: first.value, milliseconds: rest), first.end &+ 10)
        }
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

    /// A number of hours and less than an hour more, or ``maximum`` if that does not fit.
    init(hours: Int64, milliseconds rest: Int64) {
        self.init(milliseconds: hours.times(3_600_000, plus: rest) ?? .max)
    }
}

// The form that nearly all files use has a fixed length. It is read without a loop, a word of eight bytes at a time:
//
//     01:23:45.678
//     └──────┘└──┘        a clock and a fraction, which is half a word
//
// An exclusive or with the digit 0 and the separators where they must be leaves the value of each digit, and 0 for each
// separator. A byte that is too large has its highest bit set, by itself or after what it lacks of 128 has been added.
extension Timestamp {
    /// The milliseconds of the clock `HH:MM:SS` and the fraction `.mmm`, each with its first byte in the lowest bits;
    /// nil if a byte is wrong.
    @inline(__always)
    static func milliseconds(clock: UInt64, fraction: UInt64) -> Int64? {
        // From the last byte to the first: a second's digits, a separator, a minute's, a separator, an hour's.
        let clock = clock ^ 0x3030_3A30_303A_3030
        let fraction = fraction ^ 0x3030_302E
        let tooLarge = (clock &+ 0x767A_7F76_7A7F_7676) | clock | (fraction &+ 0x7676_767F) | fraction
        guard tooLarge & 0x8080_8080_8080_8080 == 0 else { return nil }
        // Each byte becomes ten times its digit and the digit after it.
        let pairs = clock &* 10 &+ clock &>> 8
        // Minutes and seconds are 24 bits apart, and so are the sums of a product: the second has both.
        let minutes = ((pairs &>> 24 & 0xFF00_00FF) &* (60 << 24 | 1)) &>> 24 & 0xFFFF
        let seconds = (pairs & 0xFF) &* 3600 &+ minutes
        let hundredths = (fraction &* 10 &+ fraction &>> 8) &>> 8 & 0xFF
        let thousandths = hundredths &* 10 &+ fraction &>> 24
        return Int64(truncatingIfNeeded: seconds &* 1000 &+ thousandths)
    }

    /// The milliseconds of `MM:SS.mmm` at `start`, with a byte after it that is no digit; nil for anything else.
    @inline(__always)
    private static func fixedRest(_ bytes: ByteView, from start: Int) -> Int64? {
        guard start &+ 10 <= bytes.count, ASCII.digit(bytes[start &+ 9]) == nil else { return nil }
        // With `00:` before it, the rest is a clock of its own.
        let clock = bytes.word(at: start) &<< 24 | 0x3A_3030
        return milliseconds(clock: clock, fraction: bytes.word(at: start &+ 1) &>> 32)
    }
}

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
