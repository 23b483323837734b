public import ByteScan
internal import M3U8

// The three forms that must be read (RFC 9110 5.6.7):
//
//     Sun, 06 Nov 1994 08:49:37 GMT      IMF-fixdate, the only one that is written
//     Sunday, 06-Nov-94 08:49:37 GMT     of RFC 850
//     Sun Nov  6 08:49:37 1994           of asctime
//
// Case matters (5.6.7). The name of the day must be one, but need not be that of the date. A leap second is the second
// after it. A year of two digits should be the nearest to now, and there is no clock here: it is one of 1970 to 2069.

extension HTTPDate {
    /// The time that `bytes` say in one of HTTP's three forms, or nil.
    public init?(_ bytes: ByteView) {
        guard let date = Self.fixed(bytes) ?? Self.asctime(bytes) ?? Self.old(bytes) else { return nil }
        self = date
    }

    private static func fixed(_ bytes: ByteView) -> HTTPDate? {
        var reader = ByteReader(bytes)
        guard reader.weekday() != nil, reader.skip(", "), let day = reader.number(2), reader.skip(" "),
            let month = reader.month(), reader.skip(" "), let year = reader.number(4), reader.skip(" "),
            let second = reader.secondOfDay(), reader.skip(" GMT"), reader.rest.isEmpty
        else { return nil }
        return HTTPDate(CivilDate(year: year, month: month, day: day), second)
    }

    private static func asctime(_ bytes: ByteView) -> HTTPDate? {
        var reader = ByteReader(bytes)
        guard reader.weekday() != nil, reader.skip(" "), let month = reader.month(), reader.skip(" "),
            let day = reader.skip(" ") ? reader.number(1) : reader.number(2), reader.skip(" "),
            let second = reader.secondOfDay(), reader.skip(" "), let year = reader.number(4), reader.rest.isEmpty
        else { return nil }
        return HTTPDate(CivilDate(year: year, month: month, day: day), second)
    }

    private static func old(_ bytes: ByteView) -> HTTPDate? {
        var reader = ByteReader(bytes)
        guard let weekday = reader.weekday() else { return nil }
        let isWhole =
            switch weekday {
            case 2: reader.skip("s")
            case 3: reader.skip("nes")
            case 4: reader.skip("rs")
            case 6: reader.skip("ur")
            default: true
            }
        guard isWhole, reader.skip("day, "), let day = reader.number(2), reader.skip("-"), let month = reader.month(),
            reader.skip("-"), let year = reader.number(2), reader.skip(" "), let second = reader.secondOfDay(),
            reader.skip(" GMT"), reader.rest.isEmpty
        else { return nil }
        return HTTPDate(CivilDate(year: year < 70 ? 2000 + year : 1900 + year, month: month, day: day), second)
    }

    private init?(_ day: CivilDate?, _ second: Int) {
        guard let day else { return nil }
        self.init(secondsSinceEpoch: Int64(day.daysSinceEpoch) * 86_400 + Int64(second))
    }
}

extension ByteReader {
    /// Goes past the short name of a day, and returns its number from 0 for Sunday.
    fileprivate mutating func weekday() -> Int? { (0..<7).first { skip(CalendarName.weekday($0)) } }

    /// Goes past the short name of a month, and returns its number.
    fileprivate mutating func month() -> Int? { (1...12).first { skip(CalendarName.month($0)) } }
}
