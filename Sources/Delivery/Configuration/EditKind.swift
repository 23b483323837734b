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
package enum EditTextError: Error, Equatable, Sendable {
    /// It has not the form that its verb asks for.
    case form(EditVerb)
    case edit(PlaylistEditError.Reason)
    case base(URIMappingError)
    case uri(URIEditError)
    case condition(VariantExpressionError)

    /// The byte of the text at which it is wrong; nil if it is wrong as a whole.
    package var position: Int? {
        switch self {
        case .form, .edit: nil
        case .base(let error): error.position
        case .uri(let error): error.position
        case .condition(let error): error.position
        }
    }

    /// The message without the byte at which the text is wrong, which ``position`` is.
    package var words: Message {
        switch self {
        case .uri(let error): error.part.message
        case .condition(let error): error.reason.message
        default: message
        }
    }
}

extension EditTextError: Described {
    /// What is wrong and what to do, in words.
    package var message: Message {
        switch self {
        case .form(let verb): "expected \(Message(verb.form))"
        case .edit(let reason): reason.message
        case .base(let error): error.message
        case .uri(let error): error.message
        case .condition(let error): error.message
        }
    }
}

extension Configuration {
    /// Adds what `text` asks for, of the URIs of `role`, or of all.
    package mutating func add(_ kind: EditKind, _ text: [UInt8], of role: URIRole? = nil) throws(EditTextError) {
        switch kind {
        case .lines(let verb):
            guard let edit = ConfiguredEdit(verb, text) else { throw EditTextError.form(verb) }
            do { try edit.check() } catch { throw EditTextError.edit(error.reason) }
            edits.append(edit)
        case .mapURI:
            do { try uris.resolve(against: text) } catch { throw EditTextError.base(error) }
        case .keepVariants:
            do { keptVariants = try VariantExpression(text) } catch { throw EditTextError.condition(error) }
        case .scheme, .host, .appendQuery:
            do throws(URIEditError) {
                switch kind {
                case .scheme: try uris.setScheme(text, of: role)
                case .host: try uris.setHost(text, of: role)
                default: try uris.appendQuery(text, of: role)
                }
            } catch {
                throw EditTextError.uri(error)
            }
        }
    }
}
