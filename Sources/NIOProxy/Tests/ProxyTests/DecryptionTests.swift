import Delivery
import Testing

@testable import SurtitleProxy

/// What the proxy decrypts, against the vectors of SP 800-38A, F.2.2.
@Suite struct DecryptionTests {
    private func bytes(_ digits: String) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    @Test func twoBlocks() {
        let plain = bytes("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
        let sealed = bytes("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2")
        let key = bytes("2b7e151628aed2a6abf7158809cf4f3c")
        let vector = bytes("000102030405060708090a0b0c0d0e0f")
        #expect(Decryption(key: key, vector: vector, bytes: sealed).decrypted == plain)
        #expect(Decryption(key: [1], vector: vector, bytes: sealed).decrypted == nil)
        #expect(Decryption(key: key, vector: [1], bytes: sealed).decrypted == nil)
    }
}
