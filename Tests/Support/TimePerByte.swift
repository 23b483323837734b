#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An input made to cost more than it is long, and what is done with it.
public struct CostlyInput: Sendable, CustomStringConvertible {
    /// What it is.
    public let description: String
    /// How many bytes are read at a time; nil for all at once.
    public let chunk: Int?
    private let text: @Sendable (Int) -> [UInt8]
    private let work: @Sendable ([UnsafeRawBufferPointer]) -> Void

    /// An input of about as many bytes as `text` is asked for, with which `work` is done in chunks.
    public init(
        _ description: String, inChunksOf chunk: Int? = nil, _ text: @escaping @Sendable (Int) -> [UInt8],
        _ work: @escaping @Sendable ([UnsafeRawBufferPointer]) -> Void
    ) {
        self.description = description + (chunk.map { " in chunks of \($0)" } ?? "")
        self.chunk = chunk
        self.text = text
        self.work = work
    }

    /// How many times as long a byte takes in 1 MB as in 100 KB: the best of three runs of each, by the time of the thread.
    ///
    /// Above `limit` it is measured again, four times at most: what disturbs a clock passes, and a quadratic cost, which is ten
    /// times, stays.
    public func growth(limit: Double) -> Double {
        var least = Double.infinity
        for _ in 0..<5 where least > limit {
            least = min(least, nanosecondsPerByte(count: 1_000_000) / nanosecondsPerByte(count: 100_000))
        }
        return least
    }

    private func nanosecondsPerByte(count: Int) -> Double {
        let bytes = text(count)
        return bytes.withUnsafeBytes { bytes in
            let size = chunk ?? max(bytes.count, 1)
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                UnsafeRawBufferPointer(rebasing: bytes[$0..<min($0 + size, bytes.count)])
            }
            let times = max(1, 1_000_000 / max(bytes.count, 1))
            work(chunks)
            let best = (0..<3).map { _ in ThreadTime.nanoseconds { for _ in 0..<times { work(chunks) } } }.min() ?? 0
            return best / Double(times * max(bytes.count, 1))
        }
    }
}

/// Time that a thread has spent, which others on a busy machine do not add to.
public enum ThreadTime {
    /// Whether times say something and are wanted: a release build, and SURTITLE_TIMES is set.
    public static var isMeasured: Bool {
        #if DEBUG
        false
        #else
        getenv("SURTITLE_TIMES") != nil
        #endif
    }

    /// How long `work` takes.
    public static func nanoseconds(of work: () -> Void) -> Double {
        let start = now()
        work()
        return now() - start
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// Texts of a wanted length.
public enum CostlyText {
    /// `start`, then `piece` again and again, then `end`.
    public static func repeated(_ piece: String, _ count: Int, after start: String = "", end: String = "") -> [UInt8] {
        let piece = Array(piece.utf8)
        var text = Array(start.utf8)
        text.reserveCapacity(count + piece.count + end.utf8.count)
        while text.count < count { text += piece }
        return text + Array(end.utf8)
    }

    /// `start`, then the pieces of 0, 1, 2 and so on, then `end`.
    public static func numbered(
        _ count: Int, after start: String = "", end: String = "", _ piece: (Int) -> String
    ) -> [UInt8] {
        var text = Array(start.utf8)
        var number = 0
        while text.count < count {
            text += Array(piece(number).utf8)
            number += 1
        }
        return text + Array(end.utf8)
    }
}
