internal import ByteScan

/// A character outside ASCII in bytes that may be anything (Unicode 17, section 3.9, table 3-7).
struct UTF8Sequence: Equatable {
    /// How many bytes it has; where it is ill-formed, how many one U+FFFD stands for: those that may begin a character.
    let count: Int
    let isWellFormed: Bool

    /// The character whose first byte is at `offset`.
    init(_ bytes: ByteView, at offset: Int) {
        let first = bytes[offset]
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        // No overlong form, no surrogate, nothing past U+10FFFF.
        var allowed: ClosedRange<UInt8> =
            switch first {
            case 0xE0: 0xA0...0xBF
            case 0xED: 0x80...0x9F
            case 0xF0: 0x90...0xBF
            case 0xF4: 0x80...0x8F
            default: 0x80...0xBF
            }
        var count = 1
        while count < length, offset + count < bytes.count, allowed.contains(bytes[offset + count]) {
            allowed = 0x80...0xBF
            count += 1
        }
        self.count = count
        isWellFormed = length > 1 && count == length
    }
}
