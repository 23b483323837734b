internal import ByteScan
internal import M3U8
public import Sideload

/// Why a configuration was refused: what is wrong, with which of its values, and where that stands.
public struct ConfigurationError: Error, Equatable, Sendable {
    /// What is wrong. Later versions may know more reasons.
    public struct Reason: Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            case json(JSONError.Reason)
            case unknownKey(name: [UInt8], nearest: Words?)
            case missing(Words)
            case expected(Words)
            case contradiction(Words)
            case track(SubtitleTrackError.Reason, SubtitleTrackError.Field?)
            case edit(PlaylistEditError.Reason)
            case uri(URIEditError)
            case base(URIMappingError)
            case condition(VariantExpressionError)
        }

        let kind: Kind

        /// Why the text is no JSON, if that is the reason.
        public var json: JSONError.Reason? { if case .json(let reason) = kind { reason } else { nil } }

        /// Why a track is refused, if that is the reason.
        public var track: SubtitleTrackError.Reason? { if case .track(let reason, _) = kind { reason } else { nil } }

        /// Whether a key is there that has no meaning.
        public var isUnknownKey: Bool { if case .unknownKey = kind { true } else { false } }

        /// Whether a key is missing.
        public var isMissingKey: Bool { if case .missing = kind { true } else { false } }
    }

    /// Words of a message.
    struct Words: Equatable, Sendable, ExpressibleByStringLiteral {
        let text: StaticString

        init(_ text: StaticString) { self.text = text }

        init(stringLiteral text: StaticString) { self.text = text }

        static func == (left: Words, right: Words) -> Bool { ByteView(left.text) == right.text }
    }

    /// What is wrong.
    public let reason: Reason

    /// The value at which it is wrong, in UTF-8: `tracks[2].language`. Empty for the text as a whole.
    public let path: [UInt8]

    /// Where the value begins, or the first byte that is no JSON.
    public let location: JSONLocation
}

#if !hasFeature(Embedded)
extension ConfigurationError.Reason: CustomStringConvertible {
    /// What is wrong and what to do, in words.
    public var description: String {
        switch kind {
        case .json(let reason): reason.description
        case .unknownKey(let name, let nearest):
            "unknown key \(String(decoding: name, as: UTF8.self).debugDescription)"
                + (nearest.map { "; did you mean \($0.text)?" } ?? "; remove it")
        case .missing(let key): "\(key.text) is missing"
        case .expected(let what): "expected \(what.text)"
        case .contradiction(let what): what.text.description
        case .track(let reason, let field): SubtitleTrackError(reason, field).description
        case .edit(let reason): reason.description
        case .uri(let error): error.description
        case .base(let error): error.description
        case .condition(let error): error.description
        }
    }
}

extension ConfigurationError: CustomStringConvertible {
    /// Where it is, what it is, and what is wrong with it: `line 2, column 40, at byte 51: tracks[0].language: …`.
    public var description: String {
        let name = path.isEmpty ? "" : "\(String(decoding: path, as: UTF8.self)): "
        return "\(location): \(name)\(reason)"
    }
}
#endif
