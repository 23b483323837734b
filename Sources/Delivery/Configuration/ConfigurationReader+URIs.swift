internal import M3U8

extension ConfigurationReader {
    /// What is done to URIs of a role.
    enum URIChange {
        case scheme, host, appendQuery
    }

    /// `"map-uri": "BASE"`
    mutating func base(_ uris: inout URIChanges) throws(ConfigurationError) {
        let base = try text(next())
        do {
            try uris.resolve(against: base)
        } catch {
            throw failure(.base(error))
        }
    }

    /// A value for all URIs, or an object of roles with a value for each.
    mutating func changes(_ uris: inout URIChanges, by change: URIChange) throws(ConfigurationError) {
        let event = try next()
        guard event == .beginObject else { return try values(event, &uris, change, nil) }
        try enterObject(event)
        while let name = try key(URIRoleName.self) { try values(next(), &uris, change, name.role) }
    }

    /// A value; of query items an array of them too.
    private mutating func values(
        _ event: JSONEvent, _ uris: inout URIChanges, _ change: URIChange, _ role: URIRole?
    ) throws(ConfigurationError) {
        guard change == .appendQuery, event == .beginArray else { return try value(event, &uris, change, role) }
        try enterArray(event)
        while let event = try element() { try value(event, &uris, change, role) }
    }

    private func value(
        _ event: JSONEvent, _ uris: inout URIChanges, _ change: URIChange, _ role: URIRole?
    ) throws(ConfigurationError) {
        let text = try text(event)
        do {
            switch change {
            case .scheme: try uris.setScheme(text, of: role)
            case .host: try uris.setHost(text, of: role)
            case .appendQuery: try uris.appendQuery(text, of: role)
            }
        } catch {
            throw failure(.uri(error))
        }
    }
}
