import CReference
import WebVTT

/// The library's search for the final cue, from the end of a file backward.
enum FinalCue {
    /// The end of the final cue of `file`, which is all in memory, in milliseconds and summed over all times.
    static func end(of file: UnsafeRawBufferPointer, times: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times {
            sum &+= milliseconds(finalCueEnd(in: file))
            Reference.keep(file.baseAddress)
        }
        return sum
    }

    /// The same in blocks of `size` bytes, as they are read from a file that is not in memory.
    static func end(of file: UnsafeRawBufferPointer, inBlocksOf size: Int, times: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times {
            sum &+= milliseconds(end(of: file, inBlocksOf: size))
            Reference.keep(file.baseAddress)
        }
        return sum
    }

    /// How many bytes of the end of `file` must be handed over before the final cue is found; nil past `limit`.
    static func reach(in file: UnsafeRawBufferPointer, limit: Int) -> Int? {
        (0...limit).first { budget in
            var search = FinalCueSearch(byteBudget: budget)
            guard case .found = search.prepend(file) else { return false }
            return true
        }
    }

    /// What is wrong with the end that is found in `file`, or nil.
    static func fault(in file: UnsafeRawBufferPointer, expected: UInt64) -> String? {
        let found = end(of: file, times: 1)
        if found != expected { return "the final cue ends at \(found) ms, not at \(expected)" }
        for size in [1, 7, 61, 64, 256] {
            let found = end(of: file, inBlocksOf: size, times: 1)
            if found != expected { return "in blocks of \(size) bytes: it ends at \(found) ms, not at \(expected)" }
        }
        return nil
    }

    private static func end(of file: UnsafeRawBufferPointer, inBlocksOf size: Int) -> Timestamp? {
        let head = UnsafeRawBufferPointer(rebasing: file.prefix(WebVTTSignature.decidingByteCount))
        guard case .valid = WebVTTSignature(head: head, isWholeFile: false) else { return nil }
        var search = FinalCueSearch()
        var end = file.count
        while search.answer == .needsEarlierBytes, end > 0 {
            let start = max(0, end - size)
            search.prepend(UnsafeRawBufferPointer(rebasing: file[start..<end]), startsFile: start == 0)
            end = start
        }
        guard case .found(let time) = search.answer else { return nil }
        return time
    }

    private static func milliseconds(_ time: Timestamp?) -> UInt64 {
        UInt64(truncatingIfNeeded: time?.milliseconds ?? 0)
    }
}
