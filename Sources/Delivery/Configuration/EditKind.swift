package import ByteScan
package import M3U8

/// What is done to playlists by one text: an option of the command, a key of a configuration, an edit in C.
package enum EditKind: Equatable, Sendable {
    /// Lines of a tag are edited, or one is appended.
    case lines(EditVerb)
    /// Every URI is resolved against a base.
    case mapURI
    /// Another scheme, another host, or one more item of the query, of all URIs or those of a role.
    case scheme, host, appendQuery
    /// Variants that do not meet a condition are dropped.
    case keepVariants

    /// All of them, in the order of surtitle.h.
    package static var all: [EditKind] {
        EditVerb.allCases.map { .lines($0) } + [.mapURI, .scheme, .host, .appendQuery, .keepVariants]
    }

    /// Whether it may be for the URIs of a role.
    package var takesRole: Bool { self == .scheme || self == .host || self == .appendQuery }

    /// The word that asks for it.
    package var name: StaticString {
        switch self {
        case .lines(let verb): verb.name
        case .mapURI: ConfigurationKey.mapURI.name
        case .scheme: ConfigurationKey.scheme.name
        case .host: ConfigurationKey.host.name
        case .appendQuery: ConfigurationKey.appendQuery.name
        case .keepVariants: ConfigurationKey.keepVariants.name
        }
    }
}

/// Why a text is refused that asks for an edit.
package struct EditTextError: Error, Equatable, Described, Sendable {
    /// What is wrong and what to do, in words.
    package let message: Message

    /// The message without the byte at which the text is wrong, which ``position`` is.
    package let words: Message

    /// The byte of the text at which it is wrong; nil if it is wrong as a whole.
    package let position: Int?

    fileprivate init(_ message: Message, _ words: Message? = nil, at position: Int? = nil) {
        self.message = message
        self.words = words ?? message
        self.position = position
    }

    init(_ error: URIEditError) { self.init(error.message, error.part.message, at: error.position) }
}

extension Configuration {
    /// Adds what `text` asks for, of the URIs of `role`, or of all.
    package mutating func add(_ kind: EditKind, _ text: [UInt8], of role: URIRole? = nil) throws(EditTextError) {
        switch kind {
        case .lines(let verb):
            guard let edit = ConfiguredEdit(verb, text) else { throw EditTextError("expected \(Message(verb.form))") }
            try refusing(try edit.check()) { (error: PlaylistEditError) in EditTextError(error.reason.message) }
            edits.append(edit)
        case .mapURI:
            try refusing(try uris.resolve(against: text)) { (error: URIMappingError) in
                EditTextError(error.message, at: error.position)
            }
        case .scheme: try refusing(try uris.setScheme(text, of: role)) { EditTextError($0) }
        case .host: try refusing(try uris.setHost(text, of: role)) { EditTextError($0) }
        case .appendQuery: try refusing(try uris.appendQuery(text, of: role)) { EditTextError($0) }
        case .keepVariants:
            keptVariants = try refusing(try VariantExpression(text)) { (error: VariantExpressionError) in
                EditTextError(error.message, error.reason.message, at: error.position)
            }
        }
    }
}
