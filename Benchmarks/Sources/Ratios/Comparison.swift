/// Two pieces of work measured in turn: A B B A A B B A, so that a drift of the clock affects both.
struct Comparison {
    /// Nanoseconds of the library's work, the median of all rounds.
    let library: Double
    /// Nanoseconds of the reference's, likewise.
    let reference: Double
    /// The median of the ratios of the rounds, which is not the ratio of the medians.
    let ratio: Double
    /// The ratios between which half of the rounds lie.
    let middleHalf: ClosedRange<Double>

    /// Measures `rounds` rounds, each of two stretches of at least `stretch` nanoseconds.
    init(
        rounds: Int, stretch: UInt64 = 4_000_000, clock: @escaping () -> UInt64,
        library: @escaping (Int) -> UInt64, reference: @escaping (Int) -> UInt64
    ) {
        var left = Stopwatch(stretch: stretch, clock: clock, library)
        var right = Stopwatch(stretch: stretch, clock: clock, reference)
        var leftTimes: [Double] = []
        var rightTimes: [Double] = []
        for round in 0..<rounds {
            if round % 2 == 0 {
                leftTimes.append(left.lap())
                rightTimes.append(right.lap())
            } else {
                rightTimes.append(right.lap())
                leftTimes.append(left.lap())
            }
        }
        let ratios = zip(leftTimes, rightTimes).map { $0 / $1 }
        self.library = Self.quantile(0.5, of: leftTimes)
        self.reference = Self.quantile(0.5, of: rightTimes)
        ratio = Self.quantile(0.5, of: ratios)
        middleHalf = Self.quantile(0.25, of: ratios)...Self.quantile(0.75, of: ratios)
    }

    private static func quantile(_ part: Double, of values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[Int(part * Double(sorted.count - 1) + 0.5)]
    }
}
