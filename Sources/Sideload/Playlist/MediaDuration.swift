public import M3U8

/// How long some media plays, in milliseconds and the nanoseconds beyond them.
public struct MediaDuration: Equatable, Comparable, Sendable {
    /// The whole milliseconds of the duration.
    public let milliseconds: Int64

    /// The nanoseconds beyond those, fewer than a million; 0 if the duration was given in milliseconds.
    public let nanosecondRest: Int32

    /// A duration of that many milliseconds. No playlist can be made of one that is not above zero.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
        nanosecondRest = 0
    }

    /// The shortest duration in milliseconds that covers `seconds`.
    public init(covering seconds: DecimalSeconds) { self.init(milliseconds: seconds.millisecondsRoundedUp) }

    /// A duration of exactly `seconds`.
    public init(_ seconds: DecimalSeconds) { self.init(nanoseconds: seconds.nanoseconds) }

    /// A duration of that many nanoseconds, the unit in which segments are measured.
    public init(nanoseconds: UInt64) {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        milliseconds = Int64(whole)
        nanosecondRest = Int32(rest)
    }

    /// Whether it is above zero.
    package var isPositive: Bool { milliseconds > 0 || milliseconds == 0 && nanosecondRest > 0 }

    /// The whole seconds that cover it, at least 1.
    package var secondsRoundedUp: UInt64 {
        let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        return max(1, seconds + (rest > 0 || nanosecondRest > 0 ? 1 : 0))
    }

    /// The nearest whole number of seconds; half a second is rounded up.
    var secondsRounded: UInt64 {
        let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        return seconds + (rest >= 500 ? 1 : 0)
    }

    /// Whether `left` is shorter than `right`.
    public static func < (left: MediaDuration, right: MediaDuration) -> Bool {
        (left.milliseconds, left.nanosecondRest) < (right.milliseconds, right.nanosecondRest)
    }
}

#if !hasFeature(Embedded)
extension MediaDuration: Hashable {}
#endif
