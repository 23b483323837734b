package import ByteScan

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

extension Timestamp {
    /// The time so many milliseconds later, perhaps below 0. The latest there is stands for all later ones, and stays.
    package func shifted(by shift: Int64) -> Timestamp {
        self == .maximum ? self : Timestamp(milliseconds: milliseconds.times(1, plus: shift) ?? .max)
    }

    /// The time as `HH:MM:SS.mmm`, with more digits for the hours if they need them; a time before 0 is written as 0.
    public var spelling: [UInt8] {
        var text = ReusableBuffer<UInt8>()
        write(to: &text)
        return Array(text.view)
    }

    /// Appends the time to `output`, spelled as ``spelling``.
    package func write(to output: inout some ByteSink & ~Copyable) {
        let (seconds, fraction) = UInt64(max(0, milliseconds)).quotientAndRemainder(dividingBy: 1000)
        let hours = seconds / 3600
        if hours < 100 {
            Self.writePair(hours, to: &output)
        } else {
            for digit in DecimalDigits(hours) { output.append(digit) }
        }
        output.append(ASCII.colon)
        Self.writePair(seconds / 60 % 60, to: &output)
        output.append(ASCII.colon)
        Self.writePair(seconds % 60, to: &output)
        output.append(ASCII.period)
        Self.writePair(fraction / 10, to: &output)
        Self.writeDigit(fraction % 10, to: &output)
    }

    private static func writePair(_ value: UInt64, to output: inout some ByteSink & ~Copyable) {
        writeDigit(value / 10, to: &output)
        writeDigit(value % 10, to: &output)
    }

    private static func writeDigit(_ digit: UInt64, to output: inout some ByteSink & ~Copyable) {
        output.append(ASCII.zero &+ UInt8(truncatingIfNeeded: digit))
    }
}

#if !hasFeature(Embedded)
extension Timestamp: CustomStringConvertible {
    /// The time as `HH:MM:SS.mmm`.
    public var description: String { String(decoding: spelling, as: UTF8.self) }
}
#endif
