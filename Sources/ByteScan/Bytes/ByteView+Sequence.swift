extension ByteView: Sequence {
    /// Walks a view from its first byte to its last.
    @safe
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline let view: ByteView
        @usableFromInline var offset = 0

        @inlinable
        init(_ view: ByteView) { self.view = view }

        /// The next byte, or nil after the last.
        @inlinable @inline(__always)
        public mutating func next() -> UInt8? {
            guard offset < view.count else { return nil }
            defer { offset &+= 1 }
            return view[offset]
        }
    }

    /// An iterator from the first byte on.
    @inlinable @inline(__always)
    public func makeIterator() -> Iterator { Iterator(self) }

    /// The number of bytes, exactly.
    @inlinable
    public var underestimatedCount: Int { count }
}

#if !hasFeature(Embedded)
extension ByteView: CustomStringConvertible {
    /// The bytes as UTF-8 text, with U+FFFD in place of what is not.
    public var description: String { String(decoding: self.map { $0 }, as: UTF8.self) }
}
#endif
