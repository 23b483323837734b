internal import ByteScan

/// Where segments end and the next ones begin: what the video's segments do, or a step of one's own.
///
/// Times are in nanoseconds, so that the decimals of EXTINF (`5.966633`) are kept as they are and sums are exact. The
/// first segment begins at cue time 0. What would be later than 584 years is kept at that.
public struct SegmentBoundaries: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case every(UInt64, end: UInt64?)
        case durations([UInt64])
    }

    let kind: Kind

    /// A segment every `step` nanoseconds, up to `end`, which cuts the last one short; nil if one of them is 0.
    ///
    /// Without an end the last segment ends where the cue ends that ends last, of those that ever show.
    public init?(every step: UInt64, until end: UInt64? = nil) {
        guard step > 0, end != 0 else { return nil }
        kind = .every(step, end: end)
    }

    /// A segment for each of these durations in nanoseconds, those of a video's segments for instance.
    ///
    /// A duration of 0 makes no segment; nil if no other is left. The last segment has also the cues that start after
    /// its end, which players never come to, so that no cue is lost.
    public init?(durations: [UInt64]) {
        let durations = durations.filter { $0 > 0 }
        guard !durations.isEmpty else { return nil }
        kind = .durations(durations)
    }

    /// When the last segment ends, if that does not depend on the cues.
    var isEndKnown: Bool {
        switch kind {
        case .every(_, let end): end != nil
        case .durations: true
        }
    }

    /// How many segments there are, if that does not depend on the cues.
    var count: UInt64? {
        switch kind {
        case .every(let step, let end?): (end - 1) / step + 1
        case .every(_, nil): nil
        case .durations(let durations): UInt64(durations.count)
        }
    }

    /// The number of the segment that holds `time`, in milliseconds, if the content goes on that long, and when that
    /// segment begins, rounded up; nil if segments end at a known time.
    func segment(at time: Int64) -> (index: UInt64, start: Int64)? {
        guard case .every(let step, nil) = kind else { return nil }
        // At the end of time there is no more room for a segment.
        let index = (UInt64(max(0, time)).times(SegmentBounds.millisecond) ?? .max - 1) / step
        let (start, rest) = (index * step).quotientAndRemainder(dividingBy: SegmentBounds.millisecond)
        return (index, Int64(start) + (rest > 0 ? 1 : 0))
    }

    /// The latest time in milliseconds at which content may end that takes no more than `limit` segments.
    func latestEnd(ofSegments limit: Int) -> Int64 {
        guard case .every(let step, nil) = kind else { return .max }
        return Int64((step.times(UInt64(limit)) ?? .max) / SegmentBounds.millisecond)
    }
}

#if !hasFeature(Embedded)
@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension SegmentBoundaries {
    /// A segment every `step`, up to `end`; nil if one of them is not above 0, or no whole number of nanoseconds.
    ///
    ///     SegmentBoundaries(every: .seconds(6))
    public init?(every step: Duration, until end: Duration? = nil) {
        guard let step = step.exactNanoseconds else { return nil }
        guard let end else {
            self.init(every: step)
            return
        }
        guard let end = end.exactNanoseconds else { return nil }
        self.init(every: step, until: end)
    }
}
#endif
