package import ByteScan

/// Looks for the first byte of a text that is not UTF-8.
package struct UTF8Checker {
    private var validator = UTF8Validator()
    private var position = 0
    /// The stream position after the last whole character.
    private var end = 0
    /// Whether some bytes are no UTF-8, whatever follows.
    private(set) var isMalformed = false

    package init() {}

    /// Looks at the next chunk.
    package mutating func scan(_ chunk: ByteView) {
        guard !isMalformed else { return }
        let progress = validator.scan(chunk)
        end = position + progress.end
        isMalformed = progress.isMalformed
        position += chunk.count
    }

    /// The stream position of the first byte that is not UTF-8, if the text ends here; nil if there is none.
    package var firstMalformed: Int? { isMalformed || end < position ? end : nil }
}
