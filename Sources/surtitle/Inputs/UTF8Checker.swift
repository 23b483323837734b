internal import ByteScan
internal import WebVTT

/// Looks for the first byte of a text that is not UTF-8.
struct UTF8Checker {
    private var validator = UTF8Validator()
    private var position = 0
    /// The stream position after the last whole character.
    private var end = 0
    private var isMalformed = false

    /// Looks at the next chunk.
    mutating func scan(_ chunk: UnsafeRawBufferPointer) {
        guard !isMalformed else { return }
        let progress = validator.scan(unsafe ByteView(chunk))
        end = position + progress.end
        isMalformed = progress.isMalformed
        position += chunk.count
    }

    /// The stream position of the first byte that is not UTF-8, now that the text has ended; nil if there is none.
    func finished() -> Int? { isMalformed || end < position ? end : nil }
}
