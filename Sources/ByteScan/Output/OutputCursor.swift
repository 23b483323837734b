// How bytes leave a rewriter.
//
// A cursor goes over one view, first byte to last. What lies between two edits is one run, and leaves as one slice:
//
//     bytes         #EXT-X-KEY:METHOD=NONE,A=1⏎a.ts⏎
//                   ↑ start           └──┘            replace(18..<22, with: "AES-128")
//     slices        #EXT-X-KEY:METHOD=  AES-128       … and start is 22
//
// The view is the chunk just written, whose slices have offsets, or carried bytes, whose slices have none: they lie in memory
// of the library's own. Both are valid during one call only, so each call makes its own cursor.
//
// Invariant: 0 ≤ start ≤ view.count, and start only grows. The bytes before it have been forwarded or skipped.
//
// For those who change this: every byte of the output passes through `insert` or `slice(upTo:)`, so here is the place to collect the
// output and to merge short pieces.

/// The bytes of one view on their way out: all in order, except for what is skipped and what is inserted.
@safe
package struct OutputCursor {
    /// Takes a slice of the output.
    package typealias Sink = (OutputSlice) -> Void

    /// The bytes that the cursor goes over.
    package let view: ByteView

    /// The stream position, in bytes, of the view's first byte.
    package let position: Int

    /// Where the bytes start that have been neither forwarded nor skipped.
    @inlinable package var start: Int { next }

    @usableFromInline var next = 0
    @usableFromInline let isChunk: Bool

    /// A cursor over the chunk just written, which begins at `position` of the stream.
    @inlinable @inline(__always)
    package init(chunk view: ByteView, position: Int = 0) {
        self.view = view
        self.position = position
        isChunk = true
    }

    /// A cursor over bytes in memory of the library's own, which begin at `position` of the stream.
    @inlinable @inline(__always)
    package init(carried view: ByteView, position: Int = 0) {
        self.view = view
        self.position = position
        isChunk = false
    }

    /// Forwards the bytes before `end` that have not left yet. Does nothing if `end` is not after ``start``.
    @inlinable @inline(__always)
    package mutating func forward(upTo end: Int, _ sink: Sink) {
        if let slice = slice(upTo: end) { sink(slice) }
    }

    /// Forwards the rest of the view.
    @inlinable @inline(__always)
    package mutating func forwardRest(_ sink: Sink) { forward(upTo: view.count, sink) }

    /// Leaves out the bytes before `end` that have not left yet. Does nothing if `end` is not after ``start``.
    @inlinable @inline(__always)
    package mutating func skip(to end: Int) {
        precondition(end <= view.count, "offset outside the view")
        next = max(next, end)
    }

    /// Hands out `bytes` of the library's own, if there are any.
    @inlinable @inline(__always)
    package mutating func insert(_ bytes: ByteView, _ sink: Sink) {
        if !bytes.isEmpty { sink(OutputSlice(library: bytes)) }
    }

    /// Forwards the bytes before `range`, and hands out `bytes` in the place of those in it.
    @inlinable @inline(__always)
    package mutating func replace(_ range: Range<Int>, with bytes: ByteView, _ sink: Sink) {
        forward(upTo: range.lowerBound, sink)
        insert(bytes, sink)
        skip(to: range.upperBound)
    }

    /// The bytes before `end` that have not left yet, for the caller to hand out; nil if there are none.
    @inlinable @inline(__always)
    package mutating func slice(upTo end: Int) -> OutputSlice? {
        precondition(end <= view.count, "offset outside the view")
        guard next < end else { return nil }
        let bytes = unsafe view.uncheckedSlice(next, end)
        let slice = isChunk ? OutputSlice(chunkAt: next, bytes) : OutputSlice(library: bytes)
        next = end
        return slice
    }
}
