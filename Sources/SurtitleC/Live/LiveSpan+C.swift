internal import CSurtitle
internal import Delivery
internal import WebVTT

// Spans go out to callers and come back by value, so that a channel and files of cues need not know each other. What
// comes back may be anything: no number of it makes a sum that is too large.

extension surtitle_live_span {
    /// What a name stands for.
    init(_ place: LivePlace) {
        switch place {
        case .span(let span): self.init(SURTITLE_PLACE_SPAN, span)
        case .gone(let span): self.init(SURTITLE_PLACE_GONE, span)
        case .wait(let segment, let part): self.init(SURTITLE_PLACE_WAIT, .unknown(segment, part))
        case .mediaStart(let segment): self.init(SURTITLE_PLACE_MEDIA_START, .unknown(segment, nil))
        case .notOurs: self.init(SURTITLE_PLACE_NOT_OURS, .unknown(0, nil))
        }
    }

    private init(_ place: surtitle_live_place, _ span: LiveSpan) {
        self.init(
            size: 0, place: Int32(place.rawValue), is_known: span.isKnown ? 1 : 0, segment: span.segment,
            part: Int64(span.part ?? -1), start_nanoseconds: span.cues.start, end_nanoseconds: span.cues.end ?? .max,
            mpegts: span.cues.map?.mpegTS ?? 0, local_milliseconds: span.cues.map?.local.milliseconds ?? 0,
            has_map: span.cues.map == nil ? 0 : 1, life: span.life)
    }
}

extension LiveSpan {
    /// A span without cues.
    fileprivate static func unknown(_ segment: UInt64, _ part: Int?) -> LiveSpan {
        LiveSpan(segment: segment, part: part, cues: CueSpan(start: -2, end: -1), isKnown: false, life: 0)
    }

    /// The span that a caller hands over.
    init(_ pointer: UnsafePointer<surtitle_live_span>?) throws(Refusal) {
        let span = try unsafe Arguments.sized(pointer)
        let bounds = -(1 << 62)...(1 << 62) ~= span.start_nanoseconds && span.start_nanoseconds <= span.end_nanoseconds
        guard bounds, span.part >= -1 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let hasMap = try Arguments.truth(span.has_map)
        let map = try TimestampMap(mpegts: span.mpegts, localMilliseconds: span.local_milliseconds)
        let cues = CueSpan(start: span.start_nanoseconds, end: span.end_nanoseconds, map: hasMap ? map : nil)
        try self.init(
            segment: span.segment, part: span.part < 0 ? nil : Int(clamping: span.part), cues: cues,
            isKnown: Arguments.truth(span.is_known), life: span.life)
    }
}
