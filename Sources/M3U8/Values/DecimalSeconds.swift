public import ByteScan

/// How long some media plays, as playlists write it, `6`, `6.006` or `5.99999`, kept exactly: a whole number of
/// nanoseconds.
///
/// Sums are exact too: binary fractions would drift away from the content. A duration that does not fit, from 584 years
/// on, becomes ``max``.
public struct DecimalSeconds: Equatable, Comparable, Sendable {
    /// The duration in nanoseconds.
    public let nanoseconds: UInt64

    /// A duration of that many nanoseconds.
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// A duration of that many milliseconds; ``zero`` if they are below 0.
    public init(milliseconds: Int64) {
        self.init(nanoseconds: UInt64(clamping: milliseconds).times(1_000_000) ?? .max)
    }

    /// The shortest duration in milliseconds that covers `seconds`.
    public init(covering seconds: DecimalSeconds) { self.init(milliseconds: seconds.millisecondsRoundedUp) }

    /// No time at all.
    public static var zero: DecimalSeconds { DecimalSeconds(nanoseconds: 0) }

    /// The longest duration, which stands for every longer one.
    public static var max: DecimalSeconds { DecimalSeconds(nanoseconds: .max) }

    /// The decimal that `bytes` begin with, or nil if there is none.
    ///
    /// Spaces and tabs may stand around it. It ends at the end of `bytes` or at a comma, after which EXTINF has its
    /// title. Digits after the ninth of the fraction are cut off. One side of the point may be empty. Signs and
    /// exponents are not allowed (RFC 8216 4.2, 4.3.2.1).
    public init?(_ bytes: ByteView) {
        guard let spelling = DecimalSpelling(bytes) else { return nil }
        self = spelling.seconds
    }

    /// Whether `left` is shorter than `right`.
    public static func < (left: DecimalSeconds, right: DecimalSeconds) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The sum, or ``max`` if it is longer than that.
    public static func + (left: DecimalSeconds, right: DecimalSeconds) -> DecimalSeconds {
        DecimalSeconds(nanoseconds: left.nanoseconds.times(1, plus: right.nanoseconds) ?? .max)
    }

    /// Adds `right`. The result is ``max`` if the sum is longer than that.
    public static func += (left: inout DecimalSeconds, right: DecimalSeconds) { left = left + right }

    /// The duration in milliseconds, rounded up.
    public var millisecondsRoundedUp: Int64 { milliseconds &+ (nanosecondRest > 0 ? 1 : 0) }

    /// The whole milliseconds of the duration.
    public var milliseconds: Int64 { Int64(nanoseconds / 1_000_000) }

    /// The nanoseconds beyond those, fewer than a million.
    public var nanosecondRest: Int32 { Int32(nanoseconds % 1_000_000) }

    /// The duration in seconds: as many decimals as it has, and at least so many.
    package func spelling(decimals: Int) -> [UInt8] {
        let (seconds, billionths) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return [UInt8](seconds: seconds, billionths: billionths, decimals: decimals)
    }
}

#if !hasFeature(Embedded)
extension DecimalSeconds: Hashable, CustomStringConvertible {
    /// Exactly `duration`; nil if that is below 0, has a fraction of a nanosecond, or is longer than 584 years.
    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    public init?(_ duration: Duration) {
        guard let nanoseconds = duration.exactNanoseconds else { return nil }
        self.init(nanoseconds: nanoseconds)
    }

    /// The duration as seconds with three decimals, rounded up: `634.567`.
    public var description: String {
        let (seconds, rest) = UInt64(millisecondsRoundedUp).quotientAndRemainder(dividingBy: 1000)
        return String(utf8: [UInt8](seconds: seconds, billionths: rest * 1_000_000, decimals: 3))
    }
}

/// As seconds in text, `634.567`: a binary fraction would not be exact.
extension DecimalSeconds: Codable {
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
        try container.encode(String(utf8: spelling(decimals: 0)))
    }
}
#endif

/// A duration as it is spelled.
package struct DecimalSpelling {
    package let seconds: DecimalSeconds
    /// How many digits follow the point.
    package let fractionDigits: Int
    /// Whether it is the number with so many decimals: `6`, `6.000`, but not `06`, `6.`, `.5`, or more than nine.
    package let isPlain: Bool

    /// The decimal that `bytes` begin with, as ``DecimalSeconds`` reads it, or nil if there is none.
    package init?(_ bytes: ByteView) {
        var offset = bytes.offset(from: 0, while: ASCII.isBlank)
        let start = offset
        var whole: UInt64 = 0
        while offset < bytes.count, let digit = ASCII.digit(bytes[offset]) {
            whole = whole.times(10, plus: UInt64(digit)) ?? .max
            offset &+= 1
        }
        let point = offset
        var (fraction, unit) = (UInt64(0), UInt64(1_000_000_000))
        if offset < bytes.count, bytes[offset] == ASCII.period {
            offset &+= 1
            while offset < bytes.count, let digit = ASCII.digit(bytes[offset]) {
                unit /= 10
                fraction &+= UInt64(digit) &* unit
                offset &+= 1
            }
        }
        fractionDigits = max(offset &- point &- 1, 0)
        guard point &- start &+ fractionDigits > 0 else { return nil }
        isPlain =
            point > start && (point == start &+ 1 || bytes[start] != ASCII.zero) && offset != point &+ 1
            && fractionDigits < 10
        seconds = DecimalSeconds(nanoseconds: whole.times(1_000_000_000, plus: fraction) ?? .max)
        offset = bytes.offset(from: offset, while: ASCII.isBlank)
        guard offset == bytes.count || bytes[offset] == ASCII.comma else { return nil }
    }
}
