internal import M3U8

/// The edits that the options of `surtitle edit` ask for.
struct EditRequest {
    /// An edit, and the option that asks for it as messages name it.
    struct NamedEdit {
        let edit: PlaylistEdit
        let option: String
    }

    private var edits: [NamedEdit] = []
    private var appendedLines: [[UInt8]] = []
    private var expression: VariantExpression?
    var uris = URIRequest()

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
        let named: [NamedEdit]
        let mapping: URIMapping?
        let expression: VariantExpression?
    }

    /// Checks the options together.
    func compiled() throws(Failure) -> Compiled {
        let mapping = try uris.mapping()
        let variants = TagSelector(.streamInf)
        let dropsVariants = edits.contains { if case .drop(variants) = $0.edit { true } else { false } }
        var tags = (mapping == nil ? [] : URIMapping.tags) + (expression == nil ? [] : VariantFilter.tags)
        if dropsVariants { tags += VariantDrops.tags }
        // Every line that an option is for is seen, to tell which options are for none.
        let observed = tags + edits.map { $0.edit.tag }
        do {
            let compiled = try PlaylistEdits(
                edits.map { $0.edit }, observing: observed, selectsURIs: !tags.isEmpty, appending: appendedLines)
            return Compiled(edits: compiled, named: edits, mapping: mapping, expression: expression)
        } catch {
            throw .usage("\(error)")
        }
    }

    private mutating func add(_ edit: PlaylistEdit, _ option: String) throws(Failure) {
        do {
            _ = try PlaylistEdits([edit])
        } catch {
            throw .usage("\(option): \(error.reason)")
        }
        edits.append(NamedEdit(edit: edit, option: option))
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
