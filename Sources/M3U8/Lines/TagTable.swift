internal import ByteScan
internal import CByteScan

/// All tags that a rewriter tells apart: the selected ones, and the others that have a name in code.
///
/// A line's head is looked up by three bytes behind `#EXT-X-`, or behind `#EXT` where the tag begins otherwise, and then
/// compared with the few patterns that share them.
struct TagTable: Sendable {
    /// The selected tags first, then the others.
    let patterns: [TagPattern]
    /// For each hash one more than the index of the first pattern; 0 where there is none.
    private let first: [UInt8]
    /// For each pattern one more than the index of the next with its hash; 0 behind the last.
    private let next: [UInt8]
    /// Whether any selected tag is too unlike the others to be looked up.
    let hasIrregular: Bool

    /// How many bytes from a line's start decide whether it is of a tag of the table.
    let headRoom: Int

    /// A table of `selected` and the tags with a name in code that are not among them.
    init(selected: [TagPattern]) {
        var patterns = selected
        for name in TagName.allCases {
            let pattern = TagPattern(head: ByteView(name.head), isSelected: false)
            if !selected.contains(where: { $0.head == pattern.head }) { patterns.append(pattern) }
        }
        var first = [UInt8](repeating: 0, count: 64)
        var next = [UInt8](repeating: 0, count: patterns.count)
        var hasIrregular = patterns.count > 254
        for index in patterns.indices.reversed() {
            guard let hash = Self.hash(ofHead: patterns[index].head), index < 254 else {
                hasIrregular = true
                continue
            }
            next[index] = first[hash]
            first[hash] = UInt8(index + 1)
        }
        self.patterns = patterns
        self.first = first
        self.next = next
        self.hasIrregular = hasIrregular
        headRoom = max(32, (patterns.map { $0.head.count }.max() ?? 0) + 10)
    }

    /// The index of the pattern of the line at `offset`, or nil where the table has none for it.
    ///
    /// At least ``headRoom`` bytes must be there: a debug build checks it.
    @unsafe @inline(__always)
    func index(of view: ByteView, at offset: Int) -> Int? {
        let word = unsafe view.uncheckedWord(at: offset)
        let following = unsafe view.uncheckedWord(at: offset &+ 8)
        var candidate = Int(first[Int(headHash(word &>> 32 | following &<< 32))])
        while candidate != 0 {
            if unsafe patterns[candidate &- 1].matches(word, following, view, at: offset) { return candidate &- 1 }
            candidate = Int(next[candidate &- 1])
        }
        return nil
    }

    /// The hashes that a candidate may have in a document of `kind`, one bit each.
    ///
    /// Such a line is of a selected tag, or of one that changes the kind.
    func hashesOfInterest(_ kind: DocumentKind) -> UInt64 {
        if hasIrregular { return .max }
        var hashes: UInt64 = 0
        for pattern in patterns where pattern.isSelected || kind.after(pattern.scope) != kind {
            if let hash = Self.hash(ofHead: pattern.head) { hashes |= 1 << UInt64(hash) }
        }
        return hashes
    }

    /// The hash of a pattern's head, or nil where it has not the bytes for it.
    private static func hash(ofHead head: ByteView) -> Int? {
        guard head.hasBytes("#EXT", at: 0), head.count >= (head.hasBytes("#EXT-X-", at: 0) ? 10 : 7) else { return nil }
        return Int(headHash(head.suffix(from: 4).paddedWord))
    }
}
