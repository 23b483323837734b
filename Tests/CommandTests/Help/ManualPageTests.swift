import Foundation
import Testing

@testable import surtitle

@Suite struct ManualPageTests {
    /// Tools that read the page, and have nothing to say about it.
    @Test(arguments: [
        ("mandoc", "mandoc -Tlint page"), ("groff", "groff -ww -man -Tascii -z page"),
        ("man", "man --warnings=w -l page >/dev/null"),
    ])
    func toolsHaveNoComplaints(_ tool: String, _ call: String) throws {
        guard Tool.isInstalled(tool) else {
            print("skipped: \(tool) is not installed")
            return
        }
        let ran = try Ran(shell: "\"$surtitle\" --man >page && \(call) 2>&1", in: Scratch())
        #expect(ran.status == 0 && ran.text == "" && ran.errors == "", "\(tool): \(ran.text)\(ran.errors)")
    }

    @Test func sections() throws {
        let ran = try Ran("--man", in: Scratch())
        #expect(ran.status == 0 && ran.errors == "")
        let headings = ran.text.split(separator: "\n").filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4) }
        #expect(
            headings == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SUBCOMMANDS", "EXIT STATUS", "TRACKS", "EXAMPLES",
            ])
        for command in Surtitle.commands { #expect(ran.text.contains("\n.SS surtitle \(command.name)\n")) }
        #expect(ran.text.split(separator: "\n").allSatisfy { $0.utf8.count <= 120 && $0.utf8.allSatisfy { $0 < 0x80 } })
    }

    /// What roff would take for something else is escaped, and a line that would begin a macro does not.
    @Test func specialCharactersAreEscaped() {
        let manual = CommandManual(
            name: "", summary: "a\\b", usage: "", description: "'q ~^` -é…\n\n.vtt first", options: [], operand: .free,
            notes: [], example: "")
        let page = ManualPage([manual], version: "1").text
        #expect(page.contains("surtitle \\- a\\eb\n"))
        #expect(page.contains("\n\\&\\(aqq \\(ti\\(ha\\(ga \\-\\[uE9]...\n.PP\n\\&.vtt first\n"), "\(page)")
    }

    @Test func linesOfTheSourceHaveAtMost72Characters() {
        let full = "aa" + String(repeating: " a", count: 35)
        let manual = CommandManual(
            name: "", summary: "s", usage: "", description: "\(full) b\n\n\(full)c d", options: [], operand: .free,
            notes: [], example: "")
        let page = ManualPage([manual], version: "1").text
        #expect(full.count == 72 && page.contains("\n\(full)\nb\n.PP\n\(full.dropLast(2))\nac d\n"), "\(page)")
    }

    /// What has a title stands once, in a section of its own; what has none stands with the command whose it is.
    @Test func notesStandWhereTheyBelong() {
        func manual(_ name: String, _ notes: [HelpBlock]) -> CommandManual {
            CommandManual(
                name: name, summary: "s", usage: "", description: "d", options: [], operand: .free, notes: notes,
                example: "")
        }
        let titled = HelpBlock(title: "Words", text: "for all")
        let page = ManualPage(
            [manual("", [HelpBlock(text: "for one"), titled]), manual("a", [titled, HelpBlock(text: "for a")])],
            version: "1"
        ).text
        #expect(page.components(separatedBy: "for all").count == 2, "\(page)")
        let places = ["for one", ".SH OPTIONS", ".SS surtitle a", "for a\n", ".SH WORDS", "for all"]
        let found = places.compactMap { page.range(of: $0)?.lowerBound }
        #expect(found.count == places.count && found == found.sorted(), "\(page)")
    }

    @Test(arguments: [
        (["--completions"], "--completions needs a value"), (["--completions="], "empty value"),
        (["--completions=tcsh"], "--completions is tcsh, which is no shell it knows; give one of bash, zsh, fish"),
        (["--man=1"], "--man takes no value"), (["--man", "cues"], "cues is one operand too many"),
        (["--mann"], "unknown option --mann; did you mean --man? see surtitle --help"), (["-x"], "unknown option -x"),
        (["-"], "- is not a subcommand"),
    ])
    func everythingElseIsRefused(_ words: [String], _ reason: String) throws {
        let ran = try Ran(words, in: Scratch())
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", reason)
    }
}
