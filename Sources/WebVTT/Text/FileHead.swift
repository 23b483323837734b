import ByteScan

/// The first bytes of a file that comes in chunks, as many as the signature needs.
struct FileHead {
    private var bytes = SIMD16<UInt8>()

    /// How many bytes are kept.
    private(set) var count = 0

    /// Adds the beginning of `chunk` and tells what the file's first bytes now say.
    mutating func append(_ chunk: ByteView) -> WebVTTSignature {
        for byte in chunk.prefix(upTo: min(chunk.count, WebVTTSignature.decidingByteCount - count)) {
            bytes[count] = byte
            count += 1
        }
        return signature(isWholeFile: false)
    }

    /// What the first bytes say where the file has ended.
    var signatureOfWholeFile: WebVTTSignature { signature(isWholeFile: true) }

    private func signature(isWholeFile: Bool) -> WebVTTSignature {
        unsafe withUnsafeBytes(of: bytes) { buffer in
            let head = unsafe ByteView(buffer)
            return WebVTTSignature(head: head[0..<count], isWholeFile: isWholeFile)
        }
    }
}
