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

    /// What `rendered` points into; and what variants before any declared group get, `,SUBTITLES="…"`, in which the
    /// fallback group stands at `group`.
    private let text: StableBytes
    private let group: Range<Int>

    /// Whether a default of the playlist gives way.
    let replacesDefault: Bool

    /// The tags to append if the fallback is the only group: with LF, and with CRLF.
    private var declarations: (lineFeed: StableBytes, carriageReturnLineFeed: StableBytes)

    /// How large the tags of a group become.
    let sizes: TrackSizes

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
    /// - Complexity: O(*n*) in the bytes of all tracks. Do it once, not once a playlist.
    public init(
        _ tracks: [SubtitleTrack], fallbackGroup: String = "subs", defaultPolicy: DefaultPolicy = .keepsExisting
    ) throws(SubtitleTrackError) {
        guard !tracks.isEmpty else { throw SubtitleTrackError(.noTracks) }
        var list = TrackList()
        for track in tracks { try list.append(track) }
        group = try list.append(fallbackGroup: fallbackGroup).range
        let text = StableBytes(list.text.view(list.text.span(from: 0)))
        let rendered = list.order.map { RenderedTrack($0, in: text.view) }
        let group = text.view[self.group]
        self.text = text
        self.rendered = rendered
        replacesDefault = defaultPolicy == .prefersTracks && rendered.contains { $0.isDefault }
        sizes = TrackSizes(rendered, fallbackGroup: group)
        var fingerprint = Fingerprint(of: "sideload", version: Self.outputVersion)
        fingerprint.add(rendered.count)
        for track in rendered { track.add(to: &fingerprint) }
        fingerprint.add(group)
        fingerprint.add(replacesDefault)
        baseFingerprint = fingerprint
        declarations = (text, text)
        declarations = declared()
    }

    /// Checks `tracks` as ``init(_:fallbackGroup:defaultPolicy:)`` does, but that a URI may be that of a file.
    ///
    /// - Throws: ``SubtitleTrackError``, as that does.
    package static func check(_ tracks: [TrackConfiguration]) throws(SubtitleTrackError) {
        var list = TrackList()
        for track in tracks { try list.append(track.track, namesFile: track.namesFile) }
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

    /// The group for variants that come before any declared one.
    var fallbackGroup: ByteView { text.view[group] }

    /// `,SUBTITLES="…"` with that group.
    private var attribute: ByteView {
        text.view[(group.lowerBound - TrackList.attributeHead.count)..<(group.upperBound + 1)]
    }

    /// A rewriter that looks at what sideloading must know, and gives variants the fallback group.
    func rewriter(_ program: EditProgram, _ limits: LineLimits) -> PlaylistRewriter {
        PlaylistRewriter(
            program, appending: AppendedAttribute(attribute, nameLength: ByteView("SUBTITLES").count),
            limits: limits)
    }

    /// The tags to append if the fallback is the only group that the playlist has.
    @inline(__always)
    func declarations(usesCRLF: Bool) -> ByteView {
        usesCRLF ? declarations.carriageReturnLineFeed.view : declarations.lineFeed.view
    }

    private func declared() -> (lineFeed: StableBytes, carriageReturnLineFeed: StableBytes) {
        var groups = SubtitleGroups(self, SideloadLimits())
        var output = ReusableBuffer<UInt8>()
        groups.noteFallback(uses: 1)
        groups.declare(lineEnding: ByteView("\n"), into: &output)
        // No tag has a line feed inside.
        var withReturns = ReusableBuffer<UInt8>()
        var rest = output.view
        while let end = rest.firstOffset(of: ASCII.lineFeed) {
            withReturns.append(rest.prefix(upTo: end))
            withReturns.append(ByteView("\r\n"))
            rest = rest.suffix(from: end + 1)
        }
        return (StableBytes(output.view), StableBytes(withReturns.view))
    }
}

extension EditProgram {
    /// What sideloading subtitles looks at; there are no edits of its own.
    ///
    /// The handler sees the lines of EXT-X-STREAM-INF and EXT-X-MEDIA that may hold `SUBTITLES`, name or value, and all
    /// of EXT-X-DEFINE. Lines of EXT-X-STREAM-INF without it get the appended attribute. Most tags of EXT-X-MEDIA begin
    /// with their TYPE, which tells at once whether they matter. Once a playlist is mixed, the handler goes on seeing
    /// lines, and what it decides is ignored.
    static let sideloading = EditCompiler.sideloading.program()

    /// The same, and lines are left out that `edits` drop; nil if they do more, or drop lines that sideloading looks at.
    static func sideloading(leavingOut edits: [PlaylistEdit]) -> EditProgram? {
        var compiler = EditCompiler.sideloading
        return compiler.leaveOut(edits) ? compiler.program() : nil
    }
}

extension EditCompiler {
    fileprivate static var sideloading: EditCompiler {
        var compiler = EditCompiler(scope: .multivariant, absentAttribute: Array(utf8: "SUBTITLES"))
        compiler.readsMixed = true
        compiler.append(to: .streamInf)
        compiler.observeIfAttributeMayBeThere(.streamInf)
        compiler.observe(.media, ifValueStartsWith: ("TYPE=", "SUB"))
        compiler.observe(.define)
        compiler.skip(linesStartingWith: "#EXT-X-MEDIA:TYPE=AUDIO,")
        compiler.skipsIFrames = true
        return compiler
    }
}
