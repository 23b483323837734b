public import ByteScan

/// A time as HTTP writes it, in whole seconds (RFC 9110 5.6.7).
public struct HTTPDate: Equatable, Sendable {
    /// Seconds since the beginning of 1970, UTC, without leap seconds.
    public let secondsSinceEpoch: Int64

    /// The years that can be written: 1 to 9999.
    private static let range: Range<Int64> = -62_135_596_800..<253_402_300_800

    /// A time; nil if its year does not have four digits.
    public init?(secondsSinceEpoch: Int64) {
        guard Self.range.contains(secondsSinceEpoch) else { return nil }
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// Appends the time in the only form that may be sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    public func write(into output: inout ReusableBuffer<UInt8>) {
        // Days and seconds round down, before 1970 too.
        let secondOfDay = Int(Self.remainder(secondsSinceEpoch, 86_400))
        let day = (secondsSinceEpoch &- Int64(secondOfDay)) / 86_400
        let date = CivilDate(daysSinceEpoch: Int(day))
        // 1 January 1970 was a Thursday.
        output.append(CalendarName.weekday(Int(Self.remainder(day &+ 4, 7))))
        output.append(ByteView(", "))
        output.append(contentsOf: DecimalDigits(UInt64(date.day), minimumCount: 2))
        output.append(ASCII.space)
        output.append(CalendarName.month(date.month))
        output.append(ASCII.space)
        output.append(contentsOf: DecimalDigits(UInt64(date.year), minimumCount: 4))
        output.append(ASCII.space)
        output.append(contentsOf: DecimalDigits(UInt64(secondOfDay / 3600), minimumCount: 2))
        output.append(ASCII.colon)
        output.append(contentsOf: DecimalDigits(UInt64(secondOfDay / 60 % 60), minimumCount: 2))
        output.append(ASCII.colon)
        output.append(contentsOf: DecimalDigits(UInt64(secondOfDay % 60), minimumCount: 2))
        output.append(ByteView(" GMT"))
    }

    private static func remainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        let remainder = value % divisor
        return remainder < 0 ? remainder &+ divisor : remainder
    }
}

extension HTTPDate: Comparable {
    /// Whether `left` is earlier.
    public static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.secondsSinceEpoch < right.secondsSinceEpoch }
}

/// A day of the Gregorian calendar.
struct CivilDate {
    let year: Int
    /// From 1.
    let month: Int
    /// From 1.
    let day: Int

    /// A day that exists, in the years 1 to 9999, or nil.
    init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...Self.dayCount(of: month, year) ~= day else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that is so many after 1 January 1970.
    init(daysSinceEpoch: Int) {
        // Years begin in March here, so that a leap day ends its year; 400 of them have 146,097 days. Day 0 is 1 March of the year 0.
        let days = daysSinceEpoch &+ 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Months from March on have 31, 30, 31, 30, 31 days, again and again: 153 in five.
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let shiftedMonth = month > 2 ? month - 3 : month + 9
        let leapDays = shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400
        return shiftedYear * 365 + leapDays + (153 * shiftedMonth + 2) / 5 + day - 1 - 719_468
    }

    private static func dayCount(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// The names of days and months, as bytes of one text each.
enum CalendarName {
    /// The short name of a day, from 0 for Sunday.
    static func weekday(_ index: Int) -> ByteView { ByteView("SunMonTueWedThuFriSat")[(3 * index)..<(3 * index + 3)] }

    /// The short name of a month, from 1.
    static func month(_ number: Int) -> ByteView {
        ByteView("JanFebMarAprMayJunJulAugSepOctNovDec")[(3 * number - 3)..<(3 * number)]
    }
}
