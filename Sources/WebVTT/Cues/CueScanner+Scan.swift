import ByteScan
import CByteScan

// How a chunk is scanned.
//
// Only two kinds of lines change what a block is: blank lines and lines with an arrow. Both are marks, found 64 bytes
// at a time; no other line is looked at for itself. What is between is handed out as it stands.
//
//     1⏎00:01.000 --> 00:02.000⏎Hello,⏎there⏎⏎2⏎00:03.000 --> 00:04.000⏎
//                   ▲ the lines around this        ▲               ▲
//                                  a blank line: the block ends
//
// Marks come in batches. Nearly all files are an arrow and a blank line by turns, and cues that lie whole in a batch
// are handed out one after the other (CueScanner+Cues). The next batch begins where the block does that has not ended,
// so that this one will lie whole in it.

extension CueScanner {
    mutating func scan(_ chunk: ByteView, _ body: Handler) {
        guard let (start, carry) = beginChunk(chunk, body) else { return }
        scanBlocks(chunk, from: start, carry, body)
        if !isPastSlice || document.block.content == .header { endChunk(chunk) }
    }

    /// The same with `body` inlined, for those who handle a cue in little time.
    @inline(__always)
    mutating func scanInlined(_ chunk: ByteView, _ body: Handler) {
        guard let (start, carry) = beginChunk(chunk, body) else { return }
        scanBatches(chunk, from: start, carry, body)
        endChunk(chunk)
    }

    /// Scans what `chunk` has of lines that began before it, and returns where to go on and what comes before; nil if
    /// there is nothing more to scan.
    private mutating func beginChunk(_ chunk: ByteView, _ body: Handler) -> (start: Int, carry: BlockCarry)? {
        guard !chunk.isEmpty, !document.hasEnded else {
            document.pass(chunk)
            return nil
        }
        if document.lastBytes.1 == ASCII.carriageReturn, chunk[0] == ASCII.lineFeed { moveLineStartsAfterLineFeed() }
        if !document.signature.hasPassedLine {
            guard let end = document.signature.lineEnd(in: chunk) else {
                document.pass(chunk)
                return nil
            }
            let start = chunk.offsetAfterLineEnd(at: end)
            document.lines.count = 1
            document.block.start = start
            document.line.start = start
            return (start, BlockCarry(after: 0, ASCII.lineFeed))
        }
        guard document.line.hasArrow else {
            return (0, BlockCarry(after: document.lastBytes.0, document.lastBytes.1))
        }
        guard let end = chunk.firstLineEnd(from: 0) else {
            document.lines.advance(to: chunk.count, by: 0)
            endChunk(chunk)
            return nil
        }
        document.line.hasArrow = false
        scanArrowLine(document.line.start..<end, in: chunk, body)
        return (end, BlockCarry(after: 0, 0))
    }

    /// A line feed that a chunk begins with belongs to the CR that the chunk before ended with: lines begin after it.
    private mutating func moveLineStartsAfterLineFeed() {
        if document.block.content == .cue, document.block.start &+ Int(timing.offsets.w) == 0 { timing.offsets.w &+= 1 }
        document.block.moveAfterLineFeed()
        document.line.moveAfterLineFeed()
    }

    /// Where the slice ends, as an offset of the chunk being scanned.
    private var stop: Int { sliceEnd.map { $0 &- document.position } ?? .max }

    /// Whether the open block begins after the slice that is scanned.
    var isPastSlice: Bool { document.block.start >= stop }

    /// Scans `chunk` from `start` on, and stops at the first block that begins after the slice.
    mutating func scanBlocks(_ chunk: ByteView, from start: Int, _ carry: BlockCarry, _ body: Handler) {
        scanBatches(chunk, from: start, carry, body)
    }

    @inline(__always)
    private mutating func scanBatches(_ chunk: ByteView, from start: Int, _ carry: BlockCarry, _ body: Handler) {
        let stop = stop
        var carry = carry
        var offset = start
        /// Arrows before this offset are on a line that has been scanned.
        var scannedEnd = start
        document.lines.advance(to: start, by: 0)
        while offset < chunk.count {
            batch.fill(from: chunk, at: offset, &carry)
            let end = offset &+ batch.byteCount
            var index = 0
            while true {
                if !CodeSize.isScarce, document.block.content == .unknown {
                    index = handOutCues(from: index, ofBatchAt: offset, in: chunk, before: stop, body)
                    if document.block.start >= stop { return }
                }
                guard index < batch.markCount else { break }
                let mark = offset &+ batch.mark(index)
                let isBlank = chunk[mark] != ASCII.greaterThan
                index &+= 1
                if isBlank {
                    endBlock(at: mark, in: chunk, body)
                    document.block.begin(at: chunk.offsetAfterLineEnd(at: mark))
                } else if mark >= scannedEnd {
                    // The block may lie whole in the next batch.
                    if index == batch.markCount, isLeftToNextBatch(from: offset, to: end, of: chunk) { break }
                    guard let lineEnd = scanArrow(at: mark, ofBatchAt: offset, in: chunk, body) else {
                        // No line ends after an unfinished one.
                        document.lines.advance(to: chunk.count, by: batch.lineCount)
                        return
                    }
                    scannedEnd = lineEnd
                }
                if document.block.start >= stop { return }
            }
            if isLeftToNextBatch(from: offset, to: end, of: chunk) {
                let start = document.block.start
                document.lines.advance(to: start, by: batch.lineCount(before: start &- offset))
                carry = BlockCarry(after: 0, ASCII.lineFeed)
                offset = start
                continue
            }
            document.lines.advance(to: end, by: batch.lineCount)
            offset = end
            if offset >= stop, isInsideEarlierBlock(at: offset, of: chunk) {
                document.block.start = stop
                return
            }
        }
    }

