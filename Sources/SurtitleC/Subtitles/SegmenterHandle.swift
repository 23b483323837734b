// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
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
    fileprivate var segmenter: Segmenter

    /// The segments of a file that was cut as a whole.
    private var texts = HandedTexts()
    private var segments = unsafe ReusableBuffer<surtitle_segment>()

    /// What a chunk has become, and the same as the caller gets it.
    private var output = SegmentPieces()
    private var events = unsafe ReusableBuffer<surtitle_segment_event>()

    /// The number of the segment that has begun last: bytes belong to it, also those of later chunks.
    private var index = 0

    init(_ segmenter: consuming Segmenter) { self.segmenter = segmenter }

    override func reset() {
        super.reset()
        segmenter.reset()
        texts.removeAll()
        unsafe segments.removeAll()
        index = 0
    }

    fileprivate func cut(
        to place: ArrayPlace<surtitle_segment>, _ file: UnsafeRawBufferPointer
    ) throws(Refusal) {
        reset()
        try refusing(try unsafe segmenter.segment(file) { note($0) }) { Refusal(segmenter: $0) }
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

    /// Cuts the next chunk, or ends the file if that is nil. If that fails, what came before the cue to blame is handed
    /// out all the same.
    fileprivate func write(
        to place: ArrayPlace<surtitle_segment_event>, _ chunk: UnsafeRawBufferPointer?
    ) throws(Refusal) {
        try unsafe begin(chunk)
        defer {
            unsafe events.removeAll()
            for piece in output { unsafe events.append(event(piece, of: chunk)) }
            unsafe place.give(events.elements)
        }
        if let chunk = unsafe chunk {
            try refusing(try unsafe segmenter.write(chunk, into: &output)) { Refusal(segmenter: $0) }
        } else {
            try refusing(try segmenter.finish(into: &output)) { Refusal(segmenter: $0) }
        }
    }

    private func event(_ piece: SegmentPiece, of chunk: UnsafeRawBufferPointer?) -> surtitle_segment_event {
        var (kind, bytes, segment) = unsafe (SURTITLE_SEGMENT_BYTES, surtitle_piece(), Segment?.none)
        unsafe bytes.chunk_offset = -1
        switch piece {
        case .began(let index): (kind, self.index) = (SURTITLE_SEGMENT_BEGAN, index)
        case .bytes(let piece): unsafe bytes = surtitle_piece(piece, in: chunk)
        case .ended(let ended): (kind, segment) = (SURTITLE_SEGMENT_ENDED, ended)
        }
        return unsafe surtitle_segment_event(
            kind: Int32(kind.rawValue), reserved: 0, index: UInt64(index), bytes: bytes.bytes, count: bytes.count,
            chunk_offset: bytes.chunk_offset, start_nanoseconds: segment?.start ?? 0,
            duration_nanoseconds: segment?.duration ?? 0, cue_count: UInt64(segment?.cueCount ?? 0))
    }
}

extension Segmenter {
    fileprivate init(_ settings: surtitle_segment_settings) throws(Refusal) {
        let (step, end) = unsafe (settings.step, settings.end)
        let durations = try unsafe [UInt64](Arguments.array(settings.durations, settings.duration_count))
        guard durations.isEmpty || step == 0 && end == 0,
            let boundaries = durations.isEmpty
                ? SegmentBoundaries(every: step, until: end == 0 ? nil : end) : SegmentBoundaries(durations: durations)
        else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let hasMap = try unsafe Arguments.truth(settings.has_map)
        let cuesOnce = try unsafe Arguments.truth(settings.cues_once)
        let map = try unsafe TimestampMap(mpegts: settings.mpegts, localMilliseconds: settings.local_milliseconds)
        self.init(boundaries, map: hasMap ? map : nil, cuesOnce: cuesOnce)
    }
}

@c @implementation
public func surtitle_segmenter_create(
    _ settings: UnsafePointer<surtitle_segment_settings>!, _ segmenter: Place<OpaquePointer?>!
) -> Int32 {
    unsafe make(segmenter, nil, try unsafe SegmenterHandle(Segmenter(Arguments.sized(settings))))
}

@c @implementation
public func surtitle_segmenter_cut(
    _ segmenter: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int, _ segments: StartPlace<surtitle_segment>!,
    _ segment_count: Place<Int>!, _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe segmenter.use(SegmenterHandle.self, error) { segmenter throws(Refusal) in
        try unsafe segmenter.cut(to: ArrayPlace(segments, segment_count), Arguments.bytes(bytes, count))
    }
}

@c @implementation
public func surtitle_segmenter_write(
    _ segmenter: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int,
    _ events: StartPlace<surtitle_segment_event>!, _ event_count: Place<Int>!, _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe segmenter.use(SegmenterHandle.self, error) { segmenter throws(Refusal) in
        try unsafe segmenter.write(to: ArrayPlace(events, event_count), Arguments.bytes(bytes, count))
    }
}

@c @implementation
public func surtitle_segmenter_finish(
    _ segmenter: OpaquePointer!, _ events: StartPlace<surtitle_segment_event>!, _ event_count: Place<Int>!,
    _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe segmenter.use(SegmenterHandle.self, error) { segmenter throws(Refusal) in
        try unsafe segmenter.write(to: ArrayPlace(events, event_count), nil)
    }
}

@c @implementation
public func surtitle_segmenter_abandon(_ segmenter: OpaquePointer!) -> Int32 {
    unsafe segmenter.use(SegmenterHandle.self) { segmenter throws(Refusal) in
        try unsafe segmenter.begin(nil)
        segmenter.segmenter.abandon()
    }
}

@c @implementation
public func surtitle_segmenter_held_bytes(_ segmenter: OpaquePointer!, _ held: Place<UInt64>!) -> Int32 {
    unsafe segmenter.use(SegmenterHandle.self) { segmenter throws(Refusal) in
        try unsafe Arguments.required(held).pointee = UInt64(segmenter.hasEnded ? 0 : segmenter.segmenter.heldBytes)
    }
}

@c @implementation
public func surtitle_segmenter_reset(_ segmenter: OpaquePointer!) -> Int32 { unsafe segmenter.reset() }

@c @implementation
public func surtitle_segmenter_destroy(_ segmenter: OpaquePointer!) { unsafe segmenter.destroy(SegmenterHandle.self) }
