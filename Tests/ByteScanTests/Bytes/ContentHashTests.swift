import ByteScan
import Testing

/// Hashes that tell whether something has changed.
@Suite struct ContentHashTests {
    /// Four chains, each of every fourth word, and what is left of 32 bytes in the first; then one after the other.
    private static func naive(_ bytes: [UInt8]) -> UInt64 {
        func mix(_ value: UInt64, _ factor: UInt64 = 0x9E37_79B9_7F4A_7C15) -> UInt64 {
            let product = value &* factor
            return product &* (1 << 29) | product / (1 << 35)
        }
        func word(_ part: ArraySlice<UInt8>) -> UInt64 { part.reversed().reduce(0) { $0 * 256 + UInt64($1) } }
        var chains: [UInt64] = [UInt64(bytes.count), 1, 2, 3]
        let wholeCount = bytes.count / 32 * 32
        for offset in stride(from: 0, to: wholeCount, by: 8) {
            let chain = offset / 8 % 4
            chains[chain] = mix(chains[chain] ^ word(bytes[offset..<(offset + 8)]))
        }
        // The last word may go back to bytes that have been taken.
        for offset in stride(from: wholeCount, to: bytes.count, by: 8) {
            chains[0] = mix(chains[0] ^ word(bytes[max(min(offset, bytes.count - 8), 0)...].prefix(8)))
        }
        return chains[1...].reduce(chains[0]) { mix(mix($0, 0xC2B2_AE3D_27D4_EB4F) ^ $1) }
    }

    @Test func theHashOfEveryLength() {
        for count in 0...140 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 0xE5 &+ 7 &* $0) }
            #expect(bytes.withView { $0.contentHash } == Self.naive(bytes), "\(count) bytes")
        }
    }

    @Test(arguments: [1, 7, 8, 9, 31, 32, 33, 40, 64, 71])
    func everyByteAndTheLengthCount(_ count: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withView { $0.contentHash } }
        var seen: Set = [hash(bytes), hash(bytes + [0]), hash(Array(bytes.dropLast()))]
        #expect(seen.count == 3 && seen.contains(hash(bytes)))
        for offset in bytes.indices {
            var changed = bytes
            changed[offset] ^= 0x80
            #expect(seen.insert(hash(changed)).inserted, "byte \(offset)")
        }
    }

    /// What lies around the bytes does not count.
    @Test func neighboursDoNotCount() {
        for count in 0...71 {
            let hashes = [UInt8(0), 0xFF].map { other in
                let around = [UInt8](repeating: other, count: 64)
                let bytes = around + (0..<count).map { UInt8($0) } + around
                return bytes.withView { $0[64..<(64 + count)].contentHash }
            }
            #expect(hashes[0] == hashes[1], "\(count) bytes")
        }
    }
}
