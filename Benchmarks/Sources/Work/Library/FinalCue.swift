// SEAM: stands in for the library until FinalCueSearch is there.

/// The library's search for the final cue, from the end of a file in memory backward.
enum FinalCue {
    /// The end of the final cue of `file` in milliseconds, summed over all times.
    static func end(of file: UnsafeRawBufferPointer, times: Int) -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times {
            sum &+= Expected.finalCueEnd(of: UnsafeRawBufferPointer(rebasing: file.suffix(4096)))
        }
        return sum
    }

    /// What is wrong with the end that is found in `file`, or nil.
    static func fault(in file: UnsafeRawBufferPointer, expected: UInt64) -> String? {
        let found = end(of: file, times: 1)
        return found == expected ? nil : "the final cue ends at \(found) ms, not at \(expected)"
    }
}
