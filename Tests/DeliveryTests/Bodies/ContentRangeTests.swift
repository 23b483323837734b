import ByteScan
import Testing

@testable import Delivery

/// Which part of a resource came (RFC 9110 14.4), and whether it is the one that was asked for.
struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-0/1", 0...0, 1), ("bytes 0-9/10", 0...9, 10), ("BYTES  5-5/* ", 5...5, nil),
            ("bytes 0-0/999999999999999999", 0...0, 999_999_999_999_999_999),
            ("bytes 0-0/1000000000000000000", nil, nil),
            ("bytes 0-10/10", nil, nil), ("bytes 5-4/10", nil, nil), ("bytes 0-0", nil, nil), ("bytes */10", nil, nil),
            ("octets 0-0/1", nil, nil), ("bytes0-0/1", nil, nil), ("bytes 0-0/", nil, nil), ("bytes -0/1", nil, nil),
            ("bytes 0-/1", nil, nil), ("bytes 0/1-1", nil, nil), ("bytes a-1/2", nil, nil), ("", nil, nil),
        ] as [(String, ClosedRange<Int>?, Int?)])
    func whatCame(_ value: String, _ bytes: ClosedRange<Int>?, _ total: Int?) {
        let part = Array(value.utf8).withView { ContentRange($0) }
        #expect(part?.bytes == bytes && part?.total == total)
    }

    @Test(arguments: [
        ("0-9/10", FetchRange.bytes(0...9), true), ("0-9/*", .bytes(0...9), true), ("0-9/99", .bytes(0...9), true),
        ("0-8/9", .bytes(0...9), true), ("0-8/10", .bytes(0...9), false), ("0-8/*", .bytes(0...9), false),
        ("1-9/10", .bytes(0...9), false), ("0-10/11", .bytes(0...9), false), ("5-9/10", .suffix(5), true),
        ("4-9/10", .suffix(5), false), ("6-9/10", .suffix(5), false), ("5-8/10", .suffix(5), false),
        ("0-3/4", .suffix(5), true), ("1-3/4", .suffix(5), false), ("0-4/*", .suffix(5), false),
    ])
    func whatWasAskedFor(_ value: String, _ asked: FetchRange, _ answers: Bool) throws {
        let part = try #require(Array("bytes \(value)".utf8).withView { ContentRange($0) })
        #expect(part.answers(asked) == answers)
    }
}
