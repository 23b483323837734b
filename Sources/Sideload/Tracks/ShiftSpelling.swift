package import ByteScan
internal import M3U8

/// How it is written by how much cues are shifted: later, or earlier after a minus sign.
package enum ShiftSpelling {
    /// The milliseconds that `text` is, kept exactly; nil if it is no such time.
    ///
    ///     -1.4                     seconds with up to three decimals
    ///     1:00  +1:00  -1:02:03.5  minutes and seconds have two digits after a colon, and are below 60
    package static func milliseconds(_ text: ByteView) -> Int64? {
        let isNegative = text.first == ASCII.hyphen
        let digits = text.suffix(from: isNegative || text.first == UInt8(ascii: "+") ? 1 : 0)
        // So many years, 292 thousand, fit a number of 64 bits in other units too.
        guard let value = magnitude(digits), value < 10_000_000_000_000_000 else { return nil }
        return isNegative ? -value : value
    }

    /// The seconds that `milliseconds` are, such as `-1.4`.
    package static func text(_ milliseconds: Int64) -> [UInt8] {
        let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        var text = milliseconds < 0 ? [ASCII.hyphen] : []
        text += Array(DecimalDigits(seconds))
        guard rest > 0 else { return text }
        text.append(ASCII.period)
        for unit in [100, 10, 1] as [UInt64] { text.append(UInt8(ascii: "0") + UInt8(rest / unit % 10)) }
        while text.last == UInt8(ascii: "0") { text.removeLast() }
        return text
    }

    private static func magnitude(_ digits: ByteView) -> Int64? {
        guard digits.firstOffset(of: ASCII.colon) != nil else { return Int64(decimal: digits, places: 3) }
        guard let time = DecimalSeconds(clock: digits) else { return nil }
        let (milliseconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest == 0 ? Int64(exactly: milliseconds) : nil
    }
}
