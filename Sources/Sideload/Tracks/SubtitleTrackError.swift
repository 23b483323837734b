/// Why a list of tracks was refused. Indices count the tracks from 0.
public enum SubtitleTrackError: Error, Equatable, Sendable {
    /// The fields of a track that are written into the playlist.
    public enum Field: Equatable, Sendable {
        /// ``SubtitleTrack/uri``.
        case uri
        /// ``SubtitleTrack/name``.
        case name
        /// ``SubtitleTrack/language``.
        case language
        /// ``SubtitleTrack/associatedLanguage``.
        case associatedLanguage
        /// ``SubtitleTrack/stableRenditionID``.
        case stableRenditionID
        /// ``SubtitleTrack/groupID``, or the fallback group of the list.
        case groupID
    }

    /// There is no track.
    case noTracks
    /// The field's value is empty.
    case empty(track: Int, Field)
    /// The value holds CR, LF or `"`, which a quoted string may not (8216bis 4.2).
    case unquotable(track: Int, Field)
    /// The value holds `{$`, and the track does not say that it uses variables (8216bis 4.3).
    case variableReference(track: Int, Field)
    /// The value is not a language tag (BCP 47).
    case notALanguage(track: Int, Field)
    /// The value has a character that STABLE-RENDITION-ID may not have (8216bis 4.4.6.1).
    case invalidStableRenditionID(track: Int)
    /// An earlier track has the same URI.
    case duplicateURI(track: Int)
    /// An earlier track is the default one already.
    case secondDefault(track: Int)
    /// An earlier track names another group. All groups have the same members, so one made group is enough.
    case conflictingGroup(track: Int)
}

#if !hasFeature(Embedded)
extension SubtitleTrackError: CustomStringConvertible {
    /// What is wrong and what to do, in words.
    public var description: String {
        switch self {
        case .noTracks: "there is no track: give at least one"
        case .empty(let track, let field): "track \(track + 1): \(field) is empty"
        case .unquotable(let track, let field):
            "track \(track + 1): \(field) holds a quote or a line break, which no attribute value may; remove it"
        case .variableReference(let track, let field):
            "track \(track + 1): \(field) holds {$, which players take for a variable; remove it"
        case .notALanguage(let track, let field):
            "track \(track + 1): \(field) is not a language tag; use one like en, sv or pt-BR"
        case .invalidStableRenditionID(let track):
            "track \(track + 1): a stable rendition id may have letters, digits and + / = . - _ only"
        case .duplicateURI(let track): "track \(track + 1): an earlier track has the same URI"
        case .secondDefault(let track): "track \(track + 1): an earlier track is the default already; only one can be"
        case .conflictingGroup(let track): "track \(track + 1): an earlier track names another group; name one for all"
        }
    }
}

extension SubtitleTrackError.Field: CustomStringConvertible {
    /// The field's name in words.
    public var description: String {
        switch self {
        case .uri: "the URI"
        case .name: "the name"
        case .language: "the language"
        case .associatedLanguage: "the associated language"
        case .stableRenditionID: "the stable rendition id"
        case .groupID: "the group"
        }
    }
}
#endif
