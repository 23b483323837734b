import ByteScan

/// Finds the timing lines of a file from its tail, the last one first, a block at a time.
///
/// An arrow with a time after it is a candidate. Whether its line is a timing line is known once the line's beginning
/// has been read, in this block or in one before it:
///
///     … ⏎ 00:01.000 --> 00:02.000 …
///       ◄──────────  ──────────►
///       prefix, byte   time after the arrow,
///       by byte        from the block and `head`
struct TimingLineSearch: Sendable {
    /// The beginning of what has been searched.
    private var head = ShortenedText()

    /// An arrow with a time after it, while the part of its line before it is being read.
    private var candidate: (end: Timestamp, prefix: TimingPrefix)?

    /// The second time of the last timing line that turns out to begin before `end` of `block`, or at the block's end.
    ///
    /// Afterwards `end` is where that line begins, for the next call with the same block. If there is none, the block
    /// has been searched.
    @inline(__always)
    mutating func findLast(in block: ByteView, before end: inout Int) -> Timestamp? {
        if candidate != nil {
            if let found = readPrefix(in: block, before: &end) { return found }
        } else if end == block.count, let arrow = cutArrow(at: block) {
            if let found = tryArrow(at: arrow, in: block, before: &end) { return found }
        }
        while candidate == nil, let arrow = block.lastArrow(before: end) {
            if let found = tryArrow(at: arrow, in: block, before: &end) { return found }
        }
        return nil
    }

    /// The end of the last cue whose timing line turns out to begin before `end` of `block`, as
    /// ``findLast(in:before:)`` has it, and its start too; the start is nil if the rest of the line is none, after all.
    @inline(__always)
    mutating func findLastTimes(in block: ByteView, before end: inout Int) -> (end: Timestamp, line: TimingLine?)? {
        // In the fixed form the arrow is at a fixed distance from the start of its line.
        if candidate == nil, end < block.count || cutArrow(at: block) == nil, let arrow = block.lastArrow(before: end),
            arrow > 13, ASCII.isLineEnd(block[arrow &- 14]), let line = TimingLine(fixed: block, at: arrow &- 13)
        {
            end = arrow &- 13
            return (line.end, line)
        }
        guard let time = findLast(in: block, before: &end) else { return nil }
        return (time, line(at: end, in: block))
    }

    /// The whole timing line that was found at `start` of `block`, or after its end.
    private func line(at start: Int, in block: ByteView) -> TimingLine? {
        ShortenedText(block, from: start, before: head).timingLine
    }

    /// Goes on to the block before `block`, which has been searched.
    mutating func passOver(_ block: ByteView) { head = ShortenedText(block, from: 0, before: head) }

    /// The offset of an arrow that begins in `block` and ends after it.
    private func cutArrow(at block: ByteView) -> Int? {
        let count = block.count
        if head.has(ASCII.greaterThan, at: 0), block.hasBytes("--", at: count &- 2) { return count &- 2 }
        guard head.has(ASCII.hyphen, at: 0), head.has(ASCII.greaterThan, at: 1) else { return nil }
        return block.hasBytes("-", at: count &- 1) ? count &- 1 : nil
    }

    /// Looks at both sides of the arrow at `arrow`, the far one first: it is kept while the line's beginning is
    /// awaited.
    private mutating func tryArrow(at arrow: Int, in block: ByteView, before end: inout Int) -> Timestamp? {
        end = arrow
        guard let time = ShortenedText(block, from: arrow &+ 3, before: head).timestamp else { return nil }
        candidate = (time, TimingPrefix())
        return readPrefix(in: block, before: &end)
    }

    /// Reads the bytes before `end` for the candidate, which stays one only where `block` ends before its line begins.
    private mutating func readPrefix(in block: ByteView, before end: inout Int) -> Timestamp? {
        guard let candidate else { return nil }
        var prefix = candidate.prefix
        while end > 0 {
            switch prefix.read(block[end &- 1]) {
            case .needsEarlierBytes: end &-= 1
            case .matched:
                self.candidate = nil
                return candidate.end
            case .rejected:
                self.candidate = nil
                return nil
            }
        }
        self.candidate = (candidate.end, prefix)
        return nil
    }
}
