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
        for (number, edit) in edits.enumerated() { try edit.check(number) }
        for tag in observing where !EditSyntax.isTagName(tag.spelling) {
            throw PlaylistEditError(.tagName, index: edits.count)
        }
        for (number, line) in appending.enumerated() where !EditSyntax.isLine(line) {
            throw PlaylistEditError(.appendedLine, index: number)
        }
        var compiler = EditCompiler(
            scope: scope, absentAttribute: absent ?? edits.lazy.compactMap { $0.attributeName }.first)
        compiler.selectsURIs = selectsURIs
        compiler.appendedLines = appending
        compiler.add(edits, observing: observing)
        program = compiler.program()
    }
}

extension PlaylistEdit {
    /// The attribute that is changed, or nil if it is the line that is dropped.
    fileprivate var attributeName: [UInt8]? {
        switch self {
        case .set(_, let name, _), .replace(_, let name, _), .remove(_, let name): name
        case .drop: nil
        }
    }

    fileprivate func check(_ number: Int) throws(PlaylistEditError) {
        guard EditSyntax.isTagName(tag.spelling) else { throw PlaylistEditError(.tagName, index: number) }
        if let attributeName, !EditSyntax.isAttributeName(attributeName) {
            throw PlaylistEditError(.attributeName, index: number)
        }
        switch self {
        case .set(_, _, let value), .replace(_, _, let value):
            guard EditSyntax.isAttributeValue(value) else { throw PlaylistEditError(.value, index: number) }
        case .remove, .drop: break
        }
    }
}
