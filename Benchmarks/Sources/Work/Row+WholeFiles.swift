import CReference
import Inputs
import M3U8
import WebVTT

// A whole file read for what it says.
extension Row {
    static let wholeFiles: [Entry] = [
        ("media-big-lines", { lines("media-big-lines", .media) }),
        ("media-ll-lines", { lines("media-ll-lines", .lowLatencyMedia) }),
        ("latest-end", { latestEnd("latest-end", .largeCues) }),
        ("latest-end-plain", { latestEnd("latest-end-plain", .plainCues) }),
    ]

    /// Every line by its kind, against finding their ends.
    private static func lines(_ key: String, _ input: Input) -> Row {
        let bytes = input.bytes
        func digest(inChunksOf size: Int, times: Int) -> UInt64 {
            var scanner = LineScanner()
            var sum: UInt64 = 0
            for _ in 0..<times {
                scanner.reset()
                for chunk in bytes.chunks(of: size) {
                    try? scanner.scan(chunk) { sum &+= Self.digest($0.position, $0.kind == .uri) }
                }
                try? scanner.finish { sum &+= Self.digest($0.position, $0.kind == .uri) }
            }
            return sum
        }
        return Row(
            key: key, work: "Lines by kind", input: input, reference: "memchr, line by line", limit: nil,
            run: { digest(inChunksOf: bytes.count, times: $0) },
            runInChunks: { digest(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: {
                var position = 0
                var expected: UInt64 = 0
                for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
                    expected &+= Self.digest(position, line.first != nil && line.first != UInt8(ascii: "#"))
                    position += line.count + 1
                }
                for size in [bytes.count] + UnsafeRawBufferPointer.checkedChunks
                where digest(inChunksOf: size, times: 1) != expected {
                    return "in chunks of \(size) bytes: other lines"
                }
                return nil
            })
    }

    @inline(__always)
    private static func digest(_ position: Int, _ isURI: Bool) -> UInt64 {
        UInt64(truncatingIfNeeded: position &* 2 &+ (isURI ? 1 : 0)) &* 0x9E37_79B9_7F4A_7C15
    }

    /// The latest end of all cues, from the last to the first, against finding the lines.
    private static func latestEnd(_ key: String, _ input: Input) -> Row {
        let bytes = input.bytes
        func search(inBlocksOf size: Int) -> UInt64 {
            var search = LatestEndSearch()
            var end = bytes.count
            while end > 0 {
                let start = max(0, end - size)
                search.prepend(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), startsFile: start == 0)
                end = start
            }
            return UInt64(truncatingIfNeeded: search.latestEnd?.milliseconds ?? 0)
        }
        return Row(
            key: key, work: "Latest end of all cues", input: input, reference: "memchr, line by line", limit: nil,
            run: repeating { search(inBlocksOf: bytes.count) },
            runInChunks: repeating { search(inBlocksOf: UnsafeRawBufferPointer.countedChunk) },
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: {
                let expected = UInt64(Expected.cues(of: bytes).map(\.end).max() ?? 0)
                for size in [bytes.count, 61] + UnsafeRawBufferPointer.checkedChunks.dropFirst()
                where search(inBlocksOf: size) != expected {
                    return "in blocks of \(size) bytes: \(search(inBlocksOf: size)) ms, not \(expected)"
                }
                return nil
            })
    }
}
