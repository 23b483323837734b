import ByteScan

// The header is short, and read byte by byte: it ends with a blank line or with a line that has an arrow.
extension TimestampMapRewriter {
    /// Looks for maps in the header lines from `start` on, and leaves them out of `run`.
    mutating func scanHeader(from start: Int, _ run: inout ForwardedRun, _ body: Sink) {
        let chunk = run.chunk
        /// Where the line began that may be a map.
        var lineStart = start
        var offset = start
        while offset < chunk.count {
            let byte = chunk[offset]
            if isBehindReturn, byte == ASCII.lineFeed {
                if isBehindDroppedLine, !isBehindLoneReturn { drop(lineStart: offset, upTo: offset + 1, &run, body) }
                isBehindLoneReturn = false
                lineStart = offset + 1
            } else {
                take(byte, lineStart: &lineStart, at: offset, &run, body)
                if case .forwarding = phase { return }
            }
            isBehindReturn = byte == ASCII.carriageReturn
            offset += 1
        }
        hold(from: lineStart, &run, body)
    }

    private mutating func take(
        _ byte: UInt8, lineStart: inout Int, at offset: Int, _ run: inout ForwardedRun, _ body: Sink
    ) {
        guard !ASCII.isLineEnd(byte) else {
            endLine(lineStart: lineStart, at: offset, &run, body)
            lineStart = offset + 1
            return
        }
        if byte == ASCII.greaterThan, hyphenCount == 2 { lineHasArrow = true }
        hyphenCount = byte == ASCII.hyphen ? min(hyphenCount + 1, 2) : 0
        switch phase {
        case .name(let count):
            let name = ByteView(TimestampMap.name)
            guard byte == name[count] else { return becomeLine(body) }
            phase = count + 1 == name.count ? .map : .name(count + 1)
        case .map:
            let count = held.count + offset + 1 - lineStart
            if lineHasArrow || count > Self.longestLine { becomeLine(body) }
        default: break
        }
    }

    private mutating func becomeLine(_ body: Sink) {
        release(body)
        phase = .line
    }

    private mutating func endLine(lineStart: Int, at offset: Int, _ run: inout ForwardedRun, _ body: Sink) {
        isBehindDroppedLine = false
        switch phase {
        case .name(0): phase = .forwarding
        case .map:
            // Behind a lone CR the line feed stays: one that came next would otherwise make a CRLF of it, and a blank line less.
            let keepsFeed = isBehindLoneReturn && run.chunk[offset] == ASCII.lineFeed
            drop(lineStart: lineStart, upTo: keepsFeed ? offset : offset + 1, &run, body)
            if keepsFeed { isBehindLoneReturn = false }
            isBehindDroppedLine = true
            phase = .name(0)
        default:
            isBehindLoneReturn = run.chunk[offset] == ASCII.carriageReturn
            release(body)
            phase = lineHasArrow ? .forwarding : .name(0)
        }
        (hyphenCount, lineHasArrow) = (0, false)
    }

    private mutating func drop(lineStart: Int, upTo end: Int, _ run: inout ForwardedRun, _ body: Sink) {
        if held.isEmpty { run.flush(upTo: lineStart, body) }
        held.removeAll()
        run.skip(to: end)
    }

    /// Keeps the unfinished line of what may be a map.
    private mutating func hold(from lineStart: Int, _ run: inout ForwardedRun, _ body: Sink) {
        switch phase {
        case .name(1...), .map:
            if held.isEmpty { run.flush(upTo: lineStart, body) }
            held.append(run.chunk[lineStart..<run.chunk.count])
            run.skip(to: run.chunk.count)
        default: break
        }
    }
}
