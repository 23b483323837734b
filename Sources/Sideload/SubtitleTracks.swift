internal import ByteScan
internal import M3U8

/// Tracks that have been checked and rendered once; immutable, and shared by every connection and thread.
public struct SubtitleTracks: Sendable {
    /// Which default wins where the playlist's group has one already (8216bis 4.4.6.1 allows one a group).
    public enum DefaultPolicy: Equatable, Sendable {
        /// The playlist's; a track that asks to be the default is then an ordinary one.
        case keepsExisting
        /// The track's; the playlist's default is rewritten to DEFAULT=NO as it passes by.
        case prefersTracks
    }

    /// The tracks as they are written: those of one language together, otherwise in the caller's order.
    let rendered: [RenderedTrack]

    /// Whether a default of the playlist gives way.
    let replacesDefault: Bool

    /// The group for variants that come before any declared one.
    let fallbackGroup: StableBytes

    /// `,SUBTITLES="…"` with that group.
    let fallbackAttribute: StableBytes

    /// What a rewriter selects and probes for.
    let edits: PlaylistEdits

    /// Checks `tracks` and renders what is written of them.
    ///
    /// - Parameters:
    ///   - tracks: At least one. Tracks of one language are brought together (Apple's HLS Authoring Specification 9.17).
    ///   - fallbackGroup: GROUP-ID of the group that is made where the playlist declares none; a track's own
    ///     ``SubtitleTrack/groupID`` goes before it.
    ///   - defaultPolicy: Which default wins.
    /// - Throws: ``SubtitleTrackError`` for a value that would break out of its quotes, and for tracks that contradict
    ///   each other.
    public init(
        _ tracks: [SubtitleTrack], fallbackGroup: String = "subs", defaultPolicy: DefaultPolicy = .keepsExisting
    ) throws(SubtitleTrackError) {
        guard !tracks.isEmpty else { throw .noTracks }
        var rendered: [RenderedTrack] = []
        var group: [UInt8]?
        var hasDefault = false
        for (index, track) in tracks.enumerated() {
            let next = try RenderedTrack(track, index: index)
            if rendered.contains(where: { $0.uri.view == next.uri.view }) { throw .duplicateURI(track: index) }
            if next.isDefault {
                if hasDefault { throw .secondDefault(track: index) }
                hasDefault = true
            }
            if let own = next.groupID {
                if let group, group != own { throw .conflictingGroup(track: index) }
                group = own
            }
            let neighbour = rendered.lastIndex { $0.language == next.language }
            rendered.insert(next, at: neighbour.map { $0 + 1 } ?? rendered.count)
        }
        let fallback = try FieldSyntax.quotable(fallbackGroup, .groupID, of: tracks[0], 0)
        self.rendered = rendered
        replacesDefault = hasDefault && defaultPolicy == .prefersTracks
        self.fallbackGroup = StableBytes(group ?? fallback)
        fallbackAttribute = StableBytes(FieldSyntax.attribute("SUBTITLES", group ?? fallback))
        edits = .sideloading
    }
}

extension PlaylistEdits {
    /// What sideloading looks at. Lines without `SUBTITLES`, name or value, are told from the others on the way.
    fileprivate static let sideloading = PlaylistEdits(
        observing: [.streamInf, .media, .define], scope: .multivariant, probe: Array("SUBTITLES".utf8))
}
