import Support
import Testing

/// The cipher of the tests against the vectors of its standards.
@Suite struct NaiveAESTests {
    private func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.filter { $0 != " " }.map { $0 }
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    /// FIPS 197, appendices B and C.1.
    @Test(arguments: [
        ("2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"),
        ("000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"),
    ])
    func aBlock(_ key: String, _ plain: String, _ sealed: String) {
        let aes = NaiveAES(key: bytes(key))
        #expect(aes.encrypted(block: bytes(plain)) == bytes(sealed))
        #expect(aes.decrypted(block: bytes(sealed)) == bytes(plain))
    }

    /// SP 800-38A, F.2.1 and F.2.2.
    @Test func aChainOfBlocks() {
        let aes = NaiveAES(key: bytes("2b7e151628aed2a6abf7158809cf4f3c"))
        let vector = bytes("000102030405060708090a0b0c0d0e0f")
        let plain = bytes(
            "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51 30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710"
        )
        let sealed = bytes(
            "7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2 73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7"
        )
        #expect(aes.encrypted(plain, vector: vector) == sealed)
        #expect(aes.decrypted(sealed, vector: vector) == plain)
        #expect(aes.sealed(plain, vector: vector).count == 80)
    }
}
