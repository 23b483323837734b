import ByteScan

/// What the first bytes of a file say: whether it is WebVTT at all.
///
/// A file is WebVTT if it begins, after at most one byte order mark, with `WEBVTT` and then ends or goes on with a
/// space, a tab or a line terminator (W3C WebVTT, section 6.1, steps 4 to 9). A file that is not has no cues.
public enum WebVTTSignature: Equatable, Sendable {
    /// The signature is there, and `byteCount` bytes long with the byte order mark; the rest of its line says nothing.
    case valid(byteCount: Int)

    /// The bytes are not WebVTT, whatever follows.
    case invalid

    /// The bytes so far may still become a signature.
    case needsMoreBytes

    /// The number of bytes at the head of a file that always decide.
    public static let decidingByteCount = 10

    /// Looks at the `head` of a file, of which ``decidingByteCount`` bytes are enough.
    ///
    /// If `isWholeFile` is true nothing follows `head`, and the answer is never ``needsMoreBytes``.
    public init(head: UnsafeRawBufferPointer, isWholeFile: Bool) {
        self.init(head: unsafe ByteView(head), isWholeFile: isWholeFile)
    }

    init(head: ByteView, isWholeFile: Bool) {
        let mark: StaticString = "\u{FEFF}"
        let letters: StaticString = "WEBVTT"
        let start = head.hasBytes(mark, at: 0) ? 3 : 0
        let end = start &+ 6
        if end < head.count {
            let follower = head[end]
            let endsWord = follower == ASCII.space || follower == ASCII.tab || ASCII.isLineEnd(follower)
            self = endsWord && head.hasBytes(letters, at: start) ? .valid(byteCount: end) : .invalid
        } else if isWholeFile {
            self = head.hasBytes(letters, at: start) ? .valid(byteCount: end) : .invalid
        } else {
            let rest = head[start..<head.count]
            let mayGrow = ByteView(letters).hasBytes(rest, at: 0) || ByteView(mark).hasBytes(head, at: 0)
            self = mayGrow ? .needsMoreBytes : .invalid
        }
    }
}
