internal import ByteScan

/// A tag as the scanner compares it: a few words first, and the whole name only where those are right.
///
/// It may cross threads in a configuration, which keeps the bytes it points to alive and never changes them.
struct TagPattern: @unchecked Sendable {
    /// When the handler is shown lines of the tag.
    enum Audience {
        case always
        case whereProbeMayBe
        case never
    }

    /// `#` and the name.
    let head: ByteView
    /// The tag's name in code, where it has one.
    let kind: SelectedLine.Kind
    /// What the tag tells about the playlist.
    let scope: TagName.Scope
    /// The verdict that the tag leaves as it is, where there is one.
    let settledVerdict: PlaylistVerdict?
    /// When the handler is shown lines of the tag.
    let audience: Audience
    /// Whether somebody selected the tag.
    let isSelected: Bool
    /// Whether nothing is to be found out about a line of the tag that lacks the probed attribute.
    let isSettledWithoutProbe: Bool
    /// Whether lines of the tag are left out.
    let isDropped: Bool
    /// Whether lines that lack the probed attribute get the standing item, and no other edit concerns them.
    let getsStandingItem: Bool
    /// Where the tag's attribute operations begin among those of the configuration, and how many there are.
    let firstOperation: Int
    let operationCount: Int

    /// The head's first three times eight bytes, so far as it has them, and its last eight.
    private let word: MaskedWord
    private let following: MaskedWord
    private let third: MaskedWord
    private let lastWord: UInt64

    /// A selected tag.
    init(
        head: ByteView, audience: Audience, isDropped: Bool, getsStandingItem: Bool, operations: Range<Int>
    ) {
        self.head = head
        isSelected = true
        self.audience = audience
        self.isDropped = isDropped
        self.getsStandingItem = getsStandingItem
        firstOperation = operations.lowerBound
        operationCount = operations.count
        isSettledWithoutProbe = getsStandingItem || (audience != .always && operations.isEmpty && !isDropped)
        let name = TagName(head.suffix(from: 1))
        kind = name.map { .tag($0) } ?? .otherTag
        scope = name?.scope ?? .any
        settledVerdict = Self.settledVerdict(scope)
        word = MaskedWord(head, from: 0)
        following = MaskedWord(head, from: 8)
        third = MaskedWord(head, from: 16)
        lastWord = head.count < 8 ? 0 : head.word(at: head.count - 8)
    }

    /// A tag that nobody selected and that may still tell what the playlist is.
    init(known name: TagName) {
        head = ByteView(name.head)
        isSelected = false
        audience = .never
        isDropped = false
        getsStandingItem = false
        firstOperation = 0
        operationCount = 0
        isSettledWithoutProbe = true
        kind = .tag(name)
        scope = name.scope
        settledVerdict = Self.settledVerdict(scope)
        word = MaskedWord(head, from: 0)
        following = MaskedWord(head, from: 8)
        third = MaskedWord(head, from: 16)
        lastWord = head.count < 8 ? 0 : head.word(at: head.count - 8)
    }

    private static func settledVerdict(_ scope: TagName.Scope) -> PlaylistVerdict? {
        switch scope {
        case .multivariant: .multivariant
        case .media: .media
        case .any: nil
        }
    }

    /// Whether the line at `offset`, whose first words are given, is of this tag: the name is all there and ends at a
    /// colon or with the line.
    ///
    /// At least two bytes more than the head must be in the view, and 16 in all: a debug build checks it.
    @unsafe @inline(__always)
    func matches(_ word: UInt64, _ following: UInt64, _ view: ByteView, at offset: Int) -> Bool {
        guard self.word.matches(word), self.following.matches(following) else { return false }
        let end = offset &+ head.count
        if head.count > 16 {
            guard unsafe view.uncheckedWord(at: end &- 8) == lastWord,
                unsafe head.count <= 24 || third.matches(view.uncheckedWord(at: offset &+ 16)),
                head.count <= 32 || view.hasBytes(head, at: offset)
            else { return false }
        }
        return unsafe view.uncheckedByte(at: end) == ASCII.colon || endsLine(view, at: end)
    }

    private func endsLine(_ view: ByteView, at end: Int) -> Bool {
        view[end] == ASCII.lineFeed || (view[end] == ASCII.carriageReturn && view[end &+ 1] == ASCII.lineFeed)
    }
}

/// Up to eight bytes of a head as a word, and which of the word's bytes they are.
private struct MaskedWord: Sendable {
    private let word: UInt64
    private let mask: UInt64

    init(_ head: ByteView, from start: Int) {
        var word: UInt64 = 0
        var mask: UInt64 = 0
        for index in start..<max(start, min(start + 8, head.count)) {
            word |= UInt64(head[index]) << UInt64(8 * (index - start))
            mask |= 0xFF << UInt64(8 * (index - start))
        }
        self.word = word
        self.mask = mask
    }

    @inline(__always)
    func matches(_ other: UInt64) -> Bool { other & mask == word }
}
