import Benchmark
import Suites

let benchmarks: @Sendable () -> Void = {
    let beginnings = ["final-cue", "cues-", "segments"]
    Benchmark.register { key in beginnings.contains { key.hasPrefix($0) } }
}
