/// A shell that completions can be made for.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// A script that makes the shell complete the command and its subcommands, which the `manuals` describe, the whole first.
    func completions(of manuals: [CommandManual]) -> String {
        switch self {
        case .bash: BashCompletions(manuals).script
        case .zsh: ZshCompletions(manuals).script
        case .fish: FishCompletions(manuals).script
        }
    }

    /// `text` as one word of the shell.
    func quoted(_ text: String) -> String {
        let quote = self == .fish ? "\\'" : "'\\''"
        return "'" + text.pieces(at: "'").joined(separator: quote) + "'"
    }
}

extension [CommandManual] {
    /// The forms that values may have, and for each the options that have it, in the order they are listed in.
    func optionsByForm() -> [(form: ValueForm, options: [(command: String, option: OptionDescription)])] {
        var groups: [(form: ValueForm, options: [(command: String, option: OptionDescription)])] = []
        for manual in self {
            for option in manual.options where option.placeholder != nil {
                if let index = groups.firstIndex(where: { $0.form == option.form }) {
                    groups[index].options.append((manual.name, option))
                } else {
                    groups.append((option.form, [(manual.name, option)]))
                }
            }
        }
        return groups
    }
}
