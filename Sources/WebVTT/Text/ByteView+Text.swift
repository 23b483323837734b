public import ByteScan
import CByteScan

extension ASCII {
    /// Whether `byte` is white space inside a line: space, tab or form feed, and nothing else.
    @inline(__always)
    static func isLineSpace(_ byte: UInt8) -> Bool { byte == space || byte == tab || byte == formFeed }

    /// Whether `byte` ends a line: a line feed or a carriage return.
    @inline(__always)
    static func isLineEnd(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }
}

extension ByteView {
    /// The offset of the first line feed or carriage return at or after `start`, or nil.
    @inline(__always)
    func firstLineEnd(from start: Int) -> Int? {
        firstOffset(from: start) { $0.equal(to: ASCII.lineFeed).or($0.equal(to: ASCII.carriageReturn)) }
    }

    /// The offset of the last line feed or carriage return in `range`, or nil.
    func lastLineEnd(in range: Range<Int>) -> Int? {
        var end = range.upperBound
        while end > range.lowerBound {
            let start = Swift.max(range.lowerBound, end &- Self.blockSize)
            let block = self[start..<end].block(at: 0)
            let bits = block.equal(to: ASCII.lineFeed).or(block.equal(to: ASCII.carriageReturn)).bits
            if bits != 0 { return start &+ 63 &- bits.leadingZeroBitCount }
            end = start
        }
        return nil
    }

    /// The offset after the terminator at `end`: one byte on, or two if a CR and an LF make one terminator.
    ///
    /// An `end` at the view's end has no terminator.
    @inline(__always)
    func offsetAfterLineEnd(at end: Int) -> Int {
        guard end < count else { return end }
        return self[end] == ASCII.carriageReturn && has(ASCII.lineFeed, at: end &+ 1) ? end &+ 2 : end &+ 1
    }

    /// Calls `body` with the range of each line, without its terminator, in order.
    func forEachLine(_ body: (Range<Int>) -> Void) {
        var start = 0
        while start < count {
            let end = firstLineEnd(from: start) ?? count
            body(start..<end)
            start = offsetAfterLineEnd(at: end)
        }
    }

    /// How many lines end in `range`, if the byte before the range is no part of its first terminator.
    func lineCount(in range: Range<Int>) -> Int {
        var carry = BlockCarry(after: 0, 0)
        var (offset, count) = (range.lowerBound, 0)
        while offset < range.upperBound {
            let end = Swift.min(offset &+ Self.blockSize, range.upperBound)
            count &+= self[0..<end].lineMasks(at: offset, &carry).terminators.nonzeroBitCount
            offset = end
        }
        return count
    }

    /// The view without the terminator at its end, if it has one.
    @inlinable @inline(__always)
    var withoutLineEnd: ByteView {
        guard let last, last == ASCII.lineFeed || last == ASCII.carriageReturn else { return self }
        let isPair = last == ASCII.lineFeed && count > 1 && self[count &- 2] == ASCII.carriageReturn
        return self[0..<(count &- (isPair ? 2 : 1))]
    }

    /// The offset of the first byte at or after `start` that is no white space, or ``count``.
    @inline(__always)
    func offsetAfterSpace(from start: Int) -> Int { offset(from: start, while: ASCII.isLineSpace) }

    /// The view without the white space at either end.
    var withoutLineSpace: ByteView { self[trimmedRange(0..<count, ASCII.isLineSpace)] }

    /// The offset of the last `-->` that ends at or before `end`, or nil.
    ///
    /// Its last byte is searched for, 64 places at a time: cue text holds it now and then, and hyphens far more often.
    func lastArrow(before end: Int) -> Int? {
        var end = end
        while let found = lastOffset(of: ASCII.greaterThan, before: end) {
            if found >= 2, self[found &- 1] == ASCII.hyphen, self[found &- 2] == ASCII.hyphen { return found &- 2 }
            end = found
        }
        return nil
    }

    /// Whether `byte` stands at `offset`, which is not below 0; no byte stands after the end.
    @inline(__always)
    func has(_ byte: UInt8, at offset: Int) -> Bool { offset < count && self[offset] == byte }
}
