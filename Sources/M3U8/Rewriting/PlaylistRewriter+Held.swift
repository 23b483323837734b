internal import ByteScan

// What is kept from one chunk to the next, and how it goes on.
extension PlaylistRewriter {
    /// Goes on with the first line or a held one, and leaves `cursor` where the rest of the chunk is to be scanned from.
    mutating func resume(_ chunk: ByteView, _ cursor: inout OutputCursor, _ handler: Handler, _ body: Sink) {
        if phase == .signature {
            resumeSignature(chunk, body)
        } else {
            resumeLine(chunk, &cursor, handler, body)
        }
    }

    private mutating func resumeSignature(_ chunk: ByteView, _ body: Sink) {
        let before = held.count
        held.append(chunk.prefix(upTo: min(chunk.count, PlaylistSignature.room)))
        guard let matches = PlaylistSignature.matches(held.view, isWhole: false) else { return }
        settleSignature(matches)
        releaseHeld(upTo: before, body)
    }

    private mutating func settleSignature(_ matches: Bool) {
        phase = .insideLine
        if !matches { settle(.notPlaylist) }
    }

    private mutating func resumeLine(_ chunk: ByteView, _ cursor: inout OutputCursor, _ handler: Handler, _ body: Sink)
    {
        let before = held.count
        held.append(chunk.prefix(upTo: min(chunk.count, max(edits.tags.headRoom - before, 0))))
        let selection = headByName(of: held.view, at: 0, isWhole: false)
        switch selection {
        case .incomplete:
            return
        case .other:
            if phase == .heldLine { phase = .insideLine }
            releaseHeld(upTo: before, body)
        case .tag, .uri:
            held.truncate(to: before)
            let end = chunk.firstOffset(of: ASCII.lineFeed)
            guard before + (end ?? chunk.count) <= limits.longestLine else {
                exceedLimit(at: cursor.position - before)
                releaseHeld(upTo: before, body)
                return
            }
            guard let end else {
                held.append(chunk)
                return
            }
            held.append(chunk.prefix(upTo: end + 1))
            cursor.skip(to: end + 1)
            phase = .lineStart
            editHeld(selection, position: cursor.position - before, handler, body)
        }
    }

    /// Edits and hands out the held line, which is whole.
    private mutating func editHeld(_ selection: Head, position: Int, _ handler: Handler, _ body: Sink) {
        var cursor = OutputCursor(carried: held.view, position: position)
        let line = LineExtent(held.view, from: 0, probing: edits.probePair)
        take(line, selection, &cursor, handler, body)
        cursor.forwardRest(body)
        held.removeAll()
    }

    /// Hands out the first `count` bytes held, and holds nothing more.
    private mutating func releaseHeld(upTo count: Int, _ body: Sink) {
        if count > 0 { body(OutputSlice(library: held.view.prefix(upTo: count))) }
        held.removeAll()
    }

    /// Hands out what is held at the end of the playlist, and tells whether that was a line that is left out.
    mutating func releaseAtEnd(_ handler: Handler, _ body: Sink) -> Bool {
        switch phase {
        case .signature:
            settleSignature(PlaylistSignature.matches(held.view, isWhole: true) ?? false)
            releaseHeld(upTo: held.count, body)
        case .heldLine:
            phase = .insideLine
            lineEdits.reset()
            let head = headByName(of: held.view, at: 0, isWhole: true)
            if head == .tag || head == .uri {
                guard held.count > limits.longestLine else {
                    editHeld(head, position: position - held.count, handler, body)
                    if case .dropped = lineEdits.outcome { return true }
                    return false
                }
                exceedLimit(at: position - held.count)
            }
            releaseHeld(upTo: held.count, body)
        case .lineStart, .insideLine, .forwarding:
            break
        }
        return false
    }
}
