#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The time on a processor of the thread that took longest, added up over all jobs that several threads shared.
///
/// It is the time of such a job on a machine with a free processor for each thread. A wall clock would measure how busy
/// the machine is instead.
public struct LongestThread: Sendable {
    /// Nanoseconds since the process began.
    nonisolated(unsafe) public private(set) static var total: UInt64 = 0

    private nonisolated(unsafe) let times: UnsafeMutableBufferPointer<UInt64>

    /// A job for so many threads.
    init(of count: Int) {
        times = .allocate(capacity: count)
        times.initialize(repeating: 0)
    }

    /// Does the part of the thread called `number`.
    func measure(_ number: Int, _ work: () -> Void) {
        let start = Self.now()
        work()
        times[number] = Self.now() - start
    }

    /// Ends the job.
    func finish() {
        Self.total &+= times.max() ?? 0
        times.deallocate()
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
