/// What passes a stream of bytes on with changes: chunks of any size in, output out, in one of three forms.
///
///     closure          for counting and copying: slice by slice, during the call
///     OutputPieces     for those who send: few pieces, after the call
///     OutputBuffer     memory of the caller's: the fastest form for what is small and whole
///
/// Where a chunk ends never changes the output. Once the source has ended call one of the `finish` forms; if it has
/// broken off, one of the `abandon` forms.
public protocol StreamRewriter: ~Copyable {
    /// What writing throws.
    associatedtype Failure: Error

    /// Rewrites the next chunk, of any size, and hands out what is decided, slice by slice.
    ///
    /// For counting and copying. **Do not send from `body`, and call nothing there that may use the rewriter again**,
    /// not even to read a property: the call is changing it, and Swift ends the process at such an access. Slices are
    /// valid during the call that hands them out.
    mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: (OutputSlice) -> Void) throws(Failure)

    /// Rewrites the next chunk, of any size, and writes what is decided to `pieces`: of this the forms that collect are
    /// made.
    mutating func write(_ chunk: UnsafeRawBufferPointer, to pieces: inout PieceWriter) throws(Failure)

    /// Rewrites the next chunk, of any size, and collects what is decided in `output`, in place of what is there.
    mutating func write(_ chunk: UnsafeRawBufferPointer, into output: inout OutputPieces) throws(Failure)

    /// Rewrites the next chunk, of any size, and copies what is decided to `output`.
    ///
    /// - Throws: ``OutputError/tooSmall(needed:available:)``, before anything is taken, if there is less room than the
    ///   output may need.
    mutating func write(_ chunk: UnsafeRawBufferPointer, into output: inout OutputBuffer) throws(OutputError<Failure>)

    /// Ends the stream, and hands out what is left, slice by slice.
    mutating func finish(_ body: (OutputSlice) -> Void)

    /// Ends the stream, and copies what is left to `output`.
    ///
    /// - Throws: ``OutputError/tooSmall(needed:available:)``, before anything is done, if there is less room than the
    ///   rest may need.
    mutating func finish(into output: inout OutputBuffer) throws(OutputError<Failure>)

    /// Breaks the stream off, because its source has: hands out what is held, unedited, and appends nothing.
    ///
    /// A stream that breaks off is not a finished one. What is written or finished after this passes through; a reset
    /// makes the rewriter as new.
    mutating func abandon(_ body: (OutputSlice) -> Void)

    /// Makes the rewriter as new; the memory it has is kept.
    mutating func reset()

    /// How many bytes are held, which have been written and not been handed out.
    var heldBytes: Int { get }

    /// Whether all that is still to come passes through unchanged, and nothing is held or will be appended: a proxy can
    /// step aside.
    var isSettled: Bool { get }

    /// The most bytes that the next chunk can become, if it has `count` bytes; what is held counts too.
    func outputBound(forChunkOf count: Int) -> Int

    /// The most bytes that `chunk` can become; what is held counts too. It may be less than
    /// ``outputBound(forChunkOf:)``.
    func outputBound(for chunk: UnsafeRawBufferPointer) -> Int
}

// The forms that follow from the others.
extension StreamRewriter where Self: ~Copyable {
    /// Rewrites the next chunk, of any size, and collects what is decided in `output`, in place of what is there.
    ///
    /// - Throws: as the form that hands out slices; what is decided before is in `output`.
    @inlinable
    public mutating func write(_ chunk: UnsafeRawBufferPointer, into output: inout OutputPieces) throws(Failure) {
        var pieces = output.begin()
        defer { pieces.end() }
        try unsafe write(chunk, to: &pieces)
    }

    /// Rewrites the next chunk, of any size, and writes what is decided to `pieces`.
    @inlinable
    public mutating func write(_ chunk: UnsafeRawBufferPointer, to pieces: inout PieceWriter) throws(Failure) {
        try unsafe write(chunk) { pieces.append($0) }
    }

    /// The most bytes that `chunk` can become; what is held counts too.
    @inlinable
    public func outputBound(for chunk: UnsafeRawBufferPointer) -> Int { outputBound(forChunkOf: chunk.count) }

