import Work

/// What takes how long at which size, and how much memory: a line a measurement, its fields separated by tabs.
enum Measurements {
    /// Prints the growth of every job: plot, line, unit, size, bytes, nanoseconds. Returns what is wrong.
    static func printGrowth(rounds: Int) -> [String] {
        var faults: [String] = []
        for growth in Growth.table {
            for make in growth.points {
                let point = make()
                if let fault = point.fault() {
                    faults.append("\(growth.title), \(growth.line), \(point.size) \(growth.unit): \(fault)")
                    continue
                }
                // One time may take a second.
                var stopwatch = Stopwatch(stretch: 2_000_000, point.run)
                var times = [stopwatch.lap()]
                while times.count < rounds, times[0] * Double(times.count) < 200_000_000 {
                    times.append(stopwatch.lap())
                }
                let median = Figures.fixed(times.sorted()[times.count / 2], 1)
                print(growth.title, growth.line, growth.unit, point.size, point.byteCount, median, separator: "\t")
            }
        }
        return faults
    }

    /// Prints the memory of objects in the middle of their files: what they do, bytes of one, bytes of each of 10,000.
    static func printMemory() {
        for kind in OpenObjects.table {
            print(kind.words, kind.measure(1), kind.measure(10_000) / 10_000, separator: "\t")
        }
    }
}
