import ByteScan

/// The part of a chunk that has not been handed out yet and is to be forwarded as it stands.
struct ForwardedRun {
    let chunk: ByteView
    private var start = 0

    init(_ chunk: ByteView) { self.chunk = chunk }

    /// Hands out the run up to `end`, where it has any byte.
    mutating func flush(upTo end: Int, _ body: (OutputSlice) -> Void) {
        if end > start { body(OutputSlice(chunkAt: start, chunk[start..<end])) }
        start = max(start, end)
    }

    /// Leaves out everything up to `end`.
    mutating func skip(to end: Int) { start = max(start, end) }
}
