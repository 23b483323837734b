internal import M3U8

/// What the options of `surtitle edit` ask for the URIs of a playlist.
///
/// Each of `--scheme`, `--host` and `--append-query` may begin with the role that it is for, as in `key=https`, or with `all=`.
struct URIRequest {
    /// What is put into URIs of a role, or of all if there is none.
    private struct Change<Value> {
        let role: URIRole?
        let value: Value
    }

    /// A new scheme, and what it replaces if that is not http and https.
    private typealias Scheme = (new: String, old: String?)

    var base: String?
    private var schemes: [Change<Scheme>] = []
    private var hosts: [Change<String>] = []
    private var queryItems: [Change<String>] = []

    /// Whether nothing is asked for.
    private var isEmpty: Bool { base == nil && schemes.isEmpty && hosts.isEmpty && queryItems.isEmpty }

    /// `[ROLE=][OLD:]SCHEME`.
    mutating func setScheme(_ text: String) throws(Failure) {
        let (role, value) = try Self.role(text, "--scheme")
        let (old, new) = value.cut(at: ":").map { ($0.before, $0.after) } ?? (nil, value)
        _ = try Self.edits("--scheme \(text)") { () throws(URIEditError) in try URIEdits(scheme: new, replacing: old) }
        schemes.append(Change(role: role, value: (new, old)))
    }

    /// `[ROLE=]HOST[:PORT]`.
    mutating func setHost(_ text: String) throws(Failure) {
        let (role, host) = try Self.role(text, "--host")
        _ = try Self.edits("--host \(text)") { () throws(URIEditError) in try URIEdits(host: host) }
        hosts.append(Change(role: role, value: host))
    }

    /// `[ROLE=]K=V`. What comes before the only `=` is the item's key, whatever it is called.
    mutating func appendQuery(_ text: String) throws(Failure) {
        var change = Change<String>(role: nil, value: text)
        if let (name, item) = text.cut(at: "="), item.unicodeScalars.contains("="), let role = Self.role(named: name) {
            change = Change(role: role, value: item)
        }
        let item = change.value
        _ = try Self.edits("--append-query \(text)") { () throws(URIEditError) in try URIEdits(queryItem: item) }
        queryItems.append(change)
    }

    /// What is done to URIs, or nil if nothing is.
    func mapping() throws(Failure) -> URIMapping? {
        if isEmpty { return nil }
        var mapping: URIMapping
        do {
            mapping = try URIMapping(base: base.map { Array($0.utf8) })
        } catch {
            throw .usage("--map-uri \(base ?? ""): \(error)")
        }
        for role in URIRole.allCases { mapping.setEdits(try edits(of: role), of: role) }
        return mapping
    }

    /// What is done to the URIs of `role`, or nil if they are only resolved. What is said for the role wins over what is said for all,
    /// but every query item is appended.
    private func edits(of role: URIRole) throws(Failure) -> URIEdits? {
        func last<Value>(_ changes: [Change<Value>]) -> Value? {
            (changes.last { $0.role == role } ?? changes.last { $0.role == nil })?.value
        }
        let scheme = last(schemes)
        let host = last(hosts)
        let items = queryItems.filter { $0.role == nil || $0.role == role }.map { $0.value }
        let query = items.isEmpty ? nil : items.joined(separator: "&")
        if scheme == nil, host == nil, query == nil { return nil }
        return try Self.edits("\(role)") { () throws(URIEditError) in
            try URIEdits(scheme: scheme?.new, replacing: scheme?.old, host: host, queryItem: query)
        }
    }

    /// Makes edits, or refuses what the option `option` says.
    private static func edits(
        _ option: String, _ body: () throws(URIEditError) -> URIEdits
    ) throws(Failure) -> URIEdits {
        do {
            return try body()
        } catch {
            throw .usage("\(option): \(error)")
        }
    }

    /// The role that `text` begins with, and the rest; nil, and the whole text, if it begins with none.
    private static func role(_ text: String, _ option: String) throws(Failure) -> (role: URIRole?, value: String) {
        guard let (name, value) = text.cut(at: "=") else { return (nil, text) }
        guard let role = role(named: name) else {
            throw .usage("\(option) \(text): \(name) is no role; use one of \(roleNames.joined(separator: ", "))")
        }
        return (role, value)
    }

    /// What roles are called.
    static var roleNames: [String] { ["all"] + URIRole.allCases.map { "\($0)" } }

    /// The role called `name`, nil for `all`, or nothing if no role is called so.
    private static func role(named name: String) -> URIRole?? {
        if name == "all" { return .some(nil) }
        return URIRole.allCases.first { "\($0)" == name }.map { .some($0) }
    }
}
