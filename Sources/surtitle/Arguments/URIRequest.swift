internal import Delivery
internal import M3U8

/// What the options of `surtitle edit` ask for the URIs of a playlist.
///
/// Each of `--scheme`, `--host` and `--append-query` may begin with the role that it is for, as in `key=https`, or with `all=`.
struct URIRequest {
    /// What has been asked for so far.
    var changes = URIChanges()

    /// `BASE`
    mutating func setBase(_ text: String) throws(Failure) {
        do {
            try changes.resolve(against: Array(text.utf8))
        } catch {
            throw .usage("--map-uri \(text): \(error)")
        }
    }

    /// `[ROLE=][OLD:]SCHEME`.
    mutating func setScheme(_ text: String) throws(Failure) {
        let (role, value) = try Self.role(text, "--scheme")
        do {
            try changes.setScheme(Array(value.utf8), of: role)
        } catch {
            throw .usage("--scheme \(text): \(error)")
        }
    }

    /// `[ROLE=]HOST[:PORT]`.
    mutating func setHost(_ text: String) throws(Failure) {
        let (role, host) = try Self.role(text, "--host")
        do {
            try changes.setHost(Array(host.utf8), of: role)
        } catch {
            throw .usage("--host \(text): \(error)")
        }
    }

    /// `[ROLE=]K=V`. What comes before the only `=` is the item's key, whatever it is called.
    mutating func appendQuery(_ text: String) throws(Failure) {
        var (role, item): (URIRole?, String) = (nil, text)
        if let (name, rest) = text.cut(at: "="), rest.unicodeScalars.contains("="), let named = Self.role(named: name) {
            (role, item) = (named, rest)
        }
        do {
            try changes.appendQuery(Array(item.utf8), of: role)
        } catch {
            throw .usage("--append-query \(text): \(error)")
        }
    }

    /// The role that `text` begins with, and the rest; nil, and the whole text, if it begins with none.
    private static func role(_ text: String, _ option: String) throws(Failure) -> (role: URIRole?, value: String) {
        guard let (name, value) = text.cut(at: "=") else { return (nil, text) }
        guard let role = role(named: name) else {
            let names = (URIRole.allCases.map { "\($0)" } + ["all"]).joined(separator: ", ")
            throw .usage("\(option) \(text): \(name) is no role; use one of \(names)")
        }
        return (role, value)
    }

    /// The role called `name`, nil for `all`, or nothing if no role is called so.
    private static func role(named name: String) -> URIRole?? {
        if name == "all" { return .some(nil) }
        return URIRole.allCases.first { "\($0)" == name }.map { .some($0) }
    }
}
