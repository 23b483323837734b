public import CByteScan

/// The line masks of up to 16 blocks that follow each other, made in one go.
///
///     bytes         1⏎00:01.000 --> 00:02.000⏎Hello⏎⏎2⏎
///     terminators   .1.......................1.....11.1
///     blanks        ................................1..
///     arrows        ..............1....................
@safe
@usableFromInline
package struct LineBatch: ~Copyable {
    /// How many blocks a batch has at most.
    package static var capacity: Int { 16 }

    @usableFromInline let masks: UnsafeMutablePointer<LineMasks>

    /// How many blocks the batch has.
    @usableFromInline package private(set) var blockCount = 0

    /// How many lines end in the batch.
    package private(set) var lineCount = 0

    /// A batch of no blocks.
    package init() {
        unsafe masks = .allocate(capacity: Self.capacity)
        unsafe masks.initialize(repeating: LineMasks(), count: Self.capacity)
    }

    deinit { unsafe masks.deallocate() }

    /// The masks of the block with `index`, which must be in `0..<blockCount`.
    @inlinable
    package subscript(index: Int) -> LineMasks {
        @inline(__always) get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: blockCount), "index outside the batch")
            return unsafe masks[index]
        }
    }

    /// Makes the masks of the blocks of `view` at `offset` and after it: as many whole ones as fit, or what is left of
    /// one.
    ///
    /// `carry` is what comes before `offset`, and then what the batch leaves over.
    package mutating func fill(from view: ByteView, at offset: Int, _ carry: inout BlockCarry) {
        precondition(offset >= 0, "offset outside the view")
        let wholeCount = (view.count &- offset) / ByteView.blockSize
        if wholeCount > 0 {
            blockCount = min(wholeCount, Self.capacity)
            lineCount = unsafe maskLines(view.base + offset, count: blockCount, &carry, masks)
        } else {
            blockCount = 1
            unsafe masks[0] = view.lineMasks(at: offset, &carry)
            lineCount = unsafe masks[0].terminators.nonzeroBitCount
        }
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
