/// A slice of the output, as the closure form hands it out: a range of the chunk just written, or bytes of the
/// library's own.
///
/// Slices come in order and make up the whole output. They are valid during the call that hands them out.
@safe
@frozen
public struct OutputSlice {
    /// Where a slice's bytes are kept.
    public enum Source: Equatable, Sendable {
        /// In the chunk just written, at these offsets: a proxy forwards its own buffer.
        case chunk(Range<Int>)
        /// In memory of the library's own: a proxy copies the bytes, or sends them before it returns.
        case library
    }

    /// The slice as a view.
    public let view: ByteView

    @usableFromInline let chunkOffset: Int

    @inlinable @inline(__always)
    package init(chunkAt offset: Int, _ bytes: ByteView) {
        view = bytes
        chunkOffset = offset
    }

    @inlinable @inline(__always)
    package init(library bytes: ByteView) {
        view = bytes
        chunkOffset = -1
    }

    /// The same as `piece`, of what was made of `chunk`.
    package init(_ piece: OutputPiece, in chunk: UnsafeRawBufferPointer) {
        view = unsafe ByteView(piece.bytes(in: chunk))
        chunkOffset = if case .chunk(let range) = piece { range.lowerBound } else { -1 }
    }

    /// The slice's bytes.
    @inlinable public var bytes: UnsafeRawBufferPointer { unsafe view.buffer }

    /// How many bytes the slice has, at least 1.
    @inlinable public var count: Int { view.count }

    /// Where the bytes are kept.
    @inlinable public var source: Source {
        chunkOffset < 0 ? .library : .chunk(chunkOffset..<(chunkOffset + view.count))
    }
}
