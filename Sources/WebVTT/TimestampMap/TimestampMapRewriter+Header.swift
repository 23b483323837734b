import ByteScan

// How the header is scanned.
//
// Lines are scanned whole, with their terminators (WholeLine). Offsets below 0 are of earlier chunks.
//
//     X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0⏎    left out
//     Kind: captions⏎                                 passes through
//     ⏎                                               ends the header, and so does a line with an arrow
extension TimestampMapRewriter {
    /// The most bytes of a line that are kept.
    private static var longestLine: Int { 64 << 10 }

    /// Scans the lines from `start` on: leaves out maps, and carries the last line if it has not ended.
    mutating func scanHeader(_ cursor: inout OutputCursor, from start: Int, _ body: Sink) {
        let chunk = cursor.view
        var start = start
        while let line = carry.wholeLine(at: start, in: chunk) {
            if case .undecided = document.state, isMap(line.content, in: chunk) {
                leaveOut(line, &cursor, body)
            } else {
                let endsHeader = line.content.isEmpty || hasArrow(in: line.content, of: chunk)
                forwardCarried(upTo: line.end, &cursor, body)
                document.endsInReturn = line.end > 0 ? chunk[line.end &- 1] == ASCII.carriageReturn : true
                document.state = endsHeader ? .passingThrough : .undecided
                if endsHeader { return }
            }
            start = line.end
        }
        if start < chunk.count { carryLine(from: start, &cursor, body) }
    }

    /// Whether a line's content is a map without an arrow.
    mutating func isMap(_ content: Range<Int>, in chunk: ByteView) -> Bool {
        let name = ByteView(TimestampMap.name)
        guard (name.count...Self.longestLine).contains(content.count) else { return false }
        return carry.bytes(in: content.lowerBound..<(content.lowerBound &+ name.count), of: chunk) == name
            && !hasArrow(in: content, of: chunk)
    }

    /// Whether the line has an arrow, in `content` or in what has passed through of it.
    private mutating func hasArrow(in content: Range<Int>, of chunk: ByteView) -> Bool {
        if case .otherLine(hasArrow: true) = document.state { return true }
        // An arrow that began in an earlier chunk ends among the first two bytes of this one.
        let before = min(content.lowerBound, 0)..<min(content.upperBound, 2)
        if content.lowerBound < 0, carry.bytes(in: before, of: chunk).hasArrow { return true }
        return content.upperBound > 0 && chunk[max(content.lowerBound, 0)..<content.upperBound].hasArrow
    }

    private mutating func leaveOut(_ line: WholeLine, _ cursor: inout OutputCursor, _ body: Sink) {
        cursor.forward(upTo: max(line.content.lowerBound, 0), body)
        let keepsLineFeed = document.endsInReturn && line.end > 0 && cursor.view[line.end &- 1] == ASCII.lineFeed
        cursor.skip(to: keepsLineFeed ? line.end &- 1 : line.end)
        if keepsLineFeed { document.endsInReturn = false }
        carry.removeAll()
    }

    /// Carries the line at `start`, which has not ended: all of it if it may be a map, and else its last two bytes.
    private mutating func carryLine(from start: Int, _ cursor: inout OutputCursor, _ body: Sink) {
        let chunk = cursor.view
        let name = ByteView(TimestampMap.name)
        let head = carry.bytes(in: start..<min(chunk.count, start &+ name.count), of: chunk).withoutLineEnd
        // A CR may be the last of the bytes.
        let mayFit = chunk.count &- start <= Self.longestLine &+ 1
        if case .undecided = document.state, mayFit, name.hasBytes(head, at: 0) {
            return keep(start..<chunk.count, &cursor, body)
        }
        document.state = .otherLine(hasArrow: hasArrow(in: start..<chunk.count, of: chunk))
        let tail = max(start, chunk.count &- 2)
        forwardCarried(upTo: tail, &cursor, body)
        keep(tail..<chunk.count, &cursor, body)
    }

    /// Hands out the bytes carried before `end`; what is before it of the chunk is left to the cursor.
    mutating func forwardCarried(upTo end: Int, _ cursor: inout OutputCursor, _ body: Sink) {
        let end = min(end, 0)
        guard carry.start < end else { return }
        cursor.insert(carry.bytes(in: carry.start..<end, of: cursor.view), body)
        if end == 0 { carry.removeAll() }
    }

    /// Carries `range`, which ends with the chunk, to the next one, and leaves it out of this one's output.
    mutating func keep(_ range: Range<Int>, _ cursor: inout OutputCursor, _ body: Sink) {
        cursor.forward(upTo: max(range.lowerBound, 0), body)
        cursor.skip(to: cursor.view.count)
        carry.keep(range, of: cursor.view)
    }
}

extension ByteView {
    fileprivate var hasArrow: Bool { lastArrow(before: count) != nil }
}
