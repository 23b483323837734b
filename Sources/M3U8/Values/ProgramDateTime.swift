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

    /// The parts of `text`; nil if it is no date and time.
    package init?(_ text: ByteView) {
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

    /// Nanoseconds after the beginning of 1970 in UTC, which is taken for the time zone if none is written; nil if they
    /// do not fit, before 1678 and after 2262.
    package var nanosecondsSinceEpoch: Int64? {
        let day = Int64(date.daysSinceEpoch).times(Int64(Self.dayLength), plus: Int64(nanoseconds))
        guard let day, let offset = Self.offset(of: zone) else { return nil }
        return day.times(1, plus: -offset)
    }

    /// Whether a time zone is written.
    package var hasZone: Bool { !zone.isEmpty }

    /// Writes the time so many nanoseconds after the beginning of 1970 in UTC as it is in the time zone `zone`, with as
    /// many digits of a second's fraction: `2026-11-23T20:00:00.000Z`.
    package static func write(
        _ nanosecondsSinceEpoch: Int64, fractionDigits: Int, zone: ByteView, to output: inout some ByteSink & ~Copyable
    ) {
        let local = nanosecondsSinceEpoch.times(1, plus: offset(of: zone) ?? 0) ?? nanosecondsSinceEpoch
        var (day, rest) = local.quotientAndRemainder(dividingBy: Int64(dayLength))
        if rest < 0 { (day, rest) = (day - 1, rest + Int64(dayLength)) }
        let date = CivilDate(daysSinceEpoch: Int(day))
        let (second, fraction) = UInt64(rest).quotientAndRemainder(dividingBy: 1_000_000_000)
        output.append(digits: UInt64(clamping: date.year), minimumCount: 4)
        output.append(ASCII.hyphen)
        output.append(digits: UInt64(clamping: date.month), minimumCount: 2)
        output.append(ASCII.hyphen)
        output.append(digits: UInt64(clamping: date.day), minimumCount: 2)
        output.append(UInt8(ascii: "T"))
        output.append(digits: second / 3600, minimumCount: 2)
        output.append(ASCII.colon)
        output.append(digits: second / 60 % 60, minimumCount: 2)
        output.append(ASCII.colon)
        output.append(digits: second % 60, minimumCount: 2)
        if fractionDigits > 0 {
            output.append(ASCII.period)
            var unit: UInt64 = 1
            for _ in fractionDigits..<9 { unit *= 10 }
            output.append(digits: fraction / unit, minimumCount: fractionDigits)
        }
        output.append(zone)
    }

    /// How many nanoseconds the time zone `zone` is ahead of UTC; nil if it is none.
    private static func offset(of zone: ByteView) -> Int64? {
        guard let sign = zone.first, !(zone == "Z"), !(zone == "z") else { return 0 }
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

    /// Whether `text` is a time zone, `Z`, `+hh:mm`, `+hhmm` or `+hh`, or nothing.
    private static func isZone(_ text: ByteView) -> Bool {
        guard let sign = text.first, !(text == "Z"), !(text == "z") else { return true }
        let digits = text.suffix(from: 1).filter { $0 != ASCII.colon }
        return (sign == ASCII.plus || sign == ASCII.hyphen) && (digits.count == 2 || digits.count == 4)
            && digits.allSatisfy(ASCII.isDigit)
    }
}
