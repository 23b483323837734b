#if !hasFeature(Embedded)
// The same for chunks that are arrays, slices, Foundation's Data, or any other collection of bytes.
//
// What does not lie in one piece is copied.
extension StreamRewriter where Self: ~Copyable {
    /// Rewrites the next chunk, of any size, and hands out what is decided, slice by slice.
    ///
    /// - Throws: as the form that takes a buffer.
    @inlinable
    public mutating func write(_ chunk: some Collection<UInt8>, _ body: (OutputSlice) -> Void) throws(Failure) {
        try unsafe chunk.withBytes { (chunk) throws(Failure) in try unsafe write(chunk, body) }
    }

    /// Rewrites the next chunk, of any size, and collects what is decided in `output`, in place of what is there.
    ///
    /// Ranges of the chunk count from its first byte, as ``OutputPiece/bytes(in:)-(Collection)`` does, whatever its
    /// indices are.
    ///
    /// - Throws: as the form that takes a buffer.
    @inlinable
    public mutating func write(_ chunk: some Collection<UInt8>, into output: inout OutputPieces) throws(Failure) {
        try unsafe chunk.withBytes { (chunk) throws(Failure) in try unsafe write(chunk, into: &output) }
    }

    /// Rewrites the next chunk, of any size, and copies what is decided to `output`.
    ///
    /// - Throws: as the form that takes a buffer.
    @inlinable
    public mutating func write(
        _ chunk: some Collection<UInt8>, into output: inout OutputBuffer
    ) throws(OutputError<Failure>) {
        try unsafe chunk.withBytes { (chunk) throws(OutputError<Failure>) in try unsafe write(chunk, into: &output) }
    }

    /// The exact length, in bytes, of what a whole text becomes, without handing out any of it.
    ///
    /// The rewriter is as new before and after.
    ///
    /// - Throws: as the forms that write.
    @inlinable
    public mutating func outputLength(of whole: some Collection<UInt8>) throws(Failure) -> Int {
        try unsafe whole.withBytes { (whole) throws(Failure) in try unsafe outputLength(of: whole) }
    }
}
#endif
