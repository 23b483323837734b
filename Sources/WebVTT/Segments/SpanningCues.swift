import ByteScan

/// Copies of the cues that go on in the next segment, in the order of the file.
struct SpanningCues: ~Copyable {
    private struct Entry: BitwiseCopyable {
        /// Where the cue stands in the stream.
        var position: Int
        /// When the cue ends, in milliseconds.
        var end: Int64
        /// How many bytes its copy has, with the blank line after it.
        var count: Int
        /// How many of them are the blank line's.
        var blankCount: Int
    }

    private var entries = ReusableBuffer<Entry>()

    /// The cues, with a blank line after each.
    private var copies = ReusableBuffer<UInt8>()

    /// When the cue ends that ends last, in milliseconds.
    private var latestEnd: Int64 = 0

    var count: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty }

    /// How many bytes are kept, those of the blank lines included.
    var byteCount: Int { copies.count }

    /// The stream position of the first of the cues.
    var firstPosition: Int? { entries.isEmpty ? nil : entries[0].position }

    mutating func removeAll() {
        entries.removeAll()
        copies.removeAll()
        latestEnd = 0
    }

    /// Keeps the cue at `position` of the stream, which ends at `end`.
    @inline(__always)
    mutating func keep(_ cue: ByteView, at position: Int, until end: Int64, _ terminator: LineTerminator) {
        let start = copies.count
        copies.append(cue)
        let last = cue[cue.count &- 1]
        if !ASCII.isLineEnd(last) { copies.append(terminator.bytes) }
        let blankLine = terminator.blankLine(after: last)
        // One byte or two: no call copies them faster.
        for offset in 0..<blankLine.count { copies.append(blankLine[offset]) }
        entries.append(
            Entry(position: position, end: end, count: copies.count &- start, blankCount: blankLine.count))
        latestEnd = max(latestEnd, end)
    }

    /// Forgets the cues that end at `time` or before, in milliseconds.
    mutating func close(at time: Int64) {
        guard latestEnd > time else { return removeAll() }
        var (kept, offset, target) = (0, 0, 0)
        latestEnd = 0
        for index in 0..<entries.count {
            let entry = entries[index]
            if entry.end > time {
                copies.move(offset..<(offset &+ entry.count), to: target)
                target &+= entry.count
                entries[kept] = entry
                kept &+= 1
                latestEnd = max(latestEnd, entry.end)
            }
            offset &+= entry.count
        }
        entries.truncate(to: kept)
        copies.truncate(to: target)
    }

    /// The cues with a blank line between them, and none after the last.
    var bytes: ByteView {
        guard !entries.isEmpty else { return ByteView() }
        return copies.view.prefix(upTo: copies.count &- entries[entries.count &- 1].blankCount)
    }
}
