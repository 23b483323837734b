/// Bytes of the library's own that never change and never move: what a configuration keeps, and slices point into.
@safe
@usableFromInline
package final class StableBytes: Sendable {
    @usableFromInline nonisolated(unsafe) let memory: UnsafeRawBufferPointer

    /// Takes over `memory`, which came from `allocate` and is freed with this object.
    private init(owning memory: UnsafeRawBufferPointer) { unsafe self.memory = memory }

    deinit { unsafe memory.deallocate() }

    /// The bytes, valid as long as this object.
    @inlinable package var view: ByteView { unsafe ByteView(memory) }
}

// In an extension, because Embedded Swift cannot have a generic initializer among those a class could override.
extension StableBytes {
    /// A copy of `bytes`.
    package convenience init(_ bytes: some Collection<UInt8>) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        unsafe copy.copyBytes(from: bytes)
        unsafe self.init(owning: UnsafeRawBufferPointer(copy))
    }

    /// A copy of `bytes`.
    package convenience init(_ bytes: ByteView) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        unsafe copy.copyMemory(from: bytes.buffer)
        unsafe self.init(owning: UnsafeRawBufferPointer(copy))
    }
}
