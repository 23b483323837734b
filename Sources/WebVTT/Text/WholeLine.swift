import ByteScan

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
