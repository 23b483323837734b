import ByteScan

// How a chunk is scanned.
//
// Only two kinds of lines change what a block is: blank lines and lines with an arrow. Both are found 64 bytes at a time;
// no other line is looked at for itself. What is between is handed out as it stands.
//
//     1⏎00:01.000 --> 00:02.000⏎Hello,⏎there⏎⏎2⏎00:03.000 --> 00:04.000⏎
//                   ▲ the lines around this        ▲               ▲
//                                  a blank line: the block ends
extension CueScanner {
    mutating func scan(_ chunk: ByteView, _ body: Handler) {
        guard !chunk.isEmpty, phase != .ended else { return skip(chunk) }
        countedEnd = 0
        var start = 0
        var carry = LineMasks.Carry(behind: lastBytes.0, lastBytes.1)
        if lastBytes.1 == ASCII.carriageReturn, chunk[0] == ASCII.lineFeed { moveLineStartsBehindLineFeed() }
        if phase == .signature || phase == .signatureLine {
            guard let end = endOfSignatureLine(in: chunk) else { return skip(chunk) }
            start = end
            carry = LineMasks.Carry(behind: 0, ASCII.lineFeed)
        } else if lineHasArrow {
            guard let end = chunk.firstLineEnd(from: 0) else { return retain(chunk) }
            lineHasArrow = false
            takeArrowLine(lineStart..<end, in: chunk, body)
            start = end
            carry = LineMasks.Carry(behind: 0, 0)
        }
        scanBlocks(chunk, from: start, carry, upTo: .max, body)
        retain(chunk)
    }

    /// Scans `chunk` from `start` on, and stops at the first block that begins at or behind `stop`.
    mutating func scanBlocks(
        _ chunk: ByteView, from start: Int, _ carry: LineMasks.Carry, upTo stop: Int, _ body: Handler
    ) {
        var carry = carry
        countedEnd = start
        var offset = start
        /// Arrows before this offset are on a line that has been taken.
        var takenEnd = start
        while offset < chunk.count {
            let masks = carry.masks(of: chunk.block(at: offset))
            var borders = masks.blanks | masks.arrows
            while borders != 0 {
                let border = offset &+ borders.trailingZeroBitCount
                let isBlank = masks.blanks & borders & (0 &- borders) != 0
                borders &= borders &- 1
                if isBlank {
                    endBlock(at: border, in: chunk, body)
                    beginBlock(at: chunk.offsetBehindLineEnd(at: border))
                } else if border >= takenEnd {
                    guard let end = takeArrow(at: border, in: chunk, body) else {
                        // No line ends behind an unfinished one.
                        countedLines &+= masks.terminators.nonzeroBitCount
                        countedEnd = chunk.count
                        return
                    }
                    takenEnd = end
                }
                if blockStart >= stop { return }
            }
            countedLines &+= masks.terminators.nonzeroBitCount
            offset &+= ByteView.blockSize
            countedEnd = min(offset, chunk.count)
        }
    }

    /// Takes the line whose first arrow ends at `arrow`, and tells where the line ends; nil where `chunk` ends before.
    @inline(__always)
    private mutating func takeArrow(at arrow: Int, in chunk: ByteView, _ body: Handler) -> Int? {
        // In the usual form the arrow is at a fixed distance from the start of its line.
        let start = arrow &- 15
        if blockStart >= 0, start >= blockStart, let timing = TimingLine(usual: chunk, at: start),
            start == blockStart || ASCII.isLineEnd(chunk[start &- 1])
        {
            var end = timing.settingsStart
            if !ASCII.isLineEnd(chunk[end]) {
                guard let found = chunk.firstLineEnd(from: end) else {
                    lineHasArrow = true
                    return nil
                }
                end = found
            }
            openBlock(at: start, in: chunk, body)
            begin(timing, at: start..<end, in: chunk)
            return end
        }
        guard let end = chunk.firstLineEnd(from: arrow &+ 1) else {
            lineHasArrow = true
            return nil
        }
        takeArrowLine(startOfLine(at: arrow, in: chunk)..<end, in: chunk, body)
        return end
    }

    private func startOfLine(at offset: Int, in chunk: ByteView) -> Int {
        if let end = chunk.lastLineEnd(in: max(blockStart, 0)..<offset) { return end &+ 1 }
        return blockStart >= 0 ? blockStart : lineStart
    }

    /// A line feed at the start of a chunk belongs to the terminator that the chunk before ended with: lines begin behind it.
    private mutating func moveLineStartsBehindLineFeed() {
        if blockStart &+ Int(outline.textStart) == 0, phase == .cue { outline.textStart &+= 1 }
        if blockStart == 0 { blockStart = 1 }
        if secondLineStart == 0 { secondLineStart = 1 }
        if lineStart == 0 { lineStart = 1 }
    }

    /// Goes on with the signature and its line; nil where both go on behind `chunk`.
    private mutating func endOfSignatureLine(in chunk: ByteView) -> Int? {
        var start = 0
        if phase == .signature {
            let before = held.count
            held.append(chunk[0..<min(chunk.count, WebVTTSignature.decidingByteCount &- before)])
            settleSignature(isWholeFile: false)
            guard case .valid(let count) = signature else { return nil }
            start = count &- before
        }
        guard let end = chunk.firstLineEnd(from: start) else { return nil }
        countedLines = 1
        phase = .header
        blockStart = chunk.offsetBehindLineEnd(at: end)
        lineStart = blockStart
        return blockStart
    }

    private mutating func settleSignature(isWholeFile: Bool) {
        signature = WebVTTSignature(head: held.view, isWholeFile: isWholeFile)
        switch signature {
        case .valid:
            phase = .signatureLine
            held.removeAll()
        case .invalid: phase = .ended
        case .needsMoreBytes: break
        }
    }

    /// Ends the file.
    mutating func end(_ body: Handler) {
        if phase == .signature { settleSignature(isWholeFile: true) }
        guard phase != .ended, phase != .signatureLine else { return phase = .ended }
        let nothing = ByteView()
        countedEnd = 0
        if lineHasArrow { takeArrowLine(lineStart..<0, in: nothing, body) }
        endBlock(at: 0, in: nothing, body)
        phase = .ended
    }
}
