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
    /// The kind of document that the tag decides and leaves as it is, if there is one.
    let decidedKind: DocumentKind?
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
    let firstOperation: Int32
    let operationCount: Int32
    /// The beginning that the value must have if it names the same attribute first.
    private let lead: ValueLead
    /// Whether it demands anything.
    let hasLead: Bool

    /// The head's first eight bytes and the eight behind them, so far as it has them; of a longer head the next eight and
    /// the last eight.
    private let word: MaskedWord
    private let following: MaskedWord
    private let thirdWord: UInt64
    private let lastWord: UInt64

    /// A selected tag, or one that nobody selected and that may still tell what the playlist is.
    init(
        head: ByteView, isSelected: Bool, audience: Audience = .never, isDropped: Bool = false,
        getsStandingItem: Bool = false, lead: ValueLead = .any, operations: Range<Int> = 0..<0
    ) {
        self.head = head
        self.isSelected = isSelected
        self.audience = audience
        self.isDropped = isDropped
        self.getsStandingItem = getsStandingItem
        self.lead = lead
        hasLead = !lead.isAny
        firstOperation = Int32(operations.lowerBound)
        operationCount = Int32(operations.count)
        isSettledWithoutProbe = getsStandingItem || (audience != .always && operations.isEmpty && !isDropped)
        let name = TagName(head.suffix(from: 1))
        kind = name.map { .tag($0) } ?? .otherTag
        scope = name?.scope ?? .any
        decidedKind = Self.decidedKind(scope)
        word = MaskedWord(head, from: 0)
        following = MaskedWord(head, from: 8)
        thirdWord = head.count < 24 ? 0 : head.word(at: 16)
        lastWord = head.count < 8 ? 0 : head.word(at: head.count - 8)
    }

    /// The tag as a line scanner names it.
    var lineKind: PlaylistLine.Kind {
        if case .tag(let name) = kind { .tag(name) } else { .otherTag }
    }

    private static func decidedKind(_ scope: TagName.Scope) -> DocumentKind? {
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
                unsafe head.count <= 24 || view.uncheckedWord(at: offset &+ 16) == thirdWord,
                head.count <= 32 || view.hasBytes(head, at: offset)
            else { return false }
        }
        return unsafe view.uncheckedByte(at: end) == ASCII.colon || endsLine(view, at: end)
    }

    /// Whether the value of the line at `offset`, which is of this tag, begins in a way that makes it of no interest.
    ///
    /// At least ten bytes more than the head must be in the view: a debug build checks it.
    @unsafe @inline(__always)
    func isRuledOut(_ view: ByteView, at offset: Int) -> Bool {
        let end = offset &+ head.count
        return unsafe hasLead && isRuledOut(by: view.uncheckedWord(at: end &+ 1))
            && view.uncheckedByte(at: end) == ASCII.colon
    }

    /// Whether a value that begins with the bytes of `word` makes the line one of no interest.
    @inline(__always)
    func isRuledOut(by word: UInt64) -> Bool { lead.rulesOut(word) }

    private func endsLine(_ view: ByteView, at end: Int) -> Bool {
        view[end] == ASCII.lineFeed || (view[end] == ASCII.carriageReturn && view[end &+ 1] == ASCII.lineFeed)
    }
}
