/// The completions for bash, from version 3.2 on.
///
/// One function finds out what the word before the cursor is: the value of an option, an option, or an operand. The values are
/// one `case` over subcommand and option, with a branch for each form that values have.
struct BashCompletions {
    private let manuals: [CommandManual]

    init(_ manuals: [CommandManual]) { self.manuals = manuals }

    var script: String {
        """
        # Completions of surtitle for bash. Printed by: surtitle --completions bash

        # Offers the words after the second that begin with $2, with $1 before each.
        _surtitle_words() {
            local head=$1 value=$2 word
            shift 2
            for word; do
                if [[ $word == "$value"* ]]; then COMPREPLY+=("$head$word"); fi
            done
        }

        # Offers the files that begin with $2, with $1 before each; with $3, which is -d, directories alone.
        _surtitle_files() {
            local file
            while IFS= read -r file; do
                COMPREPLY+=("$1$file")
                compopt -o filenames 2>/dev/null
            done < <(compgen "${3:--f}" -- "$2")
        }

        _surtitle() {
            local words=() word glued= i
            # Bash also cuts words at = and : and has those as words of their own; here they are put together again.
            for ((i = 0; i <= COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                if [[ $i -gt 1 && ( $word =~ ^[=:]+$ || -n $glued && -n $word ) ]]; then
                    words[${#words[@]} - 1]+=$word
                else
                    words+=("$word")
                fi
                [[ $word =~ ^[=:]+$ ]] && glued=yes || glued=
            done
            local count=${#words[@]} value=${words[${#words[@]} - 1]} command= option= head=
            [[ $count -gt 2 && ${words[1]} != -* ]] && command=${words[1]}
            if [[ $value == --*=* ]]; then
                option=${value%%=*} head=${value%%=*}= value=${value#*=}
            else
                option=${words[count - 2]}
            fi
            COMPREPLY=()
            case "$command $option" in
        \(values)    *)
                case $command$head$value in
        \(optionNames)
                esac
                if [[ -z $head && $value != -* ]]; then
                    case $command in
                    '') _surtitle_words '' "$value" \(operandWords) ;;
                    help) ;;
                    *) _surtitle_files '' "$value" ;;
                    esac
                fi ;;
            esac
            # What is inserted begins behind the last = or : of the word.
            word=$head$value
            if [[ $word == *[=:]* ]]; then
                word=${word%"${word##*[=:]}"}
                for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$word"}; done
            fi
            if [[ ${COMPREPLY[0]} == *[=:] ]]; then compopt -o nospace 2>/dev/null; fi
        }

        complete -F _surtitle surtitle

        """
    }

    private var operandWords: String {
        guard case .words(let words)? = manuals.first?.operand else { return "" }
        return words.joined(separator: " ")
    }

    /// For each subcommand its options, if an option is begun.
    private var optionNames: String {
        manuals.map { manual in
            "        \(manual.name)-*) _surtitle_words '' \"$value\" \(manual.options.flatMap { $0.names }.joined(separator: " ")) ;;"
        }.joined(separator: "\n")
    }

    /// For each form of values the options that have it.
    private var values: String {
        let subcommands = manuals.map { $0.name }.filter { !$0.isEmpty }.joined(separator: " ")
        var lines: [String] = []
        for group in manuals.optionsByForm() {
            let patterns = group.options.flatMap { command, option in option.names.map { "'\(command) \($0)'" } }
            lines += Self.continued(patterns, " |", end: ")")
            lines += Self.offers(group.form).map { "    \($0)" } + ["    ;;"]
        }
        lines.append("'help help') _surtitle_words '' \"$value\" \(subcommands) ;;")
        return lines.map { "    \($0)\n" }.joined()
    }

    /// The commands that offer what a value of this form may be. `$head` is what comes before it in the word, `$value` its
    /// beginning.
    private static func offers(_ form: ValueForm) -> [String] {
        switch form {
        case .free: return []
        case .file: return ["_surtitle_files \"$head\" \"$value\""]
        case .directory: return ["_surtitle_files \"$head\" \"$value\" -d"]
        case .words(let words): return Self.words(words)
        case .prefixed(let prefixes, let rest):
            let separator = prefixes.first?.last.map { String($0) } ?? "="
            return [
                "if [[ $value == *\(separator)* ]]; then",
                "    head+=${value%%\(separator)*}\(separator) value=${value#*\(separator)}",
                "else",
            ] + Self.words(prefixes).map { "    \($0)" } + ["fi"] + offers(rest)
        case .fields(let fields):
            var lines = [
                "[[ $value == *,* ]] || _surtitle_files \"$head\" \"$value\"",
                "word=${value##*,} head+=${value%\"${value##*,}\"} value=${value##*,}",
                "[[ $word == *=* ]] && head+=${word%%=*}= value=${word#*=}",
                "case $word in",
            ]
            for field in fields {
                lines += ["\(field.name)=*)"] + offers(field.form).map { "    \($0)" } + ["    ;;"]
            }
            let names = fields.map { $0.isFlag ? $0.name : $0.name + "=" }
            return lines + ["*)"] + Self.words(names).map { "    \($0)" } + ["    ;;", "esac"]
        }
    }

    private static func words(_ words: [String]) -> [String] {
        let lines = continued(words, "", end: "")
        return ["_surtitle_words \"$head\" \"$value\" \\"] + lines.map { "    \($0)" }
    }

    /// `words` in lines, with `separator` between them and `end` at the end.
    private static func continued(_ words: [String], _ separator: String, end: String) -> [String] {
        var lines: [String] = []
        for word in words.dropLast().map({ $0 + separator }) + words.suffix(1) {
            if let last = lines.last, last.count + word.count < 90 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(word)
            }
        }
        return lines.dropLast().map { "\($0) \\" } + lines.suffix(1).map { $0 + end }
    }
}
