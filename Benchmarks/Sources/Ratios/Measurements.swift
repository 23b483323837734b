import Work

/// What is measured beside the rows.
enum Measurements {
    /// Prints the growth of every job, a line a size, its fields separated by tabs: plot, line, unit, size, bytes,
    /// nanoseconds. Returns what is wrong.
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

    /// The memory of objects in the middle of their files, as a table.
    static func memory() -> String {
        var table = MarkdownTable("Open objects, in the middle of a file", "Bytes of one", "Bytes of each of 10,000")
        for kind in OpenObjects.table {
            table.append(kind.words, "\(kind.measure(1))", "\(kind.measure(10_000) / 10_000)")
        }
        return table.description
    }

    /// How long other ways take for the same playlists, as a table, and which answers are wrong.
    static func peers(rounds: Int) -> String {
        let titles = ["Two tracks into a master playlist"] + Peer.inputs.map { "\($0.name), \($0.bytes.count) bytes" }
        var table = MarkdownTable(titles)
        for peer in Peer.table {
            var cells = [peer.name]
            for input in Peer.inputs {
                var stopwatch = Stopwatch(stretch: 2_000_000) { peer.run(input, $0) }
                let laps = (0..<rounds).map { _ in stopwatch.lap() }.sorted()
                let isRight = peer.output(input) == Peer.expected(input)
                cells.append(Figures.time(laps[laps.count / 2]) + (isRight ? "" : ", wrong"))
            }
            table.append(cells)
        }
        return table.description
    }
}
