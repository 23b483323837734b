#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The time this thread has spent on a processor.
///
/// Time that other processes had is not in it, so a busy machine disturbs a measurement less than it would a wall clock.
enum Clock {
    /// Nanoseconds since the thread began.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
