/// A time on a track's clock, in milliseconds, as WebVTT writes it: `MM:SS.mmm` or `HH:MM:SS.mmm`.
///
/// Hours have no upper bound in the format, so a time past what 64 bits hold is kept as ``maximum`` (W3C WebVTT,
/// section 4.1, "WebVTT timestamp").
@frozen
public struct Timestamp: Comparable, Sendable, BitwiseCopyable {
    /// Milliseconds since the start of the track.
    public var milliseconds: Int64

    /// The time `milliseconds` after the start of the track.
    @inlinable
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The latest time there is, which stands for every later one.
    @inlinable
    public static var maximum: Timestamp { Timestamp(milliseconds: .max) }

    /// Whether `left` comes before `right`.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
