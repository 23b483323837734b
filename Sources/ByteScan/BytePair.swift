public import CByteScan

/// Two bytes at a fixed distance: a cheap sign that a longer string may be there.
@frozen
public struct BytePair: BitwiseCopyable, Sendable {
    @usableFromInline let first: UInt8
    @usableFromInline let second: UInt8
    /// How far behind the first byte the second one stands.
    public let distance: Int

    /// The pair of `first` and, `distance` bytes behind it, `second`.
    @inlinable
    public init(_ first: UInt8, _ second: UInt8, distance: Int) {
        self.first = first
        self.second = second
        self.distance = distance
    }

    /// The mask of the places in the 64 bytes at `offset`, which are `block`, where the pair stands.
    ///
    /// The 64 bytes must all be in `view`, and as many more as the pair is apart: a debug build checks it.
    @unsafe @inlinable @inline(__always)
    package func matches(_ block: ByteBlock, in view: ByteView, at offset: Int) -> ByteBlock {
        unsafe block.equal(to: first).and(view.uncheckedBlock(at: offset &+ distance).equal(to: second))
    }

    /// The same near the end of `view`, where a pair that reaches past it is none.
    @inlinable
    package func matchesAtEnd(of view: ByteView, at offset: Int) -> ByteBlock {
        view.block(at: offset).equal(to: first)
            .and(view.block(at: min(offset &+ distance, view.count)).equal(to: second))
    }
}
