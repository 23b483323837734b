internal import ByteScan
internal import CByteScan

// How a chunk is scanned, in two stages.
//
// Stage 1, the finder, goes over the chunk on a grid of 64 bytes and reports candidates, some at a time: lines whose
// tag prefix passes the mode's filter. Lines that only get the appended attribute are the most frequent of these. Stage
// 1 measures them at once, and sees on the way that every quote is closed and that the attribute's name is not there:
// such a line is simple.
//
//     bytes     #EXTM3U⏎#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="x"⏎v/1.m3u8⏎#EXT-X-MEDIA:TYPE=SUBTITLES,…⏎
//     stage 1           ┬───────────────────────────────────────┬         ┬
//                       simple: it starts here …       … and ends here    a candidate: it starts here
//     stage 2                                                             .media, selected
//
// Stage 2 looks at what is not simple line by line, and at a last line that does not end in the chunk. What stops it is
// the document's state: bytes are carried, or pass through. At the last bytes of a chunk, where no whole block is left,
// stage 1 goes over a copy with zeros after it (bytescan_tails.h).
extension PlaylistRewriter {
    /// Scans a chunk. All slices go to `sink`, but for those of the most frequent loop, which go to `pieces` if there
    /// are any.
    @unsafe @inline(__always)
    mutating func scan(
        _ chunk: ByteView, _ handler: Handler, _ sink: Sink, _ pieces: UnsafeMutablePointer<PieceWriter>?
    ) {
        var cursor = OutputCursor(chunk: chunk, position: document.position)
        if let start = begin(chunk, &cursor, handler, sink) {
            unsafe scanLines(from: start, &cursor, handler, sink, pieces)
        }
        if !document.isCarrying { cursor.forwardRest(sink) }
    }

    /// Begins a chunk with what is carried, and with a line that starts there, and tells where lines are to be found
    /// from; nil if none are.
    @inline(__always)
    mutating func begin(_ chunk: ByteView, _ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink) -> Int? {
        if document.position == 0 { readFirstLine(of: chunk) }
        if document.usesCRLF == nil { learnLineEnding(from: chunk) }
        if document.isCarrying { resume(&cursor, handler, sink) }
        guard document.state == .lineStart || document.state == .insideLine else { return nil }
        let start = cursor.start
        let isLineStart = document.state == .lineStart && start < chunk.count
        document.state = .insideLine
        guard isLineStart else { return start }
        // After a line that was carried the finder sees its line feed, and so the next line.
        if start > 0 { return start &- 1 }
        handleLine(at: start, &cursor, handler, sink)
        return document.state == .insideLine ? start : nil
    }

    /// Scans the chunk from `start`, which is somewhere inside a line.
    @inline(__always)
    private mutating func scanLines(
        from start: Int, _ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink,
        _ pieces: UnsafeMutablePointer<PieceWriter>?
    ) {
        let chunk = cursor.view
        var offset = start
        repeat {
            let count = finder.find(in: chunk, from: offset)
            var index = 0
            while index < count {
                let line = finder[index]
                if line.end > 0, mode.appendsToSimpleLines {
                    if let pieces = unsafe pieces {
                        index = unsafe appendToSimpleLines(index..<count, &cursor, to: pieces)
                    } else {
                        index = appendToSimpleLines(index..<count, &cursor, slicesTo: sink)
                    }
                    continue
                }
                if line.goesOn {
                    handleLine(at: line.start, &cursor, handler, sink, unendedUpTo: finder.next)
                } else if line.isSwitching {
                    noteSkippedLine(at: cursor.position &+ line.start)
                } else if CodeSize.isScarce || !isDone(at: line.start, &cursor, sink) {
                    handleLine(at: line.start, &cursor, handler, sink)
                }
                guard document.state == .insideLine else { return }
                index &+= 1
            }
            offset = finder.next
        } while LineFinder.hasBlock(chunk, at: offset)
        scanTail(from: offset, &cursor, handler, sink)
    }

