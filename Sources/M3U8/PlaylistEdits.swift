internal import ByteScan

/// A set of edits, checked and compiled once; immutable, and shared by every rewriter and thread.
public struct PlaylistEdits: Sendable {
    /// The playlists that are edited. Tags that tell the kind come early, so this is known before anything is edited.
    public enum Scope: Sendable {
        /// Every playlist, mixed ones too.
        case any
        /// Multivariant playlists; from a tag of a media playlist on nothing more is edited.
        case multivariant
        /// Media playlists; from a tag of a multivariant playlist on nothing more is edited.
        case media
    }

    let patterns: [TagPattern]
    let scope: Scope
    let selectsURIs: Bool
    let appended: StableBytes
    let appendedLines: [Range<Int>]

    /// The one attribute whose absence the scanner finds out while it looks for the line's end.
    let probe: Needle?

    /// How many bytes from a line's start decide whether it is of a selected tag.
    let headRoom: Int

    /// Whether every selected tag begins with `EXT-X-`, so that the scanner need not stop at any other.
    let selectsOnlyExtX: Bool

    /// Compiles `edits`.
    ///
    /// - Parameters:
    ///   - edits: What is done to the tags' lines. Several edits of one tag are done in order; none sees another's result.
    ///   - observing: Tags whose lines the rewriter's handler is to see. It sees those of `edits` too.
    ///   - selectsURIs: Whether the handler is to see URI lines. They are not looked at otherwise.
    ///   - appending: Lines for the end of the playlist, without line endings, in UTF-8.
    ///   - scope: The playlists that are edited.
    ///   - probe: The attribute name that selected lines are expected to lack; for speed alone.
    /// - Throws: ``PlaylistEditError`` where a name or value would break the line.
    public init(
        _ edits: [PlaylistEdit],
        observing: [TagSelector] = [],
        selectsURIs: Bool = false,
        appending: [[UInt8]] = [],
        scope: Scope = .any,
        probe: [UInt8]? = nil
    ) throws(PlaylistEditError) {
        var patterns: [TagPattern] = []
        func index(of tag: TagSelector) -> Int {
            for index in patterns.indices where patterns[index].head.view.suffix(from: 1).elementsEqual(tag.spelling) {
                return index
            }
            patterns.append(TagPattern(tag))
            return patterns.count - 1
        }
        var firstName: [UInt8]?
        for (number, edit) in edits.enumerated() {
            guard EditSyntax.isTagName(edit.tag.spelling) else { throw .tagName(index: number) }
            let pattern = index(of: edit.tag)
            guard let (kind, name, value) = edit.attributeChange else {
                patterns[pattern].isDropped = true
                continue
            }
            guard EditSyntax.isAttributeName(name) else { throw .attributeName(index: number) }
            guard value.map(EditSyntax.isAttributeValue) ?? true else { throw .value(index: number) }
            let rendered = [ASCII.comma] + name + (value.map { [ASCII.equals] + $0 } ?? [])
            patterns[pattern].attributeEdits.append(
                CompiledAttributeEdit(kind: kind, rendered: StableBytes(rendered), nameCount: name.count))
            if firstName == nil { firstName = name }
        }
        for tag in observing {
            guard EditSyntax.isTagName(tag.spelling) else { throw .tagName(index: edits.count) }
            _ = index(of: tag)
        }
        for (number, line) in appending.enumerated() where !EditSyntax.isLine(line) {
            throw .appendedLine(index: number)
        }
        var lines: [Range<Int>] = []
        for line in appending {
            let start = lines.last?.upperBound ?? 0
            lines.append(start..<(start + line.count))
        }
        self.patterns = patterns
        self.scope = scope
        self.selectsURIs = selectsURIs
        appended = StableBytes(appending.flatMap { $0 })
        appendedLines = lines
        self.probe = (probe ?? firstName).flatMap { Needle($0) }
        headRoom = max(32, (patterns.map { $0.head.view.count }.max() ?? 0) + 2)
        selectsOnlyExtX = patterns.allSatisfy { $0.head.view.hasBytes("#EXT-X-", at: 0) }
    }
}

extension PlaylistEdit {
    fileprivate var attributeChange: (AttributeOperation.Kind, name: [UInt8], value: [UInt8]?)? {
        switch self {
        case .set(_, let name, let value): (.set, name, value)
        case .replace(_, let name, let value): (.replace, name, value)
        case .remove(_, let name): (.remove, name, nil)
        case .drop: nil
        }
    }
}
