extension ByteView {
    /// A number of 64 bits that is another if the bytes are, but for an accident: to see whether something has changed.
    ///
    /// It is no protection against those that make bytes to collide, and may be another in a later version. It takes
    /// four numbers of 64 bits at a time, each with a chain of multiplications of its own, so that a processor works at
    /// all of them.
    package var contentHash: UInt64 {
        let factors: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)
        var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (UInt64(count), 1, 2, 3)
        var offset = 0
        while offset &+ 32 <= count {
            a = Self.mix(a ^ (unsafe uncheckedWord(at: offset)), factors.0)
            b = Self.mix(b ^ (unsafe uncheckedWord(at: offset &+ 8)), factors.0)
            c = Self.mix(c ^ (unsafe uncheckedWord(at: offset &+ 16)), factors.0)
            d = Self.mix(d ^ (unsafe uncheckedWord(at: offset &+ 24)), factors.0)
            offset &+= 32
        }
        while offset < count {
            // The last eight bytes may have been taken in part.
            let rest = count < 8 ? paddedWord : word(at: Swift.min(offset, count &- 8))
            a = Self.mix(a ^ rest, factors.0)
            offset &+= 8
        }
        a = Self.mix(Self.mix(a, factors.1) ^ b, factors.0)
        a = Self.mix(Self.mix(a, factors.1) ^ c, factors.0)
        return Self.mix(Self.mix(a, factors.1) ^ d, factors.0)
    }

    @inline(__always)
    private static func mix(_ value: UInt64, _ factor: UInt64) -> UInt64 {
        let product = value &* factor
        return product << 29 | product >> 35
    }
}
