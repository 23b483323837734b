internal import ByteScan
public import CSurtitle
internal import WebVTT

/// A segmenter that a caller of the C interface keeps.
///
/// Segments are collected in one piece of memory, and pointers into it are made when all are there and nothing moves any more.
final class SegmenterHandle: Handle {
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

    private var segmenter: Segmenter
    private var bytes = ReusableBuffer<UInt8>()
    private var places = ReusableBuffer<Place>()
    private var segments = GrowingArray<CSegment>()

    init(_ boundaries: SegmentBoundaries, map: TimestampMap?, cuesOnce: Bool) {
        segmenter = Segmenter(boundaries, map: map, cuesOnce: cuesOnce)
    }

    /// Cuts `file`, which is whole.
    func cut(
        _ file: UnsafeRawBufferPointer, _ place: UnsafeMutablePointer<UnsafePointer<surtitle_segment>?>,
        _ number: UnsafeMutablePointer<Int>
    ) throws(Refusal) {
        bytes.removeAll()
        places.removeAll()
        segments.removeAll()
        do throws(SegmenterError) {
            try unsafe segmenter.segment(file) { note($0) }
        } catch {
            throw error.reason == .notWebVTT
                ? Refusal(SURTITLE_NOT_WEBVTT).at(0)
                : Refusal(SURTITLE_LIMIT_EXCEEDED, Self.words(for: error.reason)).at(error.position)
        }
        makeSegments()
        unsafe place.pointee = segments.start(as: surtitle_segment.self)
        unsafe number.pointee = segments.count
    }

    private static func words(for reason: SegmenterError.Reason) -> StaticString {
        let limits = Segmenter.Limits()
        return switch reason {
        case .tooManySegments(limit: limits.segments): "there would be too many segments"
        case .blockTooLong(limit: limits.largestBlock): "the block is too long"
        case .headTooLong(limit: limits.head): "the styles and regions are too long, which every segment would repeat"
        default: "segments would repeat too many bytes of earlier ones"
        }
    }

    private func note(_ event: SegmentEvent) {
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

    private func makeSegments() {
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
    }
}

extension SegmentBoundaries {
    /// The boundaries that a caller of the C interface asks for.
    fileprivate init(_ settings: surtitle_segment_settings) throws(Refusal) {
        let count = unsafe settings.duration_count
        guard count >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        guard unsafe settings.durations != nil || count == 0 else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        let (step, end) = unsafe (settings.step, settings.end)
        let durations = unsafe [UInt64](UnsafeBufferPointer(start: settings.durations, count: count))
        let boundaries: SegmentBoundaries? =
            if durations.isEmpty {
                SegmentBoundaries(every: step, until: end == 0 ? nil : end)
            } else if step == 0, end == 0 {
                SegmentBoundaries(durations: durations)
            } else {
                nil
            }
        guard let boundaries else { throw Refusal(SURTITLE_INVALID_VALUE) }
        self = boundaries
    }
}

/// `surtitle_segmenter_create` of surtitle.h.
@c @implementation
public func surtitle_segmenter_create(
    _ settings: UnsafePointer<surtitle_segment_settings>!, _ segmenter: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
    unsafe make(segmenter) { () throws(Refusal) in
        let settings = try unsafe Arguments.required(settings)
        try unsafe Arguments.check(size: settings.pointee.size, of: surtitle_segment_settings.self)
        let boundaries = try unsafe SegmentBoundaries(settings.pointee)
        let hasMap = try unsafe Arguments.truth(settings.pointee.has_map)
        let cuesOnce = try unsafe Arguments.truth(settings.pointee.cues_once)
        let map = try unsafe TimestampMap(
            mpegts: settings.pointee.mpegts, localMilliseconds: settings.pointee.local_milliseconds)
        return SegmenterHandle(boundaries, map: hasMap ? map : nil, cuesOnce: cuesOnce)
    }
}

/// `surtitle_segmenter_cut` of surtitle.h.
@c @implementation
public func surtitle_segmenter_cut(
    _ segmenter: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ count: Int,
    _ segments: UnsafeMutablePointer<UnsafePointer<surtitle_segment>?>!, _ segment_count: UnsafeMutablePointer<Int>!,
    _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe status(error) { () throws(Refusal) in
        let (place, number) = try unsafe (Arguments.place(segments), Arguments.place(segment_count))
        unsafe place.pointee = nil
        unsafe number.pointee = 0
        let file = try unsafe Arguments.bytes(bytes, count)
        let segmenter = try unsafe segmenter.shared(SegmenterHandle.self)
        try segmenter.enter()
        defer { segmenter.leave() }
        try unsafe segmenter.cut(file, place, number)
        return SURTITLE_OK.code
    }
}

/// `surtitle_segmenter_destroy` of surtitle.h.
@c @implementation
public func surtitle_segmenter_destroy(_ segmenter: OpaquePointer!) { unsafe segmenter.destroy(SegmenterHandle.self) }
