internal import ByteScan

/// The bytes of one view that are on their way out unchanged: everything from `start` on.
struct Run {
    let view: ByteView
    /// The stream position of the view's first byte.
    let position: Int
    /// Where the bytes start that have not been handed out, never behind the view's end.
    private(set) var start = 0
    /// All ones for memory of the library's own, so that it has no offset; 0 for the chunk just written.
    private let offsetMask: Int

    init(_ view: ByteView, isChunk: Bool, position: Int) {
        self.view = view
        self.position = position
        offsetMask = isChunk ? 0 : -1
    }

    /// Hands out what has not been, up to `end`, which is in the view.
    @inline(__always)
    mutating func flush(upTo end: Int, _ body: PlaylistRewriter.Sink) {
        if start < end {
            body(OutputSlice(chunkAt: start | offsetMask, unsafe view.uncheckedSlice(start, end)))
            start = end
        }
    }

    /// Passes over everything before `end`, which is not to be handed out.
    mutating func skip(to end: Int) {
        precondition(end <= view.count, "offset outside the view")
        start = max(start, end)
    }
}
