public import CByteScan

// Searches over whole blocks of 64 bytes, in steps of 64 from an offset. What is left at the end of a view is the caller's.
extension ByteView {
    /// The first whole block at or after `offset` that has `byte`; no bits where none has.
    @inlinable @inline(__always)
    package func firstBlock(with byte: UInt8, from offset: Int) -> BlockMatch {
        precondition(offset >= 0, "offset outside the view")
        return unsafe findByte(base, from: offset, last: count &- Self.blockSize, byte)
    }

    /// The first block at or after `offset` that has `pair`, of those that have as many bytes behind them as it is apart.
    @inlinable @inline(__always)
    package func firstBlock(with pair: BytePair, from offset: Int) -> BlockMatch {
        precondition(offset >= 0, "offset outside the view")
        return unsafe findPair(base, from: offset, last: count &- Self.blockSize &- Int(pair.distance), pair)
    }

    /// Passes the line that starts at `offset`, and those behind it up to one that follows `stop`, in whole blocks.
    @inlinable @inline(__always)
    package func passLine(from offset: Int, probing probe: BytePair, stoppingAt stop: BytePair) -> LineMatch {
        precondition(offset >= 0, "offset outside the view")
        let reach = Int(Swift.max(probe.distance, stop.distance))
        return unsafe CByteScan.passLine(
            base, from: offset, last: count &- Self.blockSize &- reach, probing: probe, stoppingAt: stop)
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
