public import Benchmark
import CHeapBlocks
import Work

extension BenchmarkMetric {
    /// Blocks asked of the heap by one iteration of a job that has been done before.
    ///
    /// The framework's own count of allocations reads 0 whatever happens, with the traits this package builds it with.
    public static let heapBlocks = BenchmarkMetric.custom("Heap blocks", useScalingFactor: false)
}

extension Benchmark {
    /// Registers the rows of the table that `isWanted` says belong here.
    ///
    /// Only the heap blocks have a threshold, and it is absolute: times drift by half from run to run, so they are shown
    /// and never gated. `Ratios --check` is the gate for those.
    public static func register(where isWanted: (_ key: String) -> Bool) {
        for entry in Row.table where isWanted(entry.key) {
            let row = entry.make()
            // The heap blocks of a job on several threads are not gated, and nothing else is here.
            if !row.isParallel, !row.makesOutput { register(row) }
        }
    }

    private static func register(_ row: Row) {
        guard HeapBlocks.areCounted() else { fatalError("heap blocks cannot be counted here, so no gate would hold") }
        if let fault = row.fault() { fatalError("\(row.key): \(fault)") }
        let isLong = row.input.bytes.count > 1 << 16 && !row.isLocal
        let configuration = Configuration(
            metrics: [.wallClock, .throughput, .instructions, .heapBlocks],
            warmupIterations: 3,
            scalingFactor: isLong ? .one : .kilo,
            maxDuration: .seconds(2),
            maxIterations: 1000,
            thresholds: [.heapBlocks: BenchmarkThresholds(absolute: [.p50: 0, .p90: 0, .p100: 0])]
        )
        Benchmark(row.key, configuration: configuration) { benchmark in
            let times = benchmark.scaledIterations.count
            benchmark.startMeasurement()
            blackHole(row.run(times))
            benchmark.stopMeasurement()
            let more = [row.run, row.runInChunks].map { run in blocks { run(1 + times) } - blocks { run(1) } }
            benchmark.measurement(.heapBlocks, more[0] + more[1])
        }
    }

    private static func blocks(_ work: () -> UInt64) -> Int {
        let before = HeapBlocks.countHere()
        blackHole(work())
        return Int(HeapBlocks.countHere() - before)
    }
}
