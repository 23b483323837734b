/// What takes bytes, one or some at a time: a buffer, or the output of a call.
///
/// What is written to one is never kept by reference, so the bytes need to live for the call alone.
package protocol ByteSink: ~Copyable {
    /// Appends `byte`.
    mutating func append(_ byte: UInt8)

    /// Appends a copy of `bytes`.
    mutating func append(_ bytes: ByteView)
}

extension ByteSink where Self: ~Copyable {
    /// Appends the bytes of `literal`.
    @inlinable
    package mutating func append(_ literal: StaticString) { append(ByteView(literal)) }

    /// Appends `number` in decimal, with zeros before it if it has fewer digits than `minimumCount`.
    @inlinable
    package mutating func append(digits number: UInt64, minimumCount: Int = 1) {
        unsafe withUnsafeTemporaryAllocation(byteCount: 20, alignment: 8) { text in
            var (start, rest) = (text.count, number)
            repeat {
                start &-= 1
                unsafe text[start] = ASCII.zero &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0 || text.count &- start < min(minimumCount, 19)
            unsafe append(ByteView(UnsafeRawBufferPointer(rebasing: text[start...])))
        }
    }
}

extension ReusableBuffer: ByteSink where Element == UInt8 {}

extension PieceWriter: ByteSink {
    /// Appends `byte`, as bytes of the library's own.
    package mutating func append(_ byte: UInt8) { unsafe withUnsafeBytes(of: byte) { unsafe append(ByteView($0)) } }

    /// Appends a copy of `bytes`.
    package mutating func append(_ bytes: ByteView) { append(OutputSlice(library: bytes)) }
}
