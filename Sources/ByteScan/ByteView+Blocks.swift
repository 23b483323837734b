public import CByteScan

// Searches over whole blocks of 64 bytes, in steps of 64 from an offset. What is left at the end of a view is the caller's.
extension ByteView {
    /// The first whole block at or after `offset` that has `byte`; no bits where none has.
    @inlinable @inline(__always)
    package func firstBlock(with byte: UInt8, from offset: Int) -> BlockMatch {
        precondition(offset >= 0, "offset outside the view")
        return unsafe findByte(base, from: offset, last: count &- Self.blockSize, byte)
    }

    /// Passes the line that starts at `offset`, up to the whole block in which it ends.
    @inlinable @inline(__always)
    package func passLine(from offset: Int, probing probe: BytePair) -> LineMatch {
        precondition(offset >= 0, "offset outside the view")
        return unsafe CByteScan.passLine(base, from: offset, last: count &- Self.blockSize &- 12, probing: probe)
    }

    /// Where commas, equals signs and quotes are among the 64 bytes at `offset`; there are none behind the end.
    package func listMarks(at offset: Int) -> ListMarks {
        if offset >= 0, offset <= count &- Self.blockSize { return unsafe markList(base + offset) }
        let block = block(at: offset)
        return ListMarks(
            commas: block.equal(to: ASCII.comma).bits, equals: block.equal(to: ASCII.equals).bits,
            quotes: block.equal(to: ASCII.quote).bits)
    }
}
