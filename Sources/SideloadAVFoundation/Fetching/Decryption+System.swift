#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery

#if canImport(CommonCrypto)
internal import CommonCrypto
#elseif canImport(Support)
// The stand-in for AVFoundation has one for CommonCrypto too.
internal import Support
#endif

extension Decryption {
    /// What the bytes become; nil if they cannot be decrypted.
    var decrypted: [UInt8]? {
        #if canImport(CommonCrypto)
        var output = [UInt8](repeating: 0, count: bytes.count)
        var count = 0
        // CBC is what it does unless told otherwise, and padding is left where it is.
        let status = unsafe CCCrypt(
            CCOperation(kCCDecrypt), CCAlgorithm(kCCAlgorithmAES), 0, key, key.count, vector, bytes, bytes.count,
            &output, output.count, &count)
        return status == kCCSuccess && count == output.count ? output : nil
        #elseif canImport(Support)
        return NaiveAES(key: key).decrypted(bytes, vector: vector)
        #else
        return nil
        #endif
    }
}
#endif
