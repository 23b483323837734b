internal import ByteScan

/// The parts that a track's EXT-X-MEDIA tag is put together from: all but the group, the unique name and the default
/// flag.
///
/// It may cross threads in ``SubtitleTracks``, which keeps the bytes it points to alive and never changes them.
struct RenderedTrack: BitwiseCopyable, @unchecked Sendable {
    /// NAME, before a number is added.
    let name: ByteView
    /// URI as written.
    let uri: ByteView
    /// `,LANGUAGE="…",ASSOC-LANGUAGE="…"`, as far as there are any.
    let languages: ByteView
    /// `,AUTOSELECT=…` and all that follows.
    let rest: ByteView
    /// Whether the track asks to be the default.
    let isDefault: Bool

    /// The track that was rendered to `places` of `text`.
    init(_ places: Places, in text: ByteView) {
        name = text[places.name.range]
        uri = text[places.uri.range]
        languages = text[places.languages.range]
        rest = text[places.rest.range]
        isDefault = places.isDefault
    }

    /// Adds all that is written of the track to `fingerprint`.
    func add(to fingerprint: inout Fingerprint) {
        for bytes in [name, uri, languages, rest] { fingerprint.add(bytes) }
        fingerprint.add(isDefault)
    }

    private static var start: ByteView { ByteView("#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"") }
    private static var afterGroup: ByteView { ByteView("\",NAME=\"") }
    private static func afterLanguages(isDefault: Bool) -> ByteView {
        isDefault ? ByteView(",DEFAULT=YES") : ByteView(",DEFAULT=NO")
    }

    /// Writes the track's tag, without a line ending. The order of attributes is always the same.
    func write(into output: inout ReusableBuffer<UInt8>, group: ByteView, name: ByteView, isDefault: Bool) {
        output.append(Self.start)
        output.append(group)
        output.append(Self.afterGroup)
        output.append(name)
        output.append(ASCII.quote)
        output.append(languages)
        output.append(Self.afterLanguages(isDefault: isDefault))
        output.append(rest)
    }

    /// How many bytes the tag has with the track's own name, without the group's, as the default or not.
    var longestTag: Int {
        Self.start.count + Self.afterGroup.count + name.count + 1 + languages.count
            + Self.afterLanguages(isDefault: true).count + rest.count
    }
}

extension RenderedTrack {
    /// Where the parts of a track stand in a text that all tracks are rendered to.
    struct Places: BitwiseCopyable {
        fileprivate let name: TextArena.Span
        let uri: TextArena.Span
        fileprivate let languages: TextArena.Span
        fileprivate let rest: TextArena.Span
        /// The language, which is among ``languages``; empty if there is none.
        let language: TextArena.Span
        /// The group that the track names; empty if it names none.
        let group: TextArena.Span
        let isDefault: Bool
    }
}

extension RenderedTrack.Places {
    /// Checks `track`, which is the caller's number `index`, and appends its parts to `text` (8216bis 4.4.6.1).
    init(
        _ track: SubtitleTrack, index: Int, namesFile: Bool, in text: inout TextArena
    ) throws(SubtitleTrackError) {
        let check = FieldCheck(track: index, usesVariables: track.usesVariables, namesFile: namesFile)
        try check.check(uri: track.uri)
        name = try check.append(track.name, .name, to: &text)
        var start = text.count
        language = Self.append("LANGUAGE", try check.language(track.language, .language), to: &text)
        _ = Self.append(
            "ASSOC-LANGUAGE", try check.language(track.associatedLanguage, .associatedLanguage), to: &text)
        languages = text.span(from: start)
        let stableID = try check.append(track.stableRenditionID, .stableRenditionID, to: &text)
        guard track.usesVariables || text.view(stableID).allSatisfy(FieldCheck.isStableIDByte) else {
            throw SubtitleTrackError(.invalidStableRenditionID, track: index, .stableRenditionID)
        }
        group = try check.append(track.groupID, .groupID, to: &text)
        isDefault = track.isDefault
        start = text.count
        let isAutoselected = track.isAutoselected || track.isDefault || track.isForHardOfHearing
        text.append(isAutoselected ? ByteView(",AUTOSELECT=YES") : ByteView(",AUTOSELECT=NO"))
        if track.isForced { text.append(ByteView(",FORCED=YES")) }
        if track.isForHardOfHearing { _ = Self.append("CHARACTERISTICS", Self.sdhCharacteristics, to: &text) }
        if let stableID = track.stableRenditionID { _ = Self.append("STABLE-RENDITION-ID", stableID, to: &text) }
        uri = Self.append("URI", track.uri, to: &text)
        rest = text.span(from: start)
    }

    /// Appends `,NAME="value"`, and returns where the value stands.
    private static func append(
        _ name: StaticString, _ value: String, to text: inout TextArena
    ) -> TextArena.Span { value.withView { append(name, $0, to: &text) } }

    /// The same, or nothing if there is no value.
    private static func append(
        _ name: StaticString, _ value: [UInt8]?, to text: inout TextArena
    ) -> TextArena.Span {
        guard let value else { return text.span(from: text.count) }
        return value.withView { append(name, $0, to: &text) }
    }

    private static func append(
        _ name: StaticString, _ value: ByteView, to text: inout TextArena
    ) -> TextArena.Span {
        text.append(ASCII.comma)
        text.append(ByteView(name))
        text.append(ASCII.equals)
        text.append(ASCII.quote)
        let place = text.append(value)
        text.append(ASCII.quote)
        return place
    }

    /// What Apple's HLS Authoring Specification 4.5 asks of subtitles for the deaf and hard of hearing.
    private static var sdhCharacteristics: ByteView {
        ByteView(
            "public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound"
        )
    }
}
