import ByteScan
import Testing

/// Fingerprints of configurations.
@Suite struct FingerprintTests {
    /// FNV-1a by its definition.
    private static func naive(_ bytes: [UInt8]) -> UInt64 {
        let prime: UInt64 = (1 << 40) + (1 << 8) + 0xB3
        return bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* prime }
    }

    private static func number(_ value: UInt8) -> [UInt8] { [value] + [UInt8](repeating: 0, count: 7) }

    @Test func theNaiveFormHasThePublishedValues() {
        #expect(Self.naive(Array("a".utf8)) == 0xAF63_DC4C_8601_EC8C)
        #expect(Self.naive(Array("foobar".utf8)) == 0x8594_4171_F739_67E8)
    }

    @Test func everyPartCountsWithItsLength() {
        var fingerprint = Fingerprint(of: "tracks", version: 3)
        var bytes = Self.number(6) + Array("tracks".utf8) + Self.number(3)
        #expect(fingerprint.value == Self.naive(bytes))
        fingerprint.add([1, 2, 255])
        fingerprint.add([UInt8]())
        fingerprint.add(ifThere: 7)
        fingerprint.add(ifThere: nil)
        fingerprint.add(-1)
        bytes += Self.number(3) + [1, 2, 255] + Self.number(0) + [0] + Self.number(7) + [1]
        bytes += [UInt8](repeating: 255, count: 8)
        #expect(fingerprint.value == Self.naive(bytes))
    }
}
