import ByteScan

/// How text is cut into lines. All of it comes in whole characters, so that a long line is never broken inside one.
extension SubRipTranscoder {
    /// What the part of an unfinished line was that has been taken already, since the line is longer than the limit.
    enum LinePart {
        /// There is none: the line is taken as a whole.
        case none
        /// Text, and so is the rest.
        case text
        /// A timing line, whose rest is left out.
        case timing
    }

    /// How much output is put together before it is handed out.
    private static var outputSize: Int { 16 << 10 }

    /// Takes the lines of `bytes` that end there, and holds the last where it goes on.
    mutating func takeLines(_ bytes: ByteView, at position: Int, _ body: ViewSink) {
        var start = isBehindReturn && bytes.has(ASCII.lineFeed, at: 0) ? 1 : 0
        if start > 0 { linePosition = position &+ 1 }
        isBehindReturn = false
        while start < bytes.count, failure == nil {
            let end = bytes.lineEnd(from: start)
            takePart(bytes[start..<end], endsLine: end < bytes.count)
            if cues.output.count >= Self.outputSize { cues.handOut(body) }
            guard end < bytes.count else { return }
            start = end &+ 1
            if bytes[end] == ASCII.carriageReturn {
                isBehindReturn = start == bytes.count
                if bytes.has(ASCII.lineFeed, at: start) { start &+= 1 }
            }
            linePosition = position &+ start
        }
    }

    /// Takes the line that the file ends with, where it has no line ending, and ends the last cue.
    mutating func finishLines() {
        takePart(ByteView(), endsLine: true)
        cues.finish()
    }

    /// Takes some more of the line.
    private mutating func takePart(_ part: ByteView, endsLine: Bool) {
        var part = part
        while held.count &+ part.count > limits.longestLine {
            guard limits.policy == .breakLine else {
                return refuse(.lineTooLong(limit: limits.longestLine), at: linePosition)
            }
            var end = limits.longestLine &- held.count
            while end > 0, part[end] & 0xC0 == 0x80 { end &-= 1 }
            takeLine(endingWith: part.prefix(upTo: end), isBroken: true)
            part = part.suffix(from: end)
        }
        guard endsLine else { return held.append(part) }
        takeLine(endingWith: part, isBroken: false)
        linePart = .none
    }

    /// Takes a line, or a piece of a broken one: what is held and `rest`.
    private mutating func takeLine(endingWith rest: ByteView, isBroken: Bool) {
        var line = rest
        if !held.isEmpty {
            held.append(rest)
            line = held.view
        }
        switch linePart {
        case .none:
            let isTiming = cues.take(line) == .timing
            if isBroken { linePart = isTiming ? .timing : .text }
        case .text: cues.takeText(line)
        case .timing: break
        }
        held.removeAll()
    }
}

extension ByteView {
    /// The offset of the first line feed or carriage return at or after `start`, or ``count``.
    fileprivate func lineEnd(from start: Int) -> Int {
        var offset = start
        while offset < count {
            let block = block(at: offset)
            let bits = block.equal(to: ASCII.lineFeed).or(block.equal(to: ASCII.carriageReturn)).bits
            if bits != 0 { return offset &+ bits.trailingZeroBitCount }
            offset &+= Self.blockSize
        }
        return count
    }
}
