internal import ByteScan
internal import M3U8

/// Tracks that have been checked and rendered once; immutable, and shared by every connection and thread.
public struct SubtitleTracks: Sendable {
    /// Which default wins if the playlist's group has one already (8216bis 4.4.6.1 allows one a group).
    public enum DefaultPolicy: Equatable, Sendable {
        /// The playlist's; a track that asks to be the default is then an ordinary one.
        case keepsExisting
        /// The track's; the playlist's default is rewritten to DEFAULT=NO as it passes by.
        case prefersTracks
    }

    /// The tracks as they are written: those of one language together, otherwise in the caller's order.
    let rendered: [RenderedTrack]

    /// What the tracks, the group and the policy come to.
    private let baseFingerprint: Fingerprint

    /// What `rendered` points into.
    private let storage: [StableBytes]

    /// Whether a default of the playlist gives way.
    let replacesDefault: Bool

    /// The group for variants that come before any declared one.
    let fallbackGroup: StableBytes

    /// The tags to append if the fallback is the only group: with LF, and with CRLF.
    private var declarations: (lineFeed: StableBytes, carriageReturnLineFeed: StableBytes)

    /// How large the tags of a group become.
    let sizes: TrackSizes

    /// What variants before any declared group get: `,SUBTITLES="…"` with the fallback group.
    private let attribute: StableBytes

    /// Checks `tracks`, and renders what is written of them.
    ///
    /// - Parameters:
    ///   - tracks: At least one. Tracks of one language are brought together (Apple's HLS Authoring Specification
    ///     9.17).
    ///   - fallbackGroup: GROUP-ID of the group for variants if the playlist declares none. A track's own
    ///     ``SubtitleTrack/groupID`` comes first, and only that may refer to variables.
    ///   - defaultPolicy: Which default wins.
    /// - Throws: ``SubtitleTrackError`` for a value that would break out of its quotes, and for tracks that contradict
    ///   each other.
    /// - Complexity: O(*n*²) for *n* tracks, which are few. Do it once, not once a playlist.
    public init(
        _ tracks: [SubtitleTrack], fallbackGroup: String = "subs", defaultPolicy: DefaultPolicy = .keepsExisting
    ) throws(SubtitleTrackError) {
        guard !tracks.isEmpty else { throw SubtitleTrackError(.noTracks) }
        var rendered: [RenderedTrack] = []
        var storage: [StableBytes] = []
        var group: [UInt8] = []
        for (index, track) in tracks.enumerated() {
            let next = try RenderedTrack(track, index: index, storage: &storage)
            guard !rendered.contains(where: { $0.uri == next.uri }) else {
                throw SubtitleTrackError(.duplicateURI, track: index)
            }
            if next.isDefault, rendered.contains(where: { $0.isDefault }) {
                throw SubtitleTrackError(.secondDefault, track: index)
            }
            if !next.group.isEmpty {
                guard group.isEmpty || group == next.group else {
                    throw SubtitleTrackError(.conflictingGroup, track: index)
                }
                group = next.group
            }
            let neighbour = next.language.isEmpty ? nil : rendered.lastIndex { $0.language == next.language }
            rendered.insert(next, at: neighbour.map { $0 + 1 } ?? rendered.count)
        }
        let fallback = try FieldCheck(track: nil, usesVariables: false).required(fallbackGroup, .groupID)
        if group.isEmpty { group = fallback }
        self.rendered = rendered
        self.storage = storage
        replacesDefault = defaultPolicy == .prefersTracks && rendered.contains { $0.isDefault }
        self.fallbackGroup = StableBytes(group)
        attribute = StableBytes(RenderedTrack.attribute("SUBTITLES", group))
        sizes = TrackSizes(rendered, fallbackGroup: group)
        var fingerprint = Fingerprint(of: "sideload", version: Self.outputVersion)
        fingerprint.add(rendered.count)
        for track in rendered { track.add(to: &fingerprint) }
        fingerprint.add(group)
        fingerprint.add(replacesDefault)
        baseFingerprint = fingerprint
        declarations = (StableBytes([]), StableBytes([]))
        declarations = (declared(usesCRLF: false), declared(usesCRLF: true))
    }

    /// A number that goes up whenever the same configuration makes something else of some playlist.
    package static var outputVersion: Int { 1 }

    /// A number that is another if the output may be, with the default limits: for ETag and cache keys.
    ///
    /// The same in every run and on every machine. It depends on the tracks as they are written, the fallback group and
    /// the policy, and on the version of what the library writes.
    public var fingerprint: UInt64 { fingerprint(with: SideloadLimits()) }

    /// A number that is another if the output of a rewriter with `limits` may be: for ETag and cache keys.
    public func fingerprint(with limits: SideloadLimits) -> UInt64 {
        var fingerprint = baseFingerprint
        limits.lines.add(to: &fingerprint)
        fingerprint.add(limits.heldRenditions)
        fingerprint.add(limits.longestGroupID)
        fingerprint.add(limits.appendedTags)
        return fingerprint.value
    }

    /// A rewriter that looks at what sideloading must know, and gives variants the fallback group.
    func rewriter(_ limits: LineLimits) -> PlaylistRewriter {
        PlaylistRewriter(
            .sideloading, appending: AppendedAttribute(attribute.view, nameLength: ByteView("SUBTITLES").count),
            limits: limits)
    }

    /// The tags to append if the fallback is the only group that the playlist has.
    @inline(__always)
    func declarations(usesCRLF: Bool) -> ByteView {
        usesCRLF ? declarations.carriageReturnLineFeed.view : declarations.lineFeed.view
    }

    private func declared(usesCRLF: Bool) -> StableBytes {
        var groups = SubtitleGroups(self, SideloadLimits())
        var output = ReusableBuffer<UInt8>()
        groups.noteFallback(uses: 1)
        groups.declare(lineEnding: usesCRLF ? ByteView("\r\n") : ByteView("\n"), into: &output)
        return StableBytes(Array(output.view))
    }
}

extension EditProgram {
    /// What sideloading subtitles looks at; there are no edits of its own.
    ///
    /// The handler sees the lines of EXT-X-STREAM-INF and EXT-X-MEDIA that may hold `SUBTITLES`, name or value, and all
    /// of EXT-X-DEFINE. Lines of EXT-X-STREAM-INF without it get the appended attribute. Most tags of EXT-X-MEDIA begin
    /// with their TYPE, which tells at once whether they matter. Once a playlist is mixed, the handler goes on seeing
    /// lines, and what it decides is ignored.
    static let sideloading: EditProgram = {
        var compiler = EditCompiler(scope: .multivariant, absentAttribute: Array(utf8: "SUBTITLES"))
        compiler.readsMixed = true
        compiler.append(to: .streamInf)
        compiler.observeIfAttributeMayBeThere(.streamInf)
        compiler.observe(.media, ifValueStartsWith: ("TYPE=", "SUB"))
        compiler.observe(.define)
        compiler.skip(linesStartingWith: "#EXT-X-MEDIA:TYPE=AUDIO,")
        compiler.skip(linesStartingWith: "#EXT-X-I-FRAME-STREAM-INF:")
        return compiler.program()
    }()
}
