internal import ByteScan
internal import CByteScan

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

    let tags: TagTable
    let operations: [AttributeOperation]
    let selectsURIs: Bool
    let appendedLines: [StableBytes]

    /// What the lines of one pattern get that lack the probed attribute: `,NAME=VALUE`.
    var standingItem: ByteView { standingStorage?.view ?? ByteView() }
    private let standingStorage: StableBytes?

    /// What `tags` and `operations` point into.
    private let storage: [StableBytes]

    /// The sign of the one attribute whose absence the scanner finds out while it looks for a line's end.
    let probePair: BytePair

    /// How lines begin that only get the standing item appended. Nothing if there are none.
    let plainHead: LineHead

    /// How lines begin that are passed over in a multivariant playlist, though their hash is that of a line of interest. They are of
    /// tags that make a playlist one, and nothing else is to be known of them.
    let passedHeads: (LineHead, LineHead)

    /// What is done with a document, for each ``DocumentKind``.
    let modes: [Mode]

    /// Compiles `edits`.
    ///
    /// - Parameters:
    ///   - edits: What is done to the tags' lines. Of several edits of one attribute the last one counts, in the first
    ///     one's place.
    ///   - observing: Tags whose lines the rewriter's handler is to see.
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
        let probed = probe ?? edits.lazy.compactMap { $0.attributeChange?.name }.first
        var keeper = Keeper()
        var tags: [TagSelector] = []
        for tag in edits.map({ $0.tag }) + observing where !tags.contains(tag) { tags.append(tag) }
        var patterns: [TagPattern] = []
        var standingItem: StableBytes?
        for tag in tags {
            let own = edits.filter { $0.tag == tag }
            let changes = own.compactMap { $0.attributeChange }
            let isObserved = observing.contains(tag)
            let isDropped = changes.count < own.count
            let isStanding =
                standingItem == nil && !isObserved && !isDropped && changes.count == 1 && changes[0].kind == .set
                && changes[0].name == probed
            let operations = keeper.keep(changes)
            if isStanding { standingItem = keeper.lastKept }
            patterns.append(
                keeper.pattern(
                    tag, audience: isObserved ? .always : .never, isDropped: isDropped, getsStandingItem: isStanding,
                    operations: operations))
        }
        self.init(
            patterns: patterns, keeper: keeper, standingItem: standingItem, selectsURIs: selectsURIs,
            appending: appending, scope: scope, probe: probed)
    }

    /// What sideloading subtitles looks at; there are no edits of its own.
    ///
    /// A handler is to see the lines of EXT-X-STREAM-INF and EXT-X-MEDIA that may hold `SUBTITLES`, name or value, and all
    /// of EXT-X-DEFINE. Lines of EXT-X-STREAM-INF without it get the rewriter's standing item. Most tags of EXT-X-MEDIA begin
    /// with their TYPE, which tells at once that they are of no interest. Where a playlist is mixed, the handler goes on seeing
    /// lines, and what it decides is ignored.
    package static let sideloading: PlaylistEdits = {
        var keeper = Keeper()
        let patterns = [
            keeper.pattern(TagSelector(.streamInf), audience: .whereProbeMayBe, getsStandingItem: true),
            keeper.pattern(
                TagSelector(.media), audience: .whereProbeMayBe, lead: ValueLead(name: "TYPE=", value: "SUB")),
            keeper.pattern(TagSelector(.define), audience: .always),
        ]
        return PlaylistEdits(
            patterns: patterns, keeper: keeper, scope: .multivariant, probe: Array("SUBTITLES".utf8),
            readsMixed: true, passing: "#EXT-X-MEDIA:TYPE=AUDIO,")
    }()

    private init(
        patterns: [TagPattern], keeper: Keeper, standingItem: StableBytes? = nil, selectsURIs: Bool = false,
        appending: [[UInt8]] = [], scope: Scope, probe: [UInt8]?, readsMixed: Bool = false,
        passing: String? = nil
    ) {
        tags = TagTable(selected: patterns)
        operations = keeper.operations
        storage = keeper.storage
        standingStorage = standingItem
        self.selectsURIs = selectsURIs
        appendedLines = appending.map { StableBytes($0) }
        probePair = probe.flatMap { Needle($0)?.pair } ?? .none
        let standing = patterns.first { $0.getsStandingItem && $0.head.count < LineHead.longest }
        plainHead = standing.map { LineHead($0.head + [ASCII.colon]) } ?? .none
        let selectsIFrames = patterns.contains { $0.kind == .tag(.iFrameStreamInf) }
        passedHeads = (
            passing.map { LineHead(Array($0.utf8)) } ?? .none,
            selectsIFrames ? .none : LineHead(Array("#EXT-X-I-FRAME-STREAM-INF:".utf8))
        )
        modes = DocumentKind.allCases.map { [tags] kind in
            Mode(
                kind, Mode.Editing(of: kind, scope, readsMixed: readsMixed),
                filter: LineInterest(in: tags, with: kind, selectsURIs: selectsURIs),
                simpleLineKind: standing?.decidedKind)
        }
    }
}

/// Gathers what patterns and operations point into while edits are compiled.
private struct Keeper {
    private(set) var storage: [StableBytes] = []
    private(set) var operations: [AttributeOperation] = []

    /// What was kept last.
    var lastKept: StableBytes? { storage.last }

    mutating func keep(_ bytes: [UInt8]) -> ByteView {
        let kept = StableBytes(bytes)
        storage.append(kept)
        return kept.view
    }

    /// Keeps what is done to a tag's attributes; of several changes of one attribute the last, in the first one's place.
    mutating func keep(_ changes: [AttributeChange]) -> Range<Int> {
        let first = operations.count
        for (number, change) in changes.enumerated()
        where !changes[..<number].contains(where: { $0.name == change.name }) {
            let last = changes.last { $0.name == change.name } ?? change
            let rendered = keep(last.rendered)
            operations.append(
                AttributeOperation(kind: last.kind, storage: .stable(rendered), nameCount: last.name.count))
        }
        return first..<operations.count
    }

    mutating func pattern(
        _ tag: TagSelector, audience: TagPattern.Audience, isDropped: Bool = false, getsStandingItem: Bool = false,
        lead: ValueLead = .any, operations: Range<Int> = 0..<0
    ) -> TagPattern {
        TagPattern(
            head: keep([ASCII.hash] + tag.spelling), isSelected: true, audience: audience, isDropped: isDropped,
            getsStandingItem: getsStandingItem, lead: lead, operations: operations)
    }
}

/// What is done to which attribute, and the bytes it is done with.
private typealias AttributeChange = (kind: AttributeOperation.Kind, name: [UInt8], rendered: [UInt8])

extension PlaylistEdit {
    /// The change of an attribute, or nil where it is the line that is dropped.
    fileprivate var attributeChange: AttributeChange? {
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
