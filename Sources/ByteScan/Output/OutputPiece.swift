/// A piece of what a rewriter has handed out: a range of the chunk it was given, or bytes of the library's own.
@safe
@frozen
public enum OutputPiece {
    /// The bytes at these offsets of the chunk that was written: a proxy forwards its own buffer.
    case chunk(Range<Int>)
    /// Bytes of the output's own, valid until the output is written to again or cleared, or is gone.
    case own(UnsafeRawBufferPointer)

    /// How many bytes the piece has, at least 1.
    @inlinable public var count: Int {
        switch self {
        case .chunk(let range): range.count
        case .own(let bytes): bytes.count
        }
    }

    /// The piece's bytes, wherever they are, if `chunk` is the one that was written.
    @inlinable
    public func bytes(in chunk: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        switch self {
        case .chunk(let range): unsafe UnsafeRawBufferPointer(rebasing: chunk[range])
        case .own(let bytes): unsafe bytes
        }
    }

    /// Calls `body` with the piece's bytes, wherever they are, if `chunk` is the one that was written.
    @inlinable
    public func withBytes<Answer, Failure: Error>(
        in chunk: RawSpan, _ body: (RawSpan) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        switch self {
        case .chunk(let range): try body(chunk.extracting(range))
        case .own(let bytes): try body(unsafe bytes.bytes)
        }
    }
}

#if !hasFeature(Embedded)
extension OutputPiece {
    /// A copy of the piece's bytes, wherever they are, if `chunk` is the one that was written: an array, a slice,
    /// Foundation's Data.
    ///
    /// Nothing that `chunk` does not hold is read.
    @inlinable
    public func bytes(in chunk: some Collection<UInt8>) -> [UInt8] {
        switch self {
        case .chunk(let range): Array(chunk.dropFirst(range.lowerBound).prefix(range.count))
        case .own(let bytes): unsafe Array(bytes)
        }
    }
}
#endif
