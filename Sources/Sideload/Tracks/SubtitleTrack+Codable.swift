#if !hasFeature(Embedded)
extension SubtitleTrack.Kind: RawRepresentable, Codable {
    /// The kind with the name that track specifications have for it.
    public init?(rawValue: String) {
        switch rawValue {
        case "subtitles": self = .subtitles
        case "captions": self = .captions
        default: return nil
        }
    }

    /// The kind's name in track specifications.
    public var rawValue: String {
        // Not by ==, which compares raw values.
        switch self {
        case .subtitles: "subtitles"
        case .captions: "captions"
        }
    }
}

extension SubtitleTrack.SourceType: RawRepresentable, Codable {
    /// The type with the name that track specifications have for it.
    public init?(rawValue: String) {
        switch rawValue {
        case "vtt": self = .webVTT
        case "m3u8": self = .playlist
        default: return nil
        }
    }

    /// The type's name in track specifications.
    public var rawValue: String {
        switch self {
        case .webVTT: "vtt"
        case .playlist: "m3u8"
        }
    }
}

/// The keys are those of the command line's track specifications. All but `uri` and `name` may be missing, and stand for their
/// defaults; `duration` is in seconds, with up to nine decimals, as text.
extension SubtitleTrack: Codable {
    private enum Key: String, CodingKey {
        case uri, language, name, forced, sdh, autoselect, group, kind, duration, type, variables
        case isDefault = "default"
        case associatedLanguage = "assoc-language"
        case stableID = "stable-id"
    }

    /// Reads a track, unchecked: ``SubtitleTracks`` checks it.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func flag(_ key: Key, _ standard: Bool) throws -> Bool {
            try values.decodeIfPresent(Bool.self, forKey: key) ?? standard
        }
        self.init(
            uri: try values.decode(String.self, forKey: .uri),
            language: try values.decodeIfPresent(String.self, forKey: .language),
            name: try values.decode(String.self, forKey: .name), isDefault: try flag(.isDefault, false),
            isAutoselected: try flag(.autoselect, true), isForced: try flag(.forced, false),
            isSDH: try flag(.sdh, false),
            associatedLanguage: try values.decodeIfPresent(String.self, forKey: .associatedLanguage),
            stableRenditionID: try values.decodeIfPresent(String.self, forKey: .stableID),
            groupID: try values.decodeIfPresent(String.self, forKey: .group),
            kind: try values.decodeIfPresent(Kind.self, forKey: .kind) ?? .subtitles,
            duration: try values.decodeIfPresent(MediaDuration.self, forKey: .duration),
            sourceType: try values.decodeIfPresent(SourceType.self, forKey: .type),
            usesVariables: try flag(.variables, false))
    }

    /// Writes the track; what is as by default is left out.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        func encode(_ flag: Bool, _ key: Key, unless standard: Bool) throws {
            if flag != standard { try values.encode(flag, forKey: key) }
        }
        try values.encode(uri, forKey: .uri)
        try values.encodeIfPresent(language, forKey: .language)
        try values.encode(name, forKey: .name)
        try encode(isDefault, .isDefault, unless: false)
        try encode(isAutoselected, .autoselect, unless: true)
        try encode(isForced, .forced, unless: false)
        try encode(isSDH, .sdh, unless: false)
        try values.encodeIfPresent(associatedLanguage, forKey: .associatedLanguage)
        try values.encodeIfPresent(stableRenditionID, forKey: .stableID)
        try values.encodeIfPresent(groupID, forKey: .group)
        if kind != .subtitles { try values.encode(kind, forKey: .kind) }
        try values.encodeIfPresent(duration, forKey: .duration)
        try values.encodeIfPresent(sourceType, forKey: .type)
        try encode(usesVariables, .variables, unless: false)
    }
}
#endif
