public import M3U8

/// How long some media plays, in milliseconds.
public struct MediaDuration: Equatable, Comparable, Sendable {
    /// The duration in milliseconds.
    public let milliseconds: Int64

    /// A duration of that many milliseconds; what is not above zero is none, and no playlist is made of it.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The shortest duration in milliseconds that covers `seconds`.
    public init(covering seconds: DecimalSeconds) { milliseconds = seconds.millisecondsRoundedUp }

    /// Whether `left` is shorter than `right`.
    public static func < (left: MediaDuration, right: MediaDuration) -> Bool { left.milliseconds < right.milliseconds }
}
