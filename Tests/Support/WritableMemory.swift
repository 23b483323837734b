#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Memory to be written, before a page that cannot be: what is written after its end ends the test run.
public final class WritableMemory {
    private let mapping: UnsafeMutableRawPointer
    private let mappedCount: Int

    /// The memory, flush against the page after it.
    public let buffer: UnsafeMutableRawBufferPointer

    /// Memory of `count` bytes.
    public init(count: Int) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let room = max(page, (count + page - 1) / page * page)
        mappedCount = room + page
        mapping = mmap(nil, mappedCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        precondition(mapping != MAP_FAILED, "no memory for the guard page")
        mprotect(mapping + room, page, PROT_NONE)
        buffer = UnsafeMutableRawBufferPointer(start: mapping + room - count, count: count)
    }

    deinit { munmap(mapping, mappedCount) }
}
