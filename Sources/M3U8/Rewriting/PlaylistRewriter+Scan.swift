internal import ByteScan
internal import CByteScan

// How a chunk is scanned.
//
// A walk goes over the chunk on a grid of 64 bytes and hands out the lines of interest, some at a time: where a `#` stands behind
// a line end, the head of the line decides. Lines that only get the standing item are the most frequent of these. On them the
// walk goes on to the end at once, and sees on the way that every quote is closed and that the probed name is not there:
//
//     #EXTM3U⏎#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="x"⏎v/1.m3u8⏎#EXT-X-MEDIA:TYPE=SUBTITLES,…⏎
//             ┬───────────────────────────────────────┬         ┬
//             plain: it starts here …         … and ends here   of interest: it starts here
//
// What is not plain is looked at line by line. So are the last bytes of a chunk, where no whole block is left.
extension PlaylistRewriter {
    mutating func scan(_ chunk: ByteView, _ handler: Handler, _ body: Sink) {
        var cursor = OutputCursor(chunk: chunk, position: position)
        if position == 0 { takeFirstLine(chunk) }
        if !knowsLineEnding { learnLineEnding(chunk) }
        if phase.isHolding { resume(chunk, &cursor, handler, body) }
        if phase == .lineStart || phase == .insideLine {
            scanLines(chunk, from: cursor.start, &cursor, handler, body)
        }
        if !phase.isHolding { cursor.forwardRest(body) }
    }

    /// Scans `chunk` from `start`, which is a line's start or, in phase `insideLine`, somewhere inside a line.
    private mutating func scanLines(
        _ chunk: ByteView, from start: Int, _ cursor: inout OutputCursor, _ handler: Handler, _ body: Sink
    ) {
        if phase == .lineStart, start < chunk.count {
            phase = .insideLine
            guard takeLine(of: chunk, at: start, &cursor, handler, body) else { return }
        }
        phase = .insideLine
        var offset = start
        repeat {
            let count = walk.meet(chunk, from: offset)
            for index in 0..<count {
                let line = walk[index]
                if line.end > 0, takesPlainLines {
                    unsafe cursor.uncheckedForward(upTo: line.end, body)
                    cursor.insert(lineEdits.standingItem, body)
                    lineEdits.standingUses &+= 1
                } else if line.end < 0 {
                    guard takePassedLine() else { return }
                } else {
                    guard takeLine(of: chunk, at: line.start, &cursor, handler, body) else { return }
                }
            }
            offset = walk.next
        } while LineWalk.hasBlock(chunk, at: offset)
        while let feed = chunk.firstOffset(of: ASCII.lineFeed, from: offset), feed + 1 < chunk.count {
            offset = feed + 1
            guard takeLine(of: chunk, at: offset, &cursor, handler, body) else { return }
        }
        if chunk.last == ASCII.lineFeed { phase = .lineStart }
    }

    /// Does what is to be done with the line at `start`, and tells whether to go on with the next.
    private mutating func takeLine(
        of chunk: ByteView, at start: Int, _ cursor: inout OutputCursor, _ handler: Handler, _ body: Sink
    ) -> Bool {
        let head = head(of: chunk, at: start)
        switch head {
        case .other:
            return phase != .forwarding
        case .incomplete:
            hold(chunk, from: start, &cursor, body)
            return false
        case .tag, .uri:
            let line = LineExtent(chunk, from: start, probing: edits.probePair)
            guard line.end &- start <= limits.longestLine else {
                exceedLimit(at: position + start)
                return false
            }
            guard line.end < chunk.count else {
                hold(chunk, from: start, &cursor, body)
                return false
            }
            take(line, head, &cursor, handler, body)
            return phase != .forwarding
        }
    }

    /// Lets a line of which no more is known than its passed head have its say in the verdict, and tells whether to go on.
    private mutating func takePassedLine() -> Bool {
        let after = verdict.after(.multivariant)
        if after != verdict { settle(after) }
        return phase != .forwarding
    }

    /// Keeps the unfinished line at `start` until more of it comes.
    private mutating func hold(_ chunk: ByteView, from start: Int, _ cursor: inout OutputCursor, _ body: Sink) {
        cursor.forward(upTo: start, body)
        held.append(chunk.suffix(from: start))
        phase = .heldLine
    }

    /// Stops editing at a line that is too long and begins at stream position `line`.
    mutating func exceedLimit(at line: Int) {
        stopEditing(LimitError(.longestLine, bytes: limits.longestLine, position: line))
    }

    mutating func stopEditing(_ error: LimitError) {
        exceededLimit = error
        phase = .forwarding
    }

    /// Settles the signature and the line ending at once where the chunk begins with the whole first line, and nothing odd in it.
    private mutating func takeFirstLine(_ chunk: ByteView) {
        guard let usesCRLF = PlaylistSignature.usesCRLF(chunk) else { return }
        self.usesCRLF = usesCRLF
        knowsLineEnding = true
        phase = .insideLine
    }

    private mutating func learnLineEnding(_ chunk: ByteView) {
        guard let end = chunk.firstOffset(of: ASCII.lineFeed) else { return }
        usesCRLF = (end > 0 ? chunk[end - 1] : lastByte) == ASCII.carriageReturn
        knowsLineEnding = true
    }
}
