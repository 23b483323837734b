internal import ByteScan

/// A selected tag as the scanner compares it: its head in one word, the rest only where the word is right.
///
/// It may cross threads in a configuration, which keeps the bytes it points to alive and never changes them.
struct TagPattern: @unchecked Sendable {
    /// `#` and the name.
    let head: ByteView
    /// The tag's name in code, where it has one.
    let kind: SelectedLine.Kind
    /// What the tag tells about the playlist.
    let scope: TagName.Scope
    /// Whether lines of the tag are left out.
    let isDropped: Bool
    /// Where the tag's attribute operations begin among those of the configuration, and how many there are.
    let firstOperation: Int
    let operationCount: Int

    private let word: UInt64
    private let mask: UInt64

    init(head: ByteView, isDropped: Bool, operations: Range<Int>) {
        self.head = head
        self.isDropped = isDropped
        firstOperation = operations.lowerBound
        operationCount = operations.count
        let name = TagName(head.suffix(from: 1))
        kind = name.map { .tag($0) } ?? .otherTag
        scope = name?.scope ?? .any
        var word: UInt64 = 0
        var mask: UInt64 = 0
        for index in 0..<min(8, head.count) {
            word |= UInt64(head[index]) << UInt64(8 * index)
            mask |= 0xFF << UInt64(8 * index)
        }
        self.word = word
        self.mask = mask
    }

    /// Whether the line at `offset`, whose first eight bytes are `word`, is of this tag: the name is all there and ends at
    /// a colon or with the line.
    ///
    /// At least two bytes more than the head must be in the view.
    @inline(__always)
    func matches(_ word: UInt64, _ view: ByteView, at offset: Int) -> Bool {
        guard word & mask == self.word, view.hasBytes(head, at: offset) else { return false }
        let end = offset &+ head.count
        switch view[end] {
        case ASCII.colon, ASCII.lineFeed: return true
        case ASCII.carriageReturn: return view[end &+ 1] == ASCII.lineFeed
        default: return false
        }
    }
}
