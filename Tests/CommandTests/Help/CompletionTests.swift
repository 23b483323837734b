import Testing

@testable import surtitle

/// What shells offer at the end of a line, asked of the shells themselves.
@Suite struct CompletionTests {
    /// What is typed behind `surtitle `, and the last word as each completion makes it, without the slash behind a directory.
    struct Row: CustomTestStringConvertible {
        let line: String
        let words: [String]

        init(_ line: String, _ words: String...) {
            self.line = line
            self.words = words
        }

        var testDescription: String { line }
    }

    static let rows = [
        Row("seg", "segment"), Row("s", "segment", "sideload"), Row("--ver", "--version"), Row("help ed", "edit"),
        Row("--completions ", "bash", "fish", "zsh"), Row("--completions f", "fish"),
        Row("--completions=z", "--completions=zsh"),
        Row("cues a", "a.vtt"), Row("cues --j", "--json"), Row("cues a.vtt --from-", "--from-encoding"),
        Row("segment --map ", "auto", "none"), Row("segment --map n", "none"), Row("segment --map=n", "--map=none"),
        Row("segment --map-from a", "a.vtt"), Row("segment --map-from=a", "--map-from=a.vtt"),
        Row("segment -o su", "subs"), Row("segment -osu", "-osubs"), Row("segment -o a"), Row("segment --target "),
        Row("edit --scheme key=h", "key=http", "key=https"), Row("edit --scheme=key=https", "--scheme=key=https"),
        Row("edit --host k", "key="), Row("edit --append-query vari", "variant="),
        Row("edit --set EXT-X-MED", "EXT-X-MEDIA:"), Row("edit --remove EXT-X-MED", "EXT-X-MEDIA:"),
        Row("edit --drop EXT-X-SK", "EXT-X-SKIP"), Row("edit --keep-variants "),
        Row("edit master --dr", "--drop"), Row("playlist b", "b.m3u8"),
        Row("sideload --track a", "a.vtt", "assoc-language=", "at=", "autoselect="), Row("sideload --track ur", "uri="),
        Row("sideload --track uri=x.vtt,ty", "uri=x.vtt,type="),
        Row("sideload --track uri=x.vtt,def", "uri=x.vtt,default"),
        Row("sideload --track uri=x.vtt,type=m", "uri=x.vtt,type=m3u8"),
        Row("sideload --track a.vtt,autoselect=", "a.vtt,autoselect=no", "a.vtt,autoselect=yes"),
        Row("sideload --track uri=x.vtt,file=subs/s", "uri=x.vtt,file=subs/sv.srt"),
        Row("master --track=a.vtt,la", "--track=a.vtt,language="), Row("master --track a.vtt,language="),
        Row("inspect --base"), Row("help edit "), Row("segment --target 4 --map-", "--map-from"),
        Row("segment --map --ma"), Row("edit -- --d"), Row("edit -- b", "b.m3u8"),
    ]

    private func scratch() throws -> Scratch { try Scratch(["a.vtt": "", "b.m3u8": "", "subs/sv.srt": ""]) }

    /// What a shell's script says of each row, one line each, as sorted words; directories have no slash.
    private func answers(_ output: String) -> [[String]] {
        output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
            line.split(separator: "|").map { String($0.hasSuffix("/") ? $0.dropLast() : $0) }.sorted()
        }
    }

    /// Bash cuts words at `=` and `:` too, and what it is offered begins behind the last of them.
    @Test(.enabled(if: Tool.isInstalled("bash"), "bash is not installed")) func bash() throws {
        let scratch = try scratch()
        var script = """
            source ./script
            offer() {
                COMP_WORDS=(surtitle "$@") COMP_CWORD=$# COMPREPLY=()
                _surtitle
                (IFS='|'; echo "${COMPREPLY[*]}")
            }

            """
        for row in Self.rows { script += "offer \(Self.cut(row.line).map { "'\($0)'" }.joined(separator: " "))\n" }
        try scratch.write("try", Array(script.utf8))
        let ran = try Ran(shell: "\"$surtitle\" --completions bash >script && exec bash --norc try", in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
        for (row, answer) in zip(Self.rows, try answers(of: ran)) {
            let last = row.line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
            let head = last.lastIndex { "=:".contains($0) }.map { String(last[...$0]) } ?? ""
            #expect(answer.map { head + $0 } == row.words, "\(row.line)")
        }
    }

    /// The words of a line as bash cuts them.
    private static func cut(_ line: String) -> [String] {
        line.split(separator: " ", omittingEmptySubsequences: false).flatMap { word -> [String] in
            var pieces: [String] = []
            for character in word {
                let isBreak = "=:".contains(character)
                if let last = pieces.last?.last, "=:".contains(last) == isBreak {
                    pieces[pieces.count - 1].append(character)
                } else {
                    pieces.append(String(character))
                }
            }
            return pieces.isEmpty ? [""] : pieces
        }
    }

    @Test(.enabled(if: Tool.isInstalled("fish"), "fish is not installed")) func fish() throws {
        let scratch = try scratch()
        var script = "source ./script\n"
        for row in Self.rows {
            script += "echo (complete -C 'surtitle \(row.line)' | string replace -r '\\t.*' '' | string join '|')\n"
        }
        try scratch.write("try", Array(script.utf8))
        let ran = try Ran(
            shell:
                "\"$surtitle\" --completions fish >script && HOME=. fish --no-execute script && HOME=. exec fish --no-config try",
            in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
        for (row, answer) in zip(Self.rows, try answers(of: ran)) { #expect(answer == row.words, "\(row.line)") }
    }

    /// Zsh completes only what is typed into it, so that a shell is given lines, a tab and a line feed; what is offered alone is inserted.
    @Test(.enabled(if: Tool.isInstalled("zsh"), "zsh is not installed")) func zsh() throws {
        let scratch = try scratch()
        let rows = Self.rows.filter { $0.words.count <= 1 && !$0.line.hasSuffix(" ") }
        let script = #"""
            zmodload zsh/zpty
            zpty shell 'PS1= TERM=dumb zsh -f -i'
            zpty -w shell 'stty -echo; unsetopt zle_bracketed_paste 2>/dev/null; bindkey -e; bindkey "^I" complete-word
                fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -D -u
                surtitle() { print -r -- "ANSWER$argv[-1]|" }; print READY'
            while zpty -r shell line; do [[ $line == READY* ]] && break; done
            while IFS= read -r row; do
                zpty -w -n shell "surtitle $row"$'\t\n'
                while zpty -r shell line; do
                    [[ $line == *ANSWER* ]] && print -r -- ${${line##*ANSWER}%%'|'*} && break
                done
            done <rows
            zpty -d shell

            """#
        try scratch.write("try", Array(script.utf8))
        try scratch.write("rows", Array(rows.map { $0.line + "\n" }.joined().utf8))
        let ran = try Ran(
            shell: """
                mkdir functions && "$surtitle" --completions zsh >functions/_surtitle && zsh -n functions/_surtitle || exit
                command -v timeout >/dev/null && set -- timeout 100
                exec "$@" zsh -f try
                """, in: scratch)
        #expect(ran.status == 0, "\(ran.errors)")
        let answers = try answers(of: ran, count: rows.count)
        for (row, answer) in zip(rows, answers) {
            let typed = String(row.line.split(separator: " ").last ?? "")
            #expect(answer == [row.words.first ?? typed], "\(row.line)")
        }
    }

    private func answers(of ran: Ran, count: Int = rows.count) throws -> [[String]] {
        let answers = answers(ran.text)
        try #require(answers.count == count, "\(ran.text)\n\(ran.errors)")
        return answers
    }
}
