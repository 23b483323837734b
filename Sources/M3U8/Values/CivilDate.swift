package import ByteScan

/// A day of the Gregorian calendar.
package struct CivilDate {
    package let year: Int
    /// From 1.
    package let month: Int
    /// From 1.
    package let day: Int

    /// A day that exists, in the years 1 to 9999, or nil.
    package init?(year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...Self.dayCount(of: month, year) ~= day else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day that is so many after 1 January 1970, from the year 0 on.
    package init(daysSinceEpoch: Int) {
        // Years begin in March here, so that a leap day ends its year; 400 of them have 146,097 days. Day 0 is 1 March
        // of the year 0.
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

    /// How many days after 1 January 1970 it is.
    package var daysSinceEpoch: Int {
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

extension ByteReader {
    /// Goes past `hh:mm:ss`, of which the last may be 60, and returns the second of the day; nil if there is none.
    package mutating func secondOfDay() -> Int? {
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
            let second = number(2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}

extension ReusableBuffer where Element == UInt8 {
    /// Appends a number with at least so many digits.
    package mutating func append(decimal number: Int, minimumCount: Int = 1) {
        append(contentsOf: DecimalDigits(UInt64(clamping: number), minimumCount: minimumCount))
    }

    /// Appends the time of day as `hh:mm:ss`.
    package mutating func append(secondOfDay second: Int) {
        append(decimal: second / 3600, minimumCount: 2)
        append(ASCII.colon)
        append(decimal: second / 60 % 60, minimumCount: 2)
        append(ASCII.colon)
        append(decimal: second % 60, minimumCount: 2)
    }
}
