internal import ByteScan
internal import CByteScan

// How a chunk is scanned.
//
// A cursor walks the chunk in steps of 64 bytes and asks each block for its line ends. Where one is followed by `#`, the
// head of the line is compared; where the tag is selected, the cursor moves to the line's start and asks the blocks from
// there on for the line's end, for quotes, and for the one attribute name that most lines lack, all at once. Then it goes on
// behind the line in the same block.
//
//     #EXTM3U⏎#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="x"⏎v/1.m3u8⏎#EXT-X-…
//     ────────┬───────────────────────────────────────┬──────────┬─────
//             head selected: blocks start here        end        no `#`: not looked at
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
        var cursor = LineCursor(chunk, from: start)
        var next = phase == .lineStart ? start : nextLine(&cursor)
        phase = .insideLine
        while next < chunk.count {
            let start = next
            guard edits.selectsURIs || chunk[start] == ASCII.hash else {
                next = nextLine(&cursor)
                continue
            }
            let head = head(of: chunk, at: start)
            switch head {
            case .other:
                if phase == .forwarding { return }
                next = nextLine(&cursor)
            case .incomplete:
                hold(chunk, from: start, &run, body)
                return
            case .tag, .uri:
                let line = cursor.selectLine(from: start, probe: edits.probePair)
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
                next = line.end &+ 1
            }
        }
        if chunk.last == ASCII.lineFeed { phase = .lineStart }
    }

    @inline(__always)
    private func nextLine(_ cursor: inout LineCursor) -> Int {
        edits.selectsURIs ? cursor.nextLine() : cursor.nextTag(onlyExtX: skipsOtherTags)
    }

    /// Whether only tags that begin with `EXT-X-` matter from here on.
    private var skipsOtherTags: Bool {
        edits.selectsOnlyExtX && !edits.selectsURIs && (verdict == .media || verdict == .mixed)
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
