internal import ByteScan

// What is carried from one chunk to the next: the beginning of the first line, or of one that may be selected.
extension PlaylistRewriter {
    /// Goes on with the line that is carried, and leaves `cursor` where the rest of the chunk is to be scanned from.
    mutating func resume(_ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink) {
        switch document.state {
        case .signature: resumeSignature(cursor.view, sink)
        case .undecidedLine: resumeUndecidedLine(&cursor, handler, sink)
        case .selectedLine(let selection): resumeLine(selection, &cursor, handler, sink)
        case .lineStart, .insideLine, .passingThrough, .abandoned: break
        }
    }

    private mutating func resumeSignature(_ chunk: ByteView, _ sink: Sink) {
        let before = carried.count
        carried.append(chunk.prefix(upTo: min(chunk.count, PlaylistSignature.lookahead)))
        guard let matches = PlaylistSignature.matches(carried.view, isWhole: false) else { return }
        decideSignature(matches)
        release(upTo: before, sink)
    }

    private mutating func decideSignature(_ matches: Bool) {
        document.state = .insideLine
        guard !matches else { return }
        document.leavesOut = false
        decide(.notPlaylist, at: 0)
    }

    private mutating func resumeUndecidedLine(_ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink) {
        let chunk = cursor.view
        let before = carried.count
        carried.append(chunk.prefix(upTo: min(chunk.count, max(program.tags.lookahead - before, 0))))
        switch classifyByName(carried.view, at: 0, position: cursor.position - before, isWhole: false) {
        case .incomplete: return
        case .ignored:
            if document.state == .undecidedLine { document.state = .insideLine }
            release(upTo: before, sink)
        case .selected(let selection):
            carried.truncate(to: before)
            resumeLine(selection, &cursor, handler, sink)
        }
    }

    private mutating func resumeLine(
        _ selection: Document.Selection, _ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink
    ) {
        let chunk = cursor.view
        let before = carried.count
        let end = chunk.firstOffset(of: ASCII.lineFeed)
        if before + (end ?? chunk.count) > limits.longestLine {
            exceedLimit(at: cursor.position - before, as: selection)
            release(upTo: before, sink)
        } else if let end {
            carried.append(chunk.prefix(upTo: end + 1))
            cursor.skip(to: end + 1)
            document.state = .lineStart
            editCarried(selection, position: cursor.position - before, handler, sink)
        } else {
            carried.append(chunk)
            document.state = .selectedLine(selection)
        }
    }

    /// Edits and hands out the line that is carried, which is whole.
    private mutating func editCarried(
        _ selection: Document.Selection, position: Int, _ handler: Handler, _ sink: Sink
    ) {
        let line = LineBounds(carried: &carried, as: selection, prefilter: program.prefilter)
        var cursor = OutputCursor(carried: carried.view, position: position)
        handle(line, &cursor, handler, sink)
        cursor.forwardRest(sink)
        carried.removeAll()
    }

    /// Hands out the first `count` bytes that are carried, and carries nothing more.
    private mutating func release(upTo count: Int, _ sink: Sink) {
        if count > 0 { sink(OutputSlice(library: carried.view.prefix(upTo: count))) }
        carried.removeAll()
    }

    /// Hands out what is carried at the end of the playlist, and tells whether that was a line that is left out.
    mutating func releaseAtEnd(_ handler: Handler, _ sink: Sink) -> Bool {
        let position = document.position - carried.count
        switch document.state {
        case .signature:
            decideSignature(PlaylistSignature.matches(carried.view, isWhole: true) ?? false)
        case .undecidedLine:
            document.state = .insideLine
            if case .selected(let selection) = classifyByName(carried.view, at: 0, position: position, isWhole: true) {
                return editAtEnd(selection, position: position, handler, sink)
            }
        case .selectedLine(let selection):
            document.state = .insideLine
            return editAtEnd(selection, position: position, handler, sink)
        case .lineStart, .insideLine, .passingThrough, .abandoned: break
        }
        release(upTo: carried.count, sink)
        return false
    }

    /// Edits and hands out the last line, which has no line ending, and tells whether it is left out.
    private mutating func editAtEnd(
        _ selection: Document.Selection, position: Int, _ handler: Handler, _ sink: Sink
    ) -> Bool {
        guard carried.count <= limits.longestLine else {
            exceedLimit(at: position, as: selection)
            release(upTo: carried.count, sink)
            return false
        }
        lineEdits.reset()
        editCarried(selection, position: position, handler, sink)
        if case .dropped = lineEdits.outcome { return true }
        return selection == .leftOut
    }
}
