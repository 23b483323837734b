/// The manual page, in the roff macros that man(7) describes.
///
/// Every line of text begins a word and is short, so that tools which check pages have nothing to say; a period or an
/// apostrophe at a line's beginning would begin a macro, and gets `\&` before it.
struct ManualPage {
    /// The day on which the text was last changed.
    private static let date = "2026-11-22"
    /// How long a line of the source may be.
    private static let width = 72

    private(set) var text: String
    /// Whether a heading was last, after which a paragraph begins anyhow.
    private var followsHeading = false

    /// The page that tells of `manuals`, that of the whole first, in this version.
    init(_ manuals: [CommandManual], version: String) {
        text =
            ".\\\" Printed by: surtitle --man\n.TH SURTITLE 1 \(Self.date) \"surtitle \(version)\" \"User Commands\"\n"
        guard let whole = manuals.first else { return }
        let subcommands = manuals.dropFirst()
        heading("NAME")
        text += "surtitle \\- \(Self.escaped(whole.summary))\n"
        heading("SYNOPSIS")
        for (index, manual) in manuals.enumerated() {
            if index > 0 { text += ".br\n" }
            text += ".B \(Self.escaped(manual.call))\n"
            lines(manual.usage)
        }
        heading("DESCRIPTION")
        paragraphs(whole.description)
        for note in whole.notes where note.title == nil { block(note) }
        heading("OPTIONS")
        list(whole.options)
        heading("SUBCOMMANDS")
        for manual in subcommands {
            text += ".SS \(Self.escaped(manual.call))\n"
            followsHeading = true
            paragraphs(manual.description)
            list(manual.options)
            for note in manual.notes where note.title == nil { block(note) }
        }
        sections(of: manuals)
        heading("EXAMPLES")
        for manual in subcommands {
            paragraphs("To try surtitle \(manual.name), which \(manual.summary):")
            text += ".PP\n.EX\n"
            for line in manual.example.pieces(at: "\n") { text += "    \(Self.escaped(line))\n" }
            text += ".EE\n"
        }
    }

    /// The blocks with a title, each once.
    private mutating func sections(of manuals: [CommandManual]) {
        var titles: [String] = []
        for note in manuals.flatMap({ $0.notes }) {
            guard let title = note.title, !titles.contains(title) else { continue }
            titles.append(title)
            heading(title.uppercased())
            block(note)
        }
    }

    private mutating func heading(_ title: String) {
        text += ".SH \(title)\n"
        followsHeading = true
    }

    private mutating func paragraphs(_ paragraphs: String) {
        for paragraph in paragraphs.paragraphs {
            if !followsHeading { text += ".PP\n" }
            followsHeading = false
            lines(paragraph)
        }
    }

    private mutating func block(_ block: HelpBlock) {
        paragraphs(block.text)
        for term in block.terms { item("\\fB\(Self.escaped(term.label))\\fR", term.text) }
    }

    private mutating func list(_ options: [OptionDescription]) {
        for option in options {
            let names = option.names.map { "\\fB\(Self.escaped($0))\\fR" }.joined(separator: ", ")
            item(names + (option.placeholder.map { " \\fI\(Self.escaped($0))\\fR" } ?? ""), option.text)
        }
    }

    private mutating func item(_ label: String, _ text: String) {
        self.text += ".TP\n\(label)\n"
        followsHeading = false
        lines(text)
    }

    /// Text in short lines.
    private mutating func lines(_ paragraph: String) {
        for line in paragraph.filled(Self.width) {
            let isControl = line.utf8.first == UInt8(ascii: ".") || line.utf8.first == UInt8(ascii: "'")
            text += (isControl ? "\\&" : "") + Self.escaped(line) + "\n"
        }
    }

    /// `text` as roff shows it, with every hyphen one that can be copied into a shell.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "`": "\\(ga"
            case "…": "..."
            default: scalar.isASCII ? String(scalar) : "\\[u" + String(scalar.value, radix: 16, uppercase: true) + "]"
            }
        }.joined()
    }
}
