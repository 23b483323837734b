import Benchmark
import Suites

let benchmarks: @Sendable () -> Void = {
    Benchmark.register { $0.hasPrefix("master-") || $0.hasPrefix("media-") }
}
