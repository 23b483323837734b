internal import ByteScan

/// Tells what lines are, each without its ending. Most tags are the one that was met last.
struct LineClassifier {
    private static let namedTags = TagTable(selected: [])

    private let tags = Self.namedTags
    private var last = 0

    /// What `line` is, and where the tag's name ends: 0 where it is no tag.
    @inline(__always)
    mutating func classify(_ line: ByteView) -> (PlaylistLine.Kind, nameEnd: Int) {
        guard let first = line.first, first == ASCII.hash else { return (Self.kindOfOther(line), 0) }
        if line.count >= tags.headRoom,
            unsafe tags.patterns[last].matches(line.uncheckedWord(at: 0), line.uncheckedWord(at: 8), line, at: 0)
        {
            return (tags.patterns[last].lineKind, tags.patterns[last].head.count)
        }
        return classifyByName(line)
    }

    /// What a line is that does not begin with `#`.
    @inline(__always)
    private static func kindOfOther(_ line: ByteView) -> PlaylistLine.Kind {
        if let first = line.first, !LineBytes.isWhiteSpace(first) { return .uri }
        return line.contains { !LineBytes.isWhiteSpace($0) } ? .uri : .blank
    }

    /// What a line is that begins with `#`, by the table of tags or by its whole name.
    @inline(never)
    private mutating func classifyByName(_ line: ByteView) -> (PlaylistLine.Kind, nameEnd: Int) {
        guard line.hasBytes("#EXT", at: 0) else { return (.comment, 0) }
        if line.count >= tags.headRoom, let index = unsafe tags.index(of: line, at: 0) {
            last = index
            return (tags.patterns[index].lineKind, tags.patterns[index].head.count)
        }
        let nameEnd = line.firstOffset(of: ASCII.colon) ?? line.count
        return (TagName(line[1..<nameEnd]).map { .tag($0) } ?? .otherTag, nameEnd)
    }
}