    /// Rewrites the next chunk, of any size, and copies what is decided to `output`.
    ///
    /// - Throws: ``OutputError/tooSmall(needed:available:)``, before anything is taken, if there is less room than
    ///   ``outputBound(for:)`` says; else as the other forms.
    @inlinable
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, into output: inout OutputBuffer
    ) throws(OutputError<Failure>) {
        if outputBound(forChunkOf: chunk.count) > output.available {
            try output.require(unsafe outputBound(for: chunk), or: Failure.self)
        }
        try unsafe writeFitting(chunk, into: &output)
    }

    /// The same for a chunk of which a bound has said that what becomes of it has room in `output`.
    @inlinable
    package mutating func writeFitting(
        _ chunk: UnsafeRawBufferPointer, into output: inout OutputBuffer
    ) throws(OutputError<Failure>) {
        var pieces = output.begin()
        defer { output.end(pieces) }
        do throws(Failure) {
            try unsafe write(chunk, to: &pieces)
        } catch {
            throw OutputError.failed(error)
        }
    }

    /// Ends the stream, and copies what is left to `output`.
    ///
    /// - Throws: ``OutputError/tooSmall(needed:available:)``, before anything is done, if there is less room than the
    ///   rest may need.
    @inlinable
    public mutating func finish(into output: inout OutputBuffer) throws(OutputError<Failure>) {
        try output.require(outputBound(forChunkOf: 0), or: Failure.self)
        var pieces = output.begin()
        finish { pieces.append($0) }
        output.end(pieces)
    }

    /// Ends the stream, and collects what is left in `output`, in place of what is there.
    @inlinable
    public mutating func finish(into output: inout OutputPieces) {
        var pieces = output.begin()
        finish { pieces.append($0) }
        pieces.end()
    }

    /// Breaks the stream off, because its source has, and collects what is held in `output`, in place of what is there.
    @inlinable
    public mutating func abandon(into output: inout OutputPieces) {
        var pieces = output.begin()
        abandon { pieces.append($0) }
        pieces.end()
    }

    /// Breaks the stream off, because its source has, and copies what is held to `output`.
    ///
    /// - Throws: ``OutputError/tooSmall(needed:available:)``, before anything is done, if there is not room for
    ///   ``heldBytes``.
    @inlinable
    public mutating func abandon(into output: inout OutputBuffer) throws(OutputError<Failure>) {
        try output.require(heldBytes, or: Failure.self)
        var pieces = output.begin()
        abandon { pieces.append($0) }
        output.end(pieces)
    }
}

// What is known before anything is handed out.
extension StreamRewriter where Self: ~Copyable {
    /// The exact length, in bytes, of what a whole text becomes, without handing out any of it.
    ///
    /// The rewriter is as new before and after.
    ///
    /// - Throws: as the forms that write.
    @inlinable
    public mutating func outputLength(of whole: RawSpan) throws(Failure) -> Int {
        try unsafe whole.withUnsafeBytes { (whole) throws(Failure) in try unsafe outputLength(of: whole) }
    }

    /// The exact length, in bytes, of what a whole text becomes, without handing out any of it.
    ///
    /// The rewriter is as new before and after.
    ///
    /// - Throws: as the forms that write.
    @inlinable
    public mutating func outputLength(of whole: UnsafeRawBufferPointer) throws(Failure) -> Int {
        var length = 0
        reset()
        defer { reset() }
        try unsafe write(whole) { length += $0.count }
        finish { length += $0.count }
        return length
    }
}

// The same for chunks that are spans.
extension StreamRewriter where Self: ~Copyable {
    /// Rewrites the next chunk, of any size, and hands out what is decided, slice by slice.
    ///
    /// - Throws: as the form that takes a buffer.
    @inlinable
    public mutating func write(_ chunk: RawSpan, _ body: (OutputSlice) -> Void) throws(Failure) {
        try unsafe chunk.withUnsafeBytes { (chunk) throws(Failure) in try unsafe write(chunk, body) }
    }

    /// Rewrites the next chunk, of any size, and collects what is decided in `output`, in place of what is there.
    ///
    /// - Throws: as the form that takes a buffer.
    @inlinable
    public mutating func write(_ chunk: RawSpan, into output: inout OutputPieces) throws(Failure) {
        try unsafe chunk.withUnsafeBytes { (chunk) throws(Failure) in try unsafe write(chunk, into: &output) }
    }

    /// Rewrites the next chunk, of any size, and copies what is decided to `output`.
    ///
    /// - Throws: as the form that takes a buffer.
    @inlinable
    public mutating func write(_ chunk: RawSpan, into output: inout OutputBuffer) throws(OutputError<Failure>) {
        try unsafe chunk.withUnsafeBytes { (chunk) throws(OutputError<Failure>) in
            try unsafe write(chunk, into: &output)
        }
    }
}
