internal import ByteScan

extension PlaylistRewriter {
    /// Does what is to be done with a whole selected line.
    @inline(__always)
    mutating func handle(_ line: LineBounds, _ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink) {
        if line.selection == .tag, !line.mayContainProbe, tag.isSettledWithoutProbe {
            appendAttribute(to: line, &cursor, sink)
        } else {
            edit(line, &cursor, handler, sink)
        }
    }

    /// Does what is to be done with a line of the tag that certainly lacks the probed attribute: nothing, or the standing item is
    /// appended.
    @inline(__always)
    private mutating func appendAttribute(to line: LineBounds, _ cursor: inout OutputCursor, _ sink: Sink) {
        guard tag.getsStandingItem, mode.editing == .edits else { return }
        let valueStart = line.start &+ tag.head.count &+ 1
        guard valueStart <= line.end, !line.endsInsideQuotes,
            unsafe cursor.view.uncheckedByte(at: valueStart &- 1) == ASCII.colon
        else {
            document.uneditable.note(at: cursor.position &+ line.start)
            return
        }
        let end = LineBytes.contentEnd(of: cursor.view, from: valueStart, to: line.end)
        cursor.forward(upTo: end, sink)
        let item = lineEdits.standingItem
        cursor.insert(end != valueStart ? item : item.suffix(from: 1), sink)
        lineEdits.standingUses &+= 1
    }

    /// Shows the handler a whole line and does what is decided.
    @inline(never)
    private mutating func edit(
        _ line: LineBounds, _ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink
    ) {
        lineEdits.reset()
        lineEdits.areIgnored = mode.editing == .onlyReads
        let selected = select(line, in: cursor)
        if line.selection == .tag {
            noteEditsOfTag()
            if tag.audience == .always || (tag.audience == .whereProbeMayBe && line.mayContainProbe) {
                handler(selected, &lineEdits)
            }
        } else if !selected.bytes.allSatisfy(LineBytes.isWhiteSpace) {
            handler(selected, &lineEdits)
        }
        if mode.editing == .edits {
            apply(to: selected, line, &cursor, sink)
        } else if case .stopped(let error) = lineEdits.outcome {
            bailOut(error)
        }
    }

    private func select(_ line: LineBounds, in cursor: OutputCursor) -> SelectedLine {
        let bytes = LineBytes.withoutCarriageReturn(cursor.view[line.start..<line.end])
        let position = cursor.position + line.start
        guard line.selection == .tag else {
            return SelectedLine(kind: .uri, bytes: bytes, position: position, nameEnd: 0, isEditable: false)
        }
        return SelectedLine(
            kind: tag.kind, bytes: bytes, position: position, nameEnd: tag.head.count,
            isEditable: tag.head.count < bytes.count && !line.endsInsideQuotes)
    }

    /// Notes the configuration's edits of the tag.
    private mutating func noteEditsOfTag() {
        if tag.isDropped { lineEdits.drop() }
        for number in 0..<tag.operationCount { lineEdits.note(edits.operations[Int(tag.firstOperation + number)]) }
    }

    /// Does what has been decided, whatever that is.
    private mutating func apply(
        to selected: SelectedLine, _ line: LineBounds, _ cursor: inout OutputCursor, _ sink: Sink
    ) {
        switch lineEdits.outcome {
        case .dropped:
            cursor.replace(line.start..<min(line.end + 1, cursor.view.count), with: ByteView(), sink)
        case .replaced(let range):
            let old = line.start..<(line.start + selected.bytes.count)
            cursor.replace(old, with: lineEdits.scratch.view[range], sink)
        case .stopped(let error):
            bailOut(error)
        case .attributes where !lineEdits.operations.isEmpty:
            guard selected.isEditable else {
                document.uneditable.note(at: selected.position)
                return
            }
            lineEdits.resolve(selected)
            for index in 0..<lineEdits.splices.count {
                let splice = lineEdits.splices[index]
                cursor.replace((line.start + splice.start)..<(line.start + splice.end), with: splice.bytes, sink)
            }
        case .attributes:
            break
        }
    }
}
