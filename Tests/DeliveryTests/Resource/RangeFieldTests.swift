import ByteScan
import Delivery
import Support
import Testing

/// Which bytes a Range field gets of a resource (RFC 9110 14).
@Suite struct RangeFieldTests {
    static let rows: [(String, Int, RangeField.Answer, String)] = [
        ("bytes=0-1", 10, .part(0..<2), "14.1.2"), ("bytes=0-0", 10, .part(0..<1), "one byte"),
        ("bytes=5-", 10, .part(5..<10), "open-ended"), ("bytes=-3", 10, .part(7..<10), "a suffix"),
        ("bytes=-30", 10, .part(0..<10), "a suffix longer than the whole: 14.1.2"),
        ("bytes=8-20", 10, .part(8..<10), "clamped: 14.1.2"),
        ("bytes=10-", 10, .unsatisfiable, "it begins at the end"), ("bytes=10-20", 10, .unsatisfiable, "past the end"),
        ("bytes=-0", 10, .unsatisfiable, "a suffix of nothing: 14.1.2"),
        ("bytes=5-4", 10, .whole, "invalid, and so ignored: 14.1.1"), ("bytes=-", 10, .whole, "no number"),
        ("bytes=", 10, .whole, "no range"), ("bytes", 10, .whole, "no ranges"), ("", 10, .whole, "nothing"),
        ("items=0-1", 10, .whole, "another unit: 14.2"), ("BYTES=0-1", 10, .part(0..<2), "units have no case: 14.1"),
        (" bytes=0-1 ", 10, .part(0..<2), "white space around"), ("bytes = 0-1", 10, .whole, "white space inside"),
        ("bytes=0 -1", 10, .whole, "white space inside"), ("bytes=+0-1", 10, .whole, "a sign"),
        ("bytes=0-1,4-5", 10, .whole, "several may get the whole: 14.2"),
        ("bytes=0-1,", 10, .part(0..<2), "empty elements count for nothing: 5.6.1.2"),
        ("bytes=,0-1", 10, .part(0..<2), "the same before it"), ("bytes=0x0-1", 10, .whole, "no digit"),
        ("bytes=0-1-2", 10, .whole, "two hyphens"), ("bytes=--1", 10, .whole, "two hyphens"),
        ("bytes=0-99999999999999999999", 10, .part(0..<10), "more than 64 bits"),
        ("bytes=99999999999999999999-", 10, .unsatisfiable, "a beginning of more than 64 bits"),
        ("bytes=-99999999999999999999", 10, .part(0..<10), "a suffix of more than 64 bits"),
        ("bytes=9223372036854775807-9223372036854775807", 10, .unsatisfiable, "the largest position"),
        ("bytes=0-9223372036854775807", .max, .part(0..<Int.max), "the largest resource"),
        ("bytes=0-", 0, .unsatisfiable, "nothing of nothing"), ("bytes=-5", 0, .whole, "14.4 has no form for no bytes"),
        ("bytes=0-1", 0, .unsatisfiable, "nothing of nothing"),
    ]

    private func field(_ text: String) -> RangeField {
        let bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeBytes { unsafe RangeField(ByteView($0)) }
    }

    @Test(arguments: rows)
    func answers(_ text: String, _ length: Int, _ expected: RangeField.Answer, _ reason: String) {
        #expect(field(text).answer(length: length) == expected, "\(text): \(reason)")
    }

    @Test func fieldsOfARequest() {
        #expect(RangeField([HeaderLine("rAnGe", "bytes=1-2")]) == .from(1, through: 2))
        #expect(RangeField([HeaderLine("X", "bytes=1-2")]) == .whole)
        let range = HeaderLine("Range", "bytes=1-2")
        #expect(RangeField([range, range]) == .whole)
        // Nothing has a tag here, so none matches (13.1.5).
        #expect(RangeField([range, HeaderLine("If-Range", "\"a\"")]) == .whole)
    }

    private static let pieces = [
        "bytes=", "0", "1", "9", "-", ",", " ", "5", "bytes", "99999999999999999999", "x", "\t",
    ]

    @Test(arguments: 0..<40)
    func isTheNaiveAnswer(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let count = Int.random(in: 0...6, using: &generator)
            let start = Bool.random(using: &generator) ? "bytes=" : ""
            let text = start + (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
            let length = Int.random(in: 0...12, using: &generator)
            let naive = NaiveRanges.answer(text, of: length)
            switch field(text).answer(length: length) {
            case .whole: #expect(naive.status == 200, "\(text) of \(length)")
            case .part(let range):
                #expect(naive.status == 206 && naive.positions == Array(range), "\(text) of \(length)")
            case .unsatisfiable: #expect(naive.status == 416, "\(text) of \(length)")
            }
        }
    }
}
