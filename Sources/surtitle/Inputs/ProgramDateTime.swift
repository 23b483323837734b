internal import ByteScan
internal import M3U8

/// The value of an EXT-X-PROGRAM-DATE-TIME: a date and time as ISO 8601 writes it (RFC 8216 4.3.2.6).
///
///     2024-02-29T23:59:59.999+01:00
struct ProgramDateTime {
    /// The value as it stands in a playlist.
    let text: String

    var bytes: [UInt8] { Array(text.utf8) }

    /// The date and time `text`, less `seconds`; nil if it is none, or not after the year 0.
    ///
    /// With nothing to take off it stays as it is; else the fraction has at least three digits, and the time zone stays.
    init?(_ text: String, earlierBy seconds: DecimalSeconds) {
        guard let spelling = Parsed(text)?.spelling(earlierBy: seconds) else { return nil }
        self.text = seconds == .zero ? text : spelling
    }

    /// A date and time in parts.
    private struct Parsed {
        /// Days since 0001-01-01, and nanoseconds of the day, both in the time zone that is written.
        let day: Int
        let nanoseconds: UInt64
        let fractionDigits: Int
        /// What stands behind the time: `Z`, `+01:00`, or nothing.
        let zone: String

        init?(_ text: String) {
            let bytes = Array(text.utf8)
            let separators = [4: "-", 7: "-", 13: ":", 16: ":"] as [Int: Unicode.Scalar]
            guard bytes.count >= 19, separators.allSatisfy({ bytes[$0] == UInt8(ascii: $1) }),
                [UInt8(ascii: "T"), UInt8(ascii: "t"), ASCII.space].contains(bytes[10]),
                let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
                let day = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
                let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19]),
                year >= 1, 1...12 ~= month, 1...Self.days(of: month, year) ~= day, hour < 24, minute < 60, second <= 60
            else { return nil }
            var rest = bytes[19...]
            var fraction: UInt64 = 0
            var digits: ArraySlice<UInt8> = []
            if rest.first == ASCII.period || rest.first == ASCII.comma {
                digits = rest.dropFirst().prefix { ASCII.digit($0) != nil }
                guard !digits.isEmpty else { return nil }
                rest = bytes[digits.endIndex...]
            }
            digits = digits.prefix(9)
            for digit in digits { fraction = fraction * 10 + UInt64(digit - ASCII.zero) }
            for _ in digits.count..<9 { fraction *= 10 }
            guard Self.isZone(rest) else { return nil }
            fractionDigits = digits.count
            zone = String(decoding: rest, as: UTF8.self)
            self.day = Self.dayNumber(year, month, day)
            nanoseconds = UInt64((hour * 60 + minute) * 60 + second) * 1_000_000_000 + fraction
        }

        func spelling(earlierBy seconds: DecimalSeconds) -> String? {
            let perDay: UInt64 = 86_400_000_000_000
            let (days, rest) = seconds.nanoseconds.quotientAndRemainder(dividingBy: perDay)
            let borrows = nanoseconds < rest
            let date = day - Int(days) - (borrows ? 1 : 0)
            guard date >= 0 else { return nil }
            let (whole, fraction) = (nanoseconds + (borrows ? perDay : 0) - rest)
                .quotientAndRemainder(dividingBy: 1_000_000_000)
            let (year, month, dayOfMonth) = Self.date(ofDay: date)
            var digits = Self.padded(Int(fraction), 9)
            while digits.count > max(3, fractionDigits), digits.last == "0" { digits.removeLast() }
            return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(dayOfMonth, 2))T"
                + "\(Self.padded(Int(whole) / 3600, 2)):\(Self.padded(Int(whole) / 60 % 60, 2)):"
                + "\(Self.padded(Int(whole) % 60, 2)).\(digits)\(zone)"
        }

        private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
            digits.allSatisfy { ASCII.digit($0) != nil } ? Int(String(decoding: digits, as: UTF8.self)) : nil
        }

        private static func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }

        /// Whether `text` is a time zone, `Z`, `+hh:mm`, `+hhmm` or `+hh`, or nothing.
        private static func isZone(_ text: ArraySlice<UInt8>) -> Bool {
            let zone = String(decoding: text, as: UTF8.self)
            if zone.isEmpty || zone == "Z" || zone == "z" { return true }
            guard zone.first == "+" || zone.first == "-" else { return false }
            let digits = String(zone.dropFirst()).pieces(at: ":").joined()
            return [2, 4].contains(digits.utf8.count) && digits.utf8.allSatisfy { ASCII.digit($0) != nil }
        }

        private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

        private static func days(of month: Int, _ year: Int) -> Int {
            month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        }

        private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
            let before = year - 1
            let leapDays = before / 4 - before / 100 + before / 400
            return before * 365 + leapDays + (1..<month).map { days(of: $0, year) }.reduce(0, +) + day - 1
        }

        private static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
            // Four hundred years always have as many days.
            var (year, rest) = number.quotientAndRemainder(dividingBy: 146_097)
            year = year * 400 + 1
            while rest >= (isLeap(year) ? 366 : 365) {
                rest -= isLeap(year) ? 366 : 365
                year += 1
            }
            var month = 1
            while rest >= days(of: month, year) {
                rest -= days(of: month, year)
                month += 1
            }
            return (year, month, rest + 1)
        }
    }
}
