import ByteScan

/// Copies of cues that never show and start where no other cue shows yet: nobody knows whether there will be a segment.
///
/// If the content goes on that long, they belong to the segments that they start in, and otherwise all to the last one.
struct WaitingCues: ~Copyable {
    private struct Entry: BitwiseCopyable {
        /// When the cue starts, in milliseconds.
        var start: Int64
        var count: Int
    }

    private var entries = ReusableBuffer<Entry>()
    private var copies = ReusableBuffer<UInt8>()

    /// When the segment begins that the last of them starts in, in milliseconds: cues that come later may not start
    /// before that.
    private(set) var earliestStart: Int64 = 0

    @inline(__always)
    var isEmpty: Bool { entries.isEmpty }

    /// How many bytes are kept.
    var byteCount: Int { copies.count }

    mutating func removeAll() {
        entries.removeAll()
        copies.removeAll()
        earliestStart = 0
    }

    /// Keeps a cue that starts at `start`, in a segment that would begin at `segmentStart`.
    mutating func keep(_ cue: ByteView, from start: Int64, segmentStart: Int64) {
        copies.append(cue)
        entries.append(Entry(start: start, count: cue.count))
        earliestStart = segmentStart
    }

    /// Calls `body` with each cue and its start, in the order of the file.
    func forEach(_ body: (ByteView, Int64) -> Void) {
        var offset = 0
        for index in 0..<entries.count {
            let entry = entries[index]
            body(copies.view[offset..<(offset &+ entry.count)], entry.start)
            offset &+= entry.count
        }
    }
}
