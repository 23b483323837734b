internal import ByteScan

extension PlaylistRewriter {
    /// What is done with lines of the tag found last, which is selected.
    private var plan: EditPlan { @inline(__always) get { program.plans[matcher.index] } }

    /// Does what is to be done with a whole selected line.
    @inline(__always)
    mutating func handle(_ line: LineBounds, _ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink) {
        if line.selection == .tag, !line.mayContainAttribute, !plan.needsInspection {
            if plan.appends, mode.editing == .edits { appendAttribute(to: line, &cursor, sink) }
        } else if line.selection == .leftOut {
            leaveOut(line, &cursor, sink)
        } else {
            edit(line, &cursor, handler, sink)
        }
    }

    @inline(never)
    private mutating func leaveOut(_ line: LineBounds, _ cursor: inout OutputCursor, _ sink: Sink) {
        let range = line.start..<min(line.end + 1, cursor.view.count)
        cursor.replace(range, with: ByteView(), sink)
        document.leftOutBytes += range.count
    }

    /// Appends the attribute to a line of the tag that certainly lacks it.
    @inline(__always)
    private mutating func appendAttribute(to line: LineBounds, _ cursor: inout OutputCursor, _ sink: Sink) {
        let valueStart = line.start &+ matcher.tag.prefix.count &+ 1
        guard valueStart <= line.end, !line.endsInsideQuotes,
            unsafe cursor.view.uncheckedByte(at: valueStart &- 1) == ASCII.colon
        else {
            document.uneditable.note(at: cursor.position &+ line.start &- document.leftOutBytes)
            return
        }
        let end = WhiteSpace.contentEnd(of: cursor.view, from: valueStart, to: line.end)
        let commaIsNeeded = end > valueStart && cursor.view[end &- 1] != ASCII.comma
        document.appended.append(at: end, commaIsNeeded: commaIsNeeded, to: &cursor, sink)
    }

    /// Shows the handler a whole line and does what is decided.
    @inline(never)
    private mutating func edit(
        _ line: LineBounds, _ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink
    ) {
        lineEdits.begin(appended: document.appended, areIgnored: mode.editing == .onlyReads)
        let selected = select(line, in: cursor)
        if line.selection == .tag {
            noteEditsOfTag()
            if plan.shows(attributeMayBeThere: line.mayContainAttribute) { handler(selected, &lineEdits) }
        } else if !selected.bytes.allSatisfy(ASCII.isBlank) {
            handler(selected, &lineEdits)
        }
        document.appended = lineEdits.appended
        if mode.editing == .edits {
            apply(to: selected, line, &cursor, sink)
        } else if case .stopped(let error) = lineEdits.outcome {
            bailOut(error)
        }
    }

    private func select(_ line: LineBounds, in cursor: OutputCursor) -> SelectedLine {
        let bytes = WhiteSpace.withoutCarriageReturn(cursor.view[line.start..<line.end])
        let context = cursor.view.suffix(from: line.start)
        let position = cursor.position + line.start - document.leftOutBytes
        guard line.selection == .tag else {
            return SelectedLine(
                kind: .uri, bytes: bytes, context: context, position: position, nameEnd: 0, isEditable: false)
        }
        return SelectedLine(
            kind: matcher.tag.name.map { .tag($0) } ?? .otherTag, bytes: bytes, context: context, position: position,
            nameEnd: matcher.tag.prefix.count,
            isEditable: matcher.tag.prefix.count < bytes.count && !line.endsInsideQuotes)
    }

    /// Notes the configuration's edits of the tag.
    private mutating func noteEditsOfTag() {
        if plan.isDropped { lineEdits.drop() }
        for index in plan.operations { lineEdits.note(program.operations[index]) }
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
        case .refused:
            noteUneditable(selected)
        case .stopped(let error):
            bailOut(error)
        case .attributes where !lineEdits.operations.isEmpty:
            guard selected.isEditable else {
                noteUneditable(selected)
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

    private mutating func noteUneditable(_ line: SelectedLine) {
        document.uneditable.note(at: line.position)
        if lineEdits.isCountedByFilter { document.uneditableForFilter += 1 }
    }
}
