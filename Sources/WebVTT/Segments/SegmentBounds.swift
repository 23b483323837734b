/// The segment whose turn it is, and the comparisons of cue times with its bounds.
///
/// Bounds are in nanoseconds and cue times in milliseconds. Instead of the cue times the bounds are converted, once for
/// each segment, and rounded so that every comparison stays exact:
///
///     time < bound        time < bound in milliseconds, rounded up
///     time > bound        time > bound in milliseconds, rounded down
struct SegmentBounds {
    static var millisecond: UInt64 { 1_000_000 }

    let boundaries: SegmentBoundaries

    /// The number of the segment, from 0.
    private(set) var index = 0

    /// When it begins and ends, in nanoseconds. If nobody knows when the last one ends, it goes on here.
    private(set) var start: UInt64 = 0
    private(set) var end: UInt64 = 0

    /// Whether no other segment follows, whatever cues there are.
    private(set) var isLast = false

    /// A cue that starts before this began in an earlier segment.
    private(set) var earliestStart: Int64 = 0

    /// A cue that starts at this or later begins in a later segment.
    private(set) var laterStart: Int64 = 0

    /// A cue that ends later than this goes on in the next segment. It is no earlier than any start in this one.
    private(set) var latestEnd: Int64 = 0

    /// The first segment's.
    init(_ boundaries: SegmentBoundaries) {
        self.boundaries = boundaries
        setEnd()
    }

    /// Moves on to the next segment, which the caller knows to be there.
    @inline(__always)
    mutating func advance() {
        index &+= 1
        start = end
        earliestStart = laterStart
        setEnd()
    }

    @inline(__always)
    private mutating func setEnd() {
        let step: UInt64
        switch boundaries.kind {
        case .every(let every, _): step = every
        case .durations(let durations):
            step = durations[index]
            isLast = index == durations.count - 1
        }
        let (sum, isTooLate) = start.addingReportingOverflow(step)
        end = isTooLate ? .max : sum
        if case .every(_, let last?) = boundaries.kind, last <= end { (end, isLast) = (last, true) }
        if end == .max { isLast = true }
        let (whole, rest) = end.quotientAndRemainder(dividingBy: Self.millisecond)
        latestEnd = isLast ? .max : Int64(whole)
        laterStart = isLast ? .max : Int64(whole) + (rest > 0 ? 1 : 0)
    }
}
