internal import ByteScan

extension ByteView {
    /// The number that `count` bytes at `offset` are, the highest first; nil if they are not all there. At most eight
    /// count.
    func number(at offset: Int, _ count: Int) -> UInt64? {
        guard offset >= 0, count >= 0, offset <= self.count &- count else { return nil }
        var value: UInt64 = 0
        for byte in self[offset..<(offset &+ count)] { value = value << 8 | UInt64(byte) }
        return value
    }

    /// The number that the 28 bits of four bytes at `offset` are, whose upper bits are zero; nil if they are not.
    func synchsafeNumber(at offset: Int) -> Int? {
        guard let value = number(at: offset, 4), value & 0x8080_8080 == 0 else { return nil }
        let bits = value & 0x7F | value >> 1 & 0x3F80 | value >> 2 & 0x1F_C000 | value >> 3 & 0xFE0_0000
        return Int(bits)
    }
}
