#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file in memory of which only the first 16 bytes' pages and the last page can be read.
///
/// The file ends where its last page ends, so what can be read at the end is one page of 4 KiB (16 KiB on some machines). Whoever
/// touches more dies of it. That is how it is known how little is read. The memory is never given back.
struct GuardedTail {
    /// The file.
    let bytes: UnsafeRawBufferPointer

    /// A copy of `file`, or nil where the system would not map or protect the memory.
    init?(_ file: UnsafeRawBufferPointer) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let size = (file.count + page - 1) / page * page
        guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), memory != MAP_FAILED
        else { return nil }
        let start = size - file.count
        UnsafeMutableRawBufferPointer(start: memory + start, count: file.count).copyMemory(from: file)
        bytes = UnsafeRawBufferPointer(start: memory + start, count: file.count)
        let headEnd = (start + 16 + page - 1) / page * page
        let tailStart = size - page
        guard headEnd < tailStart else { return }
        guard mprotect(memory + headEnd, tailStart - headEnd, PROT_NONE) == 0 else { return nil }
    }
}
