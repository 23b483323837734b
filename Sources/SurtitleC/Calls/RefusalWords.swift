internal import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

// What errors of the library are called in C. Embedded Swift has no descriptions, so the words are here, without the values that a description
// puts in: index, field and position of a surtitle_error have them.

extension Refusal {
    /// An error of a configuration in JSON.
    init(_ error: ConfigurationError) {
        let status: surtitle_status =
            if error.reason.json != nil {
                SURTITLE_JSON_REFUSED
            } else if error.reason.track != nil {
                SURTITLE_TRACK_REFUSED
            } else {
                SURTITLE_CONFIGURATION_REFUSED
            }
        self.init(status, error.reason.track.map { TrackWords.words(for: $0) } ?? error.reason.words)
        field = error.path
        position = error.location.position
        index = Self.firstIndex(in: error.path)
    }

    /// An error of a list of tracks.
    init(_ error: SubtitleTrackError) {
        self.init(SURTITLE_TRACK_REFUSED, TrackWords.words(for: error.reason))
        let name: StaticString? = error.field.map { TrackWords.name(of: $0) }
        if let track = error.track {
            self = of("tracks", track, name)
        } else if error.field == .groupID {
            field = Array("fallback_group".utf8)
        }
    }

    /// An error of a WebVTT file that is cut into segments.
    init(_ error: SegmenterError) {
        switch error.reason {
        case .notWebVTT: self.init(SURTITLE_NOT_WEBVTT)
        case .brokenOff: self.init(SURTITLE_ENDED)
        case let reason where reason.segment != nil: self.init(SURTITLE_OUT_OF_ORDER, SegmentWords.outOfOrder)
        case let reason: self.init(SURTITLE_LIMIT_EXCEEDED, SegmentWords.words(forLimit: reason))
        }
        position = error.position
        index = error.reason.segment
    }

    /// The number in the first brackets of a path such as `tracks[2].language`.
    private static func firstIndex(in path: [UInt8]) -> Int? {
        guard let open = path.firstIndex(of: UInt8(ascii: "[")) else { return nil }
        var index = 0
        for byte in path[(open + 1)...] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), index < 1 << 24 else { break }
            index = index * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return index
    }
}

/// Words for what is wrong with tracks.
enum TrackWords {
    static let subtitleFile: StaticString =
        "it is the URI of a subtitle file; give that of a media playlist that lists the file"

    /// The field as surtitle_track has it.
    static func name(of field: SubtitleTrackError.Field) -> StaticString {
        switch field {
        case .uri: "uri"
        case .name: "name"
        case .language: "language"
        case .associatedLanguage: "associated_language"
        case .stableRenditionID: "stable_rendition_id"
        default: "group_id"
        }
    }

    static func words(for reason: SubtitleTrackError.Reason) -> StaticString {
        switch reason {
        case .noTracks: "there is no track"
        case .empty: "it is empty"
        case .unquotable: "it holds a quote or a line break"
        case .variableReference: "it holds {$, which players take for a variable"
        case .notALanguage: "it is no language tag"
        case .invalidStableRenditionID: "it may have letters, digits and + / = . - _ only"
        case .duplicateURI: "an earlier track has the same URI"
        case .secondDefault: "an earlier track is the default already"
        case .conflictingGroup: "an earlier track names another group"
        case .controlCharacter: "it holds a control character"
        case .subtitleFile: subtitleFile
        default: "it is refused"
        }
    }
}

/// Words for why a WebVTT file cannot be cut into segments.
enum SegmentWords {
    static let outOfOrder: StaticString =
        "the cue starts in a segment that has ended; sort the cues by their start, or cut the whole file"

    static func words(forLimit reason: SegmenterError.Reason) -> StaticString {
        let limits = Segmenter.Limits()
        return switch reason {
        case .tooManySegments(limit: limits.segments): "there would be too many segments"
        case .blockTooLong(limit: limits.largestBlock): "the block is too long"
        case .headTooLong(limit: limits.head): "the styles and regions are too long, which every segment would repeat"
        case .spanningCuesTooLong(limit: limits.spanningCues): "the cues that go on in the next segment are too long"
        case .hiddenCuesTooLong(limit: limits.spanningCues): "the cues that end before they start are too long"
        default: "segments would repeat too many bytes of earlier ones"
        }
    }
}

/// Words for what is wrong with edits.
enum EditWords {
    static func words(for reason: PlaylistEditError.Reason) -> StaticString {
        switch reason {
        case .tagName: "a tag name begins with EXT, is not EXTM3U, and holds no colon, white space or line break"
        case .attributeName: "an attribute name may not be empty, nor hold = , \" white space or a line break"
        case .value: "a value may not be empty, hold a line break, leave a quote open, or hold a comma outside quotes"
        default: "a line may not be empty nor hold a line break"
        }
    }
}
