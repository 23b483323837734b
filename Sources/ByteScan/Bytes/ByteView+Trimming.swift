extension ByteView {
    /// The offset of the first byte at or after `start` for which `matches` is false, or ``count``.
    @inlinable @inline(__always)
    package func offset(from start: Int, while matches: (UInt8) -> Bool) -> Int {
        var offset = start
        while offset < count, matches(self[offset]) { offset &+= 1 }
        return offset
    }

    /// The bytes without the spaces and tabs at either end.
    @inlinable
    package var trimmed: ByteView { self[trimmedRange(0..<count, ASCII.isBlank)] }

    /// `range` without the bytes at either end for which `isSpace` is true; empty if it holds nothing else.
    @inlinable
    package func trimmedRange(_ range: Range<Int>, _ isSpace: (UInt8) -> Bool) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, isSpace(self[lower]) { lower &+= 1 }
        while upper > lower, isSpace(self[upper &- 1]) { upper &-= 1 }
        return lower..<upper
    }
}
