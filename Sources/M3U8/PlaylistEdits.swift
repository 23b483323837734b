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
    let operations: [AttributeOperation]
    let scope: Scope
    let selectsURIs: Bool
    let appendedLines: [StableBytes]

    /// What `patterns` and `operations` point into.
    private let storage: [StableBytes]

    /// The sign of the one attribute whose absence the scanner finds out while it looks for a line's end.
    let probePair: BytePair

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
        for (number, edit) in edits.enumerated() { try edit.check(number) }
        for tag in observing where !EditSyntax.isTagName(tag.spelling) { throw .tagName(index: edits.count) }
        for (number, line) in appending.enumerated() where !EditSyntax.isLine(line) {
            throw .appendedLine(index: number)
        }
        self.init(
            checked: edits, observing: observing, selectsURIs: selectsURIs, appending: appending, scope: scope,
            probe: probe)
    }

    /// No edits, only tags that a handler is to see.
    package init(observing tags: [TagName], scope: Scope, probe: [UInt8]) {
        self.init(
            checked: [], observing: tags.map { TagSelector($0) }, selectsURIs: false, appending: [], scope: scope,
            probe: probe)
    }

    private init(
        checked edits: [PlaylistEdit], observing: [TagSelector], selectsURIs: Bool, appending: [[UInt8]], scope: Scope,
        probe: [UInt8]?
    ) {
        let probed = probe ?? edits.lazy.compactMap { $0.attributeChange?.name }.first
        var storage: [StableBytes] = []
        func keep(_ bytes: [UInt8]) -> ByteView {
            let kept = StableBytes(bytes)
            storage.append(kept)
            return kept.view
        }
        var tags: [TagSelector] = []
        for tag in edits.map(\.tag) + observing where !tags.contains(tag) { tags.append(tag) }
        var patterns: [TagPattern] = []
        var operations: [AttributeOperation] = []
        for tag in tags {
            let first = operations.count
            let own = edits.filter { $0.tag == tag }
            for edit in own {
                guard let (kind, name, rendered) = edit.attributeChange else { continue }
                operations.append(
                    AttributeOperation(
                        kind: kind, storage: .stable(keep(rendered)), nameCount: name.count, isProbed: name == probed))
            }
            patterns.append(
                TagPattern(
                    head: keep([ASCII.hash] + tag.spelling), isDropped: own.contains { $0.attributeChange == nil },
                    operations: first..<operations.count))
        }
        self.patterns = patterns
        self.operations = operations
        self.storage = storage
        self.scope = scope
        self.selectsURIs = selectsURIs
        appendedLines = appending.map { StableBytes($0) }
        probePair = probed.flatMap { Needle($0)?.pair } ?? BytePair(ASCII.lineFeed, ASCII.lineFeed, distance: 0)
        headRoom = max(32, (patterns.map(\.head.count).max() ?? 0) + 2)
        selectsOnlyExtX = patterns.allSatisfy { $0.head.hasBytes("#EXT-X-", at: 0) }
    }
}

extension PlaylistEdit {
    /// What is done to which attribute, and the bytes it is done with; nil where it is the line that is dropped.
    fileprivate var attributeChange: (kind: AttributeOperation.Kind, name: [UInt8], rendered: [UInt8])? {
        switch self {
        case .set(_, let name, let value): (.set, name, [ASCII.comma] + name + [ASCII.equals] + value)
        case .replace(_, let name, let value): (.replace, name, [ASCII.comma] + name + [ASCII.equals] + value)
        case .remove(_, let name): (.remove, name, [ASCII.comma] + name)
        case .drop: nil
        }
    }

    fileprivate func check(_ number: Int) throws(PlaylistEditError) {
        guard EditSyntax.isTagName(tag.spelling) else { throw .tagName(index: number) }
        switch self {
        case .set(_, let name, let value), .replace(_, let name, let value):
            guard EditSyntax.isAttributeName(name) else { throw .attributeName(index: number) }
            guard EditSyntax.isAttributeValue(value) else { throw .value(index: number) }
        case .remove(_, let name):
            guard EditSyntax.isAttributeName(name) else { throw .attributeName(index: number) }
        case .drop: break
        }
    }
}
