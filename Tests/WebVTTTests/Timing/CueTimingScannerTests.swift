import ByteScan
import Support
import Testing

@testable import WebVTT

@Suite struct CueTimingScannerTests {
    static func timings(of file: UnsafeRawBufferPointer, in chunks: [Range<Int>]) -> [CueTiming] {
        var timings: [CueTiming] = []
        var scanner = CueTimingScanner()
        for chunk in chunks { scanner.scan(UnsafeRawBufferPointer(rebasing: file[chunk])) { timings.append($0) } }
        scanner.finish { timings.append($0) }
        return timings
    }

    /// Compares the times with the oracle's, their positions with the file, and every cut with the whole.
    static func check(_ file: [UInt8], sizes: some Sequence<Int>, _ name: @autoclosure () -> String = "") {
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        let whole = timings(of: guarded.buffer, in: [0..<file.count])
        let expected = NaiveTimings.cues(in: file) ?? []
        let isRight =
            whole.map(\.start.milliseconds) == expected.map(\.start)
            && whole.map(\.end.milliseconds) == expected.map(\.end)
        if !isRight { Issue.record("\(name()) \(CueScannerTests.describe(file)): \(whole)") }
        for timing in whole {
            let isLineStart = timing.position > 0 && ASCII.isLineEnd(file[timing.position - 1])
            let line = TimingLine(ByteView(guarded.buffer), from: timing.position)
            #expect(isLineStart && line?.start == timing.start && line?.end == timing.end, "\(name())")
        }
        #expect(
            file.withUnsafeBytes { latestCueEnd(in: $0.bytes) }?.milliseconds == expected.map(\.end).max(), "\(name())")
        for size in sizes {
            guard timings(of: guarded.leadingBuffer, in: Splits.even(of: file.count, size: size)) != whole else {
                continue
            }
            Issue.record("\(name()) in chunks of \(size): \(CueScannerTests.describe(file))")
            return
        }
    }

    @Test(arguments: FinalCueSearchTests.fixtures)
    func fixture(text: String, end: Int64?) {
        let file = Array(text.utf8)
        Self.check(file, sizes: 1...64)
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        let whole = Self.timings(of: guarded.buffer, in: [0..<file.count])
        #expect(whole.last?.end.milliseconds == end)
        for chunks in Splits.all(of: file.count) { #expect(Self.timings(of: guarded.buffer, in: chunks) == whole) }
    }

    @Test func theLatestIsNotTheFinal() {
        let file = Array("WEBVTT\n\n00:01.000 --> 00:09.000\n\n00:05.000 --> 00:04.000\n".utf8)
        #expect(file.withUnsafeBytes { latestCueEnd(in: $0.bytes) }?.milliseconds == 9000)
        #expect(file.withUnsafeBytes { finalCueEnd(in: $0.bytes) }?.milliseconds == 4000)
    }

    /// Times of every number of digits, each byte of each line replaced by others.
    @Test func everyFormWithOneByteChanged() {
        let times = ["00:01.000", "00:00:01.000", "99:59:59.999", "100:00:00.000", "999:59:59.999", "1000:00:00.000"]
        for first in times {
            for second in times where isLong || first == second {
                let line = Array("\(first) --> \(second)".utf8)
                var file = Array("WEBVTT\n\n".utf8) + line + [0x0A]
                Self.check(file, sizes: isLong ? 1...64 : 1...3)
                for offset in 8...(8 + line.count) {
                    let old = file[offset]
                    for byte in Array((isLong ? "0569:.->x \n" : "6:\n").utf8) {
                        file[offset] = byte
                        Self.check(file, sizes: isLong ? 1...64 : 7...7)
                        if isLong { Self.check(file.dropLast(2), sizes: 1...64) }
                    }
                    file[offset] = old
                }
            }
        }
    }

    @Test func randomFiles() {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<(isLong ? 200_000 : 1500) {
            let file = WebVTTTokens.file(upTo: 40, using: &generator)
            Self.check(file, sizes: [1, Int.random(in: 2...64, using: &generator)])
        }
    }

    @Test(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
    func everyConformanceFile() throws {
        for (number, file) in try (WebVTTExpectation.files() + WebVTTExpectation.corpus()).enumerated() {
            Self.check(file.bytes, sizes: CueScannerTests.sizes(for: file, number), file.name)
            guard let latest = file.latestCueEnd else { continue }
            #expect(file.bytes.withUnsafeBytes { latestCueEnd(in: $0.bytes) }?.milliseconds == latest, "\(file)")
        }
    }
}
