import ByteScan

// What is kept from one chunk to the next.
//
// At the end of a chunk there are a block that has not ended and a line that has not ended, `current`. If the line turns out
// to have an arrow it may begin a block of its own; otherwise it is the block's. So both are kept, and each is given up
// as soon as it is longer than the limit: nobody will ask for its bytes then.
//
//     blockStart            current        end of the chunk
//     ├─ at most the limit ─┼─ the same ───┤
extension CueScanner {
    /// The bytes from `start` to `end` in one piece; a block that is within the limit has been kept, if it had to be.
    @inline(__always)
    mutating func bytes(from start: Int, to end: Int, in chunk: ByteView) -> ByteView {
        start >= 0 ? chunk[start..<end] : heldBytes(from: start, to: end, in: chunk)
    }

    private mutating func heldBytes(from start: Int, to end: Int, in chunk: ByteView) -> ByteView {
        hold(upTo: end, in: chunk)
        let origin = heldEnd &- held.count
        return held.view[(start &- origin)..<(end &- origin)]
    }

    private mutating func hold(upTo end: Int, in chunk: ByteView) {
        guard end > heldEnd else { return }
        held.append(chunk[max(heldEnd, 0)..<end])
        heldEnd = end
    }

    /// Keeps what the blocks of later chunks may need of `chunk`, and makes it the chunk before.
    mutating func retain(_ chunk: ByteView) {
        let current = startOfLastLine(in: chunk)
        if blockStart >= 0 {
            blockLine = lineNumberOfBlock(in: chunk)
            held.removeAll()
            heldEnd = blockStart
        }
        if phase == .block, secondLineStart == Self.unknown, current > blockStart,
            let end = chunk.firstLineEnd(from: max(blockStart, 0))
        {
            secondLineStart = chunk.offsetBehindLineEnd(at: end)
        }

        let isBlockKept = current &- blockStart <= limits.largestBlock
        let isLineKept = chunk.count &- current <= limits.largestBlock
        if !isBlockKept { noteExceededLimit(lineNumber: blockLine) }
        let start = isBlockKept ? blockStart : current
        let end = isLineKept ? chunk.count : current
        keep(start..<end, of: chunk)
        lineStart = current &- chunk.count
        skip(chunk)
    }

    private mutating func keep(_ range: Range<Int>, of chunk: ByteView) {
        if range.lowerBound >= heldEnd {
            held.removeAll()
            heldEnd = range.lowerBound
        }
        hold(upTo: range.upperBound, in: chunk)
        held.truncate(to: held.count &- (heldEnd &- range.upperBound))
        heldEnd = range.upperBound
        held.removeFirst(held.count &- range.count)
    }

    /// Makes `chunk` the chunk before.
    mutating func skip(_ chunk: ByteView) {
        let count = chunk.count
        blockStart &-= count
        heldEnd &-= count
        if secondLineStart != Self.unknown { secondLineStart &-= count }
        position &+= count
        if count > 1 {
            lastBytes = (chunk[count &- 2], chunk[count &- 1])
        } else if let last = chunk.last {
            lastBytes = (lastBytes.1, last)
        }
    }

    private func startOfLastLine(in chunk: ByteView) -> Int {
        if let end = chunk.lastLineEnd(in: max(blockStart, 0)..<chunk.count) { return end &+ 1 }
        return blockStart >= 0 ? blockStart : lineStart
    }

    /// The number of the block's first line.
    func lineNumberOfBlock(in chunk: ByteView) -> Int {
        if blockStart < 0 { return blockLine }
        guard blockStart > countedEnd else {
            return countedLines &+ 1 &- chunk.lineCount(in: blockStart..<countedEnd)
        }
        let before = countedEnd > 0 ? chunk[countedEnd &- 1] : lastBytes.1
        let isPair = before == ASCII.carriageReturn && chunk[countedEnd] == ASCII.lineFeed
        let start = min(countedEnd &+ (isPair ? 1 : 0), blockStart)
        return countedLines &+ 1 &+ chunk.lineCount(in: start..<blockStart)
    }

    /// Remembers the first block that is longer than the limits allow.
    mutating func noteExceededLimit(lineNumber: Int) {
        guard exceededLimit == nil else { return }
        exceededLimit = CueLimitError(
            position: position &+ blockStart, lineNumber: lineNumber, largestBlock: limits.largestBlock)
        owesError = limits.policy == .fail
    }
}
