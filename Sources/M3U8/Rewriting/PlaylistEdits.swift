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

    /// The edits as a rewriter runs them.
    package let program: EditProgram

    /// What the edits come to.
    private let baseFingerprint: Fingerprint

    /// Compiles `edits`.
    ///
    /// - Parameters:
    ///   - edits: What is done to the tags' lines. Of several edits of one attribute the last one counts, in the first
    ///     one's place.
    ///   - observing: Tags whose lines the rewriter's handler is to see.
    ///   - selectsURIs: Whether the handler is to see URI lines. They are not looked at otherwise.
    ///   - appending: Lines for the end of the playlist, without line endings, in UTF-8.
    ///   - scope: The playlists that are edited.
    ///   - absent: The attribute name that selected lines are expected to lack; for speed alone.
    /// - Throws: ``PlaylistEditError`` if a name or value would break the line.
    public init(
        _ edits: [PlaylistEdit],
        observing: [TagSelector] = [],
        selectsURIs: Bool = false,
        appending: [[UInt8]] = [],
        scope: Scope = .any,
        absent: [UInt8]? = nil
    ) throws(PlaylistEditError) {
        try Self.check(edits)
        for tag in observing where !EditSyntax.isTagName(tag.spelling) {
            throw PlaylistEditError(.tagName, index: edits.count)
        }
        try Self.check([], appending: appending)
        var compiler = EditCompiler(
            scope: scope, absentAttribute: absent ?? edits.lazy.compactMap { $0.change?.name }.first)
        compiler.selectsURIs = selectsURIs
        compiler.appendedLines = appending
        compiler.add(edits, observing: observing)
        program = compiler.program()
        var fingerprint = Fingerprint(of: "edits", version: Self.outputVersion)
        fingerprint.add(edits.count)
        for edit in edits { edit.add(to: &fingerprint) }
        for lines in [observing.map { $0.spelling }, appending] {
            fingerprint.add(lines.count)
            for line in lines { fingerprint.add(line) }
        }
        fingerprint.add(selectsURIs)
        switch scope {
        case .any: fingerprint.add(0)
        case .multivariant: fingerprint.add(1)
        case .media: fingerprint.add(2)
        }
        baseFingerprint = fingerprint
    }

    /// Checks `edits` and lines to append, as making a set of them does.
    ///
    /// - Throws: ``PlaylistEditError`` if a name or value would break the line.
    package static func check(
        _ edits: [PlaylistEdit], appending lines: [[UInt8]] = []
    ) throws(PlaylistEditError) {
        for (number, edit) in edits.enumerated() { try edit.check(number) }
        for (number, line) in lines.enumerated() where !EditSyntax.isLine(line) {
            throw PlaylistEditError(.appendedLine, index: number)
        }
    }
}

extension PlaylistEdits {
    /// A number that goes up whenever the same edits make something else of some playlist.
    package static var outputVersion: Int { 1 }

    /// Whether EXT-X-STREAM-INF lines are left out, and so the URI lines of their variants.
    package var dropsVariants: Bool {
        zip(program.plans, program.tags.tags).contains { $0.isDropped && $1.name == .streamInf }
    }

    /// A number that is another if the output may be, with the default limits: for ETag and cache keys.
    ///
    /// The same in every run and on every machine. What a handler decides is not in it: put a number for that into the
    /// key too.
    public var fingerprint: UInt64 { fingerprint(with: LineLimits()) }

    /// A number that is another if the output of a rewriter with `limits` may be: for ETag and cache keys.
    public func fingerprint(with limits: LineLimits) -> UInt64 {
        var fingerprint = baseFingerprint
        limits.add(to: &fingerprint)
        return fingerprint.value
    }
}

extension PlaylistEdit {
    /// What is done to which attribute, and its value, empty if it is removed; nil if it is the line that is dropped.
    var change: (kind: AttributeOperation.Kind, name: [UInt8], value: [UInt8])? {
        switch self {
        case .set(_, let name, let value): (.set, name, value)
        case .replace(_, let name, let value): (.replace, name, value)
        case .remove(_, let name): (.remove, name, [])
        case .drop: nil
        }
    }

    fileprivate func add(to fingerprint: inout Fingerprint) {
        fingerprint.add(change?.kind.rawValue ?? 3)
        fingerprint.add(tag.spelling)
        fingerprint.add(change?.name ?? [])
        fingerprint.add(change?.value ?? [])
    }

    fileprivate func check(_ number: Int) throws(PlaylistEditError) {
        guard EditSyntax.isTagName(tag.spelling) else { throw PlaylistEditError(.tagName, index: number) }
        guard let change else { return }
        guard EditSyntax.isAttributeName(change.name) else { throw PlaylistEditError(.attributeName, index: number) }
        guard change.kind == .remove || EditSyntax.isAttributeValue(change.value) else {
            throw PlaylistEditError(.value, index: number)
        }
    }
}
