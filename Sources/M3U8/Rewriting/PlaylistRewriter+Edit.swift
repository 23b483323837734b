internal import ByteScan

extension PlaylistRewriter {
    /// Does what is to be done with a whole selected line.
    @inline(__always)
    mutating func take(
        _ line: LineExtent, _ head: Head, _ cursor: inout OutputCursor, _ handler: Handler, _ body: Sink
    ) {
        if case .tag = head, !line.mayHoldProbe, tag.isSettledWithoutProbe {
            settle(line, &cursor, body)
        } else {
            edit(line, head, &cursor, handler, body)
        }
    }

    /// Does what is to be done with a line of the tag that certainly lacks the probed attribute, where that is nothing or
    /// the standing item.
    @inline(__always)
    private mutating func settle(_ line: LineExtent, _ cursor: inout OutputCursor, _ body: Sink) {
        guard tag.getsStandingItem, appliesEdits else { return }
        let valueStart = line.start &+ tag.head.count &+ 1
        guard valueStart <= line.end, !line.endsInsideQuotes,
            unsafe cursor.view.uncheckedByte(at: valueStart &- 1) == ASCII.colon
        else {
            noteUneditable(at: cursor.position &+ line.start)
            return
        }
        let end = LineBytes.contentEnd(of: cursor.view, from: valueStart, to: line.end)
        cursor.forward(upTo: end, body)
        let item = lineEdits.standingItem
        cursor.insert(end != valueStart ? item : item.suffix(from: 1), body)
        lineEdits.standingUses &+= 1
    }

    /// Shows the handler a whole line and carries out what is decided.
    @inline(never)
    private mutating func edit(
        _ line: LineExtent, _ head: Head, _ cursor: inout OutputCursor, _ handler: Handler, _ body: Sink
    ) {
        lineEdits.reset()
        let selected = select(line, head, in: cursor)
        if case .tag = head {
            noteEditsOfTag()
            if tag.audience == .always || (tag.audience == .whereProbeMayBe && line.mayHoldProbe) {
                handler(selected, &lineEdits)
            }
        } else if !selected.bytes.allSatisfy(LineBytes.isWhiteSpace) {
            handler(selected, &lineEdits)
        }
        if appliesEdits {
            carryOut(selected, line, &cursor, body)
        } else if case .stopped(let error) = lineEdits.outcome {
            stopEditing(error)
        }
    }

    private func select(_ line: LineExtent, _ head: Head, in cursor: OutputCursor) -> SelectedLine {
        let bytes = LineBytes.withoutCarriageReturn(cursor.view[line.start..<line.end])
        let position = cursor.position + line.start
        guard case .tag = head else {
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

    /// Carries out decisions of every kind.
    private mutating func carryOut(
        _ selected: SelectedLine, _ line: LineExtent, _ cursor: inout OutputCursor, _ body: Sink
    ) {
        switch lineEdits.outcome {
        case .dropped:
            cursor.replace(line.start..<min(line.end + 1, cursor.view.count), with: ByteView(), body)
        case .replaced(let range):
            let old = line.start..<(line.start + selected.bytes.count)
            cursor.replace(old, with: lineEdits.scratch.view[range], body)
        case .stopped(let error):
            stopEditing(error)
        case .attributes where !lineEdits.operations.isEmpty:
            guard selected.isEditable else {
                noteUneditable(at: selected.position)
                return
            }
            lineEdits.resolve(selected)
            for index in 0..<lineEdits.splices.count {
                let splice = lineEdits.splices[index]
                cursor.replace((line.start + splice.start)..<(line.start + splice.end), with: splice.bytes, body)
            }
        case .attributes:
            break
        }
    }

    private mutating func noteUneditable(at position: Int) {
        uneditableLines += 1
        if firstUneditableLine == nil { firstUneditableLine = position }
    }
}
