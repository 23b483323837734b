import ByteScan

// What a block is, and how it is handed out.
extension CueScanner {
    /// Begins a block at `start`, or the blank lines before one.
    @inline(__always)
    mutating func beginBlock(at start: Int) {
        phase = .block
        blockStart = start
        secondLineStart = Self.unknown
    }

    /// Takes a line with an arrow: the one attempt at a timing line that it is.
    mutating func takeArrowLine(_ line: Range<Int>, in chunk: ByteView, _ body: Handler) {
        openBlock(at: line.lowerBound, in: chunk, body)
        phase = .failed
        guard line.upperBound &- blockStart <= limits.largestBlock else { return }
        let bytes = bytes(from: blockStart, to: line.upperBound, in: chunk)
        guard let timing = TimingLine(bytes, from: line.lowerBound &- blockStart) else { return }
        begin(timing, settingsStart: timing.settingsStart, at: line, in: chunk)
    }

    /// Makes the block the one that the timing line at `start` belongs to: the one that is open, where the line is its first,
    /// or its second and the first had no arrow; otherwise a new one.
    @inline(__always)
    mutating func openBlock(at start: Int, in chunk: ByteView, _ body: Handler) {
        if phase == .block, start == blockStart || start == secondLine(in: chunk) { return }
        endBlock(at: start, in: chunk, body)
        beginBlock(at: start)
        // No line has ended since the one before this began.
        if start < 0 { blockLine = countedLines &+ 1 }
    }

    private mutating func secondLine(in chunk: ByteView) -> Int {
        if secondLineStart == Self.unknown, let end = chunk.firstLineEnd(from: max(blockStart, 0)) {
            secondLineStart = chunk.offsetBehindLineEnd(at: end)
        }
        return secondLineStart
    }

    /// Makes the block a cue; `line` is its timing line, whole in `chunk`.
    @inline(__always)
    mutating func begin(_ timing: TimingLine, at line: Range<Int>, in chunk: ByteView) {
        if line.upperBound &- blockStart > limits.largestBlock {
            phase = .failed
        } else {
            begin(timing, settingsStart: timing.settingsStart &- blockStart, at: line, in: chunk)
        }
    }

    @inline(__always)
    private mutating func begin(_ timing: TimingLine, settingsStart: Int, at line: Range<Int>, in chunk: ByteView) {
        phase = .cue
        hasSeenCue = true
        var identifierCount = 0
        if line.lowerBound > blockStart {
            identifierCount = bytes(from: blockStart, to: line.lowerBound, in: chunk).withoutLineEnd.count
        }
        let textStart = chunk.offsetBehindLineEnd(at: line.upperBound)
        self.timing.times = SIMD2(timing.start.milliseconds, timing.end.milliseconds)
        self.timing.offsets = SIMD4(
            UInt32(truncatingIfNeeded: identifierCount), UInt32(truncatingIfNeeded: settingsStart),
            UInt32(truncatingIfNeeded: line.upperBound &- blockStart),
            UInt32(truncatingIfNeeded: textStart &- blockStart))
    }

    /// Hands out the block that ends at `end`.
    @inline(__always)
    mutating func endBlock(at end: Int, in chunk: ByteView, _ body: Handler) {
        if phase == .cue, end &- blockStart <= limits.largestBlock {
            let bytes = bytes(from: blockStart, to: end, in: chunk)
            body(.cue(Cue(CueOutline(timing, position: position &+ blockStart, byteCount: bytes.count), bytes: bytes)))
        } else if end > blockStart, phase != .foreign {
            endOtherBlock(at: end, in: chunk, body)
        }
    }

    @inline(never)
    private mutating func endOtherBlock(at end: Int, in chunk: ByteView, _ body: Handler) {
        let lineNumber = lineNumberOfBlock(in: chunk)
        let place = position &+ blockStart
        guard end &- blockStart <= limits.largestBlock else {
            let times = phase == .cue ? timing.times : nil
            noteExceededLimit(lineNumber: lineNumber)
            let block = SkippedBlock(
                position: place, lineNumber: lineNumber, byteCount: end &- blockStart,
                start: times.map { Timestamp(milliseconds: $0.x) }, end: times.map { Timestamp(milliseconds: $0.y) })
            return body(.skipped(block))
        }
        let bytes = bytes(from: blockStart, to: end, in: chunk)
        switch phase {
        case .header: handOutHeader(bytes, at: place, lineNumber: lineNumber, body)
        case .failed:
            body(
                .unparsed(
                    UnparsedBlock(
                        reason: .malformedTiming, position: place, lineNumber: lineNumber, text: CueText(bytes))))
        default: body(event(of: bytes, at: place, lineNumber: lineNumber))
        }
    }

    private func handOutHeader(_ bytes: ByteView, at place: Int, lineNumber: Int, _ body: Handler) {
        var (start, number) = (0, lineNumber)
        while start < bytes.count {
            let end = bytes.firstLineEnd(from: start) ?? bytes.count
            body(.header(HeaderLine(bytes: bytes[start..<end], position: place &+ start, lineNumber: number)))
            start = bytes.offsetBehindLineEnd(at: end)
            number &+= 1
        }
    }

    /// What a block without an arrow is: its first line says it (W3C WebVTT, section 6.1, "collect a WebVTT block").
    private func event(of block: ByteView, at place: Int, lineNumber: Int) -> CueEvent {
        let firstEnd = block.firstLineEnd(from: 0) ?? block.count
        let first = block[0..<firstEnd]
        let rest = block[block.offsetBehindLineEnd(at: firstEnd)..<block.count]
        if first.hasBytes("NOTE", at: 0) {
            if firstEnd == 4 { return .note(TextBlock(bytes: block, position: place, text: CueText(rest))) }
            if first[4] == ASCII.space || first[4] == ASCII.tab {
                return .note(TextBlock(bytes: block, position: place, text: CueText(block[5..<block.count])))
            }
        }
        let reason: UnparsedBlock.Reason
        if first.isWord("STYLE") {
            if !hasSeenCue, !rest.isEmpty {
                return .style(TextBlock(bytes: block, position: place, text: CueText(rest)))
            }
            reason = rest.isEmpty ? .emptyStyle : .styleAfterCue
        } else if first.isWord("REGION") {
            if !hasSeenCue, !rest.isEmpty {
                return .region(RegionBlock(bytes: block, position: place, text: CueText(rest)))
            }
            reason = rest.isEmpty ? .emptyRegion : .regionAfterCue
        } else {
            reason = .noTiming
        }
        return .unparsed(
            UnparsedBlock(reason: reason, position: place, lineNumber: lineNumber, text: CueText(block)))
    }
}

extension ByteView {
    /// Whether the view is `word` and, behind it, nothing but white space.
    fileprivate func isWord(_ word: StaticString) -> Bool {
        hasBytes(word, at: 0) && self[word.utf8CodeUnitCount..<count].trimmed.isEmpty
    }
}
