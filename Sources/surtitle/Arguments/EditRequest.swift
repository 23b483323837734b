internal import Delivery
internal import M3U8
internal import Sideload

/// The edits that the options of `surtitle edit` ask for, after those of a configuration.
struct EditRequest {
    /// An edit, and what asks for it as messages name it: an option, or a place in a configuration.
    struct NamedEdit {
        let edit: PlaylistEdit
        let option: String
    }

    private var named: [NamedEdit] = []
    private var appended: [ConfiguredEdit] = []
    private var configuration: Configuration
    var uris: URIRequest

    /// The edits of `configuration`, which messages call `name`.
    init(_ configuration: Configuration = Configuration(), of name: String = "") {
        self.configuration = configuration
        uris = URIRequest(changes: configuration.uris)
        for (index, edit) in configuration.edits.enumerated() {
            switch edit {
            case .lines(let edit): named.append(NamedEdit(edit: edit, option: "edits[\(index)] of \(name)"))
            case .append: appended.append(edit)
            }
        }
    }

    /// Takes the value of an option that is called as `verb` is.
    mutating func add(_ verb: EditVerb, _ text: String) throws(Failure) {
        let option = "--\(verb.name) \(text)"
        guard let edit = ConfiguredEdit(verb, Array(text.utf8)) else { throw .usage("\(option): write \(verb.form)") }
        do {
            try edit.check()
        } catch {
            throw .usage("\(option): \(error.reason)")
        }
        switch edit {
        case .lines(let edit): named.append(NamedEdit(edit: edit, option: option))
        case .append: appended.append(edit)
        }
    }

    mutating func keepVariants(_ text: String) throws(Failure) {
        do {
            configuration.keptVariants = try VariantExpression(Array(text.utf8))
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
        let lineLimits: LineLimits
        let uriLimits: URIMapper.Limits
    }

    /// Checks the options together.
    func compiled() throws(Failure) -> Compiled {
        var whole = configuration
        whole.uris = uris.changes
        whole.edits = named.map { .lines($0.edit) } + appended
        do {
            return Compiled(
                // Every line that an option is for is seen, to tell which options are for none.
                edits: try whole.playlistEdits(observesEdits: true), named: named, mapping: whole.uris.mapping(),
                expression: whole.keptVariants, lineLimits: whole.limits.lines, uriLimits: whole.uriLimits)
        } catch {
            throw .usage("\(error)")
        }
    }
}
