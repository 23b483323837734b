import ByteScan

// What is done with a line.
//
// Lines are looked at whole, with their terminators (WholeLine).
extension CueShifter {
    /// Scans the lines from `start` on, up to one that is too long.
    mutating func scanLines(from start: Int, _ output: inout CarriedOutput, _ body: Sink) {
        let chunk = output.chunk
        var start = start
        // Up to here it is known which lines are whole, and none of these is too long.
        var known = 0
        var wholeLines = 0
        while true {
            if !CodeSize.isScarce, start >= 0, canShiftCues {
                if start >= known {
                    known = min(chunk.count, start &+ longestLine)
                    let lines = chunk[start..<known]
                    wholeLines =
                        start &+ (lines.lastOffset(of: ASCII.lineFeed, before: lines.count).map { $0 &+ 1 } ?? 0)
                    if wholeLines > start { known = wholeLines }
                }
                if start < wholeLines { start = shiftCues(from: start, to: wholeLines, &output, body) }
            }
            guard let line = carry.wholeLine(at: start, in: chunk) else { break }
            if line.content.count > longestLine { return fail(at: start, &output, body) }
            scanLine(line, &output, body)
            start = line.end
        }
        let isAfterReturn = chunk[chunk.count &- 1] == ASCII.carriageReturn && start < chunk.count
        if chunk.count &- start &- (isAfterReturn ? 1 : 0) > longestLine { return fail(at: start, &output, body) }
        document.lineStart = start
    }

    /// Whether the line is the rest of the signature's.
    private var isSignature: Bool { if case .signature = document.place { true } else { false } }

    /// Stops for good at the line that begins at `start`, and hands out what is before it.
    private mutating func fail(at start: Int, _ output: inout CarriedOutput, _ body: Sink) {
        output.forward(upTo: start, &carry, body)
        document.state = .failed(CueShiftError(position: document.position &+ start, longestLine: longestLine))
        carry.removeAll()
    }

    /// Decides on `line`, and makes of its times what they become.
    mutating func scanLine(_ line: WholeLine, _ output: inout CarriedOutput, _ body: Sink) {
        if line.content.isEmpty {
            document.place = isSignature ? .outside : .afterBlank
            return pass(line, output)
        }
        let bytes = carry.bytes(in: line.content, of: output.chunk)
        if bytes.lastArrow(before: bytes.count) != nil { return scanArrowLine(line, bytes, &output, body) }
        switch document.place {
        case .signature, .outside: pass(line, output)
        case .afterBlank:
            // Not passed before the next line has been seen.
            document.place = .afterIdentifier(start: line.content.lowerBound)
        case .afterIdentifier:
            document.place = .outside
            pass(line, output)
        case .cue:
            shiftText(bytes, at: line.content.lowerBound, &output, body)
            pass(line, output)
        case .leftOutCue: leaveOut(from: line.content.lowerBound, to: line.end, &output, body)
        }
    }

    private mutating func scanArrowLine(
        _ line: WholeLine, _ bytes: ByteView, _ output: inout CarriedOutput, _ body: Sink
    ) {
        guard let timing = TimingLine(bytes, from: 0) else {
            document.place = .outside
            return pass(line, output)
        }
        if timing.end.shifted(by: shift).milliseconds > 0 {
            document.place = .cue
            shiftTiming(timing, bytes, at: line.content.lowerBound, &output, body)
            return pass(line, output)
        }
        if case .afterIdentifier(let start) = document.place {
            leaveOut(from: start, to: line.content.lowerBound, &output, body)
        }
        leaveOut(from: line.content.lowerBound, to: line.end, &output, body)
        document.place = .leftOutCue
        document.leftOutCount &+= 1
    }

    /// Shifts both times of the timing line `line`, which begins at `offset`.
    private mutating func shiftTiming(
        _ timing: TimingLine, _ line: ByteView, at offset: Int, _ output: inout CarriedOutput, _ body: Sink
    ) {
        let start = line.offsetAfterSpace(from: 0)
        guard let first = Timestamp.scan(line, from: start) else { return }
        let end = line.offsetAfterSpace(from: line.offsetAfterSpace(from: first.end) &+ 3)
        if spell(timing.start, like: line[start..<first.end]) {
            output.replace((offset &+ start)..<(offset &+ first.end), with: spelling.view, &carry, body)
        }
        if spell(timing.end, like: line[end..<timing.settingsStart]) {
            output.replace((offset &+ end)..<(offset &+ timing.settingsStart), with: spelling.view, &carry, body)
        }
    }

    /// Shifts the time stamps of a line of a cue's text, which begins at `offset`: each alone between `<` and `>`.
    private mutating func shiftText(
        _ text: ByteView, at offset: Int, _ output: inout CarriedOutput, _ body: Sink
    ) {
        var start = 0
        while let open = text.firstOffset(of: ASCII.lessThan, from: start) {
            start = open &+ 1
            guard let stamp = Timestamp.scan(text, from: start), text.has(ASCII.greaterThan, at: stamp.end) else {
                continue
            }
            if spell(stamp.timestamp, like: text[start..<stamp.end]) {
                output.replace((offset &+ start)..<(offset &+ stamp.end), with: spelling.view, &carry, body)
            }
        }
    }

    /// Spells what `time` becomes, in the form of `text`. Returns false if it stays.
    private mutating func spell(_ time: Timestamp, like text: ByteView) -> Bool {
        let new = Timestamp(milliseconds: max(0, time.shifted(by: shift).milliseconds))
        guard new != time else { return false }
        spelling.removeAll()
        new.write(to: &spelling)
        // `MM:SS.mmm`, of 9 bytes, is what is left without the hours, if they are 0.
        if text.count == 9, new.milliseconds < 3_600_000 { spelling.removeFirst(3) }
        return true
    }

    /// Leaves `line` to be handed out with what comes after it.
    private mutating func pass(_ line: WholeLine, _ output: CarriedOutput) {
        document.endsInReturn = byte(before: line.end, output) == ASCII.carriageReturn
    }

    /// Leaves out the lines from `start` to `end`, but the LF that must not make one terminator of those around them.
    private mutating func leaveOut(from start: Int, to end: Int, _ output: inout CarriedOutput, _ body: Sink) {
        output.forward(upTo: start, &carry, body)
        let keepsLineFeed = document.endsInReturn && byte(before: end, output) == ASCII.lineFeed
        if keepsLineFeed { document.endsInReturn = false }
        output.skip(to: keepsLineFeed ? end &- 1 : end)
    }

    private func byte(before end: Int, _ output: CarriedOutput) -> UInt8 {
        end > 0 ? output.chunk[end &- 1] : carry.view[end &- 1 &- carry.start]
    }
}
