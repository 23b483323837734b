internal import ByteScan

extension PlaylistRewriter {
    /// Does what is to be done with a whole selected line.
    @inline(__always)
    mutating func take(
        _ line: LineCursor.Line, _ head: Head, _ run: inout Run, _ handler: Handler, _ body: Sink
    ) {
        if case .tag(let index) = head, !line.mayHoldProbe, edits.patterns[index].isSettledWithoutProbe {
            settle(line, index, &run, body)
        } else {
            edit(line, head, &run, handler, body)
        }
    }

    /// Does what is to be done with a line of the pattern at `index` that certainly lacks the probed attribute, where that
    /// is nothing or the standing item.
    @inline(__always)
    private mutating func settle(_ line: LineCursor.Line, _ index: Int, _ run: inout Run, _ body: Sink) {
        guard edits.patterns[index].getsStandingItem else { return }
        let valueStart = line.start &+ edits.patterns[index].head.count &+ 1
        guard valueStart <= line.end, !line.endsInsideQuotes, run.view[valueStart &- 1] == ASCII.colon else {
            noteUneditable(at: run.position &+ line.start)
            return
        }
        let end = LineBytes.contentEnd(of: run.view, from: valueStart, to: line.end)
        run.flush(upTo: end, body)
        let item = lineEdits.standingItem
        body(OutputSlice(library: end == valueStart ? item.suffix(from: 1) : item))
        lineEdits.standingUses &+= 1
    }

    /// Shows the handler a whole line and carries out what is decided.
    @inline(never)
    private mutating func edit(
        _ line: LineCursor.Line, _ head: Head, _ run: inout Run, _ handler: Handler, _ body: Sink
    ) {
        lineEdits.reset()
        let selected = select(line, head, in: run)
        switch head {
        case .tag(let index):
            let pattern = edits.patterns[index]
            note(pattern)
            if pattern.audience == .always || (pattern.audience == .whereProbeMayBe && line.mayHoldProbe) {
                handler(selected, &lineEdits)
            }
        default:
            if !selected.bytes.isEmpty { handler(selected, &lineEdits) }
        }
        carryOut(selected, line, &run, body)
    }

    private func select(_ line: LineCursor.Line, _ head: Head, in run: Run) -> SelectedLine {
        let bytes = LineBytes.withoutCarriageReturn(run.view[line.start..<line.end])
        let position = run.position + line.start
        guard case .tag(let index) = head else {
            return SelectedLine(kind: .uri, bytes: bytes, position: position, nameEnd: 0, isEditable: false)
        }
        let nameEnd = edits.patterns[index].head.count
        return SelectedLine(
            kind: edits.patterns[index].kind, bytes: bytes, position: position, nameEnd: nameEnd,
            isEditable: nameEnd < bytes.count && !line.endsInsideQuotes)
    }

    /// Notes the configuration's edits of a tag.
    private mutating func note(_ pattern: TagPattern) {
        if pattern.isDropped { lineEdits.drop() }
        for number in 0..<pattern.operationCount {
            lineEdits.note(edits.operations[pattern.firstOperation + number])
        }
    }

    /// Carries out decisions of every kind.
    private mutating func carryOut(
        _ selected: SelectedLine, _ line: LineCursor.Line, _ run: inout Run, _ body: Sink
    ) {
        switch lineEdits.outcome {
        case .dropped:
            run.flush(upTo: line.start, body)
            run.skip(to: min(line.end + 1, run.view.count))
        case .replaced(let range):
            run.flush(upTo: line.start, body)
            body(OutputSlice(library: lineEdits.scratch.view[range]))
            run.skip(to: line.start + selected.bytes.count)
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
                run.flush(upTo: line.start + splice.start, body)
                if !splice.bytes.isEmpty { body(OutputSlice(library: splice.bytes)) }
                run.skip(to: line.start + splice.end)
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
