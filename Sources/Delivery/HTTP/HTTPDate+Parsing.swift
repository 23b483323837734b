public import ByteScan

// The three forms that must be read (RFC 9110 5.6.7):
//
//     Sun, 06 Nov 1994 08:49:37 GMT      IMF-fixdate, the only one that is written
//     Sunday, 06-Nov-94 08:49:37 GMT     of RFC 850
//     Sun Nov  6 08:49:37 1994           of asctime
//
// Case matters (5.6.7). The name of the day must be one, but need not be that of the date. A leap second is the second after it.
// A year of two digits should be the nearest to now, and there is no clock here: it is one of 1970 to 2069.

extension HTTPDate {
    /// The time that `bytes` say in one of HTTP's three forms, or nil.
    public init?(_ bytes: ByteView) {
        var reader = DateReader(bytes)
        guard let date = reader.fixed() ?? reader.asctime() ?? reader.old() else { return nil }
        self = date
    }
}

/// Reads the parts of a date from left to right.
private struct DateReader {
    private let bytes: ByteView
    private var offset = 0

    init(_ bytes: ByteView) { self.bytes = bytes }

    mutating func fixed() -> HTTPDate? {
        offset = 0
        guard weekday() != nil, skip(", "), let day = number(2), skip(" "), let month = month(), skip(" "),
            let year = number(4), skip(" "), let second = secondOfDay(), skip(" GMT")
        else { return nil }
        return date(CivilDate(year: year, month: month, day: day), second)
    }

    mutating func asctime() -> HTTPDate? {
        offset = 0
        guard weekday() != nil, skip(" "), let month = month(), skip(" ") else { return nil }
        guard let day = skip(" ") ? number(1) : number(2), skip(" "), let second = secondOfDay(), skip(" "),
            let year = number(4)
        else { return nil }
        return date(CivilDate(year: year, month: month, day: day), second)
    }

    mutating func old() -> HTTPDate? {
        offset = 0
        guard let weekday = weekday() else { return nil }
        let isWhole =
            switch weekday {
            case 2: skip("s")
            case 3: skip("nes")
            case 4: skip("rs")
            case 6: skip("ur")
            default: true
            }
        guard isWhole, skip("day, "), let day = number(2), skip("-"), let month = month(), skip("-"),
            let year = number(2), skip(" "), let second = secondOfDay(), skip(" GMT")
        else { return nil }
        return date(CivilDate(year: year < 70 ? 2000 + year : 1900 + year, month: month, day: day), second)
    }

    private func date(_ day: CivilDate?, _ second: Int) -> HTTPDate? {
        guard let day, offset == bytes.count else { return nil }
        return HTTPDate(secondsSinceEpoch: Int64(day.daysSinceEpoch) * 86_400 + Int64(second))
    }

    private mutating func weekday() -> Int? { (0..<7).first { skip(CalendarName.weekday($0)) } }

    private mutating func month() -> Int? { (1...12).first { skip(CalendarName.month($0)) } }

    /// `hh:mm:ss`, where the last may be 60.
    private mutating func secondOfDay() -> Int? {
        guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60, skip(":"),
            let second = number(2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// A number of exactly so many digits.
    private mutating func number(_ digitCount: Int) -> Int? {
        guard offset + digitCount <= bytes.count else { return nil }
        var value = 0
        for index in offset..<(offset + digitCount) {
            guard let digit = ASCII.digit(bytes[index]) else { return nil }
            value = value * 10 + Int(digit)
        }
        offset += digitCount
        return value
    }

    private mutating func skip(_ literal: StaticString) -> Bool { skip(ByteView(literal)) }

    private mutating func skip(_ literal: ByteView) -> Bool {
        guard bytes.hasBytes(literal, at: offset) else { return false }
        offset += literal.count
        return true
    }
}
