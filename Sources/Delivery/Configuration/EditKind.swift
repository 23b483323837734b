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

extension Configuration {
    /// Adds what `text` asks for, of the URIs of `role`, or of all.
    package mutating func add(
        _ kind: EditKind, _ text: [UInt8], of role: URIRole? = nil
    ) throws(ConfigurationError.Reason) {
        switch kind {
        case .lines(let verb):
            guard let edit = ConfiguredEdit(verb, text) else {
                throw ConfigurationError.Reason(.expected(Spelling(verb.form)))
            }
            do { try edit.check() } catch { throw ConfigurationError.Reason(.edit(error.reason)) }
            edits.append(edit)
        case .mapURI:
            do { try uris.resolve(against: text) } catch { throw ConfigurationError.Reason(.base(error)) }
        case .keepVariants:
            do { keptVariants = try VariantExpression(text) } catch {
                throw ConfigurationError.Reason(.condition(error))
            }
        case .scheme, .host, .appendQuery:
            do throws(URIEditError) {
                switch kind {
                case .scheme: try uris.setScheme(text, of: role)
                case .host: try uris.setHost(text, of: role)
                default: try uris.appendQuery(text, of: role)
                }
            } catch {
                throw ConfigurationError.Reason(.uri(error))
            }
        }
    }
}
