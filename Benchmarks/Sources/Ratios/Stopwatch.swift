/// Work that is repeated until a stretch of it is long enough for the clock.
struct Stopwatch {
    private let run: (Int) -> UInt64
    private let clock: () -> UInt64
    /// How often the work is done in one stretch.
    let times: Int
    /// What the runs returned, kept so that no run is dead code.
    private(set) var sum: UInt64 = 0

    /// Finds how often `run` must do its work to fill `stretch` nanoseconds, which also warms it up.
    init(stretch: UInt64, clock: @escaping () -> UInt64 = Clock.now, _ run: @escaping (Int) -> UInt64) {
        self.run = run
        self.clock = clock
        var times = 1
        while true {
            let start = clock()
            sum &+= run(times)
            let spent = clock() - start
            if spent >= stretch { break }
            // Straight to the aim once there is something to estimate from, and never more than tenfold.
            let wanted = spent > 50_000 ? Int(Double(times) * 1.2 * Double(stretch) / Double(spent)) + 1 : times * 10
            times = min(max(wanted, times + 1), times * 10)
        }
        self.times = times
    }

    /// Nanoseconds that one time took, on the average of one stretch.
    mutating func lap() -> Double {
        let start = clock()
        sum &+= run(times)
        return Double(clock() - start) / Double(times)
    }
}
