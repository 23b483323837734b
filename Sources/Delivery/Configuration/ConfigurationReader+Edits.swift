internal import ByteScan
internal import M3U8
internal import Sideload

extension ConfigurationReader {
    /// An array of edits, each an object of one key.
    mutating func edits(_ configuration: inout Configuration) throws(ConfigurationError) {
        try enterArray(next())
        while let event = try element() {
            try enterObject(event, orExpect: "an object such as {\"drop\": \"EXT-X-MEDIA\"}")
            let start = position
            let count = configuration.edits.count
            while let verb = try key(EditVerb.self) {
                if configuration.edits.count > count {
                    throw failure(.contradiction("an object has one edit; give each its own"))
                }
                try add(.lines(verb), next(), to: &configuration)
            }
            if configuration.edits.count == count {
                throw failure(.missing("set, replace, remove, drop or append-line"), at: start)
            }
        }
    }

    /// A value for all URIs, or an object of roles with a value for each.
    mutating func changes(_ kind: EditKind, _ configuration: inout Configuration) throws(ConfigurationError) {
        let event = try next()
        guard event == .beginObject else { return try values(kind, event, of: nil, &configuration) }
        try enterObject(event)
        while let name = try key(URIRoleName.self) { try values(kind, next(), of: name.role, &configuration) }
    }

    /// A value; of query items an array of them too.
    private mutating func values(
        _ kind: EditKind, _ event: JSONEvent, of role: URIRole?, _ configuration: inout Configuration
    ) throws(ConfigurationError) {
        guard kind == .appendQuery, event == .beginArray else {
            return try add(kind, event, of: role, to: &configuration)
        }
        try enterArray(event)
        while let event = try element() { try add(kind, event, of: role, to: &configuration) }
    }

    /// A text that asks for an edit.
    func add(
        _ kind: EditKind, _ event: JSONEvent, of role: URIRole? = nil, to configuration: inout Configuration
    ) throws(ConfigurationError) {
        let text = try text(event)
        try refusing(try configuration.add(kind, text, of: role)) { failure(.edit($0)) }
    }
}
