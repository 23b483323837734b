#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file in memory of which only the first page or two and the last ``readableCount`` bytes can be read.
///
/// The bytes that can be read at the end begin where a page begins, and the pages before it are protected. Whoever
/// touches more dies of it. That is how it is known how little is read. The memory is never given back.
struct GuardedTail {
    /// How many bytes can be read at the end.
    static let readableCount = 512

    /// The file.
    let bytes: UnsafeRawBufferPointer

    /// A copy of `file`, or nil if it is too short or the system would not map or protect the memory.
    init?(_ file: UnsafeRawBufferPointer) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let tail = (file.count - Self.readableCount + page - 1) / page * page
        guard tail > 0 else { return nil }
        guard let memory = mmap(nil, tail + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
            memory != MAP_FAILED
        else { return nil }
        let start = tail + Self.readableCount - file.count
        UnsafeMutableRawBufferPointer(start: memory + start, count: file.count).copyMemory(from: file)
        bytes = UnsafeRawBufferPointer(start: memory + start, count: file.count)
        // The signature takes ten bytes.
        let head = (start + 16 + page - 1) / page * page
        guard head < tail else { return }
        guard mprotect(memory + head, tail - head, PROT_NONE) == 0 else { return nil }
    }
}
