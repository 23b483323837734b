#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A copy of some bytes between two pages that cannot be read: an access outside the bytes ends the test run.
public final class GuardedBytes {
    private let mapping: UnsafeMutableRawPointer
    private let mappedCount: Int

    /// The copy, flush against the page after it.
    public let buffer: UnsafeRawBufferPointer

    /// The copy, flush against the page before it.
    public let leadingBuffer: UnsafeRawBufferPointer

    /// Copies `bytes` twice, once against each guard page.
    public init(_ bytes: [UInt8]) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let room = max(page, (bytes.count + page - 1) / page * page)
        mappedCount = 3 * page + 2 * room
        mapping = mmap(nil, mappedCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        precondition(mapping != MAP_FAILED, "no memory for the guard pages")
        let leading = mapping + page
        let trailing = leading + room + page + (room - bytes.count)
        bytes.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            leading.copyMemory(from: base, byteCount: bytes.count)
            trailing.copyMemory(from: base, byteCount: bytes.count)
        }
        for guardPage in [mapping, leading + room, leading + 2 * room + page] { mprotect(guardPage, page, PROT_NONE) }
        leadingBuffer = UnsafeRawBufferPointer(start: leading, count: bytes.count)
        buffer = UnsafeRawBufferPointer(start: trailing, count: bytes.count)
    }

    deinit { munmap(mapping, mappedCount) }
}
