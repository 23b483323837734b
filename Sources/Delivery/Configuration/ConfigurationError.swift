public import ByteScan
internal import M3U8
public import Sideload

/// Why a configuration was refused: what is wrong, with which of its values, and where that stands.
public struct ConfigurationError: Error, Equatable, Sendable {
    /// What is wrong. Later versions may know more reasons.
    public struct Reason: Error, Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            case json(JSONError.Reason)
            case unknownKey(name: [UInt8], nearest: Words?)
            case missing(Words)
            case expected(Words)
            case expectedOne([Words])
            case contradiction(Words)
            case track(SubtitleTrackError.Reason, SubtitleTrackError.Field?)
            case trackKey(TrackKeyError)
            case edit(EditTextError)
        }

        let kind: Kind

        init(_ kind: Kind) { self.kind = kind }

        /// Why the text is no JSON, if that is the reason.
        package var json: JSONError.Reason? { if case .json(let reason) = kind { reason } else { nil } }

        /// Why a track is refused, if that is the reason.
        public var track: SubtitleTrackError.Reason? { if case .track(let reason, _) = kind { reason } else { nil } }

        /// Whether a key is there that has no meaning.
        public var isUnknownKey: Bool { if case .unknownKey = kind { true } else { false } }

        /// Whether a key is missing.
        public var isMissingKey: Bool { if case .missing = kind { true } else { false } }
    }

    /// Words of a message.
    typealias Words = Spelling

    /// What is wrong.
    public let reason: Reason

    /// The value at which it is wrong, in UTF-8: `tracks[2].language`. Empty for the text as a whole.
    public let path: [UInt8]

    /// Where the value begins, or the first byte that is no JSON.
    public let location: JSONLocation
}

extension ConfigurationError.Reason: Described {
    /// What is wrong and what to do, in words.
    public var message: Message {
        switch kind {
        case .json(let reason): reason.message
        case .unknownKey(let name, let nearest): Message(unknownKey: name, nearest: nearest?.text)
        case .missing(let key): "\(key) is missing"
        case .expected(let what): "expected \(what)"
        case .expectedOne(let words): "expected \(Message(choiceOf: words.map { $0.text }, between: ("\"", "\"")))"
        case .contradiction(let what): what.message
        case .track(let reason, let field): SubtitleTrackError(reason, field).words
        case .trackKey(let error): error.message
        case .edit(let error): error.message
        }
    }
}

extension ConfigurationError: Described {
    /// Where it is, what it is, and what is wrong with it: `line 2, column 40, at byte 51: tracks[0].language: …`.
    public var message: Message {
        let name: Message = path.isEmpty ? "" : "\(path): "
        return "\(location): \(name)\(reason)"
    }
}
