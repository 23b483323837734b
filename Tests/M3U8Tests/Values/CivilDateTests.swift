import ByteScan
import Testing

@testable import M3U8

/// Days of the calendar, and times of the day.
@Suite struct CivilDateTests {
    @Test(
        arguments: [
            (1970, 1, 1, 0), (1970, 1, 2, 1), (1969, 12, 31, -1), (1970, 3, 1, 59), (1972, 2, 29, 789),
            (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (2024, 2, 29, 19_782), (2026, 11, 27, 20_784),
            (1, 1, 1, -719_162), (1, 3, 1, -719_103), (9999, 12, 31, 2_932_896),
        ])
    func daysOfDates(_ year: Int, _ month: Int, _ day: Int, _ days: Int) {
        let date = CivilDate(daysSinceEpoch: days)
        #expect([date.year, date.month, date.day] == [year, month, day])
        #expect(CivilDate(year: year, month: month, day: day)?.daysSinceEpoch == days)
    }

    /// Day by day from 1 March of the year 0, over two whole turns of the leap years.
    @Test func everyDay() {
        var days = -719_468
        for year in 0...800 {
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (month, length) in zip(1..., lengths) where year > 0 || month > 2 {
                for day in 1...length {
                    let date = CivilDate(daysSinceEpoch: days)
                    if [date.year, date.month, date.day] != [year, month, day] || date.daysSinceEpoch != days {
                        Issue.record("\(date) is not \(year)-\(month)-\(day)")
                    }
                    days += 1
                }
                #expect((CivilDate(year: year, month: month, day: length) != nil) == (year > 0))
                #expect(CivilDate(year: year, month: month, day: length + 1) == nil)
            }
        }
    }

    @Test(
        arguments: [
            (0, 12, 31, false), (1, 1, 1, true), (9999, 12, 31, true), (10_000, 1, 1, false), (2024, 0, 1, false),
            (2024, 13, 1, false), (2024, 1, 0, false), (2024, 2, 29, true), (2023, 2, 29, false), (2023, 2, 28, true),
            (1900, 2, 29, false), (2000, 2, 29, true), (2100, 2, 29, false), (2024, 2, 30, false), (-4, 2, 1, false),
            (2024, 4, 30, true), (2024, 4, 31, false), (2024, 12, 31, true), (2024, 12, 32, false),
        ])
    func daysThatExist(_ year: Int, _ month: Int, _ day: Int, _ exists: Bool) {
        #expect((CivilDate(year: year, month: month, day: day) != nil) == exists)
    }

    @Test(
        arguments: [
            ("00:00:00", 0, ""), ("00:00:01Z", 1, "Z"), ("23:59:59", 86_399, ""), ("23:59:60", 86_400, ""),
            ("01:02:03.5", 3723, ".5"), ("10:00:00", 36_000, ""), ("24:00:00", nil, ""), ("23:60:00", nil, ""),
            ("23:59:61", nil, ""), ("1:00:00", nil, ""), ("00-00:00", nil, ""), ("00:00-00", nil, ""),
            ("00:00", nil, ""),
            ("00:00:0", nil, ""), ("", nil, ""),
        ] as [(String, Int?, String)])
    func secondsOfTheDay(_ text: String, _ second: Int?, _ rest: String) {
        let bytes = Array(text.utf8)
        bytes.withView { view in
            var reader = ByteReader(view)
            #expect(reader.secondOfDay() == second)
            if let second {
                #expect("\(reader.rest)" == rest)
                guard second < 86_400 else { return }
                var output = ReusableBuffer<UInt8>()
                output.append(secondOfDay: second)
                #expect("\(output.view)\(rest)" == text)
            }
        }
    }

    @Test(arguments: [(0, 1, "0"), (7, 2, "07"), (123, 2, "123"), (-1, 3, "000"), (.max, 1, "9223372036854775807")])
    func numbers(_ number: Int, _ minimumCount: Int, _ text: String) {
        var output = ReusableBuffer<UInt8>()
        output.append(decimal: number, minimumCount: minimumCount)
        if minimumCount == 1 { output.append(decimal: number) }
        #expect("\(output.view)" == (minimumCount == 1 ? text + text : text))
    }
}
