public import CByteScan

/// The line masks of up to 16 blocks that follow each other, made in one go.
///
///     bytes         1⏎00:01.000 --> 00:02.000⏎Hello⏎⏎2⏎
///     terminators   .1.......................1.....11.1
///     blanks        ................................1..
///     arrows        ..............1....................
///     marks                       14               32       arrows and blanks, in order
///
/// Offsets count from the batch's first byte.
@safe
@usableFromInline
package struct LineBatch: ~Copyable {
    /// How many blocks a batch has at most.
    @inlinable package static var capacity: Int { Int(bytescan_batch_capacity) }

    @usableFromInline let memory: UnsafeMutablePointer<LineBatchMemory>

    /// How many bytes the batch has.
    @usableFromInline package private(set) var byteCount = 0

    /// A batch of no blocks.
    package init() {
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(to: LineBatchMemory())
    }

    deinit { unsafe memory.deallocate() }

    /// How many marks there are.
    @inlinable @inline(__always)
    package var markCount: Int { unsafe memory.pointee.markCount }

    /// How many lines end in the batch.
    @inlinable @inline(__always)
    package var lineCount: Int { unsafe memory.pointee.lineCount }

    /// How many bytes end each line; nil if it is one here and two there.
    @inlinable @inline(__always)
    package var terminatorSize: Int? {
        if unsafe memory.pointee.returns == 0 { return 1 }
        return unsafe memory.pointee.oddities == 0 ? 2 : nil
    }

    /// The offset of the mark with `index`, which must be in `0..<markCount`.
    @inlinable @inline(__always)
    package func mark(_ index: Int) -> Int {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: markCount), "index outside the batch")
        return unsafe CByteScan.mark(memory, index)
    }

    /// The masks of the block that has the byte at `offset`, which must be in the batch.
    @inlinable @inline(__always)
    package func masks(around offset: Int) -> LineMasks {
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: byteCount), "offset outside the batch")
        return unsafe CByteScan.masks(memory, offset / ByteView.blockSize)
    }

    /// The terminators among the 64 bytes at `offset`, which must be in the batch. Behind the batch there is none.
    @inlinable @inline(__always)
    package func terminators(from offset: Int) -> UInt64 {
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: byteCount), "offset outside the batch")
        return unsafe CByteScan.terminators(memory, from: offset)
    }

    /// How many lines end before `offset`, which must be in the batch.
    package func lineCount(before offset: Int) -> Int {
        var (count, offset) = (lineCount, offset)
        while offset < byteCount {
            count &-= terminators(from: offset).nonzeroBitCount
            offset &+= ByteView.blockSize
        }
        return count
    }

    /// Makes the masks of the bytes of `view` at `offset` and after it, as many as fit.
    ///
    /// `carry` is what comes before `offset`, and then what the batch leaves over.
    package mutating func fill(from view: ByteView, at offset: Int, _ carry: inout BlockCarry) {
        precondition(offset >= 0 && offset <= view.count, "offset outside the view")
        byteCount = min(view.count &- offset, Self.capacity &* ByteView.blockSize)
        let (wholeCount, rest) = byteCount.quotientAndRemainder(dividingBy: ByteView.blockSize)
        unsafe memory.pointee.clear()
        unsafe maskLines(view.base + offset, count: wholeCount, &carry, memory)
        if rest > 0 { unsafe maskRest(view.base + (offset &+ byteCount &- rest), count: rest, &carry, memory) }
    }
}

extension BlockCarry {
    /// What the two bytes `last` and, before it, `secondLast` leave over.
    package init(after secondLast: UInt8, _ last: UInt8) {
        let isReturn = last == ASCII.carriageReturn
        self.init(
            ends: isReturn || last == ASCII.lineFeed ? 1 << 63 : 0, returns: isReturn ? 1 << 63 : 0,
            hyphens: (last == ASCII.hyphen ? 1 << 63 : 0) | (secondLast == ASCII.hyphen ? 1 << 62 : 0))
    }
}

extension ByteView {
    /// The line masks of the 64 bytes at `offset`, or of those that are left.
    package func lineMasks(at offset: Int, _ carry: inout BlockCarry) -> LineMasks {
        let block = block(at: offset)
        return unsafe bytescan_combine_lines(
            block.equal(to: ASCII.lineFeed).bits, block.equal(to: ASCII.carriageReturn).bits,
            block.equal(to: ASCII.hyphen).bits, block.equal(to: ASCII.greaterThan).bits, &carry)
    }
}
