internal import ByteScan

extension PlaylistRewriter {
    /// Shows the handler a whole line and carries out what is decided.
    @inline(__always)
    mutating func edit(
        _ line: LineCursor.Line, _ selection: Selection, _ run: inout Run, _ handler: Handler, _ body: Sink
    ) {
        let selected = selectedLine(line, selection, in: run)
        if selected.kind == .uri, selected.bytes.isEmpty { return }
        lineEdits.reset()
        if case .tag(let index) = selection {
            let pattern = edits.patterns[index]
            if pattern.isDropped { lineEdits.drop() }
            for number in 0..<pattern.operationCount {
                lineEdits.operations.append(edits.operations[pattern.firstOperation + number])
            }
        }
        handler(selected, &lineEdits)
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
        case .attributes:
            if lineEdits.operations.isEmpty { return }
            guard selected.isEditable else {
                noteUneditable(selected)
                return
            }
            lineEdits.resolve(selected)
            for index in 0..<lineEdits.splices.count {
                let splice = lineEdits.splices[index]
                run.flush(upTo: line.start + splice.start, body)
                if !splice.bytes.isEmpty { body(OutputSlice(library: splice.bytes)) }
                run.skip(to: line.start + splice.end)
            }
        }
    }

    @inline(__always)
    private func selectedLine(_ line: LineCursor.Line, _ selection: Selection, in run: Run) -> SelectedLine {
        let bytes = LineBytes.withoutCarriageReturn(run.view[line.start..<line.end])
        var kind = SelectedLine.Kind.uri
        var nameEnd = 0
        if case .tag(let index) = selection {
            kind = edits.patterns[index].kind
            nameEnd = edits.patterns[index].head.count
        }
        return SelectedLine(
            kind: kind, bytes: bytes, position: run.position + line.start, nameEnd: nameEnd,
            isEditable: nameEnd > 0 && nameEnd < bytes.count && !line.endsInsideQuotes, mayHoldProbe: line.mayHoldProbe)
    }

    private mutating func noteUneditable(_ line: SelectedLine) {
        uneditableLines += 1
        if firstUneditableLine == nil { firstUneditableLine = line.position }
    }
}
