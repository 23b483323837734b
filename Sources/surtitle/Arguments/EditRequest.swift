internal import Delivery
internal import M3U8
internal import Sideload

/// The edits that the options of `surtitle edit` ask for, after those of a configuration.
///
/// Each of `--scheme`, `--host` and `--append-query` may begin with the role that it is for, as in `key=https`, or with
/// `all=`.
struct EditRequest {
    /// An edit, and what asks for it as messages name it: an option, or a place in a configuration.
    struct NamedEdit {
        let edit: PlaylistEdit
        let option: String
    }

    private var configuration: Configuration
    /// What asks for each of its edits.
    private var names: [String]

    /// The edits of `configuration`, which messages call `name`.
    init(_ configuration: Configuration = Configuration(), of name: String = "") {
        self.configuration = configuration
        names = configuration.edits.indices.map { "edits[\($0)] of \(name)" }
    }

    /// Takes the value of the option that asks for edits of that kind.
    mutating func take(_ kind: EditKind, _ text: String) throws(Failure) {
        let option = "--\(kind.name) \(text)"
        let (role, value) = try Self.role(kind, text, option)
        try Failure.checking("\(option): ", try configuration.add(kind, Array(value.utf8), of: role))
        if case .lines = kind { names.append(option) }
    }

    /// The role that `text` begins with, and the rest; nil, and the whole text, if it begins with none.
    private static func role(
        _ kind: EditKind, _ text: String, _ option: String
    ) throws(Failure) -> (role: URIRole?, value: String) {
        guard kind.takesRole, let (name, value) = text.cut(at: "=") else { return (nil, text) }
        if let named = URIRoleName.allCases.first(where: { "\($0.name)" == name }) {
            // What comes before the only equals sign of a query item is its key, whatever it is called.
            return kind == .appendQuery && value.cut(at: "=") == nil ? (nil, text) : (named.role, value)
        }
        if kind == .appendQuery { return (nil, text) }
        throw .usage("\(option): \(name) is no role; use one of \(roleNames.joined(separator: ", "))")
    }

    /// What roles are called.
    static var roleNames: [String] { URIRoleName.allCases.map { "\($0.name)" } }

    /// What the options ask for, checked.
    struct Compiled {
        let recipe: PlaylistRecipe
        let limits: PipelineLimits
        let named: [NamedEdit]
    }

    /// Checks the options together.
    func compiled() throws(Failure) -> Compiled {
        // Every line that an option is for is seen, to tell which options are for none.
        let recipe = try Failure.checking("", try configuration.recipe(observesEdits: true))
        return Compiled(recipe: recipe, limits: configuration.pipelineLimits, named: named)
    }

    private var named: [NamedEdit] {
        zip(configuration.edits, names).compactMap { edit, option in
            if case .lines(let edit) = edit { NamedEdit(edit: edit, option: option) } else { nil }
        }
    }
}
