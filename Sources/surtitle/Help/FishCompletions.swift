/// The completions for fish: a line for each option of each subcommand.
struct FishCompletions {
    private let manuals: [CommandManual]

    init(_ manuals: [CommandManual]) { self.manuals = manuals }

    var script: String {
        """
        # Completions of surtitle for fish. Printed by: surtitle --completions fish

        # Whether the subcommand is $argv[1]; empty for none.
        function __surtitle_in
            set -l subcommand (commandline -opc)[2]
            string match -q -- '-*' "$subcommand"; and set subcommand
            test "$subcommand" = "$argv[1]"
        end

        # The files that the value of a key begins, behind what is before it.
        function __surtitle_files
            for file in $argv[2]*
                test -d $file; and set file $file/
                echo -- $argv[1]$file
            end
        end

        \(functions)complete -c surtitle -f
        \(manuals.map(lines).joined())\
        complete -c surtitle -n '__surtitle_in ""' -a help -d 'prints the help of a subcommand'
        complete -c surtitle -n '__surtitle_in help' -a '\(manuals.dropFirst().map { $0.name }.joined(separator: " "))'

        """
    }

    /// The lines for one subcommand.
    private func lines(of manual: CommandManual) -> String {
        let condition = manual.name.isEmpty ? "'__surtitle_in \"\"'" : "'__surtitle_in \(manual.name)'"
        let start = "complete -c surtitle -n \(condition)"
        let operand =
            manual.name.isEmpty
            ? manuals.dropFirst().map { "\(start) -a \($0.name) -d \(Self.quoted($0.summary))\n" }.joined()
            : "\(start) -F\n"
        return operand
            + manual.options.map { option in
                let names = option.names.map {
                    $0.utf8.starts(with: "--".utf8) ? " -l \($0.dropFirst(2))" : " -s \($0.dropFirst())"
                }.joined()
                let value = option.placeholder == nil ? "" : value(option.form)
                return "\(start)\(names)\(value) -d \(Self.quoted(Self.firstClause(of: option.text)))\n"
            }.joined()
    }

    /// How the value of an option is completed.
    private func value(_ form: ValueForm) -> String {
        switch form {
        case .free: " -x"
        case .file: " -r -F"
        case .directory: " -x -a '(__fish_complete_directories)'"
        case .words, .prefixed: " -x -a '\(Self.words(form).joined(separator: " "))'"
        case .fields: " -x -a '(\(functionName(of: form)))'"
        }
    }

    /// All words that a value of this form may be or begin with.
    private static func words(_ form: ValueForm) -> [String] {
        switch form {
        case .words(let words): words
        case .prefixed(let prefixes, let rest):
            prefixes + words(rest) + prefixes.flatMap { prefix in words(rest).map { prefix + $0 } }
        case .free, .file, .directory, .fields: []
        }
    }

    private func functionName(of form: ValueForm) -> String {
        let group = manuals.optionsByForm().first { $0.form == form }
        return "__surtitle_\(group?.options.first?.option.longNames.first?.dropFirst(2) ?? "value")"
    }

    /// A function for each form that is a list.
    private var functions: String {
        manuals.optionsByForm().map { group in
            guard case .fields(let fields) = group.form else { return "" }
            let cases = fields.map { field in
                let offer =
                    field.form == .file
                    ? "        __surtitle_files \"$head$key=\" $value\n"
                    : Self.words(field.form).isEmpty
                        ? ""
                        : "        printf '%s\\n' \"$head$key=\"{\(Self.words(field.form).joined(separator: ","))}\n"
                return "    case '\(field.name)=*'\n\(offer)"
            }
            let names = fields.map { $0.isFlag ? $0.name : $0.name + "=" }
            return """
                function \(functionName(of: group.form))
                    # What is before the last comma, and what is behind it.
                    set -l token (commandline -ct | string replace -r '^--[a-z-]+=' '')
                    set -l head (string replace -r '[^,]*$' '' -- "$token")
                    set -l field (string replace -r '^.*,' '' -- "$token")
                    set -l key (string replace -r '=.*' '' -- "$field")
                    set -l value (string replace -r '^[^=]*=' '' -- "$field")
                    switch "$field"
                \(cases.joined())    case '*'
                        test -z "$head"; and __surtitle_files '' $value
                        printf '%s\\n' "$head"{\(names.joined(separator: ","))}
                    end
                end


                """
        }.joined()
    }

    /// What fits a line beside the option: the words up to the first that ends a clause.
    private static func firstClause(of text: String) -> String {
        var words: [String] = []
        for word in text.filled(1) {
            let isLast = word.unicodeScalars.last.map { ";:.".unicodeScalars.contains($0) } == true
            words.append(isLast ? String(word.unicodeScalars.dropLast()) : word)
            if isLast { break }
        }
        return words.joined(separator: " ")
    }

    private static func quoted(_ text: String) -> String {
        Shell.fish.quoted(text.pieces(at: "\\").joined(separator: "\\\\"))
    }
}
