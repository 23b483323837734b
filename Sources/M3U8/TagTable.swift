internal import ByteScan

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
    /// For each verdict the hashes of lines of interest.
    private let hashesOfInterest: (undecided: UInt64, multivariant: UInt64, media: UInt64, mixed: UInt64)

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
        func hashes(_ verdict: PlaylistVerdict) -> UInt64 {
            Self.hashesOfInterest(verdict, patterns, hasIrregular: hasIrregular)
        }
        hashesOfInterest = (hashes(.undecided), hashes(.multivariant), hashes(.media), hashes(.mixed))
        headRoom = max(32, (patterns.map { $0.head.count }.max() ?? 0) + 10)
    }

    /// The index of the pattern of the line at `offset`, or nil where the table has none for it.
    ///
    /// At least ``headRoom`` bytes must be there: a debug build checks it.
    @unsafe @inline(__always)
    func index(of view: ByteView, at offset: Int) -> Int? {
        let word = unsafe view.uncheckedWord(at: offset)
        let following = unsafe view.uncheckedWord(at: offset &+ 8)
        var candidate = Int(first[Self.hash(word, following)])
        while candidate != 0 {
            if unsafe patterns[candidate &- 1].matches(word, following, view, at: offset) { return candidate &- 1 }
            candidate = Int(next[candidate &- 1])
        }
        return nil
    }

    /// The hashes that a line of interest may have while the verdict is `verdict`, one bit each.
    ///
    /// Such a line is of a selected tag, or of one that changes the verdict.
    func hashesOfInterest(_ verdict: PlaylistVerdict) -> UInt64 {
        switch verdict {
        case .undecided: hashesOfInterest.undecided
        case .multivariant: hashesOfInterest.multivariant
        case .media: hashesOfInterest.media
        case .mixed, .notPlaylist: hashesOfInterest.mixed
        }
    }

    /// Whether the line at `offset` has one of `hashes`.
    ///
    /// At least ``headRoom`` bytes must be there: a debug build checks it.
    @unsafe @inline(__always)
    func hasHash(among hashes: UInt64, _ view: ByteView, at offset: Int) -> Bool {
        let hash = unsafe Self.hash(view.uncheckedWord(at: offset), view.uncheckedWord(at: offset &+ 8))
        return hashes &>> UInt64(hash) & 1 != 0
    }

    private static func hashesOfInterest(
        _ verdict: PlaylistVerdict, _ patterns: [TagPattern], hasIrregular: Bool
    ) -> UInt64 {
        if hasIrregular { return .max }
        var hashes: UInt64 = 0
        for pattern in patterns where pattern.isSelected || verdict.after(pattern.scope) != verdict {
            if let hash = hash(ofHead: pattern.head) { hashes |= 1 << UInt64(hash) }
        }
        return hashes
    }

    /// `#EXT-X-` in the lowest seven bytes of a word.
    private static var extX: UInt64 { 0x2D_58_2D_54_58_45_23 }

    @inline(__always)
    private static func hash(_ word: UInt64, _ following: UInt64) -> Int {
        let key: UInt64 =
            word & 0x00FF_FFFF_FFFF_FFFF == extX
            ? word &>> 56 | (following & 0xFFFF) &<< 8 : (word &>> 32) & 0xFF_FFFF
        return Int((UInt32(truncatingIfNeeded: key) &* 0x9E37_79B1) &>> 26)
    }

    /// The hash of a pattern's head, or nil where it has not the bytes for it.
    private static func hash(ofHead head: ByteView) -> Int? {
        guard head.hasBytes("#EXT", at: 0), head.count >= (head.hasBytes("#EXT-X-", at: 0) ? 10 : 7) else { return nil }
        let padded = head + [UInt8](repeating: 0, count: 16)
        return unsafe padded.withUnsafeBytes { bytes in
            let view = unsafe ByteView(bytes)
            return hash(view.word(at: 0), view.word(at: 8))
        }
    }
}
