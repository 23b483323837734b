public import CByteScan

extension ByteView {
    /// The offset of the first `byte` at or after `start`, or nil.
    public func firstOffset(of byte: UInt8, from start: Int = 0) -> Int? {
        precondition(start >= 0, "offset outside the view")
        var rest = start
        if count &- start >= Self.blockSize {
            let match = firstBlock(with: byte, from: start)
            if match.bits != 0 { return match.start &+ match.bits.trailingZeroBitCount }
            rest = match.start
        }
        guard rest < count else { return nil }
        // Fewer than 64 bytes are left: the last 64 are compared again where there are as many.
        let last = Swift.max(count &- Self.blockSize, 0)
        let found = rest &+ (block(at: last).equal(to: byte).bits &>> (rest &- last)).trailingZeroBitCount
        return found < count ? found : nil
    }

    /// The offset of the first byte at or after `start` that `mask` has of a block, or nil.
    @inline(__always)
    package func firstOffset(from start: Int = 0, in mask: (ByteBlock) -> ByteBlock) -> Int? {
        var offset = start
        while offset < count {
            let bits = mask(block(at: offset)).bits
            if bits != 0 {
                // A block that reaches past the end has zeros there.
                let found = offset &+ bits.trailingZeroBitCount
                return found < count ? found : nil
            }
            offset &+= Self.blockSize
        }
        return nil
    }

    /// The offset of the last `byte` before `end`, or nil.
    public func lastOffset(of byte: UInt8, before end: Int) -> Int? {
        var end = end
        while end >= Self.blockSize {
            let bits = block(at: end &- Self.blockSize).equal(to: byte).bits
            if bits != 0 { return end &- 1 &- bits.leadingZeroBitCount }
            end &-= Self.blockSize
        }
        guard end > 0 else { return nil }
        let bits = prefix(upTo: end).block(at: 0).equal(to: byte).bits & ((1 &<< UInt64(end)) &- 1)
        return bits == 0 ? nil : 63 &- bits.leadingZeroBitCount
    }

    /// The offset of the first occurrence of `needle` that starts at or after `start`, or nil.
    package func firstOffset(of needle: Needle, from start: Int = 0) -> Int? {
        var offset = start
        while offset &+ needle.count <= count {
            var bits = needle.candidates(in: self, from: &offset)
            while bits != 0 {
                let candidate = offset &+ bits.trailingZeroBitCount
                if hasBytes(needle.bytes, at: candidate) { return candidate }
                bits &= bits &- 1
            }
            offset &+= Self.blockSize
        }
        return nil
    }

    /// Whether a part of `needle` is at the end, and the rest at the beginning of `next`.
    package func ends(with needle: Needle, continuedIn next: ByteView) -> Bool {
        var count = needle.count &- 1
        while count > 0 {
            let rest = needle.bytes.suffix(from: count)
            if count <= self.count, rest.count <= next.count,
                hasBytes(needle.bytes.prefix(upTo: count), at: self.count &- count), next.hasBytes(rest, at: 0)
            {
                return true
            }
            count &-= 1
        }
        return false
    }

    /// How many bytes are `byte`.
    package func count(of byte: UInt8) -> Int {
        var found = 0
        for offset in stride(from: 0, to: count, by: Self.blockSize) {
            found &+= block(at: offset).equal(to: byte).bits.nonzeroBitCount
        }
        return found
    }
}

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

    /// How many bytes before its end a view has at most that kernels go over in a copy.
    @inlinable package static var tailCapacity: Int { Int(bytescan_tail_capacity) }

    /// Measures what is left of a line from `offset` up to the end of the view.
    package func measureTail(from offset: Int, lookingFor pair: BytePair) -> MeasuredLine {
        precondition(offset >= 0 && offset <= count && count &- offset <= Self.tailCapacity, "no tail")
        return unsafe CByteScan.measureTail(base, from: offset, to: count, lookingFor: pair)
    }

    /// Splits the attribute list from `start` to `end`: as many items as there is room for.
    @inlinable @inline(__always)
    package func splitAttributes(from start: Int, to end: Int, _ items: inout ListItems) {
        precondition(start >= 0 && start <= end && end <= count, "list outside the view")
        unsafe CByteScan.splitAttributes(base, from: start, to: end, readable: count, &items)
    }
}
