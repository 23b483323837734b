import ByteScan

/// An encoding that a file turned out to have, and that no transcoder reads: only UTF-8 is.
@nonexhaustive
public enum ForeignEncoding: Sendable {
    /// UTF-16, low byte first.
    case utf16LittleEndian
    /// UTF-16, high byte first.
    case utf16BigEndian
    /// UTF-32, lowest byte first.
    case utf32LittleEndian
    /// UTF-32, highest byte first.
    case utf32BigEndian
    /// Units of one byte: an encoding with one a character, such as Windows-1252, or with several, such as Shift_JIS.
    /// Bytes above 0x7F do not form UTF-8; which encoding it is, they do not tell.
    case eightBit

    /// How many bytes at the head of a file decide about the encodings whose units are larger than a byte.
    static let decidingByteCount = 4

    /// What the `head` of a file gives away, and the stream position of the byte that does; nil if UTF-8 is possible.
    ///
    /// A byte order mark gives UTF-16 and UTF-32 away, and so do NULs among the first bytes: subtitles begin with
    /// ASCII. A NUL further on says nothing.
    static func givenAway(by head: ByteView) -> (encoding: ForeignEncoding, position: Int)? {
        if has([0xFF, 0xFE, 0, 0], head) { return (.utf32LittleEndian, 0) }
        if has([0, 0, 0xFE, 0xFF], head) { return (.utf32BigEndian, 0) }
        if head.has(0xFF, at: 0), head.has(0xFE, at: 1) { return (.utf16LittleEndian, 0) }
        if head.has(0xFE, at: 0), head.has(0xFF, at: 1) { return (.utf16BigEndian, 0) }

        guard head.count >= 2 else { return nil }
        let isWord = head.count >= 4
        switch (head[0] == 0, head[1] == 0) {
        case (false, true):
            return (isWord && head[2] == 0 && head[3] == 0 ? .utf32LittleEndian : .utf16LittleEndian, 1)
        case (true, false):
            return (.utf16BigEndian, 0)
        case (true, true):
            return isWord && head[2] == 0 && head[3] != 0 ? (.utf32BigEndian, 0) : nil
        case (false, false):
            return nil
        }
    }

    private static func has(_ mark: SIMD4<UInt8>, _ head: ByteView) -> Bool {
        head.count >= 4 && SIMD4(head[0], head[1], head[2], head[3]) == mark
    }
}
