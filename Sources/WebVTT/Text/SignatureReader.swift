import ByteScan

/// Reads the signature of a file that comes in chunks of any size, and the rest of its line.
///
/// Every scanner of a WebVTT file begins with one:
///
///     WEBVTT some words that say nothing⏎
///     └────┘ answer                     ▲ lineEnd(in:)
struct SignatureReader {
    /// The first bytes of the file, as many as decide.
    private var head = SIMD16<UInt8>()
    private var headCount = 0

    /// What the bytes so far say.
    private(set) var answer = WebVTTSignature.needsMoreBytes

    /// Whether the signature's line has ended.
    private(set) var hasPassedLine = false

    init() {}

    /// A reader that has passed the line of a signature that the caller has looked at, with this answer.
    init(passing answer: WebVTTSignature) {
        self.answer = answer
        hasPassedLine = true
    }

    /// Reads the next chunk while the signature's line goes on.
    ///
    /// - Returns: The offset of the line's terminator; nil if it is not in `chunk`, or if the file is not WebVTT.
    mutating func lineEnd(in chunk: ByteView) -> Int? {
        var start = 0
        if answer == .needsMoreBytes {
            let countBefore = headCount
            appendHead(chunk)
            answer = signature(isWholeFile: false)
            guard case .valid(let byteCount) = answer else { return nil }
            start = byteCount - countBefore
        }
        guard answer != .invalid, let end = chunk.firstLineEnd(from: start) else { return nil }
        hasPassedLine = true
        return end
    }

    /// Ends the file, which decides what its first bytes say.
    mutating func finish() { if answer == .needsMoreBytes { answer = signature(isWholeFile: true) } }

    private mutating func appendHead(_ chunk: ByteView) {
        for byte in chunk.prefix(upTo: min(chunk.count, WebVTTSignature.decidingByteCount - headCount)) {
            head[headCount] = byte
            headCount += 1
        }
    }

    private func signature(isWholeFile: Bool) -> WebVTTSignature {
        unsafe withUnsafeBytes(of: head) { buffer in
            let view = unsafe ByteView(buffer)
            return WebVTTSignature(head: view[0..<headCount], isWholeFile: isWholeFile)
        }
    }
}
