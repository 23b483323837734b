internal import ByteScan
internal import CByteScan

/// What a rewriter does with a document of one kind. A program holds a mode for each ``DocumentKind``.
struct DocumentMode: Sendable {
    /// What is done with the lines of selected tags.
    enum Editing: Sendable {
        /// They are edited.
        case edits
        /// The handler is shown them, and nothing it decides is done.
        case onlyReads
        /// Nothing.
        case nothing
    }

    /// What the document is to users of the library.
    let verdict: PlaylistVerdict

    let editing: Editing

    /// Which lines the finder stops at.
    let filter: LineFilter

    /// Whether simple lines get the appended attribute at once, without a closer look.
    let appendsToSimpleLines: Bool

    /// Whether nothing that may come is edited, shown or changes the kind.
    let passesThrough: Bool

    /// Whether anything may be edited in this document, now or once its kind has changed.
    let mayStillEdit: Bool

    /// The mode for documents of `kind`, in which lines are simple if it is `simpleLineKind`.
    init(
        _ kind: DocumentKind, _ editing: (DocumentKind) -> Editing, filter: LineFilter, simpleLineKind: DocumentKind?
    ) {
        verdict = kind.verdict
        mayStillEdit = kind.reachable.contains { editing($0) == .edits }
        let editing = editing(kind)
        self.editing = editing
        self.filter = filter
        appendsToSimpleLines = editing == .edits && kind == simpleLineKind
        passesThrough = editing == .nothing && kind.isFinal
    }
}

extension DocumentMode.Editing {
    /// What is done in a document of `kind` by edits that are meant for `scope`.
    ///
    /// - Parameter readsMixed: Whether the handler goes on seeing lines in a document that becomes a mixed one.
    init(of kind: DocumentKind, _ scope: PlaylistEdits.Scope, readsMixed: Bool) {
        switch (kind, scope) {
        case (.notPlaylist, _): self = .nothing
        case (_, .any), (.undecided, _), (.multivariant, .multivariant), (.media, .media): self = .edits
        case (.multivariantThenMedia, .multivariant), (.mediaThenMultivariant, .media):
            self = readsMixed ? .onlyReads : .nothing
        default: self = .nothing
        }
    }
}

extension LineFilter {
    /// Lines of tags that are selected and of those that change `kind`; URIs too if they are selected. A line that
    /// passes the filter of a later kind passes that of an earlier one. `skips` says whether any lines are skipped.
    init(in tags: TagTable, with kind: DocumentKind, selectsURIs: Bool, skips: Bool) {
        self.init(
            anchor: selectsURIs ? .anyLine : Self.needsOnlyExtX(tags, kind) ? .extXTag : .tag,
            tellsSkipped: skips && (kind == .undecided || kind == .multivariant),
            skips: kind == .multivariant,
            hashes: selectsURIs ? .max : tags.hashes { kind.after($0.scope) != kind },
            // The first line that matters mostly decides the kind, and fewer are of interest after that.
            capacity: kind == .undecided ? 1 : LineFinder.capacity)
    }

    /// Whether no line is of interest but tags that begin with `EXT-X-`: EXTINF need not be looked at if it is not
    /// selected and does not change the kind.
    private static func needsOnlyExtX(_ tags: TagTable, _ kind: DocumentKind) -> Bool {
        (kind == .media || kind.verdict == .mixed)
            && tags.tags.prefix(tags.selectedCount).allSatisfy { $0.prefix.bytes.hasBytes("#EXT-X-", at: 0) }
    }
}

extension BytePair {
    /// The anchor pair of any line: its line end.
    fileprivate static var anyLine: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.lineFeed, distance: 0) }
    /// A line end before a tag or a comment.
    fileprivate static var tag: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.hash, distance: 1) }
    /// A line end with the first hyphen of `#EXT-X-` after it.
    fileprivate static var extXTag: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.hyphen, distance: 5) }
}
