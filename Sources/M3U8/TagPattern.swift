internal import ByteScan

/// A selected tag as the scanner compares it: a few words first, and the whole name only where those are right.
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
    /// Whether lines of the tag are left out.
    let isDropped: Bool
    /// Whether lines that lack the probed attribute get the standing item, and no other edit concerns them.
    let getsStandingItem: Bool
    /// Where the tag's attribute operations begin among those of the configuration, and how many there are.
    let firstOperation: Int
    let operationCount: Int

    /// The first eight bytes of the head, of which `mask` says how many it has, the next eight, and the last eight.
    private let firstWord: UInt64
    private let mask: UInt64
    private let secondWord: UInt64
    private let lastWord: UInt64

    init(
        head: ByteView, audience: Audience, isDropped: Bool, getsStandingItem: Bool, operations: Range<Int>
    ) {
        self.head = head
        self.audience = audience
        self.isDropped = isDropped
        self.getsStandingItem = getsStandingItem
        firstOperation = operations.lowerBound
        operationCount = operations.count
        let name = TagName(head.suffix(from: 1))
        kind = name.map { .tag($0) } ?? .otherTag
        scope = name?.scope ?? .any
        settledVerdict =
            switch scope {
            case .multivariant: .multivariant
            case .media: .media
            case .any: nil
            }
        var word: UInt64 = 0
        var mask: UInt64 = 0
        for index in 0..<min(8, head.count) {
            word |= UInt64(head[index]) << UInt64(8 * index)
            mask |= 0xFF << UInt64(8 * index)
        }
        firstWord = word
        self.mask = mask
        secondWord = head.count < 16 ? 0 : head.word(at: 8)
        lastWord = head.count < 8 ? 0 : head.word(at: head.count - 8)
    }

    /// Whether nothing is to be found out about a line of the tag that lacks the probed attribute.
    @inline(__always)
    var isSettledWithoutProbe: Bool { getsStandingItem || (audience != .always && operationCount == 0 && !isDropped) }

    /// Whether the line at `offset`, whose first eight bytes are `word`, is of this tag: the name is all there and ends at
    /// a colon or with the line.
    ///
    /// At least two bytes more than the head must be in the view: a debug build checks it.
    @unsafe @inline(__always)
    func matches(_ word: UInt64, _ view: ByteView, at offset: Int) -> Bool {
        guard word & mask == firstWord else { return false }
        let end = offset &+ head.count
        if head.count > 8 {
            guard unsafe view.uncheckedWord(at: end &- 8) == lastWord,
                unsafe head.count < 16 || view.uncheckedWord(at: offset &+ 8) == secondWord,
                head.count <= 24 || view.hasBytes(head, at: offset)
            else { return false }
        }
        return unsafe view.uncheckedByte(at: end) == ASCII.colon || endsLine(view, at: end)
    }

    private func endsLine(_ view: ByteView, at end: Int) -> Bool {
        view[end] == ASCII.lineFeed
            || (view[end] == ASCII.carriageReturn && view[end &+ 1] == ASCII.lineFeed)
    }
}
