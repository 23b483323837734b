public import CByteScan

// Two bytes at a fixed distance are a cheap sign that a longer string may be there.
extension BytePair {
    /// A pair that no line holds: both of its bytes are line feeds.
    package static var none: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.lineFeed, distance: 0) }

    /// The mask of the places among the 64 bytes at `offset` where the pair stands; one that reaches past the end is none.
    package func matches(in view: ByteView, at offset: Int) -> ByteBlock {
        view.block(at: offset).equal(to: first)
            .and(view.block(at: min(offset &+ Int(distance), view.count)).equal(to: second))
    }
}

extension LineMatch {
    /// The offset of the line's end, or of the block in which to go on looking for it.
    @inlinable @inline(__always)
    package var end: Int { endAndSigns &>> 4 }

    /// Whether an odd number of quotes stands in the line, so far as it has been passed.
    @inlinable @inline(__always)
    package var hasOddQuotes: Bool { endAndSigns & 1 != 0 }

    /// Whether the probed pair stands in any of the blocks.
    @inlinable @inline(__always)
    package var hasProbe: Bool { endAndSigns & 2 != 0 }

    /// Whether the line's end and the next line of interest have been found, no quote is left open, and the probe is absent.
    @inlinable @inline(__always)
    package var isPlain: Bool { endAndSigns & 15 == 12 }

    /// Whether the line's end and the next line of interest have been found.
    @inlinable @inline(__always)
    package var isComplete: Bool { endAndSigns & 8 != 0 }

    /// Whether the line's end has been found.
    @inlinable @inline(__always)
    package var hasEnd: Bool { endAndSigns & 4 != 0 }
}
