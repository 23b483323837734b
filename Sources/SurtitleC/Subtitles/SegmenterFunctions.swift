public import CSurtitle
internal import WebVTT

extension SegmentBoundaries {
    /// The boundaries that a caller of the C interface asks for.
    fileprivate init(_ settings: surtitle_segment_settings) throws(Refusal) {
        let (step, end) = unsafe (settings.step, settings.end)
        let durations = try unsafe [UInt64](Arguments.array(settings.durations, settings.duration_count))
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
        let boundaries = try unsafe SegmentBoundaries(settings)
        let hasMap = try unsafe Arguments.truth(settings.has_map)
        let cuesOnce = try unsafe Arguments.truth(settings.cues_once)
        let map = try unsafe TimestampMap(mpegts: settings.mpegts, localMilliseconds: settings.local_milliseconds)
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
        try unsafe segmenter.cut(Arguments.bytes(bytes, count), to: place)
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
        try unsafe segmenter.write(Arguments.bytes(bytes, count), to: place)
    }
}

/// `surtitle_segmenter_finish` of surtitle.h.
@c @implementation
public func surtitle_segmenter_finish(
    _ segmenter: OpaquePointer!, _ events: UnsafeMutablePointer<UnsafePointer<surtitle_segment_event>?>!,
    _ event_count: UnsafeMutablePointer<Int>!, _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe segmenter.use(SegmenterHandle.self, error) { segmenter throws(Refusal) in
        try unsafe segmenter.write(nil, to: ArrayPlace(events, event_count))
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
        try unsafe Arguments.required(held).pointee = UInt64(segmenter.heldBytes)
    }
}

/// `surtitle_segmenter_reset` of surtitle.h.
@c @implementation
public func surtitle_segmenter_reset(_ segmenter: OpaquePointer!) -> Int32 { unsafe segmenter.reset() }

/// `surtitle_segmenter_destroy` of surtitle.h.
@c @implementation
public func surtitle_segmenter_destroy(_ segmenter: OpaquePointer!) { unsafe segmenter.destroy(SegmenterHandle.self) }
