public import CByteScan

// Searches over whole blocks of 64 bytes, in steps of 64 from an offset. What is left at the end of a view is the
// caller's.
extension ByteView {
    /// The first whole block at or after `offset` that has `byte`; no bits if none has.
    @inlinable @inline(__always)
    package func firstBlock(with byte: UInt8, from offset: Int) -> BlockMatch {
        precondition(offset >= 0, "offset outside the view")
        return unsafe findByte(base, from: offset, last: count &- Self.blockSize, byte)
    }

    /// Measures the line that starts at `offset`, up to the whole block in which it ends.
    @inlinable @inline(__always)
    package func measureLine(from offset: Int, lookingFor pair: BytePair) -> MeasuredLine {
        precondition(offset >= 0, "offset outside the view")
        return unsafe CByteScan.measureLine(base, from: offset, last: count &- Self.blockSize &- 12, lookingFor: pair)
    }

    /// Splits the attribute list from `start` to `end`: as many items as there is room for.
    @inlinable @inline(__always)
    package func splitAttributes(from start: Int, to end: Int, _ items: inout ListItems) {
        precondition(start >= 0 && start <= end && end <= count, "list outside the view")
        unsafe CByteScan.splitAttributes(base, from: start, to: end, readable: count, &items)
    }
}
