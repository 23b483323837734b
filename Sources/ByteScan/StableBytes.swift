/// Bytes of the library's own that never change and never move: what a configuration keeps, and slices point into.
@safe
public final class StableBytes: Sendable {
    @usableFromInline nonisolated(unsafe) let memory: UnsafeRawBufferPointer

    /// A copy of `bytes`.
    public init(_ bytes: some Collection<UInt8>) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        unsafe copy.copyBytes(from: bytes)
        unsafe memory = UnsafeRawBufferPointer(copy)
    }

    deinit { unsafe memory.deallocate() }

    /// The bytes, valid as long as this object.
    @inlinable public var view: ByteView { unsafe ByteView(memory) }
}
