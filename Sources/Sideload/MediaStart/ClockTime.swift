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

extension ClockTime {
    /// The time of `units`, `timescale` of which are a second: the nearest tick, half of one upward. Nil if that is 0.
    init?(units: Int64, timescale: UInt32) {
        guard timescale > 0 else { return nil }
        let scale = Int64(timescale)
        let (quotient, remainder) = units.quotientAndRemainder(dividingBy: scale)
        let seconds = remainder < 0 ? quotient &- 1 : quotient
        let (ticks, rest) = (UInt64(bitPattern: remainder < 0 ? remainder &+ scale : remainder) &* 90_000)
            .quotientAndRemainder(dividingBy: UInt64(timescale))
        self.init(UInt64(bitPattern: seconds) &* 90_000 &+ ticks &+ (rest &* 2 >= UInt64(timescale) ? 1 : 0))
    }
}
