internal import ByteScan

/// Writes bytes to a file: small pieces are gathered in a buffer, large ones are written from where they are.
///
/// ``write(_:)`` throws nothing, so that a rewriter's sink can be a plain closure. The first error stops all writing,
/// and ``check()`` and ``finish()`` throw it.
final class ByteWriter {
    private static let capacity = 64 << 10

    private let descriptor: FileDescriptor
    private let name: String
    private let memory = Memory(capacity)
    private var used = 0
    private var failure: SystemError?

    /// A writer to `descriptor`, which messages call `name`.
    init(_ descriptor: consuming FileDescriptor, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    static func standardOutput() -> ByteWriter { ByteWriter(.standardOutput, name: "standard output") }

    /// Writes `bytes`, which need not outlive the call.
    func write(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil, let source = bytes.baseAddress, bytes.count > 0 else { return }
        if bytes.count > Self.capacity - used { return unsafe flush(and: bytes) }
        unsafe memory.buffer.baseAddress?.advanced(by: used).copyMemory(from: source, byteCount: bytes.count)
        used += bytes.count
    }

    func write(_ view: ByteView) { unsafe write(view.buffer) }

    func write(_ text: String) {
        var text = text
        text.withUTF8 { unsafe write(UnsafeRawBufferPointer($0)) }
    }

    func write(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe write($0) } }

    /// Throws the first error, if there was one.
    func check() throws(Failure) {
        guard let failure else { return }
        throw failure.code == EPIPE ? .closedOutput : .refused(name, failure.description)
    }

    /// Writes what is still in the buffer.
    func finish() throws(Failure) {
        if failure == nil { unsafe flush(and: UnsafeRawBufferPointer(start: nil, count: 0)) }
        try check()
    }

    /// Writes the buffer and then `bytes`, with as few calls as the system needs.
    private func flush(and bytes: UnsafeRawBufferPointer) {
        var buffered = unsafe memory.bytes(used)
        var direct = unsafe bytes
        used = 0
        while buffered.count + direct.count > 0 {
            do throws(SystemError) {
                let written = try unsafe writeBoth(buffered, direct)
                unsafe direct = .init(rebasing: direct.dropFirst(max(written - buffered.count, 0)))
                unsafe buffered = .init(rebasing: buffered.dropFirst(written))
            } catch {
                failure = error
                return
            }
        }
    }

    private func writeBoth(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) throws(SystemError) -> Int {
        let parts = unsafe [part(first), part(second)]
        return try unsafe parts.withUnsafeBufferPointer { (parts) throws(SystemError) in
            try unsafe descriptor.write(parts)
        }
    }

    private func part(_ bytes: UnsafeRawBufferPointer) -> iovec {
        unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }
}
