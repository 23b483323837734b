internal import M3U8

/// The edits that the options of `surtitle edit` ask for.
struct EditRequest {
    private(set) var edits: [PlaylistEdit] = []
    private(set) var appendedLines: [[UInt8]] = []
    private(set) var expression: VariantExpression?

    var base: String?
    var host: String?
    var queryItems: [String] = []
    private var scheme: String?
    private var schemes: [(role: URIRole, scheme: String)] = []

    mutating func set(_ text: String) throws(Failure) {
        let (tag, name, value) = try Self.assignment(text, "--set")
        try add(.set(tag, name: name, value: value), "--set \(text)")
    }

    mutating func replace(_ text: String) throws(Failure) {
        let (tag, name, value) = try Self.assignment(text, "--replace")
        try add(.replace(tag, name: name, value: value), "--replace \(text)")
    }

    mutating func remove(_ text: String) throws(Failure) {
        guard let (tag, name) = text.cut(at: ":") else {
            throw .usage("--remove \(text): write TAG:NAME, as in EXT-X-STREAM-INF:AUDIO")
        }
        try add(.remove(Self.tag(tag), name: Array(name.utf8)), "--remove \(text)")
    }

    mutating func drop(_ text: String) throws(Failure) { try add(.drop(Self.tag(text)), "--drop \(text)") }

    mutating func append(line: String) throws(Failure) {
        appendedLines.append(Array(line.utf8))
        do {
            _ = try PlaylistEdits([], appending: appendedLines)
        } catch {
            throw .usage("--append-line \(line): \(error.reason)")
        }
    }

    mutating func setScheme(_ text: String) throws(Failure) {
        guard let (name, scheme) = text.cut(at: "=") else {
            self.scheme = text
            return
        }
        guard let role = URIRole.allCases.first(where: { "\($0)" == name }) else {
            let names = URIRole.allCases.map { "\($0)" }.joined(separator: ", ")
            throw .usage("--scheme \(text): \(name) is no role; use one of \(names)")
        }
        schemes.append((role, scheme))
    }

    mutating func keepVariants(_ text: String) throws(Failure) {
        do {
            expression = try VariantExpression(Array(text.utf8))
        } catch {
            throw .usage("--keep-variants \(text): \(error)")
        }
    }

    /// What the options ask for, checked.
    struct Compiled {
        let edits: PlaylistEdits
        let mapping: URIMapping?
        let expression: VariantExpression?
    }

    /// Checks the options together.
    func compiled() throws(Failure) -> Compiled {
        let mapping = try mapping()
        let tags = (mapping == nil ? [] : URIMapping.tags) + (expression == nil ? [] : VariantFilter.tags)
        do {
            let edits = try PlaylistEdits(edits, observing: tags, selectsURIs: !tags.isEmpty, appending: appendedLines)
            return Compiled(edits: edits, mapping: mapping, expression: expression)
        } catch {
            throw .usage("\(error)")
        }
    }

    /// What is done to URIs, or nil if nothing is.
    private func mapping() throws(Failure) -> URIMapping? {
        guard base != nil || scheme != nil || host != nil || !schemes.isEmpty || !queryItems.isEmpty else { return nil }
        var mapping: URIMapping
        do {
            mapping = try URIMapping(base: base.map { Array($0.utf8) }, edits: uriEdits(scheme: scheme))
        } catch {
            throw .usage("\(error)")
        }
        for (role, scheme) in schemes { mapping.setEdits(try uriEdits(scheme: scheme), of: role) }
        return mapping
    }

    private func uriEdits(scheme: String?) throws(Failure) -> URIEdits {
        do {
            return try URIEdits(
                scheme: scheme, host: host, queryItem: queryItems.isEmpty ? nil : queryItems.joined(separator: "&"))
        } catch {
            switch error.part {
            case .scheme: throw .usage("--scheme \(scheme ?? ""): \(error)")
            case .host: throw .usage("--host \(host ?? ""): \(error)")
            default: throw .usage("--append-query \(queryItems.joined(separator: "&")): \(error)")
            }
        }
    }

    private mutating func add(_ edit: PlaylistEdit, _ option: String) throws(Failure) {
        do {
            _ = try PlaylistEdits([edit])
        } catch {
            throw .usage("\(option): \(error.reason)")
        }
        edits.append(edit)
    }

    private static func assignment(
        _ text: String, _ option: String
    ) throws(Failure) -> (tag: TagSelector, name: [UInt8], value: [UInt8]) {
        guard let (tag, rest) = text.cut(at: ":"), let (name, value) = rest.cut(at: "=") else {
            throw .usage("\(option) \(text): write TAG:NAME=VALUE, as in EXT-X-MEDIA:LANGUAGE=\"en\"")
        }
        return (self.tag(tag), Array(name.utf8), Array(value.utf8))
    }

    /// The tag called `name`, which may begin with its `#`.
    private static func tag(_ name: String) -> TagSelector {
        TagSelector(spelling: (name.hasPrefix("#") ? name.dropFirst() : name[...]).utf8)
    }
}
