package import ByteScan
internal import M3U8

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
    package func write(into output: inout ReusableBuffer<UInt8>) {
        // Days and seconds round down, before 1970 too.
        let secondOfDay = Int(Self.remainder(secondsSinceEpoch, 86_400))
        let day = (secondsSinceEpoch &- Int64(secondOfDay)) / 86_400
        let date = CivilDate(daysSinceEpoch: Int(day))
        // 1 January 1970 was a Thursday.
        output.append(CalendarName.weekday(Int(Self.remainder(day &+ 4, 7))))
        output.append(ByteView(", "))
        output.append(decimal: date.day, minimumCount: 2)
        output.append(ASCII.space)
        output.append(CalendarName.month(date.month))
        output.append(ASCII.space)
        output.append(decimal: date.year, minimumCount: 4)
        output.append(ASCII.space)
        output.append(secondOfDay: secondOfDay)
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

/// The names of days and months, as bytes of one text each.
enum CalendarName {
    /// The short name of a day, from 0 for Sunday.
    static func weekday(_ index: Int) -> ByteView { ByteView("SunMonTueWedThuFriSat")[(3 * index)..<(3 * index + 3)] }

    /// The short name of a month, from 1.
    static func month(_ number: Int) -> ByteView {
        ByteView("JanFebMarAprMayJunJulAugSepOctNovDec")[(3 * number - 3)..<(3 * number)]
    }
}
