package import CByteScan

/// A short byte string to look for, with the two of its bytes that are looked for first.
///
/// Sixty-four places are tried at once by comparing two of the needle's bytes; only where both are right is the rest
/// compared. The two are those that playlists hold least often next to each other.
package struct Needle: Sendable {
    private let storage: StableBytes

    /// The two bytes of it that are looked for first.
    package let pair: BytePair
    private let pairOffset: Int

    /// How many bytes the needle has, at least 1.
    package let count: Int

    /// A needle of the bytes of `string`, or nil where it is empty.
    package init?(_ string: some Collection<UInt8>) {
        storage = StableBytes(string)
        count = storage.view.count
        guard count > 0 else { return nil }
        pairOffset = Self.rarestPair(in: storage.view)
        let distance = count > 1 ? 1 : 0
        pair = BytePair(
            first: storage.view[pairOffset], second: storage.view[pairOffset + distance], distance: UInt16(distance))
    }

    /// The needle itself.
    package var bytes: ByteView { storage.view }

    /// The places among 64 where the needle may start: bit n for `offset` + n. Before, `offset` goes on past blocks in
    /// which the pair is not, as long as whole ones follow. To ask of each block whether it is whole took WebAssembly
    /// as long again as the comparing.
    func candidates(in view: ByteView, from offset: inout Int) -> UInt64 {
        precondition(offset >= 0, "offset outside the view")
        let (pair, pairOffset) = (pair, pairOffset)
        let last = view.count &- ByteView.blockSize &- pairOffset &- Int(pair.distance)
        var start = offset
        while start <= last {
            let block = unsafe view.base + (start &+ pairOffset)
            let matches = unsafe ByteBlock(loading: block).equal(to: pair.first)
                .and(ByteBlock(loading: block + Int(pair.distance)).equal(to: pair.second))
            if matches.isAnySet {
                offset = start
                return matches.bits
            }
            start &+= ByteView.blockSize
        }
        offset = start
        return pair.matches(in: view, at: min(start &+ pairOffset, view.count)).bits
    }

    /// Where the neighbouring bytes with the lowest product of frequencies stand.
    private static func rarestPair(in bytes: ByteView) -> Int {
        var best = 0
        for offset in 0..<max(bytes.count - 1, 0) where cost(bytes, offset) < cost(bytes, best) { best = offset }
        return best
    }

    private static func cost(_ bytes: ByteView, _ offset: Int) -> Int {
        frequency(bytes[offset]) * frequency(bytes[offset + 1])
    }

    /// How common a byte is in the attribute lists of playlists from the field: a rank, not a count.
    private static func frequency(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "A"), UInt8(ascii: "D"), UInt8(ascii: "E"), UInt8(ascii: "I"), UInt8(ascii: "T"): 5
        case UInt8(ascii: "N"), UInt8(ascii: "O"), UInt8(ascii: "R"), UInt8(ascii: "U"): 3
        case UInt8(ascii: "C"), UInt8(ascii: "L"), UInt8(ascii: "P"), UInt8(ascii: "S"): 2
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): 1
        case UInt8(ascii: "a")...UInt8(ascii: "z"): 2
        default: 10
        }
    }
}

// Two bytes at a fixed distance are a cheap sign that a longer string may be there.
extension BytePair {
    /// A pair that no line holds: both of its bytes are line feeds.
    package static var none: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.lineFeed, distance: 0) }

    /// The mask of the places among the 64 bytes at `offset` where the pair stands; one that reaches past the end is
    /// none.
    @inline(__always)
    package func matches(in view: ByteView, at offset: Int) -> ByteBlock {
        view.block(at: offset).equal(to: first)
            .and(view.block(at: min(offset &+ Int(distance), view.count)).equal(to: second))
    }
}
