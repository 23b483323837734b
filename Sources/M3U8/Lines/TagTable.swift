internal import ByteScan
internal import CByteScan

/// A tag that is told from others: by how its lines begin.
struct KnownTag: Sendable {
    /// `#` and the name.
    let prefix: TagPrefix
    /// The tag's name in code, if it has one.
    let name: TagName?
    /// What the tag tells about the playlist.
    let scope: TagName.Scope

    init(prefix: ByteView, name: TagName?) {
        self.prefix = TagPrefix(prefix)
        self.name = name
        scope = name?.scope ?? .any
    }

    /// The hash of the prefix, or nil if it has not the bytes for it.
    var hash: Int? { Self.hash(of: prefix.bytes) }

    /// The hash of lines that begin with `bytes`, or nil if these are too few, or no tag begins so.
    static func hash(of bytes: ByteView) -> Int? {
        guard bytes.hasBytes("#EXT", at: 0), bytes.count >= (bytes.hasBytes("#EXT-X-", at: 0) ? 10 : 7) else {
            return nil
        }
        return Int(headHash(bytes.suffix(from: 4).paddedWord))
    }
}

/// All tags that a scanner tells apart: those that somebody selected, and the others that have a name in code.
///
/// A line's tag is looked up by three bytes after `#EXT-X-`, or after `#EXT` if the tag begins otherwise, and then
/// compared with the few tags that share their hash.
final class TagTable: Sendable {
    /// The selected tags first, then the others.
    let tags: [KnownTag]
    /// How many are selected.
    let selectedCount: Int
    /// For each hash one more than the index of the first tag; 0 if there is none.
    private let first: [UInt8]
    /// For each tag one more than the index of the next with its hash; 0 after the last.
    private let next: [UInt8]
    /// Whether any selected tag is too unlike the others to be looked up.
    let hasIrregular: Bool

    /// How many bytes from a line's start decide whether it is of a tag of the table, and whether its value begins as
    /// one demands.
    let lookahead: Int

    /// A table of the tags with the prefixes `selected`, which outlive it, and the tags with a name in code that are
    /// not among them.
    init(selected: [ByteView]) {
        var tags = selected.map { KnownTag(prefix: $0, name: TagName($0.suffix(from: 1))) }
        for name in TagName.allCases where !selected.contains(ByteView(name.head)) {
            tags.append(KnownTag(prefix: ByteView(name.head), name: name))
        }
        var first = [UInt8](repeating: 0, count: 64)
        var next = [UInt8](repeating: 0, count: tags.count)
        var hasIrregular = false
        for index in tags.indices.reversed() {
            guard let hash = tags[index].hash, index < 254 else {
                hasIrregular = true
                continue
            }
            next[index] = first[hash]
            first[hash] = UInt8(index + 1)
        }
        self.tags = tags
        selectedCount = selected.count
        self.first = first
        self.next = next
        self.hasIrregular = hasIrregular
        lookahead = tags.reduce(32) { max($0, $1.prefix.count + 10) }
    }

    /// The index of the tag of the line at `offset`, or nil if the table has none for it.
    ///
    /// At least ``lookahead`` bytes must be there: a debug build checks it.
    @unsafe @inline(__always)
    func index(of view: ByteView, at offset: Int) -> Int? {
        let word = unsafe view.uncheckedWord(at: offset)
        let following = unsafe view.uncheckedWord(at: offset &+ 8)
        var candidate = Int(first[Int(headHash(word &>> 32 | following &<< 32))])
        while candidate != 0 {
            if unsafe tags[candidate &- 1].prefix.matches(word, following, view, at: offset) { return candidate &- 1 }
            candidate = Int(next[candidate &- 1])
        }
        return nil
    }

    /// The index of the tag whose lines begin with `prefix`, which is whole, or nil.
    func index(of prefix: ByteView) -> Int? {
        if hasIrregular { return tags.firstIndex { $0.prefix.bytes == prefix } }
        guard let hash = KnownTag.hash(of: prefix) else { return nil }
        var candidate = Int(first[hash])
        while candidate != 0, tags[candidate &- 1].prefix.bytes != prefix { candidate = Int(next[candidate &- 1]) }
        return candidate == 0 ? nil : candidate &- 1
    }

    /// The hashes that lines of the selected tags may have, and of those that `isOfInterest` names, one bit each.
    func hashes(andOf isOfInterest: (KnownTag) -> Bool) -> UInt64 {
        if hasIrregular { return .max }
        var hashes: UInt64 = 0
        for (index, tag) in tags.enumerated() where index < selectedCount || isOfInterest(tag) {
            if let hash = tag.hash { hashes |= 1 << UInt64(hash) }
        }
        return hashes
    }
}

/// Finds the tags of lines. Most are of the tag that was found last, which is tried first.
struct TagMatcher {
    let table: TagTable

    /// The tag found last: its index in the table.
    private(set) var index = 0

    init(_ table: TagTable) { self.table = table }

    /// The tag found last.
    var tag: KnownTag { @inline(__always) get { table.tags[index] } }

    /// Whether somebody selected it.
    var isSelected: Bool { @inline(__always) get { index < table.selectedCount } }

    /// Finds the tag of the line at `offset`, and tells whether there is one.
    ///
    /// At least the table's `lookahead` bytes must be there: a debug build checks it.
    @unsafe @inline(__always)
    mutating func find(_ view: ByteView, at offset: Int) -> Bool {
        let prefix = table.tags[index].prefix
        if unsafe prefix.matches(view.uncheckedWord(at: offset), view.uncheckedWord(at: offset &+ 8), view, at: offset)
        {
            return true
        }
        return unsafe findInTable(view, at: offset)
    }

    @unsafe @inline(never)
    private mutating func findInTable(_ view: ByteView, at offset: Int) -> Bool {
        guard let found = unsafe table.index(of: view, at: offset) else { return false }
        index = found
        return true
    }

    /// Finds the tag whose lines begin with `prefix`, which is whole, and tells whether there is one.
    mutating func find(prefix: ByteView) -> Bool {
        if tag.prefix.bytes == prefix { return true }
        guard let found = table.index(of: prefix) else { return false }
        index = found
        return true
    }
}
