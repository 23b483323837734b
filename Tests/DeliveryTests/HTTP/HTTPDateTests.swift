import ByteScan
import Delivery
import Foundation
import Support
import Testing

/// Times in headers: RFC 9110 5.6.7.
@Suite struct HTTPDateTests {
    static func seconds(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBytes { HTTPDate(ByteView($0))?.secondsSinceEpoch }
    }

    static func text(_ seconds: Int64) -> String? {
        guard let date = HTTPDate(secondsSinceEpoch: seconds) else { return nil }
        var buffer = ReusableBuffer<UInt8>()
        date.write(into: &buffer)
        return String(decoding: buffer.view.map { $0 }, as: UTF8.self)
    }

    static let rows: [(String, Int64?)] = [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Tue Feb 29 00:00:00 2000", 951_782_400),
        ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Wednesday, 31-Dec-69 00:00:00 GMT", 3_155_673_600),
        ("Thursday, 01-Jan-70 00:00:00 GMT", 0), ("Tuesday, 01-Jan-02 00:00:00 GMT", 1_009_843_200),
        ("Monday, 07-Jan-02 00:00:00 GMT", 1_010_361_600), ("Friday, 04-Jan-02 00:00:00 GMT", 1_010_102_400),
        ("Saturday, 05-Jan-02 00:00:00 GMT", 1_010_188_800),
        ("Thu, 29 Feb 1900 00:00:00 GMT", nil), ("Tue, 31 Apr 2001 00:00:00 GMT", nil), ("", nil),
        ("Sun, 00 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 0000 08:49:37 GMT", nil),
        ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 06 Nov 1994 08:60:00 GMT", nil),
        ("Sun, 06 Nov 1994 08:49:61 GMT", nil), ("Sun, 06 nov 1994 08:49:37 GMT", nil),
        ("sun, 06 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 UTC", nil),
        ("Sun, 06 Nov 1994 08:49:37 GMT ", nil), ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
        ("Sun, 06 Nov 1994 08:49:37", nil), ("Sun, 06 Nov 94 08:49:37 GMT", nil), ("784111777", nil),
        ("Sunday, 06-Nov-1994 08:49:37 GMT", nil), ("Sunay, 06-Nov-94 08:49:37 GMT", nil),
        ("Tueday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov 6 08:49:37 1994", nil),
        ("Sun Nov 06 08:49:37 1994", 784_111_777),
        ("Sun Nov  6 08:49:37 19941", nil), ("Sun Nov  6 08:49:37", nil), ("Sun, 06 Nov 1994 +8:49:37 GMT", nil),
    ]

    @Test(arguments: rows)
    func reads(text: String, seconds: Int64?) {
        #expect(Self.seconds(text) == seconds)
        #expect(NaiveDate.seconds(text).map { Int64($0) } == seconds)
    }

    /// Every day of 400 years and more, at changing times of day, against Foundation's calendar.
    @Test func writesAndReads() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var seconds: Int64 = -9_000_000_000
        while seconds < 9_000_000_000 {
            let text = Self.text(seconds)
            let expected = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
            guard text == expected, Self.seconds(expected) == seconds else {
                Issue.record("\(seconds): \(text ?? "nil"), not \(expected)")
                return
            }
            seconds += 86_400 * 7 + 12_347
        }
    }

    @Test func onlyYearsOfFourDigits() {
        #expect(Self.text(-62_135_596_800) == "Mon, 01 Jan 0001 00:00:00 GMT")
        #expect(Self.text(-62_135_596_801) == nil)
        #expect(Self.text(253_402_300_799) == "Fri, 31 Dec 9999 23:59:59 GMT")
        for seconds in [253_402_300_800, Int64.min, Int64.max] { #expect(Self.text(seconds) == nil) }
        // A leap second at the very end would be in the year 10000.
        #expect(Self.seconds("Fri, 31 Dec 9999 23:59:60 GMT") == nil)
    }

    @Test func naiveAgrees() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let seconds = Int64.random(in: -62_135_596_800..<253_402_300_800, using: &generator)
            #expect(Self.text(seconds) == NaiveDate.text(Int(seconds)))
        }
    }
}
