/// Memory that is freed when it goes out of scope.
@safe
struct Memory: ~Copyable {
    let buffer: UnsafeMutableRawBufferPointer

    /// Memory for `count` bytes.
    init(_ count: Int) { unsafe buffer = .allocate(byteCount: count, alignment: 64) }

    deinit { unsafe buffer.deallocate() }

    /// The first `count` bytes, valid as long as the memory is.
    func bytes(_ count: Int) -> UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
}
