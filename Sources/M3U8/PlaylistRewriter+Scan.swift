internal import ByteScan
internal import CByteScan

// How a chunk is scanned.
//
// The scanner goes from one line of interest to the next: it looks for a line end with a `#` behind it, 64 bytes at a time,
// and compares the head of the line. Where the tag is selected, one pass over the line finds its end, whether a quote is left
// open, whether the one attribute name is there that most lines lack, and the next line of interest behind it.
//
//     #EXTM3U⏎#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="x"⏎v/1.m3u8⏎#EXT-X-…
//            ─┬──────────────────────────────────────┬─────────┬──
//             head selected: one pass from here …    end       … to here
//
// In a media playlist that is not edited, only a tag of multivariant playlists could still change the verdict. All of these
// begin with `#EXT-X-`, so a line end counts there only if a hyphen stands five bytes behind it.
extension PlaylistRewriter {
    mutating func scan(_ chunk: ByteView, _ handler: Handler, _ body: Sink) {
        if !knowsLineEnding { learnLineEnding(chunk) }
        var run = Run(chunk, isChunk: true, position: position)
        if phase == .signature || phase == .heldLine {
            resume(chunk, &run, handler, body)
        }
        if phase == .lineStart || phase == .insideLine {
            scanLines(chunk, from: run.start, &run, handler, body)
        }
        if phase != .signature, phase != .heldLine { run.flush(upTo: chunk.count, body) }
    }

    /// Scans `chunk` from `start`, which is a line's start or, in phase `insideLine`, somewhere inside a line.
    private mutating func scanLines(
        _ chunk: ByteView, from start: Int, _ run: inout Run, _ handler: Handler, _ body: Sink
    ) {
        let cursor = LineCursor(chunk)
        var next = phase == .lineStart ? start : cursor.nextLine(from: start, stoppingAt: stop)
        phase = .insideLine
        while next < chunk.count {
            if hasStandingItem { next = appendStandingItem(to: chunk, from: next, &run, body) }
            guard next < chunk.count else { break }
            let start = next
            let head = head(of: chunk, at: start)
            switch head {
            case .other:
                if phase == .forwarding { return }
                next = cursor.nextLine(from: start, stoppingAt: stop)
            case .incomplete:
                hold(chunk, from: start, &run, body)
                return
            case .tag, .uri:
                let line = cursor.line(from: start, probing: edits.probePair, stoppingAt: stop)
                guard line.end &- start <= limits.longestLine else {
                    exceedLimit(at: position + start)
                    return
                }
                guard line.end < chunk.count else {
                    hold(chunk, from: start, &run, body)
                    return
                }
                take(line, head, &run, handler, body)
                if phase == .forwarding { return }
                next = line.next
            }
        }
        if chunk.last == ASCII.lineFeed { phase = .lineStart }
    }

    /// Keeps the unfinished line at `start` until more of it comes.
    private mutating func hold(_ chunk: ByteView, from start: Int, _ run: inout Run, _ body: Sink) {
        run.flush(upTo: start, body)
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

    private mutating func learnLineEnding(_ chunk: ByteView) {
        guard let end = chunk.firstOffset(of: ASCII.lineFeed) else { return }
        usesCRLF = (end > 0 ? chunk[end - 1] : lastByte) == ASCII.carriageReturn
        knowsLineEnding = true
    }
}
