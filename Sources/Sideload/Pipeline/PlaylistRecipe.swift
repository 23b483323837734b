public import M3U8

/// What becomes of a playlist: edits of its lines, a condition that variants meet, what is done to its URIs, and
/// tracks.
///
/// Checked and compiled once; immutable, and shared by every ``PlaylistPipeline`` and thread.
public struct PlaylistRecipe: Sendable {
    /// What is done line by line; nil only if tracks are all there is.
    package let edits: PlaylistEdits?

    package let condition: VariantExpression?
    package let mapping: URIMapping?
    package let tracks: SubtitleTracks?

    /// What the tracks' rewriter runs if all that is edited is that lines are dropped which sideloading does not look at.
    let sideloading: EditProgram?

    /// A recipe of what is given. One of nothing leaves playlists as they are.
    ///
    /// - Parameters:
    ///   - edits: What is done to the tags' lines. Of several edits of one attribute the last one counts, in the first
    ///     one's place. With
    ///     a dropped EXT-X-STREAM-INF its URI line goes.
    ///   - appending: Lines for the end of the playlist, before the tags of the tracks, without line endings, in UTF-8.
    ///   - condition: What variants meet that stay. It is asked before `edits` are done.
    ///   - mapping: What is done to URIs. What `edits` say about a URI wins over it.
    ///   - tracks: What is sideloaded into what all this makes of a multivariant playlist.
    ///   - observing: Tags whose lines a pipeline's handler is to see.
    /// - Throws: `PlaylistEditError` if a name or value would break the line.
    public init(
        edits: [PlaylistEdit] = [], appending: [[UInt8]] = [], keeping condition: VariantExpression? = nil,
        mapping: URIMapping? = nil, tracks: SubtitleTracks? = nil, observing: [TagSelector] = []
    ) throws(PlaylistEditError) {
        let dropsVariants = edits.contains { edit in
            if case .drop(let tag) = edit { tag == TagSelector(.streamInf) } else { false }
        }
        let tags =
            (mapping == nil ? [] : URIMapping.tags) + (condition == nil ? [] : VariantFilter.tags)
            + (dropsVariants ? VariantDrops.tags : [])
        let areEdited = !appending.isEmpty || !tags.isEmpty || !observing.isEmpty || tracks == nil
        self.init(
            edits.isEmpty && !areEdited
                ? nil
                : try PlaylistEdits(
                    edits, observing: tags + observing, selectsURIs: !tags.isEmpty, appending: appending),
            keeping: condition, mapping: mapping, tracks: tracks,
            leavingOut: areEdited ? [] : edits)
    }

    /// A recipe of edits that have been compiled, and select what the others must see.
    package init(
        _ edits: PlaylistEdits?, keeping condition: VariantExpression? = nil, mapping: URIMapping? = nil,
        tracks: SubtitleTracks? = nil, leavingOut leftOut: [PlaylistEdit] = []
    ) {
        sideloading = leftOut.isEmpty ? nil : .sideloading(leavingOut: leftOut)
        self.edits = edits
        self.condition = condition
        self.mapping = mapping
        self.tracks = tracks
    }
}

/// How much a ``PlaylistPipeline`` may remember, and how much it may add.
public struct PipelineLimits: Sendable {
    /// Of the lines that are edited; their policy decides what happens past a limit of theirs, or of ``uris``.
    public var lines: LineLimits
    /// Of the variables that are put into URIs.
    public var uris: URIMapper.Limits
    /// Of the playlist, edited, that gets the tracks.
    public var tracks: SideloadLimits

    /// Limits of tracks, whose ``SideloadLimits/lines`` hold for edits too, and of variables.
    public init(_ tracks: SideloadLimits = SideloadLimits(), uris: URIMapper.Limits = URIMapper.Limits()) {
        lines = tracks.lines
        self.uris = uris
        self.tracks = tracks
    }

    /// Whether lines that are edited and those that tracks are for have the same limits.
    var areAlike: Bool { lines.longestLine == tracks.lines.longestLine && lines.policy == tracks.lines.policy }
}