    /// Does at once what is to be done with the line at `start` if searches for a few attributes tell that, and tells
    /// whether it is done.
    @inline(__always)
    private mutating func isDone(at start: Int, _ cursor: inout OutputCursor, _ sink: Sink) -> Bool {
        if !document.appended.known.isEmpty { return passOverKnown(at: start, in: cursor.view) }
        return program.editsAnyAtOnce && editAtOnce(at: start, &cursor, sink)
    }

    /// Passes over the line at `start` if it has the attribute that is known in place of the appended one, and tells
    /// whether it has. Lines in the last bytes of a chunk, and the first, are shown to the handler.
    @inline(never)
    private mutating func passOverKnown(at start: Int, in chunk: ByteView) -> Bool {
        guard mode.editing == .edits, let colon = colon(ofSelectedTagAt: start, in: chunk),
            program.plans[matcher.index].passesOverKnown, let name = program.absentAttribute
        else { return false }
        let found = chunk.findAttribute(name, from: colon)
        // Without the comma, the name and the equals sign.
        let value = document.appended.known.suffix(from: name.count &+ 2)
        guard found.isThere, found.lineEnd &- start <= limits.longestLine, chunk[found.value..<found.stop] == value
        else { return false }
        document.appended.knownUses &+= 1
        return true
    }

    /// Scans the last bytes of the chunk, where no whole block is left.
    @inline(__always)
    mutating func scanTail(from start: Int, _ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink) {
        var offset = start
        var unfinished = cursor.view.count
        repeat {
            let count = finder.findLast(in: cursor.view, from: offset, unfinished: &unfinished)
            guard handleFound(count, &cursor, handler, sink) else { return }
            offset = finder.next
        } while offset < cursor.view.count
        handleLast(at: unfinished, &cursor, handler, sink)
    }

    /// Does what is to be done with the lines that have been found, of which there are `count`, one by one, and tells
    /// whether there is more to be found.
    @inline(__always)
    mutating func handleFound(
        _ count: Int, _ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink
    ) -> Bool {
        for index in 0..<count {
            let line = finder[index]
            if line.isSwitching {
                noteSkippedLine(at: cursor.position &+ line.start)
            } else {
                handleLine(at: line.start, &cursor, handler, sink)
            }
            guard document.state == .insideLine else { return false }
        }
        return true
    }

    /// Does what is to be done with the last line of the chunk, which begins at `start` and has not ended; nothing if
    /// that is the chunk's end.
    @inline(__always)
    mutating func handleLast(at start: Int, _ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink) {
        if start < cursor.view.count {
            guard program.selectsURIs || cursor.view[start] == ASCII.hash else { return }
            handleLine(at: start, &cursor, handler, sink, unendedUpTo: cursor.view.count)
        } else if cursor.view.last == ASCII.lineFeed {
            document.state = .lineStart
        }
    }

    /// Appends the attribute to the `found` lines as long as they are simple, and returns the index of the first that
    /// is not.
    @inline(never)
    private mutating func appendToSimpleLines(
        _ found: Range<Int>, _ cursor: inout OutputCursor, slicesTo sink: Sink
    ) -> Int { appendWhileSimple(found, &cursor, sink) }

    /// The same, to pieces: a call for each slice would cost as much again as all the rest. The writer stays in
    /// registers but for the slices that it cannot copy at once.
    @inline(never)
    private mutating func appendToSimpleLines(
        _ found: Range<Int>, _ cursor: inout OutputCursor, to pieces: UnsafeMutablePointer<PieceWriter>
    ) -> Int {
        if CodeSize.isScarce { return appendWhileSimple(found, &cursor) { unsafe pieces.pointee.append($0) } }
        let (chunk, appended) = (cursor.view, document.appended.bytes)
        var writer = unsafe pieces.pointee
        var (index, start) = (found.lowerBound, cursor.start)
        while index < found.upperBound, finder[index].end > 0 {
            let end = finder[index].end
            if start >= end || !writer.appendShort(unsafe chunk.uncheckedSlice(start, end), appended) {
                unsafe pieces.pointee = writer
                cursor.skip(to: start)
                cursor.forward(upTo: end) { unsafe pieces.pointee.append($0) }
                cursor.insert(appended) { unsafe pieces.pointee.append($0) }
                writer = unsafe pieces.pointee
            }
            start = end
            index &+= 1
        }
        cursor.skip(to: start)
        unsafe pieces.pointee = writer
        document.appended.uses &+= index &- found.lowerBound
        return index
    }

