public import CByteScan

/// A short byte string to look for, with the two of its bytes that are looked for first.
///
/// Sixty-four places are tried at once by comparing two of the needle's bytes; only where both are right is the rest
/// compared. The two are those that playlists hold least often next to each other.
public struct Needle: Sendable {
    private let storage: StableBytes

    @usableFromInline package let firstByte: UInt8
    @usableFromInline package let secondByte: UInt8
    @usableFromInline package let firstOffset: Int
    @usableFromInline package let secondOffset: Int

    /// How many bytes the needle has, at least 1.
    public let count: Int

    /// A needle of the bytes of `string`, or nil where it is empty.
    public init?(_ string: some Collection<UInt8>) {
        storage = StableBytes(string)
        count = storage.view.count
        guard count > 0 else { return nil }
        (firstOffset, secondOffset) = Self.rarestPair(in: storage.view)
        firstByte = storage.view[firstOffset]
        secondByte = storage.view[secondOffset]
    }

    /// The needle itself.
    public var bytes: ByteView { storage.view }

    /// The places among the 64 at `offset` where the needle may start: bit n for `offset` + n.
    ///
    /// Places too near the end of `view` to hold the whole needle may be named too.
    @inlinable @inline(__always)
    package func candidates(in view: ByteView, at offset: Int) -> UInt64 {
        candidateBlock(in: view, at: offset).bits
    }

    /// The same as a mask of 64 bytes, for those who only ask whether there is any.
    @inlinable @inline(__always)
    package func candidateBlock(in view: ByteView, at offset: Int) -> ByteBlock {
        let first = view.block(at: min(offset &+ firstOffset, view.count)).equal(to: firstByte)
        let second = view.block(at: min(offset &+ secondOffset, view.count)).equal(to: secondByte)
        return first.and(second)
    }

    /// The neighbouring bytes with the lowest product of frequencies; for a needle of one byte, that byte twice.
    private static func rarestPair(in bytes: ByteView) -> (Int, Int) {
        guard bytes.count > 1 else { return (0, 0) }
        var best = 0
        for offset in 1..<(bytes.count - 1) where cost(bytes, offset) < cost(bytes, best) { best = offset }
        return (best, best + 1)
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
