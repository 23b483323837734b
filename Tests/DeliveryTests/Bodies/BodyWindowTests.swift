import ByteScan
import Support
import Testing

@testable import Delivery

/// Which bytes of a body are wanted, wherever its chunks end.
struct BodyWindowTests {
    @Test(
        arguments: [
            // The length, if it is told, and the limit.
            (BodyWindow(length: nil, limit: nil), "0123456789", nil),
            (BodyWindow(length: 10, limit: nil), "0123456789", nil),
            (BodyWindow(length: 9, limit: nil), "012345678", .wrongLength),
            (BodyWindow(length: 11, limit: nil), "0123456789", .wrongLength),
            (BodyWindow(length: nil, limit: 10), "0123456789", nil),
            (BodyWindow(length: nil, limit: 9), "012345678", .tooLong(limit: 9)),
            (BodyWindow(length: 9, limit: 9), "012345678", .wrongLength),
            (BodyWindow(length: 10, limit: 9), "012345678", .tooLong(limit: 9)),
            (BodyWindow(length: 8, limit: 9), "01234567", .wrongLength),
            // A part of the whole.
            (BodyWindow(2..<5, length: nil), "234", nil), (BodyWindow(2..<5, length: 10), "234", nil),
            (BodyWindow(2..<5, length: 5), "234", nil), (BodyWindow(2..<5, length: 4), "23", .wrongLength),
            (BodyWindow(0..<10, length: 10), "0123456789", nil), (BodyWindow(8..<12, length: nil), "89", nil),
            (BodyWindow(8..<12, length: 10), "89", nil), (BodyWindow(8..<12, length: 11), "89", .wrongLength),
            (BodyWindow(10..<12, length: nil), "", nil),
        ] as [(BodyWindow, String, FetchError.Reason?)])
    func whatIsWanted(_ window: BodyWindow, _ expected: String, _ reason: FetchError.Reason?) {
        let body = Array("0123456789".utf8)
        for split in Splits.all(of: body.count) + [Splits.even(of: body.count, size: 1)] {
            var window = window
            var (wanted, fault): ([UInt8], FetchError.Reason?) = ([], nil)
            for chunk in split where fault == nil && !window.isFilled {
                Array(body[chunk]).withView { bytes in
                    let cut = window.cut(bytes)
                    wanted += Array(cut.wanted)
                    fault = cut.fault
                }
            }
            let end = fault ?? (window.isFilled ? nil : window.faultAtEnd)
            #expect(String(decoding: wanted, as: UTF8.self) == expected && end == reason, "\(split)")
        }
    }
}
