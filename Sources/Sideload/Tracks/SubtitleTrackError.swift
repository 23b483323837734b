public import ByteScan

/// Why a list of tracks was refused: what is wrong, of which track, and in which of its fields.
public struct SubtitleTrackError: Error, Equatable, Sendable {
    /// What is wrong.
    @nonexhaustive
    public enum Reason: Sendable {
        /// There is no track.
        case noTracks
        /// The field's value is empty.
        case empty
        /// The value holds CR, LF or `"`, which a quoted string may not (8216bis 4.2).
        case unquotable
        /// The value holds `{$`, and the track does not say that it uses variables (8216bis 4.3).
        case variableReference
        /// The value is not a language tag (BCP 47).
        case notALanguage
        /// The value has a character that STABLE-RENDITION-ID may not have (8216bis 4.4.6.1).
        case invalidStableRenditionID
        /// An earlier track has the same URI.
        case duplicateURI
        /// An earlier track is the default already.
        case secondDefault
        /// An earlier track names another group. All groups have the same renditions, so one fallback group is enough.
        case conflictingGroup
        /// The value holds a control character, U+2028 or U+2029, which some readers take for the end of a line (RFC
        /// 8216 4.1).
        case controlCharacter
        /// The URI's path ends in `.vtt`, `.webvtt` or `.srt`; a rendition's URI is that of a media playlist (8216bis
        /// 4.4.6.1).
        case subtitleFile
    }

    /// A field of a track that is written into the playlist.
    @nonexhaustive
    public enum Field: Sendable {
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

    /// What is wrong.
    public let reason: Reason
    /// The index of the track, from 0; nil if there is none.
    public let track: Int?
    /// The field whose value is refused; nil if the track contradicts another one.
    public let field: Field?

    package init(_ reason: Reason, track: Int? = nil, _ field: Field? = nil) {
        self.reason = reason
        self.track = track
        self.field = field
    }
}

extension SubtitleTrackError: Described {
    /// What is wrong and what to do, in words.
    public var message: Message {
        let place: Message = track.map { "track \($0 &+ 1): " } ?? ""
        return "\(place)\(words)"
    }

    /// The message without the track.
    package var words: Message {
        let field = field?.message ?? "a value"
        return switch reason {
        case .noTracks: "there is no track: give at least one"
        case .empty: "\(field) is empty"
        case .unquotable: "\(field) holds a quote or a line break, which no attribute value may; remove it"
        case .variableReference: "\(field) holds {$, which players take for a variable; remove it"
        case .notALanguage: "\(field) is not a language tag; use one like en, sv or pt-BR"
        case .invalidStableRenditionID: "a stable rendition id may have letters, digits and + / = . - _ only"
        case .duplicateURI: "an earlier track has the same URI"
        case .secondDefault: "an earlier track is the default already; only one can be"
        case .conflictingGroup: "an earlier track names another group; name one for all"
        case .controlCharacter: "\(field) holds a control character, which no playlist may; remove it"
        case .subtitleFile:
            "\(field) is that of a subtitle file; give the URI of a media playlist that lists the file"
        }
    }
}

extension SubtitleTrackError.Field: Described {
    /// The field's name in words.
    public var message: Message {
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
