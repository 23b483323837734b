internal import ByteScan

/// The bytes of one view that are on their way out unchanged: everything from `start` on.
struct Run {
    let view: ByteView
    /// Whether the view is the chunk just written, and not memory of the library's own.
    let isChunk: Bool
    /// The stream position of the view's first byte.
    let position: Int
    private(set) var start = 0

    init(_ view: ByteView, isChunk: Bool, position: Int) {
        self.view = view
        self.isChunk = isChunk
        self.position = position
    }

    /// Hands out what has not been, up to `end`.
    @inline(__always)
    mutating func flush(upTo end: Int, _ body: PlaylistRewriter.Sink) {
        if start < end {
            body(isChunk ? OutputSlice(chunk: view, range: start..<end) : OutputSlice(library: view[start..<end]))
        }
        start = end
    }

    /// Passes over everything before `end`, which is not to be handed out.
    @inline(__always)
    mutating func skip(to end: Int) { start = end }
}
