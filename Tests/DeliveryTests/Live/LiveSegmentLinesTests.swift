import ByteScan
import Testing

@testable import Delivery

/// Lines that are kept from one segment to the next.
struct LiveSegmentLinesTests {
    private func bytes(_ text: ShortText) -> [UInt8] {
        var bytes: [UInt8] = []
        text.withView { bytes = Array($0) }
        return bytes
    }

    @Test func aTextKeepsItsFirst32Bytes() {
        for count in [0, 1, 31, 32, 33, 64] {
            var text = ShortText()
            let bytes = (0..<count).map { UInt8($0 + 33) }
            bytes.withView { text.append($0) }
            #expect(self.bytes(text) == Array(bytes.prefix(32)), "\(count)")
        }
    }

    @Test func namesCountUp() {
        var lines = LiveSegmentLines()
        for number in [0, 1, 8, 9, 10, 99, 100, 101, 101, 7, 1 << 63 - 1, 0] as [UInt64] {
            #expect(bytes(lines.name(number)) == Array("\(number).vtt\n".utf8))
        }
    }

    @Test func durationsAreWrittenAnewWhereTheyDiffer() {
        var lines = LiveSegmentLines()
        let rows: [(Int64, UInt8, String)] = [
            (0, 0, "0"), (6_000_000_000, 0, "6"), (6_000_000_000, 3, "6.000"), (6_000_000_000, 3, "6.000"),
            (6_006_000_000, 3, "6.006"), (0, 0, "0"),
        ]
        for (duration, digits, expected) in rows {
            #expect(bytes(lines.duration(duration, digits)) == Array("#EXTINF:\(expected),\n".utf8))
        }
    }
}