    /// The frequent loop: it works on values of its own, so that they stay in registers.
    @inline(__always)
    private mutating func appendWhileSimple(_ found: Range<Int>, _ cursor: inout OutputCursor, _ sink: Sink) -> Int {
        let lines = unsafe finder.lines(found.upperBound)
        var index = found.lowerBound
        var output = OutputCursor(chunk: cursor.view)
        output.skip(to: cursor.start)
        var appended = AppendedAttribute(document.appended.bytes)
        while index < found.upperBound, unsafe lines[index].end > 0 {
            unsafe appended.append(at: lines[index].end, commaIsNeeded: true, to: &output, sink)
            index &+= 1
        }
        cursor.skip(to: output.start)
        document.appended.uses &+= appended.uses
        return index
    }

    /// Does what is to be done with the line at `start`, which has no line feed before `unended`.
    @inline(never)
    mutating func handleLine(
        at start: Int, _ cursor: inout OutputCursor, _ handler: Handler, _ sink: Sink, unendedUpTo unended: Int = 0
    ) {
        let chunk = cursor.view
        switch classify(chunk, at: start, position: cursor.position &+ start) {
        case .ignored: return
        case .incomplete: carry(&cursor, from: start, as: .undecidedLine, sink)
        case .selected(let selection):
            let isUnended = unended > 0 && chunk.firstOffset(of: ASCII.lineFeed, from: unended) == nil
            let line =
                isUnended ? nil : LineBounds(chunk, from: start, as: selection, prefilter: program.prefilter)
            if (line?.end ?? chunk.count) &- start > limits.longestLine {
                exceedLimit(at: cursor.position + start, as: selection)
            } else if let line {
                handle(line, &cursor, handler, sink)
            } else {
                carry(&cursor, from: start, as: .selectedLine(selection), sink)
            }
        }
    }

    /// Keeps the unfinished line at `start` until more of it comes.
    private mutating func carry(
        _ cursor: inout OutputCursor, from start: Int, as state: Document.State, _ sink: Sink
    ) {
        cursor.forward(upTo: start, sink)
        carried.append(cursor.view.suffix(from: start))
        document.state = state
    }

    /// Stops what is done with lines of that selection at one that is too long and begins at stream position `line`.
    @inline(never)
    mutating func exceedLimit(at line: Int, as selection: Document.Selection) {
        document.state = .insideLine
        guard selection == .leftOut else {
            bailOut(tooLong(at: line - document.leftOutBytes))
            return
        }
        document.leavingOutEnd = line
        document.newLimit = .ofLeavingOut
        document.leavesOut = false
        _ = noteTag(at: line)
        if mode.passesThrough { document.state = .passingThrough }
    }

    /// The error of a line that is too long and begins at `position`.
    func tooLong(at position: Int) -> LimitError {
        LimitError(.longestLine, bytes: limits.longestLine, position: position)
    }

    /// Stops editing for good: what has not left yet passes through, and all that comes, but for lines that are left
    /// out.
    @inline(never)
    mutating func bailOut(_ error: LimitError) {
        document.exceededLimit = error
        if document.newLimit == .none { document.newLimit = .ofEditing }
        guard document.leavesOut else {
            document.state = .passingThrough
            return
        }
        // As in a text that is no playlist, nothing is edited. The verdict stays as it is.
        document.kind = .notPlaylist
        finder.setFilter(mode.filter)
    }

    /// Decides the signature and the line ending at once if the chunk begins with the whole first line, and nothing odd
    /// in it.
    private mutating func readFirstLine(of chunk: ByteView) {
        guard document.state == .signature, let usesCRLF = PlaylistSignature.usesCRLF(chunk) else { return }
        document.usesCRLF = usesCRLF
        document.state = .insideLine
    }

    private mutating func learnLineEnding(from chunk: ByteView) {
        guard let end = chunk.firstOffset(of: ASCII.lineFeed) else { return }
        document.usesCRLF = (end > 0 ? chunk[end - 1] : document.lastByte) == ASCII.carriageReturn
    }
}
