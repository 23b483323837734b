import Benchmark
import Suites

let benchmarks: @Sendable () -> Void = {
    Benchmark.register { $0.hasPrefix("final-cue") || $0.hasPrefix("segments") }
}
