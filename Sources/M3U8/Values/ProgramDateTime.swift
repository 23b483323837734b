package import ByteScan

/// The value of an EXT-X-PROGRAM-DATE-TIME: a date and time as ISO 8601 writes it (RFC 8216 4.3.2.6).
///
///     2024-02-29T23:59:59.999+01:00
package struct ProgramDateTime: Equatable, Sendable {
    /// The value as it stands in a playlist.
    package let bytes: [UInt8]

    /// The date and time `text`, less `seconds`; nil if it is none, or not after the year 0.
    ///
    /// With nothing to take off it stays as it is; else the fraction has at least three digits, and the time zone
    /// stays.
    package init?(_ text: ByteView, earlierBy seconds: DecimalSeconds) {
        guard let spelling = DateTimeParts(text)?.spelling(earlierBy: seconds) else { return nil }
        bytes = seconds == .zero ? Array(text) : spelling
    }
}

/// A date and time in parts.
package struct DateTimeParts {
    /// The day, and nanoseconds of it, both in the time zone that is written.
    private let date: CivilDate
    private let nanoseconds: UInt64
    /// How many digits the fraction has, nine at most that count.
    package let fractionDigits: Int
    /// What stands behind the time: `Z`, `+01:00`, or nothing.
    package let zone: ByteView

    private static let dayLength: UInt64 = 86_400_000_000_000

    /// Whether it is written as ``DateTimeWriter`` writes it: with a T, a point, nine decimals at most, and no leap
    /// second.
    package let isPlain: Bool

    /// The parts of `text`; nil if it is no date and time.
    package init?(_ text: ByteView) {
        // yyyy-mm-dd T hh:mm:ss
        guard text.count >= 19, let pairs = Pairs(text.word(at: 0), like: .date),
            let dayTens = ASCII.digit(text[8]), let dayOnes = ASCII.digit(text[9]),
            let date = CivilDate(year: pairs[0] * 100 + pairs[2], month: pairs[5], day: Int(dayTens * 10 + dayOnes)),
            text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: "t") || text[10] == ASCII.space,
            let time = Pairs(text.word(at: 11), like: .time), time[0] < 24, time[3] < 60, time[6] <= 60
        else { return nil }
        var (fraction, unit, offset) = (UInt64(0), UInt64(1_000_000_000), 19)
        if text.count > 19, text[19] == ASCII.period || text[19] == ASCII.comma {
            offset = 20
            while offset < text.count, let digit = ASCII.digit(text[offset]) {
                unit /= 10
                fraction += UInt64(digit) * unit
                offset &+= 1
            }
            guard offset > 20 else { return nil }
        }
        zone = text.suffix(from: offset)
        guard Self.isZone(zone) else { return nil }
        self.date = date
        nanoseconds = UInt64(time[0] * 3600 + time[3] * 60 + time[6]) * 1_000_000_000 + fraction
        fractionDigits = min(max(offset - 20, 0), 9)
        isPlain =
            text[10] == UInt8(ascii: "T") && (offset == 19 || text[19] == ASCII.period) && offset < 30 && time[6] < 60
    }

    /// The numbers of two digits in eight bytes, by where each begins.
    private struct Pairs {
        private let values: UInt64

        /// How such bytes look, and which of them are no digits.
        struct Form {
            let bytes: UInt64
            let separators: UInt64
            static var date: Form { Form(bytes: 0x2D30_302D_3030_3030, separators: 0xFF00_00FF_0000_0000) }
            static var time: Form { Form(bytes: 0x3030_3A30_303A_3030, separators: 0x0000_FF00_00FF_0000) }
        }

        /// The numbers in `bytes`; nil if they do not look like that.
        init?(_ bytes: UInt64, like form: Form) {
            let digits = bytes ^ form.bytes
            // What is more than 9 reaches the highest bit.
            let others = (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
            guard others == 0, digits & form.separators == 0 else { return nil }
            values = digits &* 10 &+ digits &>> 8
        }

        subscript(offset: Int) -> Int { Int(UInt8(truncatingIfNeeded: values &>> UInt64(8 &* offset))) }
    }

    /// Nanoseconds after the beginning of 1970 in UTC, which is taken for the time zone if none is written; nil if they
    /// do not fit, before 1678 and after 2262.
    package var nanosecondsSinceEpoch: Int64? {
        let day = Int64(date.daysSinceEpoch).times(Int64(Self.dayLength), plus: Int64(nanoseconds))
        guard let day, let offset = Self.offset(of: zone) else { return nil }
        return day.times(1, plus: -offset)
    }

    /// Whether a time zone is written.
    package var hasZone: Bool { !zone.isEmpty }

    /// The day, and nanoseconds of it, so many nanoseconds after the beginning of 1970 in a time zone.
    static func time(of nanosecondsSinceEpoch: Int64) -> (date: CivilDate, nanoseconds: UInt64) {
        var (day, rest) = nanosecondsSinceEpoch.quotientAndRemainder(dividingBy: Int64(dayLength))
        if rest < 0 { (day, rest) = (day - 1, rest + Int64(dayLength)) }
        return (CivilDate(daysSinceEpoch: Int(day)), UInt64(rest))
    }

    /// How many nanoseconds the time zone `zone` is ahead of UTC; nil if it is none.
    static func offset(of zone: ByteView) -> Int64? {
        guard let sign = zone.first, !isUTC(zone) else { return 0 }
        var reader = ByteReader(zone.suffix(from: 1))
        guard let hours = reader.number(2) else { return nil }
        _ = reader.skip(":")
        guard let minutes = reader.rest.isEmpty ? 0 : reader.number(2), minutes < 60 else { return nil }
        return Int64(hours * 60 + minutes) * (sign == ASCII.hyphen ? -60 : 60) * 1_000_000_000
    }

    /// The date and time `seconds` earlier; nil if that is before the year 1.
    func spelling(earlierBy seconds: DecimalSeconds) -> [UInt8]? {
        let (days, rest) = seconds.nanoseconds.quotientAndRemainder(dividingBy: Self.dayLength)
        let borrows = nanoseconds < rest
        let day = date.daysSinceEpoch - Int(days) - (borrows ? 1 : 0)
        let (second, fraction) = (nanoseconds + (borrows ? Self.dayLength : 0) - rest)
            .quotientAndRemainder(dividingBy: 1_000_000_000)
        guard day >= Self.firstDay else { return nil }
        let date = CivilDate(daysSinceEpoch: day)
        var text = ReusableBuffer<UInt8>()
        text.append(decimal: date.year, minimumCount: 4)
        text.append(ASCII.hyphen)
        text.append(decimal: date.month, minimumCount: 2)
        text.append(ASCII.hyphen)
        text.append(decimal: date.day, minimumCount: 2)
        text.append(UInt8(ascii: "T"))
        text.append(secondOfDay: Int(second))
        text.append(ASCII.period)
        text.append(contentsOf: DecimalDigits(billionths: fraction, minimumCount: max(3, fractionDigits)))
        text.append(zone)
        return Array(text.view)
    }

    /// 1 January of the year 1, counted from 1970.
    private static let firstDay = -719_162

    private static func isUTC(_ zone: ByteView) -> Bool {
        zone.count == 1 && ASCII.lowercased(zone[0]) == UInt8(ascii: "z")
    }

    /// Whether `text` is a time zone, `Z`, `+hh:mm`, `+hhmm` or `+hh`, or nothing.
    private static func isZone(_ text: ByteView) -> Bool {
        guard let sign = text.first, !isUTC(text) else { return true }
        let digits = text.suffix(from: 1).filter { $0 != ASCII.colon }
        return (sign == ASCII.plus || sign == ASCII.hyphen) && (digits.count == 2 || digits.count == 4)
            && digits.allSatisfy(ASCII.isDigit)
    }
}
