import Support
import Testing
import WebVTT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How much of a file is read for one slice of it.
///
/// A slice is scanned while all that is farther from it than two pages, the file's first page apart, cannot be read: an access there
/// ends the test run. The first slice is left out: the block that begins there goes on through the file. So many workers with one giant
/// block, or one giant line, together read at most twice what one would, and five pages each.
@Suite struct SliceReachTests {
    @Test(
        arguments: [
            "a\n", "a", "a\r", "00:00.000 --> 00:01.000\n", "b a -->", String(repeating: "line ", count: 1300) + "\n",
        ], [8, 64])
    func aSliceIsReadAlone(piece: String, workers: Int) {
        let text = CostlyText.repeated(
            piece, 4 << 20, after: "WEBVTT\n\n00:01.000 --> 00:02.000\n", end: "\n\n00:01.000 --> 00:02.000\n")
        let file = ProtectedFile(text)
        var found = 0
        for worker in 0..<workers {
            let range = text.count * worker / workers..<text.count * (worker + 1) / workers
            file.allow(worker > 0 ? range : 0..<text.count)
            try? CueScanner.scan(.init(range, isAfterCue: true), of: file.bytes, limits: CueLimits(largestBlock: .max))
            {
                if case .cue = $0 { found += 1 }
            }
        }
        var expected = 0
        var scanner = CueScanner(limits: CueLimits(largestBlock: .max))
        file.allow(0..<text.count)
        try? scanner.scan(file.bytes) { if case .cue = $0 { expected += 1 } }
        try? scanner.finish { if case .cue = $0 { expected += 1 } }
        #expect(found == expected && found > 1)
    }

    /// A copy of a file in pages of its own, of which some can be read.
    private final class ProtectedFile {
        let bytes: UnsafeRawBufferPointer
        private let mapping: UnsafeMutableRawPointer
        private let mappedCount: Int
        private let page = Int(sysconf(Int32(_SC_PAGESIZE)))

        init(_ text: [UInt8]) {
            mappedCount = (text.count + page - 1) / page * page
            mapping = mmap(nil, mappedCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            precondition(mapping != MAP_FAILED, "no memory for the file")
            mapping.copyMemory(from: text, byteCount: text.count)
            bytes = UnsafeRawBufferPointer(start: mapping, count: text.count)
        }

        /// Makes all unreadable but `range`, two pages on either side of it, and the first page.
        func allow(_ range: Range<Int>) {
            let start = max(range.lowerBound / page - 2, 0) * page
            let end = min((range.upperBound + page - 1) / page * page + 2 * page, mappedCount)
            mprotect(mapping, mappedCount, PROT_NONE)
            mprotect(mapping, page, PROT_READ)
            mprotect(mapping + start, end - start, PROT_READ)
        }

        deinit { munmap(mapping, mappedCount) }
    }
}
