internal import ByteScan

/// How the lines of a tag begin, `#` and the name, as the scanner compares it: a few words first, and the whole name
/// only if those are right.
///
/// It may cross threads in a table, which keeps the bytes it points to alive and never changes them.
struct TagPrefix: @unchecked Sendable {
    /// `#` and the name.
    let bytes: ByteView

    /// The first eight bytes and the eight after them, as far as there are any; of a longer prefix the next eight and
    /// the last eight.
    private let word: MaskedWord
    private let following: MaskedWord
    private let thirdWord: UInt64
    private let lastWord: UInt64

    init(_ bytes: ByteView) {
        self.bytes = bytes
        word = MaskedWord(bytes, from: 0)
        following = MaskedWord(bytes, from: 8)
        thirdWord = bytes.count < 24 ? 0 : bytes.word(at: 16)
        lastWord = bytes.count < 8 ? 0 : bytes.word(at: bytes.count - 8)
    }

    /// How many bytes it has.
    var count: Int { @inline(__always) get { bytes.count } }

    /// Whether the line at `offset`, whose first words are given, is of this tag: the name is all there and ends at a
    /// colon or with the line.
    ///
    /// At least two bytes more than the prefix must be in the view, and 16 in all: a debug build checks it.
    @unsafe @inline(__always)
    func matches(_ word: UInt64, _ following: UInt64, _ view: ByteView, at offset: Int) -> Bool {
        guard self.word.matches(word), self.following.matches(following) else { return false }
        let end = offset &+ count
        if count > 16 {
            guard unsafe view.uncheckedWord(at: end &- 8) == lastWord,
                unsafe count <= 24 || view.uncheckedWord(at: offset &+ 16) == thirdWord,
                count <= 32 || view.hasBytes(bytes, at: offset)
            else { return false }
        }
        return unsafe view.uncheckedByte(at: end) == ASCII.colon || endsLine(view, at: end)
    }

    private func endsLine(_ view: ByteView, at end: Int) -> Bool {
        view[end] == ASCII.lineFeed || (view[end] == ASCII.carriageReturn && view[end &+ 1] == ASCII.lineFeed)
    }
}

/// Up to eight bytes of a prefix as a word, and which of the word's bytes they are.
struct MaskedWord: Sendable {
    private let word: UInt64
    private let mask: UInt64

    /// Up to eight bytes of `prefix`, from `start` on.
    init(_ prefix: ByteView, from start: Int) { self.init([prefix.suffix(from: min(start, prefix.count))]) }

    /// The first eight bytes of `parts`, one after the other.
    init(_ parts: [ByteView]) {
        var word: UInt64 = 0
        var mask: UInt64 = 0
        var shift: UInt64 = 0
        for part in parts {
            for byte in part where shift < 64 {
                word |= UInt64(byte) << shift
                mask |= 0xFF << shift
                shift += 8
            }
        }
        self.word = word
        self.mask = mask
    }

    @inline(__always)
    func matches(_ other: UInt64) -> Bool { other & mask == word }
}
