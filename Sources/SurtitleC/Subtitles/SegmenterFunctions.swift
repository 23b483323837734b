public import CSurtitle
internal import WebVTT

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
        let settings = try unsafe Arguments.sized(settings)
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
    unsafe segmenter.use(SegmenterHandle.self, error) { segmenter throws(Refusal) in
        let place = try unsafe ArrayPlace(segments, segment_count)
        return try unsafe segmenter.cut(Arguments.bytes(bytes, count), to: place)
    }
}

/// `surtitle_segmenter_write` of surtitle.h.
@c @implementation
public func surtitle_segmenter_write(
    _ segmenter: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ count: Int,
    _ events: UnsafeMutablePointer<UnsafePointer<surtitle_segment_event>?>!, _ event_count: UnsafeMutablePointer<Int>!,
    _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe segmenter.use(SegmenterHandle.self, error) { segmenter throws(Refusal) in
        let place = try unsafe ArrayPlace(events, event_count)
        return try unsafe segmenter.write(Arguments.bytes(bytes, count), to: place)
    }
}

/// `surtitle_segmenter_finish` of surtitle.h.
@c @implementation
public func surtitle_segmenter_finish(
    _ segmenter: OpaquePointer!, _ events: UnsafeMutablePointer<UnsafePointer<surtitle_segment_event>?>!,
    _ event_count: UnsafeMutablePointer<Int>!, _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe segmenter.use(SegmenterHandle.self, error) { segmenter throws(Refusal) in
        try unsafe segmenter.finish(to: ArrayPlace(events, event_count))
    }
}

/// `surtitle_segmenter_abandon` of surtitle.h.
@c @implementation
public func surtitle_segmenter_abandon(_ segmenter: OpaquePointer!) -> Int32 {
    unsafe segmenter.use(SegmenterHandle.self) { segmenter throws(Refusal) in try segmenter.abandon() }
}

/// `surtitle_segmenter_held_bytes` of surtitle.h.
@c @implementation
public func surtitle_segmenter_held_bytes(_ segmenter: OpaquePointer!, _ held: UnsafeMutablePointer<UInt64>!) -> Int32 {
    unsafe segmenter.use(SegmenterHandle.self) { segmenter throws(Refusal) in
        let place = try unsafe Arguments.place(held)
        unsafe place.pointee = UInt64(segmenter.heldBytes)
        return SURTITLE_OK.code
    }
}

/// `surtitle_segmenter_reset` of surtitle.h.
@c @implementation
public func surtitle_segmenter_reset(_ segmenter: OpaquePointer!) -> Int32 { unsafe segmenter.reset() }

/// `surtitle_segmenter_destroy` of surtitle.h.
@c @implementation
public func surtitle_segmenter_destroy(_ segmenter: OpaquePointer!) { unsafe segmenter.destroy(SegmenterHandle.self) }
