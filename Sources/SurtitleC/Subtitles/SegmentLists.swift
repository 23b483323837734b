internal import ByteScan
internal import CSurtitle
internal import WebVTT

/// The segments of a whole file as the caller gets them: an array of `surtitle_segment`.
///
/// Their bytes are collected in one piece of memory, and pointers into it are made when all are there and nothing moves any more.
struct SegmentList: ~Copyable {
    /// A segment, laid out as the C struct is.
    @safe
    private struct CSegment {
        let segment: surtitle_segment
    }

    private struct Place: BitwiseCopyable {
        let start: Int
        let end: Int
        let time: UInt64
        let duration: UInt64
        let cueCount: Int
    }

    private var bytes = ReusableBuffer<UInt8>()
    private var places = ReusableBuffer<Place>()
    private var segments = GrowingArray<CSegment>()

    mutating func removeAll() {
        bytes.removeAll()
        places.removeAll()
        segments.removeAll()
    }

    /// Takes what a segmenter hands out.
    mutating func note(_ event: SegmentEvent) {
        switch event {
        case .began: break
        case .bytes(let slice): bytes.append(slice.view)
        case .ended(let segment):
            let start = places.isEmpty ? 0 : places[places.count - 1].end
            places.append(
                Place(
                    start: start, end: bytes.count, time: segment.start, duration: segment.duration,
                    cueCount: segment.cueCount))
        }
    }

    /// Tells the caller where the segments are and how many, once all have been noted.
    mutating func give(to place: ArrayPlace) {
        segments.removeAll()
        for index in 0..<places.count {
            let place = places[index]
            let view = unsafe bytes.view[place.start..<place.end].buffer
            unsafe segments.append(
                CSegment(
                    segment: surtitle_segment(
                        bytes: view.baseAddress?.assumingMemoryBound(to: UInt8.self), count: view.count,
                        start_nanoseconds: place.time, duration_nanoseconds: place.duration,
                        cue_count: UInt64(place.cueCount))))
        }
        segments.give(to: place)
    }
}

/// What a chunk has become as the caller gets it: an array of `surtitle_segment_event`.
struct SegmentEventList: ~Copyable {
    /// An event, laid out as the C struct is.
    @safe
    private struct CEvent {
        let event: surtitle_segment_event
    }

    private var events = GrowingArray<CEvent>()

    /// The number of the segment that has begun last: bytes belong to it, also those of later chunks.
    private var index = 0

    /// Forgets the file.
    mutating func removeAll() {
        events.removeAll()
        index = 0
    }

    /// Takes the pieces of `output`, whose chunk is `chunk`.
    mutating func fill(_ output: SegmentPieces, _ chunk: UnsafeRawBufferPointer) {
        events.removeAll()
        for piece in output {
            switch piece {
            case .began(let index):
                self.index = index
                append(SURTITLE_SEGMENT_BEGAN)
            case .bytes(let piece): unsafe append(SURTITLE_SEGMENT_BYTES, surtitle_piece(piece, in: chunk))
            case .ended(let segment): append(SURTITLE_SEGMENT_ENDED, segment)
            }
        }
    }

    /// Tells the caller where the events are and how many.
    func give(to place: ArrayPlace) { events.give(to: place) }

    private mutating func append(_ kind: surtitle_segment_event_kind, _ segment: Segment? = nil) {
        let none = unsafe surtitle_piece(UnsafeRawBufferPointer(start: nil, count: 0), chunkOffset: nil)
        unsafe append(kind, none, segment)
    }

    private mutating func append(
        _ kind: surtitle_segment_event_kind, _ piece: surtitle_piece, _ segment: Segment? = nil
    ) {
        let event = unsafe surtitle_segment_event(
            kind: Int32(kind.rawValue), reserved: 0, index: UInt64(index), bytes: piece.bytes, count: piece.count,
            chunk_offset: piece.chunk_offset, start_nanoseconds: segment?.start ?? 0,
            duration_nanoseconds: segment?.duration ?? 0, cue_count: UInt64(segment?.cueCount ?? 0))
        events.append(unsafe CEvent(event: event))
    }
}
