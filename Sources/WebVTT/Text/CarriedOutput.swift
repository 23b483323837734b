import ByteScan

/// The output of a rewriter during one chunk: first what is carried of earlier chunks, then the chunk.
///
/// Offsets below 0 are of earlier chunks. What is forwarded of the chunk leaves only when something else comes next, so
/// that bytes that lie together leave together.
struct CarriedOutput {
    let chunk: ByteView
    private var cursor: OutputCursor
    /// Where the carried bytes begin that have been neither handed out nor skipped.
    private var carriedStart: Int

    init(_ chunk: ByteView, carriedFrom carriedStart: Int) {
        self.chunk = chunk
        self.carriedStart = carriedStart
        cursor = OutputCursor(chunk: chunk)
    }

    /// Hands out the bytes before `end` that have not left yet.
    mutating func forward(upTo end: Int, _ carry: inout CarryBuffer, _ sink: OutputCursor.Sink) {
        let carriedEnd = min(end, 0)
        if carriedStart < carriedEnd {
            cursor.insert(carry.bytes(in: carriedStart..<carriedEnd, of: chunk), sink)
            carriedStart = carriedEnd
        }
        if end > 0 { cursor.forward(upTo: end, sink) }
    }

    /// Hands out `bytes`, of which there is at least one, after what has been forwarded.
    mutating func insert(_ bytes: ByteView, _ sink: OutputCursor.Sink) { cursor.insert(bytes, sink) }

    /// Leaves out the bytes before `end` that have not left yet.
    mutating func skip(to end: Int) {
        carriedStart = max(carriedStart, min(end, 0))
        if end > 0 { cursor.skip(to: end) }
    }

    /// Hands out the bytes before `range`, and `bytes`, of which there is at least one, in the place of those in it.
    mutating func replace(
        _ range: Range<Int>, with bytes: ByteView, _ carry: inout CarryBuffer, _ sink: OutputCursor.Sink
    ) {
        forward(upTo: range.lowerBound, &carry, sink)
        cursor.insert(bytes, sink)
        skip(to: range.upperBound)
    }
}

/// A line whose terminator has come, or that the file ends.
///
/// A line that ends with a CR is whole when the byte after it has come, which may be an LF of the same terminator.
struct WholeLine {
    let content: Range<Int>
    /// Where the next line begins.
    let end: Int
}

extension CarryBuffer {
    /// The line that begins at `start`, in what is carried or in `chunk`; nil if the byte that shows where it ends has
    /// not come.
    ///
    /// Of a line that begins in what is carried, only a CR at the end can have come of its terminator.
    func wholeLine(at start: Int, in chunk: ByteView) -> WholeLine? {
        if start < 0, view.last == ASCII.carriageReturn {
            return WholeLine(content: start..<(-1), end: chunk[0] == ASCII.lineFeed ? 1 : 0)
        }
        guard let end = chunk.firstLineEnd(from: max(start, 0)) else { return nil }
        if chunk[end] == ASCII.carriageReturn, end &+ 1 == chunk.count { return nil }
        return WholeLine(content: start..<end, end: chunk.offsetAfterLineEnd(at: end))
    }
}
