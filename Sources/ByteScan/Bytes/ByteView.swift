public import CByteScan

/// A run of somebody else's bytes: the one type through which the scanners read memory.
///
/// Every access is checked against `count`, so a view never reads outside its run. How long the memory lives is the
/// caller's part: a view handed to a closure is valid during the call, and no longer.
@safe
@frozen
public struct ByteView: BitwiseCopyable {
    @usableFromInline let base: UnsafePointer<UInt8>

    /// How many bytes the view spans.
    public let count: Int

    /// The number of bytes a `ByteBlock` holds.
    @inlinable public static var blockSize: Int { 64 }

    /// A view of `count` bytes at `base`.
    @inlinable @inline(__always)
    init(base: UnsafePointer<UInt8>, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    /// A view of `buffer`, whose memory must outlive every use of the view.
    @inlinable @inline(__always)
    public init(_ buffer: UnsafeRawBufferPointer) {
        if let base = buffer.baseAddress {
            unsafe self.init(base: base.assumingMemoryBound(to: UInt8.self), count: buffer.count)
        } else {
            self.init()
        }
    }

    /// A view of no bytes.
    @inlinable
    public init() { unsafe self.init(base: UnsafePointer(bitPattern: 1).unsafelyUnwrapped, count: 0) }

    /// A view of a literal's UTF-8 bytes, which live as long as the program.
    @inlinable
    public init(_ literal: StaticString) {
        unsafe self.init(base: literal.utf8Start, count: literal.utf8CodeUnitCount)
    }

    /// The view as the standard library's buffer.
    @inlinable @inline(__always)
    public var buffer: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }

    /// Whether the view spans no byte.
    @inlinable @inline(__always)
    public var isEmpty: Bool { count == 0 }

    /// The byte at `offset`, which must be in `0..<count`.
    @inlinable
    public subscript(offset: Int) -> UInt8 {
        @inline(__always) get {
            precondition(UInt(bitPattern: offset) < UInt(bitPattern: count), "offset outside the view")
            return unsafe base[offset]
        }
    }

    /// The first byte, or nil where there is none.
    @inlinable @inline(__always)
    public var first: UInt8? { isEmpty ? nil : self[0] }

    /// The last byte, or nil where there is none.
    @inlinable @inline(__always)
    public var last: UInt8? { isEmpty ? nil : self[count &- 1] }

    /// The bytes in `range`, which must lie in `0...count`.
    @inlinable
    public subscript(range: Range<Int>) -> ByteView {
        @inline(__always) get {
            precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the view")
            return unsafe ByteView(base: base + range.lowerBound, count: range.count)
        }
    }

    /// The bytes from `offset` to the end.
    @inlinable @inline(__always)
    public func suffix(from offset: Int) -> ByteView { self[offset..<count] }

    /// The bytes before `offset`.
    @inlinable @inline(__always)
    public func prefix(upTo offset: Int) -> ByteView { self[0..<offset] }

    /// The 64 bytes at `offset`, with zeros in place of those after the end.
    @inlinable @inline(__always)
    package func block(at offset: Int) -> ByteBlock {
        let left = count &- offset
        precondition(offset >= 0 && left >= 0, "offset outside the view")
        return left >= Self.blockSize
            ? unsafe ByteBlock(loading: base + offset) : unsafe ByteBlock(loading: base + offset, count: left)
    }

    /// The eight bytes at `offset`, which the caller knows to be inside the view: a debug build checks it.
    @unsafe @inlinable @inline(__always)
    package func uncheckedWord(at offset: Int) -> UInt64 {
        assert(offset >= 0 && offset <= count &- 8, "word outside the view")
        return unsafe UInt64(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
    }

    /// The first eight bytes, the first of them in the lowest bits, with zeros in place of those after the end.
    package var paddedWord: UInt64 {
        if count >= 8 { return word(at: 0) }
        var word: UInt64 = 0
        for offset in 0..<count { word |= UInt64(self[offset]) << UInt64(8 * offset) }
        return word
    }

    /// The bytes in `range`, which the caller knows to be inside the view: a debug build checks it.
    @unsafe @inlinable @inline(__always)
    package func uncheckedSlice(_ start: Int, _ end: Int) -> ByteView {
        assert(start >= 0 && start <= end && end <= count, "range outside the view")
        return unsafe ByteView(base: base + start, count: end &- start)
    }

    /// The byte at `offset`, which the caller knows to be inside the view: a debug build checks it.
    @unsafe @inlinable @inline(__always)
    package func uncheckedByte(at offset: Int) -> UInt8 {
        assert(offset >= 0 && offset < count, "offset outside the view")
        return unsafe base[offset]
    }

    /// The eight bytes at `offset`, all inside the view, the first of them in the lowest bits.
    @inlinable @inline(__always)
    package func word(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset &+ 8 <= count, "word outside the view")
        return unsafe UInt64(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
    }
}
