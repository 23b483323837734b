/// A time on the clock of a media stream: ticks of 1/90000 s, modulo 2 to the 33rd (ISO 13818-1 2.4.3.7).
struct ClockTime: Equatable, BitwiseCopyable {
    let ticks: UInt64

    /// The time of `ticks`, of which the lowest 33 bits count.
    init(_ ticks: UInt64) { self.ticks = ticks & Self.mask }

    private static var mask: UInt64 { 1 << 33 - 1 }

    /// Whether the way forward from this time to `other` is shorter than half the circle.
    func isBefore(_ other: ClockTime) -> Bool {
        let distance = (other.ticks &- ticks) & Self.mask
        return distance != 0 && distance < 1 << 32
    }

    /// This time, or `other` if that is before it.
    func orEarlier(_ other: ClockTime?) -> ClockTime {
        guard let other, other.isBefore(self) else { return self }
        return other
    }
}

/// A time of an MP4 file: units, and how many of them there are in a second.
struct ScaledTime: BitwiseCopyable {
    let units: Int64
    let timescale: UInt32

    /// The whole ticks of 1/90000 s in it, modulo 2 to the 64th, and what is left in ticks divided by ``timescale``.
    ///
    /// Nil if there are no units in a second.
    private var ticks: (whole: UInt64, rest: UInt64)? {
        guard timescale > 0 else { return nil }
        let scale = Int64(timescale)
        let (quotient, remainder) = units.quotientAndRemainder(dividingBy: scale)
        let seconds = remainder < 0 ? quotient &- 1 : quotient
        let fraction = UInt64(bitPattern: remainder < 0 ? remainder &+ scale : remainder) &* 90_000
        let whole = UInt64(bitPattern: seconds) &* 90_000 &+ fraction / UInt64(timescale)
        return (whole, fraction % UInt64(timescale))
    }

    /// The sum of both times on the clock, rounded to the nearest tick, half of one upward; nil without a time scale.
    ///
    /// The fractions are added over their common denominator, below 2 to the 64th, and so exactly.
    static func + (left: ScaledTime, right: ScaledTime) -> ClockTime? {
        guard let first = left.ticks, let second = right.ticks else { return nil }
        let denominator = UInt64(left.timescale) &* UInt64(right.timescale)
        var (sum, overflows) = (first.rest &* UInt64(right.timescale))
            .addingReportingOverflow(second.rest &* UInt64(left.timescale))
        var ticks = first.whole &+ second.whole
        if overflows || sum >= denominator {
            sum &-= denominator
            ticks &+= 1
        }
        if sum >= denominator &- sum { ticks &+= 1 }
        return ClockTime(ticks)
    }
}