    /// Whether the next batch begins with the open block: no line of it has an arrow so far, and it begins in this
    /// batch, but not with it.
    @inline(__always)
    private func isLeftToNextBatch(from offset: Int, to end: Int, of chunk: ByteView) -> Bool {
        let block = document.block
        return !CodeSize.isScarce && block.content == .unknown && block.start > offset && block.start < end
            && end < chunk.count
    }

    /// Scans the line whose first arrow ends at `arrow`, which is in the batch.
    ///
    /// - Returns: Where the line ends; nil if it goes on after `chunk`, and is to be scanned when it is whole.
    @inline(never)
    private mutating func scanArrow(
        at arrow: Int, ofBatchAt offset: Int, in chunk: ByteView, _ body: Handler
    ) -> Int? {
        // In the fixed form the arrow is at a fixed distance from the start of its line.
        var start = arrow &- 15
        var timing = start >= 0 && isLineStart(start, in: chunk) ? TimingLine(fixed: chunk, at: start) : nil
        if timing == nil {
            start = startOfLine(at: arrow, ofBatchAt: offset, in: chunk)
            if start >= 0 { timing = TimingLine(chunk, from: start) }
        }
        guard let timing else {
            guard let end = endOfLine(after: arrow &+ 1, in: chunk) else { return nil }
            scanArrowLine(start..<end, in: chunk, body)
            return end
        }
        guard let end = endOfLine(after: timing.settingsStart, in: chunk) else { return nil }
        if !continuesBlock(at: start, ofBatchAt: offset, in: chunk) {
            endBlock(at: start, in: chunk, body)
            document.block.begin(at: start)
        }
        beginCue(timing, at: start..<end, in: chunk)
        return end
    }

    @inline(__always)
    private func isLineStart(_ offset: Int, in chunk: ByteView) -> Bool {
        offset == document.block.start || offset > 0 && ASCII.isLineEnd(chunk[offset &- 1])
    }

    private func startOfLine(at arrow: Int, ofBatchAt offset: Int, in chunk: ByteView) -> Int {
        let block = (arrow &- offset) / ByteView.blockSize &* ByteView.blockSize
        let ends = batch.masks(around: block).ends & ~(~0 &<< UInt64(arrow &- offset &- block))
        if ends != 0 { return offset &+ block &+ ByteView.blockSize &- ends.leadingZeroBitCount }
        return startOfLastLine(in: chunk, before: arrow)
    }

    @inline(__always)
    private mutating func endOfLine(after offset: Int, in chunk: ByteView) -> Int? {
        if offset < chunk.count, ASCII.isLineEnd(chunk[offset]) { return offset }
        let end = chunk.firstLineEnd(from: offset)
        document.line.hasArrow = end == nil
        return end
    }

    /// Whether the timing line at `start`, which is in `chunk`, belongs to the open block.
    private func continuesBlock(at start: Int, ofBatchAt offset: Int, in chunk: ByteView) -> Bool {
        let (block, lead) = (document.block, start &- document.block.start)
        guard block.start >= offset, lead < ByteView.blockSize else { return belongsToBlock(lineAt: start, in: chunk) }
        // The first line has no terminator before it, the second one has one.
        let terminators = batch.terminators(from: block.start &- offset) & ~(~0 &<< UInt64(lead))
        return block.content == .unknown && terminators & (terminators &- 1) == 0
    }

    /// Ends the file.
    mutating func end(_ body: Handler) {
        document.signature.finish()
        defer { document.hasEnded = true }
        guard !document.hasEnded, document.signature.hasPassedLine else { return }
        let nothing = ByteView()
        if document.line.hasArrow { scanArrowLine(document.line.start..<0, in: nothing, body) }
        if !isPastSlice || document.block.content == .header { endBlock(at: 0, in: nothing, body) }
    }
}
