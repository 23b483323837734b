import ByteScan
import CByteScan

// How a chunk is scanned.
//
// Only two kinds of lines change what a block is: blank lines and lines with an arrow. Both are found 64 bytes at a time;
// no other line is looked at for itself. What is between is handed out as it stands.
//
//     1⏎00:01.000 --> 00:02.000⏎Hello,⏎there⏎⏎2⏎00:03.000 --> 00:04.000⏎
//                   ▲ the lines around this        ▲               ▲
//                                  a blank line: the block ends
extension CueScanner {
    mutating func scan(_ chunk: ByteView, upTo stop: Int = .max, _ body: Handler) {
        guard !chunk.isEmpty, phase != .ended else { return skip(chunk) }
        countedEnd = 0
        var start = 0
        var carry = BlockCarry(behind: lastBytes.0, lastBytes.1)
        if lastBytes.1 == ASCII.carriageReturn, chunk[0] == ASCII.lineFeed { moveLineStartsBehindLineFeed() }
        if phase == .signature || phase == .signatureLine {
            guard let end = endOfSignatureLine(in: chunk) else { return skip(chunk) }
            start = end
            carry = BlockCarry(behind: 0, ASCII.lineFeed)
        } else if lineHasArrow {
            guard let end = chunk.firstLineEnd(from: 0) else { return retain(chunk) }
            lineHasArrow = false
            takeArrowLine(lineStart..<end, in: chunk, body)
            start = end
            carry = BlockCarry(behind: 0, 0)
        }
        scanBlocks(chunk, from: start, carry, upTo: stop, body)
        if blockStart < stop || phase == .header { retain(chunk) }
    }

    /// Scans `chunk` from `start` on, and stops at the first block that begins at or behind `stop`.
    mutating func scanBlocks(
        _ chunk: ByteView, from start: Int, _ carry: BlockCarry, upTo stop: Int, _ body: Handler
    ) {
        var carry = carry
        var offset = start
        /// Arrows before this offset are on a line that has been taken.
        var takenEnd = start
        countedEnd = start
        while offset < chunk.count {
            batch.fill(from: chunk, at: offset, &carry)
            for index in 0..<batch.blockCount {
                let masks = batch[index]
                var borders = masks.blanks | masks.arrows
                while borders != 0 {
                    let border = offset &+ borders.trailingZeroBitCount
                    let isBlank = masks.blanks & borders & (0 &- borders) != 0
                    borders &= borders &- 1
                    if isBlank {
                        endBlock(at: border, in: chunk, body)
                        beginBlock(at: chunk.offsetBehindLineEnd(at: border))
                    } else if border >= takenEnd {
                        guard let end = takeArrow(at: border, masks, at: offset, in: chunk, body) else {
                            // No line ends behind an unfinished one.
                            countLines(upTo: chunk.count)
                            return
                        }
                        takenEnd = end
                    }
                    if blockStart >= stop { return }
                }
                offset &+= ByteView.blockSize
            }
            countLines(upTo: min(offset, chunk.count))
        }
    }

    private mutating func countLines(upTo end: Int) {
        countedLines &+= batch.lineCount
        countedEnd = end
    }

    /// Takes the line whose first arrow ends at `arrow`, and tells where the line ends; nil where `chunk` ends before.
    ///
    /// `masks` are those of the 64 bytes at `offset`, among them the arrow.
    @inline(__always)
    private mutating func takeArrow(
        at arrow: Int, _ masks: LineMasks, at offset: Int, in chunk: ByteView, _ body: Handler
    ) -> Int? {
        // In the usual form the arrow is at a fixed distance from the start of its line.
        var start = arrow &- 15
        var timing = start >= 0 && isLineStart(start, in: chunk) ? TimingLine(usual: chunk, at: start) : nil
        if timing == nil {
            start = startOfLine(at: arrow, masks, at: offset, in: chunk)
            if start >= 0 { timing = TimingLine(chunk, from: start) }
        }
        guard let timing else {
            guard let end = endOfLine(behind: arrow &+ 1, in: chunk) else { return nil }
            takeArrowLine(start..<end, in: chunk, body)
            return end
        }
        guard let end = endOfLine(behind: timing.settingsStart, in: chunk) else { return nil }
        if phase == .block, start > blockStart, blockStart >= offset {
            // The block's lines are among the 64 bytes: the second one has one terminator before it.
            let behind = masks.terminators &>> UInt64(blockStart &- offset)
            let before = behind & ~(~0 &<< UInt64(start &- blockStart))
            if before & (before &- 1) == 0 { secondLineStart = start }
        }
        openBlock(at: start, in: chunk, body)
        begin(timing, at: start..<end, in: chunk)
        return end
    }

    @inline(__always)
    private func isLineStart(_ offset: Int, in chunk: ByteView) -> Bool {
        offset == blockStart || offset > 0 && ASCII.isLineEnd(chunk[offset &- 1])
    }

    private func startOfLine(at arrow: Int, _ masks: LineMasks, at offset: Int, in chunk: ByteView) -> Int {
        let endsBefore = masks.ends & ~(~0 &<< UInt64(arrow &- offset))
        if endsBefore != 0 { return offset &+ 64 &- endsBefore.leadingZeroBitCount }
        if let end = chunk.lastLineEnd(in: max(blockStart, 0)..<arrow) { return end &+ 1 }
        return blockStart >= 0 ? blockStart : lineStart
    }

    @inline(__always)
    private mutating func endOfLine(behind offset: Int, in chunk: ByteView) -> Int? {
        if offset < chunk.count, ASCII.isLineEnd(chunk[offset]) { return offset }
        let end = chunk.firstLineEnd(from: offset)
        lineHasArrow = end == nil
        return end
    }

    /// A line feed at the start of a chunk belongs to the terminator that the chunk before ended with: lines begin behind it.
    private mutating func moveLineStartsBehindLineFeed() {
        if phase == .cue, blockStart &+ Int(timing.offsets.w) == 0 { timing.offsets.w &+= 1 }
        if blockStart == 0 { blockStart = 1 }
        if secondLineStart == 0 { secondLineStart = 1 }
        if lineStart == 0 { lineStart = 1 }
    }

    /// Goes on with the signature and its line; nil where both go on behind `chunk`.
    private mutating func endOfSignatureLine(in chunk: ByteView) -> Int? {
        var start = 0
        if phase == .signature {
            let before = fileHead.count
            signature = fileHead.append(chunk)
            phase = signature == .invalid ? .ended : .signature
            guard case .valid(let count) = signature else { return nil }
            phase = .signatureLine
            start = count &- before
        }
        guard let end = chunk.firstLineEnd(from: start) else { return nil }
        countedLines = 1
        phase = .header
        blockStart = chunk.offsetBehindLineEnd(at: end)
        lineStart = blockStart
        return blockStart
    }

    /// Ends the file; a block that begins at or behind `stop` is not handed out.
    mutating func end(upTo stop: Int = .max, _ body: Handler) {
        if phase == .signature { signature = fileHead.signatureOfWholeFile }
        guard phase != .ended, phase != .signature, phase != .signatureLine else { return phase = .ended }
        let nothing = ByteView()
        countedEnd = 0
        if lineHasArrow { takeArrowLine(lineStart..<0, in: nothing, body) }
        if blockStart < stop || phase == .header { endBlock(at: 0, in: nothing, body) }
        phase = .ended
    }
}
