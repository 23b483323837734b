/// A subtitle track to be sideloaded: the fields of one EXT-X-MEDIA tag of TYPE=SUBTITLES (8216bis 4.4.6.1).
///
/// Nothing is checked here: ``SubtitleTracks`` does that.
public struct SubtitleTrack: Sendable {
    /// What a track is for.
    public enum Kind: CaseIterable, Sendable {
        /// For those who do not know the language.
        case subtitles
        /// For the deaf and hard of hearing: as if ``SubtitleTrack/isSDH`` were set.
        case captions
    }

    /// URI of the track's subtitle playlist, absolute or relative to the multivariant playlist.
    ///
    /// Never that of a subtitle file: a path that ends in `.vtt`, `.webvtt` or `.srt` is refused.
    public var uri: String

    /// LANGUAGE: a BCP 47 tag, or an ISO 639-2 code, which is mapped (`ger` becomes `de`).
    public var language: String?

    /// NAME: what players show. If another rendition has the name, ` 2`, ` 3` … is appended.
    public var name: String

    /// DEFAULT: whether the track is shown unless the viewer chooses otherwise. At most one track may be the default.
    public var isDefault: Bool

    /// AUTOSELECT: whether players may choose the track by language. Always so for default and SDH tracks.
    public var isAutoselected: Bool

    /// FORCED: whether the track holds only what is essential.
    public var isForced: Bool

    /// Whether the track is for the deaf and hard of hearing.
    ///
    /// CHARACTERISTICS then says both that it transcribes spoken dialog and that it describes music and sound, as
    /// Apple's HLS Authoring Specification 4.5 asks.
    public var isSDH: Bool

    /// ASSOC-LANGUAGE: another language that the track is used with.
    public var associatedLanguage: String?

    /// STABLE-RENDITION-ID: letters, digits and `+ / = . - _` only (8216bis 4.4.6.1).
    public var stableRenditionID: String?

    /// GROUP-ID of the group for variants if the playlist declares none. Tracks that name one must name the same.
    public var groupID: String?

    /// What the track is for.
    public var kind: Kind

    /// Whether the values may hold references to variables, `{$name}`, that the playlist defines (8216bis 4.3).
    public var usesVariables: Bool

    /// A track; all but its URI and name have the documented defaults.
    public init(
        uri: String, language: String? = nil, name: String, isDefault: Bool = false, isAutoselected: Bool = true,
        isForced: Bool = false, isSDH: Bool = false, associatedLanguage: String? = nil,
        stableRenditionID: String? = nil, groupID: String? = nil, kind: Kind = .subtitles, usesVariables: Bool = false
    ) {
        self.uri = uri
        self.language = language
        self.name = name
        self.isDefault = isDefault
        self.isAutoselected = isAutoselected
        self.isForced = isForced
        self.isSDH = isSDH
        self.associatedLanguage = associatedLanguage
        self.stableRenditionID = stableRenditionID
        self.groupID = groupID
        self.kind = kind
        self.usesVariables = usesVariables
    }

    /// Whether the track is for the deaf and hard of hearing, by flag or by kind.
    var isForHardOfHearing: Bool { isSDH || kind == .captions }
}

#if !hasFeature(Embedded)
extension SubtitleTrack: Hashable {}
#endif
