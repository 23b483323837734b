package import ByteScan

// Dates that follow one another, as those of a playlist's segments do: most have the minute of the one before.
//
//     2026-11-23T20:00:06.006Z
//     └── kept ──────┘ └ these digits alone are read and written
//
// What is kept is two words of eight bytes and when that minute begins. A date of another minute, or written otherwise,
// goes the long way: DateTimeParts.

/// The minute of a date and time as it is written.
struct DateTimeMinute {
    /// `yyyy-mm-ddThh:mm`.
    let words: (UInt64, UInt64)
    /// When it begins, in nanoseconds after the beginning of 1970.
    let start: Int64

    static var length: Int64 { 60_000_000_000 }

    /// The minute of a date, of which `text` begins with the 16 bytes above; nil if it begins before all dates.
    init?(_ text: ByteView, of date: Int64) {
        let second = date % Self.length
        let (start, isTooEarly) = date.subtractingReportingOverflow(second < 0 ? second + Self.length : second)
        if isTooEarly { return nil }
        words = (text.word(at: 0), text.word(at: 8))
        self.start = start
    }

    /// Nanoseconds from the minute's beginning to `date`; nil if that is in another minute.
    func offset(of date: Int64) -> UInt64? {
        let (offset, isTooFar) = date.subtractingReportingOverflow(start)
        return !isTooFar && 0..<Self.length ~= offset ? UInt64(offset) : nil
    }
}

/// Reads dates that are all written alike, with the same zone and as many decimals.
package struct DateTimeReader {
    private var minute: DateTimeMinute?

    /// A reader that has read nothing.
    package init() {}

    /// Keeps the minute of `text`, which is this date in nanoseconds after the beginning of 1970 in UTC and plain.
    package mutating func keep(_ text: ByteView, _ date: Int64) { minute = DateTimeMinute(text, of: date) }

    /// The date `text` if its minute is the one kept; nil if it is another, or is written with other decimals or
    /// another zone.
    package func date(_ text: ByteView, fractionDigits: Int, zone: ByteView) -> Int64? {
        guard let minute, text.count == 19 + (fractionDigits > 0 ? 1 + fractionDigits : 0) + zone.count,
            text.word(at: 0) == minute.words.0, text.word(at: 8) == minute.words.1, text[16] == ASCII.colon,
            let tens = ASCII.digit(text[17]), tens < 6, let ones = ASCII.digit(text[18])
        else { return nil }
        var nanoseconds = (UInt64(tens) * 10 + UInt64(ones)) * 1_000_000_000
        if fractionDigits > 0 {
            guard text[19] == ASCII.period else { return nil }
            var unit: UInt64 = 1_000_000_000
            for offset in 20..<(20 + fractionDigits) {
                guard let digit = ASCII.digit(text[offset]) else { return nil }
                unit /= 10
                nanoseconds &+= UInt64(digit) &* unit
            }
        }
        guard text.suffix(from: text.count - zone.count) == zone else { return nil }
        let (date, isTooLate) = minute.start.addingReportingOverflow(Int64(nanoseconds))
        return isTooLate ? nil : date
    }
}

/// Writes dates in one time zone with as many digits of a second's fraction: `2026-11-23T20:00:00.000Z`.
package struct DateTimeWriter {
    private let zone: ByteView
    /// How many nanoseconds the zone is ahead of UTC.
    private let ahead: Int64
    /// How many bytes come before the zone, and what the last digit of the fraction counts.
    private let count: Int
    private let unit: UInt64
    private var minute: DateTimeMinute?

    /// A writer of dates in `zone`, `Z` or `+01:00`, with up to nine digits of the fraction.
    package init(fractionDigits: Int, zone: ByteView) {
        self.zone = zone
        ahead = DateTimeParts.offset(of: zone) ?? 0
        let digits = min(max(fractionDigits, 0), 9)
        count = digits > 0 ? 20 + digits : 19
        var unit: UInt64 = 1
        for _ in digits..<9 { unit *= 10 }
        self.unit = unit
    }

    /// Writes the time so many nanoseconds after the beginning of 1970 in UTC.
    package mutating func write(_ nanosecondsSinceEpoch: Int64, to output: inout some ByteSink & ~Copyable) {
        let local = nanosecondsSinceEpoch.times(1, plus: ahead) ?? nanosecondsSinceEpoch
        // A zone has six bytes at most, unless it has colons that mean nothing.
        let isWhole = zone.count <= 8
        unsafe withUnsafeTemporaryAllocation(byteCount: 40, alignment: 8) { text in
            if let minute, let offset = minute.offset(of: local) {
                unsafe text.storeBytes(of: minute.words.0.littleEndian, toByteOffset: 0, as: UInt64.self)
                unsafe text.storeBytes(of: minute.words.1.littleEndian, toByteOffset: 8, as: UInt64.self)
                unsafe put(nanoseconds: offset, to: text)
            } else {
                let time = DateTimeParts.time(of: local)
                unsafe Self.put(UInt64(clamping: time.date.year), at: 0..<4, of: text, behind: ASCII.hyphen)
                unsafe Self.put(UInt64(clamping: time.date.month), at: 5..<7, of: text, behind: ASCII.hyphen)
                unsafe Self.put(UInt64(clamping: time.date.day), at: 8..<10, of: text, behind: UInt8(ascii: "T"))
                let minutes = time.nanoseconds / UInt64(DateTimeMinute.length)
                unsafe Self.put(minutes / 60, at: 11..<13, of: text, behind: ASCII.colon)
                unsafe Self.put(minutes % 60, at: 14..<16, of: text, behind: ASCII.colon)
                unsafe put(nanoseconds: time.nanoseconds % UInt64(DateTimeMinute.length), to: text)
                minute = DateTimeMinute(unsafe ByteView(UnsafeRawBufferPointer(text)), of: local)
            }
            var end = count
            for offset in 0..<(isWhole ? zone.count : 0) {
                unsafe text[end] = zone[offset]
                end &+= 1
            }
            unsafe output.append(ByteView(UnsafeRawBufferPointer(rebasing: text[..<end])))
        }
        if !isWhole { output.append(zone) }
    }

    /// Puts what comes behind the minute.
    @inline(__always)
    private func put(nanoseconds: UInt64, to text: UnsafeMutableRawBufferPointer) {
        let (second, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        unsafe text[16] = ASCII.colon
        unsafe Self.put(second, at: 17..<19, of: text, behind: ASCII.period)
        if count > 20 { unsafe Self.put(fraction / unit, at: 20..<count, of: text, behind: 0) }
    }

    /// Puts the lowest digits of `number` there, and a byte behind them.
    @inline(__always)
    private static func put(
        _ number: UInt64, at range: Range<Int>, of text: UnsafeMutableRawBufferPointer, behind byte: UInt8
    ) {
        var rest = number
        for offset in range.reversed() {
            unsafe text[offset] = ASCII.zero &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        unsafe text[range.upperBound] = byte
    }
}
