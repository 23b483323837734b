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
private struct DateTimeParts {
    /// The day, and nanoseconds of it, both in the time zone that is written.
    private let date: CivilDate
    private let nanoseconds: UInt64
    private let fractionDigits: Int
    /// What stands behind the time: `Z`, `+01:00`, or nothing.
    private let zone: ByteView

    private static let dayLength: UInt64 = 86_400_000_000_000

    init?(_ text: ByteView) {
        var reader = ByteReader(text)
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), let date = CivilDate(year: year, month: month, day: day),
            reader.skip("T") || reader.skip("t") || reader.skip(" "), let second = reader.secondOfDay()
        else { return nil }
        var fraction: UInt64 = 0
        var digits = ByteView()
        if reader.skip(".") || reader.skip(",") {
            digits = reader.digits()
            guard !digits.isEmpty else { return nil }
            digits = digits.prefix(upTo: min(digits.count, 9))
            for place in 0..<9 { fraction = fraction * 10 + (place < digits.count ? UInt64(digits[place] - 0x30) : 0) }
        }
        guard Self.isZone(reader.rest) else { return nil }
        self.date = date
        nanoseconds = UInt64(second) * 1_000_000_000 + fraction
        fractionDigits = digits.count
        zone = reader.rest
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

    /// Whether `text` is a time zone, `Z`, `+hh:mm`, `+hhmm` or `+hh`, or nothing.
    private static func isZone(_ text: ByteView) -> Bool {
        guard let sign = text.first, !(text == "Z"), !(text == "z") else { return true }
        let digits = text.suffix(from: 1).filter { $0 != ASCII.colon }
        return (sign == ASCII.plus || sign == ASCII.hyphen) && (digits.count == 2 || digits.count == 4)
            && digits.allSatisfy(ASCII.isDigit)
    }
}
