/// A label and what it means: a row of a list in a help.
struct Term {
    let label: String
    let text: String

    init(_ label: String, _ text: String) {
        self.label = label
        self.text = text
    }
}

/// A paragraph of a help, and the list that it introduces.
struct HelpBlock {
    /// What the manual page calls it; there it stands once, though several subcommands have it. Nil if it belongs to
    /// one of them.
    var title: String?
    let text: String
    var terms: [Term] = []
}
