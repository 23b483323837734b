internal import ByteScan

/// Up to eight bytes of a head as a word, and which of the word's bytes they are.
struct MaskedWord: Sendable {
    private let word: UInt64
    private let mask: UInt64

    /// Up to eight bytes of `head`, from `start` on.
    init(_ head: ByteView, from start: Int) {
        self.init([head.suffix(from: min(start, head.count))])
    }

    /// The first eight bytes of `parts`, one behind the other.
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

    /// Whether every word matches.
    var isEmpty: Bool { mask == 0 }

    @inline(__always)
    func matches(_ other: UInt64) -> Bool { other & mask == word }
}

/// What is demanded of the attribute that a tag's value begins with, so that most lines can be passed over at a glance.
///
/// A value that begins with `TYPE=` and a letter must go on with `SUB`, say. One that begins otherwise, white space or a quote
/// behind the `=` included, is looked at as a whole.
struct ValueLead: Sendable {
    /// Nothing is demanded.
    static let any = ValueLead(name: "", value: "")

    private let name: MaskedWord
    private let whole: MaskedWord
    /// The bit that all letters have, and neither white space nor a quote, of the byte behind the name.
    private let letter: UInt64

    /// The name of the attribute, `=` included, and the beginning of its value, at most eight bytes together.
    init(name: StaticString, value: StaticString) {
        self.name = MaskedWord(ByteView(name), from: 0)
        whole = MaskedWord([ByteView(name), ByteView(value)])
        letter = 0x40 << UInt64(8 * name.utf8CodeUnitCount)
    }

    /// Whether nothing is demanded.
    var isAny: Bool { whole.isEmpty }

    /// Whether a value whose first eight bytes are `word` begins with the attribute and not as demanded.
    @inline(__always)
    func rulesOut(_ word: UInt64) -> Bool { name.matches(word) && word & letter != 0 && !whole.matches(word) }
}
