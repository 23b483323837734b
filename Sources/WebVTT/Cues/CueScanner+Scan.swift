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

/// 64 bytes of a chunk, and what is known of their lines.
struct MaskedBytes {
    let offset: Int
    let masks: LineMasks

    /// The terminators from `start` on and before `end`, each as a bit; both offsets are among the 64 bytes.
    @inline(__always)
    func terminators(from start: Int, to end: Int) -> UInt64 {
        masks.terminators &>> UInt64(start &- offset) & ~(~0 &<< UInt64(end &- start))
    }

    /// Where the line of the byte at `end` begins, if it does after the first of the 64 bytes.
    @inline(__always)
    func startOfLine(before end: Int) -> Int? {
        let endsBefore = masks.ends & ~(~0 &<< UInt64(end &- offset))
        return endsBefore == 0 ? nil : offset &+ 64 &- endsBefore.leadingZeroBitCount
    }
}

extension CueScanner {
    mutating func scan(_ chunk: ByteView, _ body: Handler) {
        guard !chunk.isEmpty, !document.hasEnded else { return document.pass(chunk) }
        var start = 0
        var before = BlockCarry(after: document.lastBytes.0, document.lastBytes.1)
        if document.lastBytes.1 == ASCII.carriageReturn, chunk[0] == ASCII.lineFeed { moveLineStartsAfterLineFeed() }
        if !document.signature.hasPassedLine {
            guard let end = document.signature.lineEnd(in: chunk) else { return document.pass(chunk) }
            start = chunk.offsetAfterLineEnd(at: end)
            before = BlockCarry(after: 0, ASCII.lineFeed)
            document.lines.count = 1
            document.block.start = start
            document.line.start = start
        } else if document.line.hasArrow {
            guard let end = chunk.firstLineEnd(from: 0) else {
                document.lines.advance(to: chunk.count, by: 0)
                return endChunk(chunk)
            }
            document.line.hasArrow = false
            scanArrowLine(document.line.start..<end, in: chunk, body)
            start = end
            before = BlockCarry(after: 0, 0)
        }
        scanBlocks(chunk, from: start, before, body)
        if !isPastSlice || document.block.content == .header { endChunk(chunk) }
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
        let stop = stop
        var carry = carry
        var offset = start
        /// Arrows before this offset are on a line that has been scanned.
        var scannedEnd = start
        document.lines.advance(to: start, by: 0)
        while offset < chunk.count {
            batch.fill(from: chunk, at: offset, &carry)
            for index in 0..<batch.blockCount {
                let bytes = MaskedBytes(offset: offset, masks: batch[index])
                var marks = bytes.masks.blanks | bytes.masks.arrows
                while marks != 0 {
                    let mark = offset &+ marks.trailingZeroBitCount
                    let isBlank = bytes.masks.blanks & marks & (0 &- marks) != 0
                    marks &= marks &- 1
                    if isBlank {
                        endBlock(at: mark, in: chunk, body)
                        document.block.begin(at: chunk.offsetAfterLineEnd(at: mark))
                    } else if mark >= scannedEnd {
                        guard let end = scanArrow(at: mark, bytes, in: chunk, body) else {
                            // No line ends after an unfinished one.
                            document.lines.advance(to: chunk.count, by: batch.lineCount)
                            return
                        }
                        scannedEnd = end
                    }
                    if document.block.start >= stop { return }
                }
                offset &+= ByteView.blockSize
            }
            document.lines.advance(to: min(offset, chunk.count), by: batch.lineCount)
            if offset >= stop, isInsideEarlierBlock(at: min(offset, chunk.count), of: chunk) {
                document.block.start = stop
                return
            }
        }
    }

    /// Scans the line whose first arrow ends at `arrow`, which is among `bytes`.
    ///
    /// - Returns: Where the line ends; nil if it goes on after `chunk`, and is to be scanned when it is whole.
    @inline(__always)
    private mutating func scanArrow(
        at arrow: Int, _ bytes: MaskedBytes, in chunk: ByteView, _ body: Handler
    ) -> Int? {
        // In the fixed form the arrow is at a fixed distance from the start of its line.
        var start = arrow &- 15
        var timing = start >= 0 && isLineStart(start, in: chunk) ? TimingLine(fixed: chunk, at: start) : nil
        if timing == nil {
            start = startOfLine(at: arrow, bytes, in: chunk)
            if start >= 0 { timing = TimingLine(chunk, from: start) }
        }
        guard let timing else {
            guard let end = endOfLine(after: arrow &+ 1, in: chunk) else { return nil }
            scanArrowLine(start..<end, in: chunk, body)
            return end
        }
        guard let end = endOfLine(after: timing.settingsStart, in: chunk) else { return nil }
        if !continuesBlock(at: start, bytes, in: chunk) {
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

    private func startOfLine(at arrow: Int, _ bytes: MaskedBytes, in chunk: ByteView) -> Int {
        bytes.startOfLine(before: arrow) ?? startOfLastLine(in: chunk, before: arrow)
    }

    @inline(__always)
    private mutating func endOfLine(after offset: Int, in chunk: ByteView) -> Int? {
        if offset < chunk.count, ASCII.isLineEnd(chunk[offset]) { return offset }
        let end = chunk.firstLineEnd(from: offset)
        document.line.hasArrow = end == nil
        return end
    }

    /// Whether the timing line at `start`, which is in `chunk`, belongs to the open block.
    @inline(__always)
    private func continuesBlock(at start: Int, _ bytes: MaskedBytes, in chunk: ByteView) -> Bool {
        let blockStart = document.block.start
        guard blockStart >= bytes.offset else { return belongsToBlock(lineAt: start, in: chunk) }
        // The block's lines are among the 64 bytes: the first one has no terminator before it, the second one has one.
        let terminators = bytes.terminators(from: blockStart, to: start)
        return document.block.content == .unknown && terminators & (terminators &- 1) == 0
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
