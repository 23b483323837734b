internal import ByteScan
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

    /// The same in nanoseconds; nil for one below 0, or of more than 584 years.
    package var nanoseconds: UInt64? {
        UInt64(exactly: milliseconds)?.times(1_000_000, plus: UInt64(nanosecondRest.magnitude))
    }

    /// Whether it is above zero.
    package var isPositive: Bool { milliseconds > 0 || milliseconds == 0 && nanosecondRest > 0 }

    /// The duration in seconds, without a sign: as many decimals as it has, and at least so many.
    func spelling(decimals: Int) -> [UInt8] {
        let (seconds, thousandths) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        let billionths = thousandths * 1_000_000 + UInt64(nanosecondRest.magnitude)
        return [UInt8](seconds: seconds, billionths: billionths, decimals: decimals)
    }

    /// Writes the duration in seconds, with three decimals, or as many as make it exact.
    func write(to text: inout ReusableBuffer<UInt8>) {
        guard nanosecondRest == 0 else { return text.append(contentsOf: spelling(decimals: 3)) }
        let (seconds, thousandths) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        if seconds < 10 {
            text.append(ASCII.zero &+ UInt8(truncatingIfNeeded: seconds))
        } else {
            text.append(contentsOf: DecimalDigits(seconds))
        }
        text.append(ASCII.period)
        text.append(ASCII.zero &+ UInt8(truncatingIfNeeded: thousandths / 100))
        text.append(ASCII.zero &+ UInt8(truncatingIfNeeded: thousandths / 10 % 10))
        text.append(ASCII.zero &+ UInt8(truncatingIfNeeded: thousandths % 10))
    }

    /// The whole seconds that cover it, at least 1.
    var secondsRoundedUp: UInt64 {
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

extension MediaDuration {
    /// Exactly `duration`; nil if that is below 0, has a fraction of a nanosecond, or is longer than 584 years.
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    public init?(_ duration: Duration) {
        guard let nanoseconds = duration.exactNanoseconds else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}

/// As seconds in text, `634.567`: a binary fraction would not be exact.
extension MediaDuration: Codable {
    /// Reads seconds with up to nine decimals.
    ///
    /// - Throws: `DecodingError` if the text is no such number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let nanoseconds = text.withView({ UInt64(decimal: $0, places: 9) }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no duration in seconds: \(text)")
        }
        self.init(nanoseconds: nanoseconds)
    }

    /// Writes seconds with as many decimals as make them exact.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode((milliseconds < 0 ? "-" : "") + String(utf8: spelling(decimals: 0)))
    }
}
#endif
