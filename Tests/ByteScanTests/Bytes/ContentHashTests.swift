import ByteScan
import Testing

/// Hashes that tell whether something has changed.
@Suite struct ContentHashTests {
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
