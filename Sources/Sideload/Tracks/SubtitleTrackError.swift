public import ByteScan

/// Why a list of tracks was refused: what is wrong, of which track, and in which of its fields.
public struct SubtitleTrackError: Error, Equatable, Sendable {
    /// What is wrong. Later versions may know more reasons.
    public struct Reason: Equatable, Sendable {
        private let code: UInt8

        private init(_ code: UInt8) { self.code = code }

        /// There is no track.
        public static var noTracks: Reason { Reason(0) }
        /// The field's value is empty.
        public static var empty: Reason { Reason(1) }
        /// The value holds CR, LF or `"`, which a quoted string may not (8216bis 4.2).
        public static var unquotable: Reason { Reason(2) }
        /// The value holds `{$`, and the track does not say that it uses variables (8216bis 4.3).
        public static var variableReference: Reason { Reason(3) }
        /// The value is not a language tag (BCP 47).
        public static var notALanguage: Reason { Reason(4) }
        /// The value has a character that STABLE-RENDITION-ID may not have (8216bis 4.4.6.1).
        public static var invalidStableRenditionID: Reason { Reason(5) }
        /// An earlier track has the same URI.
        public static var duplicateURI: Reason { Reason(6) }
        /// An earlier track is the default already.
        public static var secondDefault: Reason { Reason(7) }
        /// An earlier track names another group. All groups have the same renditions, so one fallback group is enough.
        public static var conflictingGroup: Reason { Reason(8) }
        /// The value holds a control character, U+2028 or U+2029, which some readers take for the end of a line (RFC
        /// 8216 4.1).
        public static var controlCharacter: Reason { Reason(9) }
        /// The URI's path ends in `.vtt`, `.webvtt` or `.srt`; a rendition's URI is that of a media playlist (8216bis
        /// 4.4.6.1).
        public static var subtitleFile: Reason { Reason(10) }
    }

    /// A field of a track that is written into the playlist.
    public struct Field: Equatable, Sendable {
        private let code: UInt8

        private init(_ code: UInt8) { self.code = code }

        /// ``SubtitleTrack/uri``.
        public static var uri: Field { Field(0) }
        /// ``SubtitleTrack/name``.
        public static var name: Field { Field(1) }
        /// ``SubtitleTrack/language``.
        public static var language: Field { Field(2) }
        /// ``SubtitleTrack/associatedLanguage``.
        public static var associatedLanguage: Field { Field(3) }
        /// ``SubtitleTrack/stableRenditionID``.
        public static var stableRenditionID: Field { Field(4) }
        /// ``SubtitleTrack/groupID``, or the fallback group of the list.
        public static var groupID: Field { Field(5) }
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
        default: "\(field) is refused"
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
        default: "the group"
        }
    }
}
