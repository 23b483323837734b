internal import ByteScan
internal import CSurtitle
internal import WebVTT

// Two ways through a segmenter of the C interface, which share one Segmenter and nothing else.
//
//     cut             file ─▶ Segmenter.segment ─▶ segments, each in one piece
//     write, finish   chunk ─▶ Segmenter.write ─▶ SegmentPieces ─▶ events in order
//
// A file that is cut as a whole takes the place of one that was under way.

/// A segmenter that a caller of the C interface keeps.
@safe
final class SegmenterHandle: Handle {
    private var segmenter: Segmenter

    /// The segments of a file that was cut as a whole.
    private var texts = HandedTexts()
    private var segments = unsafe ReusableBuffer<surtitle_segment>()

    /// What a chunk has become, and the same as the caller gets it.
    private var output = SegmentPieces()
    private var events = unsafe ReusableBuffer<surtitle_segment_event>()

    /// The number of the segment that has begun last: bytes belong to it, also those of later chunks.
    private var index = 0

    init(_ boundaries: SegmentBoundaries, map: TimestampMap?, cuesOnce: Bool) {
        segmenter = Segmenter(boundaries, map: map, cuesOnce: cuesOnce)
    }

    override func reset() {
        super.reset()
        segmenter.reset()
        texts.removeAll()
        unsafe segments.removeAll()
        output.removeAll()
        index = 0
    }

    /// How many bytes of a file that comes in chunks are held.
    var heldBytes: Int { hasEnded ? 0 : segmenter.heldBytes }

    /// Cuts `file`, which is whole.
    func cut(_ file: UnsafeRawBufferPointer, to place: ArrayPlace<surtitle_segment>) throws(Refusal) {
        reset()
        do throws(SegmenterError) {
            try unsafe segmenter.segment(file) { note($0) }
        } catch {
            throw Refusal(error)
        }
        unsafe place.give(segments.elements)
    }

    private func note(_ event: SegmentEvent) {
        switch event {
        case .began: break
        case .bytes(let slice): texts.add(slice.view)
        case .ended(let segment):
            let text = texts.take()
            unsafe segments.append(
                surtitle_segment(
                    bytes: text.start, count: text.count, start_nanoseconds: segment.start,
                    duration_nanoseconds: segment.duration, cue_count: UInt64(segment.cueCount)))
        }
    }

    /// Cuts the next chunk, or ends the file if that is nil. If that fails, what came before the cue to blame is handed out all the same.
    func write(
        _ chunk: UnsafeRawBufferPointer?, to place: ArrayPlace<surtitle_segment_event>
    ) throws(Refusal) {
        try checkOpen()
        hasEnded = unsafe chunk == nil
        var failure: SegmenterError?
        do throws(SegmenterError) {
            if let chunk = unsafe chunk {
                try unsafe segmenter.write(chunk, into: &output)
            } else {
                try segmenter.finish(into: &output)
            }
        } catch {
            failure = error
        }
        unsafe events.removeAll()
        for piece in output { unsafe events.append(event(piece, of: chunk)) }
        unsafe place.give(events.elements)
        if let failure { throw Refusal(failure) }
    }

    private func event(_ piece: SegmentPiece, of chunk: UnsafeRawBufferPointer?) -> surtitle_segment_event {
        var event = unsafe surtitle_segment_event()
        unsafe event.chunk_offset = -1
        switch piece {
        case .began(let index):
            self.index = index
            unsafe event.kind = Int32(SURTITLE_SEGMENT_BEGAN.rawValue)
        case .bytes(let piece):
            let piece = unsafe surtitle_piece(piece, in: chunk)
            unsafe event.kind = Int32(SURTITLE_SEGMENT_BYTES.rawValue)
            unsafe (event.bytes, event.count, event.chunk_offset) = (piece.bytes, piece.count, piece.chunk_offset)
        case .ended(let segment):
            unsafe event.kind = Int32(SURTITLE_SEGMENT_ENDED.rawValue)
            unsafe event.start_nanoseconds = segment.start
            unsafe event.duration_nanoseconds = segment.duration
            unsafe event.cue_count = UInt64(segment.cueCount)
        }
        unsafe event.index = UInt64(index)
        return unsafe event
    }

    /// Breaks the file off: what is held is never handed out.
    func abandon() throws(Refusal) {
        try checkOpen()
        hasEnded = true
        segmenter.abandon()
    }
}
