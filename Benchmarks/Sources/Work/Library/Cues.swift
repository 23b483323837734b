import CReference
import Dispatch
import WebVTT

/// The library's scanners of cues, forward, and its timestamp map.
enum Cues {
    /// Scans the file for everything, one scanner reset for each time, and adds up the cues' digests.
    static func events(of file: UnsafeRawBufferPointer, inChunksOf size: Int, times: Int) -> UInt64 {
        var scanner = CueScanner()
        var sum: UInt64 = 0
        for _ in 0..<times {
            scanner.reset()
            // The limits skip and never throw.
            for chunk in file.chunks(of: size) { try? scanner.scan(chunk) { sum &+= digest($0) } }
            try? scanner.finish { sum &+= digest($0) }
            Reference.keep(file.baseAddress)
        }
        return sum
    }

    /// Scans the file for the times of its cues.
    static func timings(of file: UnsafeRawBufferPointer, inChunksOf size: Int, times: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times {
            var scanner = CueTimingScanner()
            for chunk in file.chunks(of: size) { scanner.scan(chunk) { sum &+= digest($0) } }
            scanner.finish { sum &+= digest($0) }
            Reference.keep(file.baseAddress)
        }
        return sum
    }

    /// Scans the file for everything on so many threads, each a slice of its own.
    static func events(of file: UnsafeRawBufferPointer, threads: Int, times: Int) -> UInt64 {
        nonisolated(unsafe) let file = file
        // Sums that several threads add to lie far apart, so that no two share a cache line.
        nonisolated(unsafe) let sums = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 32 * threads)
        sums.initialize(repeating: 0)
        defer { sums.deallocate() }
        for _ in 0..<times {
            let longest = LongestThread(of: threads)
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                let slice = file.count * thread / threads..<file.count * (thread + 1) / threads
                longest.measure(thread) {
                    var sum: UInt64 = 0
                    try? CueScanner.scan(CueScanner.Slice(slice, isAfterCue: thread > 0), of: file) {
                        sum &+= digest($0)
                    }
                    sums[32 * thread] &+= sum
                }
            }
            longest.finish()
            Reference.keep(file.baseAddress)
        }
        return sums.reduce(0, &+)
    }

    /// Puts a timestamp map into the file, and copies what comes out to `output`.
    static func mapped(
        _ file: UnsafeRawBufferPointer, inChunksOf size: Int, into output: OutputBuffer, times: Int
    ) -> UInt64 {
        var output = output
        var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 900_000))
        var sum: UInt64 = 0
        for _ in 0..<times {
            output.removeAll()
            rewriter.reset()
            for chunk in file.chunks(of: size) { rewriter.write(chunk) { output.append($0.bytes) } }
            rewriter.finish { output.append($0.bytes) }
            Reference.keep(output.room.baseAddress)
            sum &+= UInt64(output.count)
        }
        return sum
    }

    /// What is wrong with the cues that are found in `file`, whole, in chunks or in slices, or nil.
    static func fault(in file: UnsafeRawBufferPointer, expected: [CuePlace]) -> String? {
        for size in [file.count] + UnsafeRawBufferPointer.checkedChunks {
            var found = CuePlaces(expected: expected)
            var scanner = CueScanner()
            for chunk in file.chunks(of: size) { try? scanner.scan(chunk) { found.compare($0) } }
            try? scanner.finish { found.compare($0) }
            if let fault = found.fault { return "in chunks of \(size) bytes: \(fault)" }
        }
        let sum = expected.reduce(0) { $0 &+ $1.digest }
        for threads in [1, 2, 3] where events(of: file, threads: threads, times: 1) != sum {
            return "on \(threads) threads: other cues"
        }
        return events(of: file, inChunksOf: file.count, times: 1) == sum ? nil : "what is timed finds other cues"
    }

    /// What is wrong with the times that are found in `file`, or nil.
    static func timingFault(in file: UnsafeRawBufferPointer, expected: [CuePlace]) -> String? {
        for size in [file.count] + UnsafeRawBufferPointer.checkedChunks {
            var scanner = CueTimingScanner()
            var isRight = true
            var count = 0
            func compare(_ timing: CueTiming) {
                isRight = isRight && count < expected.count && expected[count].hasTimes(of: timing)
                count += 1
            }
            for chunk in file.chunks(of: size) { scanner.scan(chunk) { compare($0) } }
            scanner.finish { compare($0) }
            if !isRight || count != expected.count { return "in chunks of \(size) bytes: other times" }
        }
        let sum = expected.reduce(0) { $0 &+ $1.timingDigest }
        return timings(of: file, inChunksOf: file.count, times: 1) == sum ? nil : "what is timed finds other times"
    }

    @inline(__always)
    private static func digest(_ event: CueEvent) -> UInt64 {
        guard case .cue(let cue) = event else { return 0 }
        return CuePlace(cue).digest
    }

    @inline(__always)
    private static func digest(_ timing: CueTiming) -> UInt64 {
        CuePlace.timingDigest(timing.start.milliseconds, timing.end.milliseconds)
    }
}

/// Cues compared with what is expected, one by one.
private struct CuePlaces {
    private let expected: [CuePlace]
    private var count = 0
    private var firstFault: Int?

    init(expected: [CuePlace]) { self.expected = expected }

    mutating func compare(_ event: CueEvent) {
        guard case .cue(let cue) = event else { return }
        if firstFault == nil, count >= expected.count || expected[count] != CuePlace(cue) { firstFault = count }
        count += 1
    }

    var fault: String? {
        if let firstFault { return "cue \(firstFault) is another one" }
        return count == expected.count ? nil : "\(count) cues, not \(expected.count)"
    }
}

extension CuePlace {
    @inline(__always)
    fileprivate init(_ cue: Cue) {
        self.init(
            position: cue.position, start: cue.start.milliseconds, end: cue.end.milliseconds,
            identifierCount: cue.identifier.bytes.count, textCount: cue.text.bytes.count)
    }

    fileprivate func hasTimes(of timing: CueTiming) -> Bool {
        start == timing.start.milliseconds && end == timing.end.milliseconds
            && timing.position == position + (identifierCount > 0 ? identifierCount + 1 : 0)
    }
}
