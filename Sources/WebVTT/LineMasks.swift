import ByteScan
import CByteScan

/// What 64 bytes say about lines: bit n stands for the n-th byte.
///
///     bytes         1⏎00:01.000 --> 00:02.000⏎Hello⏎⏎2⏎
///     terminators   .1.......................1.....11.1
///     blanks        ................................1..
///     arrows        ..............1....................
///
/// A CR and the LF behind it are one terminator, the CR. An arrow is at its last byte.
struct LineMasks {
    /// Line feeds and carriage returns.
    let ends: UInt64
    /// Where a line ends.
    let terminators: UInt64
    /// Where a line ends that has no byte.
    let blanks: UInt64
    /// Where `-->` ends.
    let arrows: UInt64

    /// What the bytes before a block of 64 mean to it.
    struct Carry {
        private var lineEnds: UInt64
        private var returns: UInt64
        private var hyphens: UInt64

        /// The carry behind the two bytes `last` and, before it, `secondLast`.
        init(behind secondLast: UInt8, _ last: UInt8) {
            lineEnds = ASCII.isLineEnd(last) ? 1 << 63 : 0
            returns = last == ASCII.carriageReturn ? 1 << 63 : 0
            hyphens = (last == ASCII.hyphen ? 1 << 63 : 0) | (secondLast == ASCII.hyphen ? 1 << 62 : 0)
        }

        /// The masks of `block`, which follows what came before; the carry is then for what follows `block`.
        @inline(__always)
        mutating func masks(of block: ByteBlock) -> LineMasks {
            let feeds = block.equal(to: ASCII.lineFeed).bits
            // Files have carriage returns everywhere or nowhere, so this test costs less than the mask.
            let returnMask = block.equal(to: ASCII.carriageReturn)
            let returns = returnMask.isAnySet ? returnMask.bits : 0
            let hyphens = block.equal(to: ASCII.hyphen).bits
            let greater = block.equal(to: ASCII.greaterThan).bits
            let ends = feeds | returns
            let terminators = returns | feeds & ~(returns &<< 1 | self.returns &>> 63)
            let blanks = terminators & (ends &<< 1 | lineEnds &>> 63)
            let arrows = greater & (hyphens &<< 1 | self.hyphens &>> 63) & (hyphens &<< 2 | self.hyphens &>> 62)
            (lineEnds, self.returns, self.hyphens) = (ends, returns, hyphens)
            return LineMasks(ends: ends, terminators: terminators, blanks: blanks, arrows: arrows)
        }
    }
}

extension ByteView {
    /// The offset of the first line feed or carriage return at or after `start`, or nil.
    @inline(__always)
    func firstLineEnd(from start: Int) -> Int? {
        var offset = start
        while offset < count {
            let block = block(at: offset)
            let bits = block.equal(to: ASCII.lineFeed).or(block.equal(to: ASCII.carriageReturn)).bits
            if bits != 0 { return offset &+ bits.trailingZeroBitCount }
            offset &+= Self.blockSize
        }
        return nil
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

    /// The offset behind the terminator at `end`: one byte on, or two where a CR and an LF make one terminator.
    ///
    /// An `end` at the view's end has no terminator.
    @inline(__always)
    func offsetBehindLineEnd(at end: Int) -> Int {
        guard end < count else { return end }
        return self[end] == ASCII.carriageReturn && has(ASCII.lineFeed, at: end &+ 1) ? end &+ 2 : end &+ 1
    }

    /// How many lines end in `range`, where the byte before the range is no part of its first terminator.
    func lineCount(in range: Range<Int>) -> Int {
        var carry = LineMasks.Carry(behind: 0, 0)
        var (offset, count) = (range.lowerBound, 0)
        while offset < range.upperBound {
            let end = Swift.min(offset &+ Self.blockSize, range.upperBound)
            count &+= carry.masks(of: self[offset..<end].block(at: 0)).terminators.nonzeroBitCount
            offset = end
        }
        return count
    }

    /// The view without the terminator at its end, if it has one.
    @inline(__always)
    var withoutLineEnd: ByteView {
        guard let last, ASCII.isLineEnd(last) else { return self }
        let isPair = last == ASCII.lineFeed && count > 1 && self[count &- 2] == ASCII.carriageReturn
        return self[0..<(count &- (isPair ? 2 : 1))]
    }

    /// The view without the white space at either end.
    var trimmed: ByteView {
        var (start, end) = (0, count)
        while start < end, ASCII.isLineSpace(self[start]) { start &+= 1 }
        while start < end, ASCII.isLineSpace(self[end &- 1]) { end &-= 1 }
        return self[start..<end]
    }
}
