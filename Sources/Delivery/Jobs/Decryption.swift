/// Bytes that are to be decrypted by whoever drives a ``Fetch``: AES with a key of 128 bits (FIPS 197), in blocks that
/// are chained (CBC, SP 800-38A 6.2).
///
/// What comes of them has as many bytes: nothing is done about padding here.
public struct Decryption: Equatable, Sendable {
    /// The key: 16 bytes.
    public let key: [UInt8]

    /// The initialization vector: 16 bytes.
    public let vector: [UInt8]

    /// What is to be decrypted: a multiple of 16 bytes, at least 16.
    public let bytes: [UInt8]

    /// Bytes to be decrypted.
    public init(key: [UInt8], vector: [UInt8], bytes: [UInt8]) {
        self.key = key
        self.vector = vector
        self.bytes = bytes
    }
}
