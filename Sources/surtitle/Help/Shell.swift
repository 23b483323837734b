/// A shell that completions can be made for.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// A script that makes the shell complete the command's words, for which it asks the command itself
    /// (``Completion``).
    var completions: String {
        "#\(self == .zsh ? "compdef surtitle\n#" : "") Completions of surtitle for \(rawValue)."
            + " Printed by: surtitle --completions \(rawValue)\n\n\(function)"
    }

    private var function: String {
        switch self {
        // From bash 3.2 on.
        case .bash:
            #"""
            _surtitle() {
                local files head value name word
                COMPREPLY=()
                {
                    IFS= read -r files; IFS= read -r head; IFS= read -r value; IFS= read -r name
                    while IFS= read -r word; do COMPREPLY+=("$word"); done
                } < <("${COMP_WORDS[0]/#\~/$HOME}" --complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                while [[ -n $files ]] && IFS= read -r word; do
                    COMPREPLY+=("$head${word#"${value%"${value##*[=:]}"}"}")
                    compopt -o filenames 2>/dev/null
                done < <(if [[ $files = files ]]; then compgen -f -- "$value"; else compgen -d -- "$value"; fi)
                if [[ ${COMPREPLY[0]} == *[=:] ]]; then compopt -o nospace 2>/dev/null; fi
            }

            complete -F _surtitle surtitle

            """#
        case .zsh:
            #"""
            _surtitle() {
                local files head value name word text
                local -a plain open
                {
                    IFS= read -r files; IFS= read -r head; IFS= read -r value; IFS= read -r name
                    while IFS=$'\t' read -r word text; do
                        case $word in
                        (*[=:]) open+=("${word//:/\\:}${text:+:$text}") ;;
                        (*) plain+=("${word//:/\\:}${text:+:$text}") ;;
                        esac
                    done
                } < <(command ${~words[1]} --complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
                compset -p ${#head}
                [[ $files == files ]] && _files
                [[ $files == directories ]] && _path_files -/
                (( $#plain + $#open )) && _describe -t values "${name:-word}" plain -- open -S ''
                [[ -n $files || -n $plain$open || -z $name ]] || _message -e values "$name"
            }

            # This file is read as the function itself, or by source.
            if [[ $funcstack[1] == _surtitle ]]; then
                _surtitle "$@"
            else
                compdef _surtitle surtitle
            fi

            """#
        case .fish:
            #"""
            function __surtitle
                set -l words (commandline -opc)
                set -l word (commandline -ct)
                set -l command (string replace -r '^~' ~ -- $words[1])
                set -e words[1]
                set -l lines (command $command --complete fish $words "$word" 2>/dev/null)
                set -l files $lines[1]
                set -l head $lines[2]
                set -l value $lines[3]
                set -e lines[1..4]
                test "$files" = files; and set -a lines (__fish_complete_path "$value")
                test "$files" = directories; and set -a lines (__fish_complete_directories "$value" '')
                for line in $lines
                    echo -- $head$line
                end
            end

            complete -c surtitle -f -a '(__surtitle)'

            """#
        }
    }
}
