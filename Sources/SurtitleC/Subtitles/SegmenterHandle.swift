internal import ByteScan
internal import CSurtitle
internal import WebVTT

// Two ways through a segmenter of the C interface, which share one Segmenter and nothing else.
//
//     cut             file ─▶ Segmenter.segment ─▶ SegmentList: each segment in one piece
//     write, finish   chunk ─▶ Segmenter.write ─▶ SegmentPieces ─▶ SegmentEventList: events in order
//
// A file that is cut as a whole takes the place of one that was under way.

/// A segmenter that a caller of the C interface keeps.
final class SegmenterHandle: Handle {
    private enum State {
        case open
        /// The file has been finished or abandoned.
        case ended
    }

    private var segmenter: Segmenter
    private var state = State.open

    /// The segments of a file that was cut as a whole.
    private var segments = SegmentList()

    /// What a chunk has become, and the same as the caller gets it.
    private var output = SegmentPieces()
    private var events = SegmentEventList()

    init(_ boundaries: SegmentBoundaries, map: TimestampMap?, cuesOnce: Bool) {
        segmenter = Segmenter(boundaries, map: map, cuesOnce: cuesOnce)
    }

    override func reset() {
        segmenter.reset()
        state = .open
        segments.removeAll()
        output.removeAll()
        events.removeAll()
    }

    /// How many bytes of a file that comes in chunks are held.
    var heldBytes: Int {
        switch state {
        case .open: segmenter.heldBytes
        case .ended: 0
        }
    }

    /// Cuts `file`, which is whole.
    func cut(_ file: UnsafeRawBufferPointer, to place: ArrayPlace) throws(Refusal) -> Int32 {
        reset()
        do throws(SegmenterError) {
            try unsafe segmenter.segment(file) { segments.note($0) }
        } catch {
            throw Refusal(error)
        }
        segments.give(to: place)
        return SURTITLE_OK.code
    }

    /// Cuts the next chunk. If that fails, what came before the cue to blame is handed out all the same.
    func write(_ chunk: UnsafeRawBufferPointer, to place: ArrayPlace) throws(Refusal) -> Int32 {
        try checkOpen()
        var failure: SegmenterError?
        do throws(SegmenterError) { try unsafe segmenter.write(chunk, into: &output) } catch { failure = error }
        return try unsafe handOut(chunk, to: place, failure)
    }

    /// Ends the file, and fails as `write` does.
    func finish(to place: ArrayPlace) throws(Refusal) -> Int32 {
        try checkOpen()
        state = .ended
        var failure: SegmenterError?
        do throws(SegmenterError) { try segmenter.finish(into: &output) } catch { failure = error }
        return try unsafe handOut(UnsafeRawBufferPointer(start: nil, count: 0), to: place, failure)
    }

    /// Breaks the file off: what is held is never handed out.
    func abandon() throws(Refusal) -> Int32 {
        try checkOpen()
        state = .ended
        segmenter.abandon()
        return SURTITLE_OK.code
    }

    private func checkOpen() throws(Refusal) {
        guard case .open = state else { throw Refusal(SURTITLE_ENDED) }
    }

    private func handOut(
        _ chunk: UnsafeRawBufferPointer, to place: ArrayPlace, _ failure: SegmenterError?
    ) throws(Refusal) -> Int32 {
        unsafe events.fill(output, chunk)
        events.give(to: place)
        if let failure { throw Refusal(failure) }
        return SURTITLE_OK.code
    }
}
