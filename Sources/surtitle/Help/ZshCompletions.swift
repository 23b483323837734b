/// The completions for zsh: a call of `_arguments` for each subcommand, and a function for each form of values that has parts.
struct ZshCompletions {
    private let manuals: [CommandManual]

    init(_ manuals: [CommandManual]) { self.manuals = manuals }

    var script: String {
        """
        #compdef surtitle
        # Completions of surtitle for zsh. Printed by: surtitle --completions zsh

        \(functions)_surtitle_subcommands() {
            local -a subcommands=(
        \(manuals.dropFirst().map { "        \(Self.quoted("\($0.name):\($0.summary)"))\n" }.joined())\
                'help:prints the help of a subcommand'
            )
            _describe subcommand subcommands
        }

        _surtitle() {
            local subcommand=$words[2]
            if (( CURRENT > 2 )) && [[ $subcommand != -* ]]; then
                shift words
                (( CURRENT-- ))
            else
                subcommand=
            fi
            case $subcommand in
        \(manuals.map(arguments).joined())\
            help)
                _arguments '1: :_surtitle_subcommands' ;;
            esac
        }

        # This file is read as the function itself, or by source.
        if [[ $funcstack[1] == _surtitle ]]; then
            _surtitle "$@"
        else
            compdef _surtitle surtitle
        fi

        """
    }

    /// The branch for one subcommand.
    private func arguments(of manual: CommandManual) -> String {
        let operand = manual.name.isEmpty ? "'1: :_surtitle_subcommands'" : "'1:file:_files'"
        let options = manual.options.map { "            \(specification(of: $0, in: manual)) \\\n" }.joined()
        return
            "    \(manual.name.isEmpty ? "''" : manual.name))\n        _arguments -s -S \\\n\(options)            \(operand) ;;\n"
    }

    /// `'*--track=[a track to add]:SPEC:_surtitle_sideload_track'`. Every option may be given again.
    private func specification(of option: OptionDescription, in manual: CommandManual) -> String {
        let text = option.text.filled(.max).joined()
        var end = "[\(Self.escaped(text, "[]\\"))]"
        if let placeholder = option.placeholder {
            end += ":\(Self.escaped(placeholder, ":\\")):\(action(option.form))"
        }
        return option.names.map { name in
            let mark = option.placeholder == nil ? "" : name.utf8.starts(with: "--".utf8) ? "=" : "+"
            return Self.quoted("*\(name)\(mark)\(end)")
        }.joined(separator: " ")
    }

    /// What completes a value of this form.
    private func action(_ form: ValueForm) -> String {
        switch form {
        case .free: return " "
        case .file: return "_files"
        case .directory: return "_path_files -/"
        case .words(let words): return "(\(words.joined(separator: " ")))"
        case .prefixed, .fields: return functionName(of: form)
        }
    }

    private func functionName(of form: ValueForm) -> String {
        let group = manuals.optionsByForm().first { $0.form == form }
        guard let (command, option) = group?.options.first, let name = option.longNames.first else { return " " }
        return "_surtitle_\(command)_" + name.dropFirst(2).map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// The functions for the forms that have parts.
    private var functions: String {
        manuals.optionsByForm().map { group in
            let lines: [String]
            switch group.form {
            case .prefixed(let prefixes, let rest):
                let separator = prefixes.first?.last.map { String($0) } ?? "="
                lines =
                    ["compset -P '*\(separator)' || compadd -S '' -- \(prefixes.joined(separator: " "))"]
                    + Self.offers(rest)
            case .fields(let fields):
                let begun = fields.map { field in
                    "\(field.name)=*) compset -P '*='; \(Self.offers(field.form).first ?? "true") ;;"
                }
                let flags = fields.filter { $0.isFlag }.map { $0.name }
                lines =
                    ["compset -P '*,' || _files", "case $PREFIX in"] + begun
                    + [
                        "*)", "    compadd -S '' -- \(fields.map { $0.name + "=" }.joined(separator: " "))",
                        "    compadd -- \(flags.joined(separator: " ")) ;;", "esac",
                    ]
            case .free, .file, .directory, .words: return ""
            }
            return "\(functionName(of: group.form))() {\n" + lines.map { "    \($0)\n" }.joined() + "}\n\n"
        }.joined()
    }

    /// The command that offers what a value of this form may be, if there is one.
    private static func offers(_ form: ValueForm) -> [String] {
        switch form {
        case .file: ["_files"]
        case .directory: ["_path_files -/"]
        case .words(let words): ["compadd -- \(words.joined(separator: " "))"]
        case .free, .prefixed, .fields: []
        }
    }

    private static func quoted(_ text: String) -> String { Shell.zsh.quoted(text) }

    private static func escaped(_ text: String, _ special: String) -> String {
        text.map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
