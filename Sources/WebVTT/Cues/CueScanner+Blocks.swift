import ByteScan

// What a block is, and how it is handed out.
extension CueScanner {
    /// Scans a line with an arrow, which makes its block a cue or malformed: there is one attempt at a timing line.
    mutating func scanArrowLine(_ line: Range<Int>, in chunk: ByteView, _ body: Handler) {
        if !belongsToBlock(lineAt: line.lowerBound, in: chunk) {
            endBlock(at: line.lowerBound, in: chunk, body)
            document.block.begin(at: line.lowerBound)
            // No line has ended since a line of an earlier chunk began.
            if line.lowerBound < 0 {
                document.block.rememberFirstLine(number: document.lines.count &+ 1, secondLineStart: nil)
            }
        }
        document.block.content = .malformed
        let blockStart = document.block.start
        guard line.upperBound &- blockStart <= limits.largestBlock else { return }
        let bytes = carry.bytes(in: blockStart..<line.upperBound, of: chunk)
        guard let timing = TimingLine(bytes, from: line.lowerBound &- blockStart) else { return }
        beginCue(timing, settingsStart: timing.settingsStart, at: line, in: chunk)
    }

    /// Whether the line with an arrow at `start` belongs to the open block: it is the first line, or the second after
    /// one without an arrow. Any other begins a block of its own.
    func belongsToBlock(lineAt start: Int, in chunk: ByteView) -> Bool {
        let block = document.block
        return block.content == .unknown && (start == block.start || start == block.startOfSecondLine(in: chunk))
    }

    /// Makes the open block a cue; `line` is its timing line, whole in `chunk`.
    @inline(__always)
    mutating func beginCue(_ timing: TimingLine, at line: Range<Int>, in chunk: ByteView) {
        let blockStart = document.block.start
        if line.upperBound &- blockStart > limits.largestBlock {
            document.block.content = .malformed
        } else {
            beginCue(timing, settingsStart: timing.settingsStart &- blockStart, at: line, in: chunk)
        }
    }

    /// Makes the open block a cue, whose settings begin `settingsStart` bytes after it does.
    @inline(__always)
    private mutating func beginCue(
        _ timing: TimingLine, settingsStart: Int, at line: Range<Int>, in chunk: ByteView
    ) {
        let blockStart = document.block.start
        document.block.content = .cue
        document.hasSeenCue = true
        var identifierCount = 0
        if line.lowerBound > blockStart {
            identifierCount = carry.bytes(in: blockStart..<line.lowerBound, of: chunk).withoutLineEnd.count
        }
        let textStart = chunk.offsetAfterLineEnd(at: line.upperBound)
        self.timing.times = SIMD2(timing.start.milliseconds, timing.end.milliseconds)
        self.timing.offsets = SIMD4(
            UInt32(truncatingIfNeeded: identifierCount), UInt32(truncatingIfNeeded: settingsStart),
            UInt32(truncatingIfNeeded: line.upperBound &- blockStart),
            UInt32(truncatingIfNeeded: textStart &- blockStart))
    }

    /// Hands out the open block, which ends at `end`.
    @inline(__always)
    mutating func endBlock(at end: Int, in chunk: ByteView, _ body: Handler) {
        let start = document.block.start
        if document.block.content == .cue, end &- start <= limits.largestBlock {
            let bytes = carry.bytes(in: start..<end, of: chunk)
            let outline = CueOutline(timing, position: document.position &+ start, byteCount: bytes.count)
            body(.cue(Cue(outline, bytes: bytes)))
        } else if end > start, document.block.content != .fromEarlierSlice {
            endOtherBlock(at: end, in: chunk, body)
        }
    }

    @inline(never)
    private mutating func endOtherBlock(at end: Int, in chunk: ByteView, _ body: Handler) {
        let start = document.block.start
        let lineNumber = lineNumberOfBlock(in: chunk)
        guard end &- start <= limits.largestBlock else {
            noteExceededLimit(lineNumber: lineNumber)
            return body(.skipped(skippedBlock(byteCount: end &- start, lineNumber: lineNumber)))
        }
        let place = BlockPlace(
            bytes: carry.bytes(in: start..<end, of: chunk), position: document.position &+ start,
            lineNumber: lineNumber)
        switch document.block.content {
        case .header: place.forEachLine { body(.header($0)) }
        case .malformed: body(.unparsed(place.unparsed(.malformedTiming)))
        case .unknown, .cue, .fromEarlierSlice: body(place.event(isAfterCue: document.hasSeenCue))
        }
    }

    private func skippedBlock(byteCount: Int, lineNumber: Int) -> SkippedBlock {
        let content = document.block.content
        let times = content == .cue ? timing.times : nil
        return SkippedBlock(
            position: document.position &+ document.block.start, lineNumber: lineNumber, byteCount: byteCount,
            start: times.map { Timestamp(milliseconds: $0.x) }, end: times.map { Timestamp(milliseconds: $0.y) },
            hasArrow: content == .cue || content == .malformed)
    }
}

/// A block that is no cue, and where it stands.
private struct BlockPlace {
    let bytes: ByteView
    let position: Int
    let lineNumber: Int

    /// Calls `body` with each line of the header that the block is.
    func forEachLine(_ body: (WebVTTHeaderLine) -> Void) {
        var number = lineNumber
        bytes.forEachLine { line in
            body(WebVTTHeaderLine(bytes: bytes[line], position: position &+ line.lowerBound, lineNumber: number))
            number &+= 1
        }
    }

    /// What a block without an arrow is: its first line says it (W3C WebVTT, section 6.1, "collect a WebVTT block").
    func event(isAfterCue: Bool) -> CueEvent {
        let firstEnd = bytes.firstLineEnd(from: 0) ?? bytes.count
        let first = bytes[0..<firstEnd]
        let rest = bytes.suffix(from: bytes.offsetAfterLineEnd(at: firstEnd))
        if first == "NOTE" { return .note(text(rest)) }
        if first.hasBytes("NOTE", at: 0), first[4] == ASCII.space || first[4] == ASCII.tab {
            return .note(text(bytes.suffix(from: 5)))
        }
        if first.isWord("STYLE") {
            if rest.isEmpty { return .unparsed(unparsed(.emptyStyle)) }
            return isAfterCue ? .unparsed(unparsed(.styleAfterCue)) : .style(text(rest))
        }
        if first.isWord("REGION") {
            if rest.isEmpty { return .unparsed(unparsed(.emptyRegion)) }
            guard !isAfterCue else { return .unparsed(unparsed(.regionAfterCue)) }
            return .region(RegionBlock(bytes: bytes, position: position, text: CueText(rest)))
        }
        return .unparsed(unparsed(.noTiming))
    }

    func unparsed(_ reason: UnparsedBlock.Reason) -> UnparsedBlock {
        UnparsedBlock(reason: reason, position: position, lineNumber: lineNumber, text: CueText(bytes))
    }

    private func text(_ text: ByteView) -> TextBlock {
        TextBlock(bytes: bytes, position: position, text: CueText(text))
    }
}

extension ByteView {
    /// Whether the view is `word` and, after it, nothing but white space.
    fileprivate func isWord(_ word: StaticString) -> Bool {
        hasBytes(word, at: 0) && suffix(from: word.utf8CodeUnitCount).withoutLineSpace.isEmpty
    }
}
