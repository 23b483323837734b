/// HTTP's dates, by counting days.
public enum NaiveDate {
    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func lengths(_ year: Int) -> [Int] {
        [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    }

    /// Days from 1 January 1970 to that of `year`.
    private static func days(before year: Int) -> Int {
        year >= 1970
            ? (1970..<year).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
            : -(year..<1970).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
    }

    /// The seconds since 1970 of a date in one of the three forms.
    public static func seconds(_ text: String) -> Int? {
        guard 24...33 ~= text.count else { return nil }
        if let match = text.wholeMatch(
            of: /(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat), ([0-9]{2}) ([A-Z][a-z]{2}) ([0-9]{4}) ([0-9:]{8}) GMT/)
        {
            return seconds(Int(match.3), String(match.2), Int(match.1), String(match.4))
        }
        if let match = text.wholeMatch(
            of: /(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day, ([0-9]{2})-([A-Z][a-z]{2})-([0-9]{2}) ([0-9:]{8}) GMT/)
        {
            let year = Int(match.3).map { $0 < 70 ? 2000 + $0 : 1900 + $0 }
            return seconds(year, String(match.2), Int(match.1), String(match.4))
        }
        if let match = text.wholeMatch(
            of: /(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) ([A-Z][a-z]{2}) ([0-9]{2}| [0-9]) ([0-9:]{8}) ([0-9]{4})/)
        {
            return seconds(Int(match.4), String(match.1), Int(match.2.drop { $0 == " " }), String(match.3))
        }
        return nil
    }

    private static func seconds(_ year: Int?, _ month: String, _ day: Int?, _ time: String) -> Int? {
        guard let year, let day, year >= 1, let index = months.firstIndex(of: month),
            let clock = time.wholeMatch(of: /([0-9]{2}):([0-9]{2}):([0-9]{2})/),
            let hour = Int(clock.1), let minute = Int(clock.2), let second = Int(clock.3),
            hour < 24, minute < 60, second <= 60, day >= 1, day <= lengths(year)[index]
        else { return nil }
        let days = days(before: year) + lengths(year).prefix(index).reduce(0, +) + day - 1
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
        // A leap second at the end of the year 9999 is in a year of five digits.
        return seconds < 253_402_300_800 ? seconds : nil
    }

    /// The form that is written.
    public static func text(_ seconds: Int) -> String {
        func padded(_ number: Int, _ count: Int = 2) -> String {
            String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
        }
        let second = ((seconds % 86_400) + 86_400) % 86_400
        let day = (seconds - second) / 86_400
        // A year that is not too late; from it on year by year.
        var year = 1970 + (day < 0 ? day / 365 - 1 : day / 366)
        var left = day - days(before: year)
        while left >= lengths(year).reduce(0, +) {
            left -= lengths(year).reduce(0, +)
            year += 1
        }
        var month = 0
        while left >= lengths(year)[month] {
            left -= lengths(year)[month]
            month += 1
        }
        let weekday = days[((day + 4) % 7 + 7) % 7].prefix(3)
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0) }.joined(separator: ":")
        return "\(weekday), \(padded(left + 1)) \(months[month]) \(padded(year, 4)) \(time) GMT"
    }
}
