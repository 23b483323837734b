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

    /// Scans the lines from `start` on: leaves out maps. Returns from where on the chunk is to be kept.
    mutating func scanHeader(_ output: inout CarriedOutput, from start: Int, _ body: Sink) -> Int {
        let chunk = output.chunk
        var start = start
        while let line = carry.wholeLine(at: start, in: chunk) {
            if case .undecided = document.state, isMap(line.content, in: chunk) {
                leaveOut(line, &output, body)
            } else {
                document.endsInReturn = endsInReturn(line, chunk)
                let endsHeader = line.content.isEmpty || hasArrow(in: line.content, of: chunk)
                document.state = endsHeader ? .passingThrough : .undecided
                if endsHeader { return chunk.count }
            }
            start = line.end
        }
        return start < chunk.count ? startOfKept(from: start, of: chunk) : chunk.count
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

    private mutating func leaveOut(_ line: WholeLine, _ output: inout CarriedOutput, _ body: Sink) {
        output.forward(upTo: line.content.lowerBound, &carry, body)
        let keepsLineFeed = document.endsInReturn && !endsInReturn(line, output.chunk)
        output.skip(to: keepsLineFeed ? line.end &- 1 : line.end)
        if keepsLineFeed { document.endsInReturn = false }
    }

    /// What is to be kept of the line at `start`, which has not ended: all of it if it may be a map, and else its last
    /// two bytes.
    private mutating func startOfKept(from start: Int, of chunk: ByteView) -> Int {
        let name = ByteView(TimestampMap.name)
        let head = carry.bytes(in: start..<min(chunk.count, start &+ name.count), of: chunk).withoutLineEnd
        // A CR may be the last of the bytes.
        let mayFit = chunk.count &- start <= Self.longestLine &+ 1
        if case .undecided = document.state, mayFit, name.hasBytes(head, at: 0) { return start }
        document.state = .otherLine(hasArrow: hasArrow(in: start..<chunk.count, of: chunk))
        return max(start, chunk.count &- 2)
    }
}

extension ByteView {
    fileprivate var hasArrow: Bool { lastArrow(before: count) != nil }
}
