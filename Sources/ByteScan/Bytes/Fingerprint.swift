/// A number of 64 bits that changes when what it is made of does: FNV-1a over the bytes of all parts, each with its
/// length.
///
/// The same in every run, on every machine, whatever its byte order: numbers count as 8 bytes, the lowest first. It
/// tells configurations apart that people make. It is no protection against those that somebody makes to collide.
package struct Fingerprint: Sendable {
    /// The number so far.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The fingerprint of a configuration of `kind`, whose output is of `version`.
    package init(of kind: StaticString, version: Int) {
        add(ByteView(kind))
        add(version)
    }

    /// Adds `bytes`.
    package mutating func add(_ bytes: some Collection<UInt8>) { Array(bytes).withView { add($0) } }

    /// Adds `bytes`.
    package mutating func add(_ bytes: ByteView) {
        add(bytes.count)
        for byte in bytes { mix(byte) }
    }

    /// Adds a number.
    package mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    /// Adds a number.
    package mutating func add(_ number: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { mix(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Adds a number that may not be there.
    package mutating func add(ifThere number: UInt64?) {
        add(number == nil)
        if let number { add(number) }
    }

    /// Adds a yes or a no.
    package mutating func add(_ flag: Bool) { mix(flag ? 1 : 0) }

    private mutating func mix(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
}
