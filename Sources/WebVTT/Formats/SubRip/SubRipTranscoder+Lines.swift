import ByteScan

/// How text is cut into lines. All of it comes in whole characters, so that a long line is never broken inside one.
extension SubRipTranscoder {
    /// What the part of an unfinished line was that has been handled already, since the line is longer than the limit.
    enum LinePart {
        /// There is none: the line is handled as a whole.
        case none
        /// Text, and so is the rest.
        case text
        /// A timing line, whose rest is left out.
        case timing
    }

    /// Handles the lines of `bytes` that end there, and carries the last if it goes on.
    mutating func scanLines(_ bytes: ByteView, at position: Int, _ body: ViewSink) {
        var start = document.isAfterReturn && bytes.has(ASCII.lineFeed, at: 0) ? 1 : 0
        if start > 0 { document.linePosition = position &+ 1 }
        document.isAfterReturn = false
        while start < bytes.count, document.failure == nil {
            if !CodeSize.isScarce, carry.isEmpty, case .none = document.linePart, cues.expectsCue {
                let next = cues.writeCues(in: bytes, from: start, longest: limits.longestLine)
                if next > start {
                    if cues.output.count >= SubRipCueWriter.outputSize { cues.handOut(body) }
                    start = next
                    document.linePosition = position &+ start
                    continue
                }
            }
            let end = bytes.firstLineEnd(from: start) ?? bytes.count
            scanPart(bytes[start..<end], endsLine: end < bytes.count)
            if cues.output.count >= SubRipCueWriter.outputSize { cues.handOut(body) }
            guard end < bytes.count else { return }
            start = end &+ 1
            if bytes[end] == ASCII.carriageReturn {
                document.isAfterReturn = start == bytes.count
                if bytes.has(ASCII.lineFeed, at: start) { start &+= 1 }
            }
            document.linePosition = position &+ start
        }
    }

    /// Handles the line that the file ends with, if it has no line ending, and ends the last cue.
    mutating func finishLines() {
        scanPart(ByteView(), endsLine: true)
        cues.finish()
    }

    /// Handles some more of the line.
    private mutating func scanPart(_ part: ByteView, endsLine: Bool) {
        var part = part
        while carry.count &+ part.count > limits.longestLine {
            guard limits.policy == .breakLine else {
                return refuse(.lineTooLong(limit: limits.longestLine), at: document.linePosition)
            }
            var end = limits.longestLine &- carry.count
            while end > 0, part[end] & 0xC0 == 0x80 { end &-= 1 }
            handleLine(endingWith: part.prefix(upTo: end), isBroken: true)
            part = part.suffix(from: end)
        }
        guard endsLine else { return carry.append(part) }
        handleLine(endingWith: part, isBroken: false)
        document.linePart = .none
    }

    /// Handles a line, or a piece of a broken one: what is carried and `rest`.
    private mutating func handleLine(endingWith rest: ByteView, isBroken: Bool) {
        var line = rest
        if !carry.isEmpty {
            carry.append(rest)
            line = carry.view
        }
        switch document.linePart {
        case .none:
            let kind = cues.write(line)
            if kind == .brokenTiming { document.note(brokenArrowAt: document.linePosition) }
            if isBroken { document.linePart = kind == .timing || kind == .brokenTiming ? .timing : .text }
        case .text: cues.writeTextLine(line)
        case .timing: break
        }
        carry.removeAll()
    }
}
