internal import ByteScan

/// A selected tag as the scanner compares it: its head in one word, the rest only where the word is right.
struct TagPattern: Sendable {
    /// `#` and the name.
    let head: StableBytes
    /// The tag's name in code, where it has one.
    let name: TagName?
    /// What the tag tells about the playlist.
    let scope: TagName.Scope
    /// Whether lines of the tag are left out.
    var isDropped = false
    /// What is to be done with the tag's attributes.
    var attributeEdits: [CompiledAttributeEdit] = []

    private let word: UInt64
    private let mask: UInt64

    init(_ selector: TagSelector) {
        head = StableBytes([ASCII.hash] + selector.spelling)
        name = TagName(head.view.suffix(from: 1))
        scope = name?.scope ?? .any
        var word: UInt64 = 0
        var mask: UInt64 = 0
        for index in 0..<min(8, head.view.count) {
            word |= UInt64(head.view[index]) << UInt64(8 * index)
            mask |= 0xFF << UInt64(8 * index)
        }
        self.word = word
        self.mask = mask
    }

    /// Whether a line whose first eight bytes are `word` may be of this tag.
    @inline(__always)
    func mayMatch(_ word: UInt64) -> Bool { word & mask == self.word }

    /// Whether the line at `offset` is of this tag: the name is all there and ends at a colon or with the line.
    ///
    /// At least two bytes more than the head must be in the view.
    @inline(__always)
    func matches(_ view: ByteView, at offset: Int) -> Bool {
        let end = offset &+ head.view.count
        guard view.hasBytes(head.view, at: offset) else { return false }
        switch view[end] {
        case ASCII.colon, ASCII.lineFeed: return true
        case ASCII.carriageReturn: return view[end &+ 1] == ASCII.lineFeed
        default: return false
        }
    }
}
