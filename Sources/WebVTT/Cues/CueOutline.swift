import ByteScan

/// Where a cue stands in its file and when it is shown, without its bytes.
///
/// Offsets within a cue count from its first byte and fit 32 bits, because a scanner never carries more of a cue.
@frozen
public struct CueOutline: Equatable, Sendable, BitwiseCopyable {
    /// The parts of a cue that a scanner knows when it has seen the timing line.
    ///
    /// For those who change this: they are vectors so that what is stored in one piece is loaded in one piece. A vector
    /// loaded after its parts were stored one by one is a store-forwarding stall, which took a fifth of the scanner's
    /// time.
    @frozen
    @usableFromInline
    struct Timing: Equatable, Sendable, BitwiseCopyable {
        /// Start and end, in milliseconds.
        @usableFromInline var times = SIMD2<Int64>()
        /// The identifier's count, the settings' start and end, the text's start.
        @usableFromInline var offsets = SIMD4<UInt32>()
    }

    @usableFromInline let timing: Timing

    /// The stream position, in bytes, of the cue's first byte: of its identifier, or else of its timing line.
    public let position: Int

    /// How many bytes the cue has, from its first byte to its last line's terminator, that included.
    public let byteCount: Int

    @inline(__always)
    init(_ timing: Timing, position: Int, byteCount: Int) {
        self.timing = timing
        self.position = position
        self.byteCount = byteCount
    }

    /// When the cue is shown first.
    @inlinable public var start: Timestamp { Timestamp(milliseconds: timing.times.x) }

    /// When the cue is no longer shown; it may be earlier than ``start``, and the cue is then kept all the same.
    @inlinable public var end: Timestamp { Timestamp(milliseconds: timing.times.y) }

    /// Where the identifier is, without its terminator; empty if the cue has none.
    @inlinable var identifier: Range<Int> { 0..<Int(timing.offsets.x) }

    /// From after the end time to the end of the timing line.
    @inlinable var settings: Range<Int> { Int(timing.offsets.y)..<Int(timing.offsets.z) }

    /// Where the text is, with the terminator of its last line.
    @inlinable var text: Range<Int> { Int(timing.offsets.w)..<byteCount }
}

extension CueOutline {
    /// The cue itself, if `bytes` are those of the file from stream position `start` on; nil if they do not hold all of
    /// it.
    public func cue(in bytes: UnsafeRawBufferPointer, startingAt start: Int = 0) -> Cue? {
        cue(in: unsafe ByteView(bytes), startingAt: start)
    }

    func cue(in bytes: ByteView, startingAt start: Int) -> Cue? {
        let offset = position - start
        guard offset >= 0, byteCount <= bytes.count - offset else { return nil }
        return Cue(self, bytes: bytes[offset..<(offset + byteCount)])
    }
}
