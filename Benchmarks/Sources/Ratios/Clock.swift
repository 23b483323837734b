#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The time this thread has spent on a processor.
///
/// It leaves out the time of other processes, so a busy machine disturbs it less than a wall clock.
enum Clock {
    /// Nanoseconds since the thread began.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
