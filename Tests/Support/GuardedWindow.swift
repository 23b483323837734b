#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Memory for one chunk after the other, between two pages that cannot be read.
///
/// Each chunk is copied flush against one of the pages, and is overwritten when its call is over: a read past it ends
/// the test run, and a pointer kept to it reads garbage.
public final class GuardedWindow {
    private let mapping: UnsafeMutableRawPointer
    private let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    private let room: Int

    /// A window for chunks of up to `capacity` bytes.
    public init(capacity: Int) {
        room = max(page, (capacity + page - 1) / page * page)
        mapping = mmap(nil, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        precondition(mapping != MAP_FAILED, "no memory for the guard pages")
        mprotect(mapping, page, PROT_NONE)
        mprotect(mapping + page + room, page, PROT_NONE)
    }

    deinit { munmap(mapping, room + 2 * page) }

    /// Calls `body` with `chunk`, flush against the page after it or, if `isLeading`, the one before it.
    public func with<Failure: Error>(
        _ chunk: ArraySlice<UInt8>, isLeading: Bool = false, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(chunk.count <= room, "the chunk is larger than the window")
        let start = mapping + page + (isLeading ? 0 : room - chunk.count)
        let buffer = UnsafeMutableRawBufferPointer(start: start, count: chunk.count)
        buffer.copyBytes(from: chunk)
        defer { start.initializeMemory(as: UInt8.self, repeating: 0xA5, count: chunk.count) }
        try body(UnsafeRawBufferPointer(buffer))
    }
}
