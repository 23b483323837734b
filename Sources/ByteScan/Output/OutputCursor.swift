// How bytes leave a rewriter.
//
// A cursor goes over one view, first byte to last. What lies between two edits is one run, and leaves as one slice:
//
//     bytes         #EXT-X-KEY:METHOD=NONE,A=1⏎a.ts⏎
//                   ↑ start           └──┘            replace(18..<22, with: "AES-128")
//     slices        #EXT-X-KEY:METHOD=  AES-128       … and start is 22
//
// The view is the chunk just written, whose slices have offsets, or carried bytes, whose slices have none: they lie in
// memory of the library's own. Both are valid during one call only, so each call makes its own cursor.
//
// Invariant: 0 ≤ start ≤ view.count, and start only grows. The bytes before it have been forwarded or skipped.
//
// For those who change this: every byte of the output passes through `uncheckedForward(upTo:)` or `insert`, so here is
// the place to collect the output and to merge short pieces. `@usableFromInline` on the type is what lets other modules
// inline its methods: without it rewriting a large master took 14 % more instructions.

/// The bytes of one view on their way out: all in order, except for what is skipped and what is inserted.
@safe
@usableFromInline
package struct OutputCursor {
    /// Takes a slice of the output.
    @usableFromInline package typealias Sink = (OutputSlice) -> Void

    /// The bytes that the cursor goes over.
    @usableFromInline package let view: ByteView

    /// The stream position, in bytes, of the view's first byte.
    @usableFromInline package let position: Int

    /// Where the bytes start that have been neither forwarded nor skipped.
    @inlinable package var start: Int { next }

    @usableFromInline var next = 0

    /// All ones for carried bytes, so that their slices have no offset; 0 for the chunk.
    @usableFromInline let offsetMask: Int

    /// A cursor over the chunk just written, which begins at `position` of the stream.
    @inlinable @inline(__always)
    package init(chunk view: ByteView, position: Int = 0) {
        self.view = view
        self.position = position
        offsetMask = 0
    }

    /// A cursor over bytes in memory of the library's own, which begin at `position` of the stream.
    @inlinable @inline(__always)
    package init(carried view: ByteView, position: Int = 0) {
        self.view = view
        self.position = position
        offsetMask = -1
    }

    /// Forwards the bytes before `end` that have not left yet. Does nothing if `end` is not after ``start``.
    @inlinable @inline(__always)
    package mutating func forward(upTo end: Int, _ sink: Sink) {
        precondition(end <= view.count, "offset outside the view")
        unsafe uncheckedForward(upTo: end, sink)
    }

    /// Forwards like ``forward(upTo:_:)`` up to an `end` that the caller knows to be in the view: a debug build checks
    /// it.
    @unsafe @inlinable @inline(__always)
    package mutating func uncheckedForward(upTo end: Int, _ sink: Sink) {
        if next < end {
            sink(OutputSlice(chunkAt: next | offsetMask, unsafe view.uncheckedSlice(next, end)))
            next = end
        }
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

    /// Hands out `bytes` of the library's own, of which there is at least one.
    @inlinable @inline(__always)
    package mutating func insert(_ bytes: ByteView, _ sink: Sink) {
        assert(!bytes.isEmpty, "a slice of nothing")
        sink(OutputSlice(library: bytes))
    }

    /// Forwards the bytes before `range`, and hands out `bytes` in the place of those in it.
    @inlinable @inline(__always)
    package mutating func replace(_ range: Range<Int>, with bytes: ByteView, _ sink: Sink) {
        forward(upTo: range.lowerBound, sink)
        if !bytes.isEmpty { insert(bytes, sink) }
        skip(to: range.upperBound)
    }
}
