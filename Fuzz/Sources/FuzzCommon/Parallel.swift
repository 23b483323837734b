import Dispatch

/// The same work on several threads at once.
enum Parallel {
    /// What `work` gives for each of `0..<count`, in order.
    static func results<Result: Sendable>(_ count: Int, _ work: @Sendable (Int) -> Result) -> [Result] {
        let box = Box<Result>(count)
        DispatchQueue.concurrentPerform(iterations: count) { box.put(work($0), at: $0) }
        return box.results
    }

    private final class Box<Result>: @unchecked Sendable {
        private let lock = DispatchSemaphore(value: 1)
        private var slots: [Result?]

        init(_ count: Int) { slots = Array(repeating: nil, count: count) }

        func put(_ result: Result, at index: Int) {
            lock.wait()
            slots[index] = result
            lock.signal()
        }

        var results: [Result] { slots.compactMap { $0 } }
    }
}
