/// A span of cue time that becomes a segment, and the map of the media it stands beside.
///
/// Times are in nanoseconds, as those of ``SegmentBoundaries``; below 0 there is no cue.
public struct CueSpan: Equatable, Sendable {
    /// When the span begins.
    public var start: Int64

    /// When it ends, and the next one begins; nil if it is the last.
    public var end: Int64?

    /// The X-TIMESTAMP-MAP of the segment; nil if it has none.
    public var map: TimestampMap?

    /// The span from `start` to `end`, with `map` in its segment.
    public init(start: Int64, end: Int64?, map: TimestampMap? = nil) {
        self.start = start
        self.end = end
        self.map = map
    }

    /// Whether a cue from `cueStart` to `cueEnd`, both in milliseconds, is in the segment.
    ///
    /// That is one that shows in the span, and one that never shows and starts in it.
    func holds(start cueStart: Int64, end cueEnd: Int64) -> Bool {
        guard end == nil || cueStart < startLimit else { return false }
        return cueEnd > cueStart ? cueEnd > endLimit : cueStart >= firstStart
    }

    // The bounds in milliseconds, rounded so that every comparison with a cue's time stays exact.

    /// A cue that starts before this starts before the span's end.
    var startLimit: Int64 { end.map { Self.milliseconds($0, roundedUp: true) } ?? .max }

    /// A cue that ends after this ends after the span's start.
    var endLimit: Int64 { Self.milliseconds(start, roundedUp: false) }

    /// A cue that starts at this or later does not start before the span.
    private var firstStart: Int64 { Self.milliseconds(start, roundedUp: true) }

    private static func milliseconds(_ nanoseconds: Int64, roundedUp: Bool) -> Int64 {
        let (quotient, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        if rest > 0, roundedUp { return quotient + 1 }
        if rest < 0, !roundedUp { return quotient - 1 }
        return quotient
    }
}
