internal import ByteScan

/// Tells what lines are, each without its ending.
struct LineClassifier {
    private static let namedTags = TagTable(selected: [])

    private var matcher = TagMatcher(Self.namedTags)

    /// What `line` is, and where the tag's name ends: 0 if it is no tag.
    @inline(__always)
    mutating func classify(_ line: ByteView) -> (PlaylistLine.Kind, nameEnd: Int) {
        guard let first = line.first, first == ASCII.hash else { return (Self.kindOfOther(line), 0) }
        if line.count >= matcher.table.lookahead, unsafe matcher.find(line, at: 0) {
            return (tagKind, matcher.tag.prefix.count)
        }
        return classifyByName(line)
    }

    /// What a line is that does not begin with `#`.
    @inline(__always)
    private static func kindOfOther(_ line: ByteView) -> PlaylistLine.Kind {
        if let first = line.first, !ASCII.isBlank(first) { return .uri }
        return line.contains { !ASCII.isBlank($0) } ? .uri : .blank
    }

    /// What a line is that begins with `#`, by its whole name.
    @inline(never)
    private mutating func classifyByName(_ line: ByteView) -> (PlaylistLine.Kind, nameEnd: Int) {
        guard line.hasBytes("#EXT", at: 0) else { return (.comment, 0) }
        let nameEnd = line.firstOffset(of: ASCII.colon) ?? line.count
        return (matcher.find(prefix: line[0..<nameEnd]) ? tagKind : .otherTag, nameEnd)
    }

    private var tagKind: PlaylistLine.Kind { matcher.tag.name.map { .tag($0) } ?? .otherTag }
}
