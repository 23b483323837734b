/// Everything people are told of a subcommand, or of the command as a whole.
struct CommandManual {
    /// The subcommand's name; empty for the command as a whole.
    let name: String
    /// What it does, in a few words.
    let summary: String
    /// Its arguments: `FILE [OPTION…]`.
    let usage: String
    /// What it does, in paragraphs with blank lines between them.
    let description: String
    let options: [OptionDescription]
    /// What its operand may be.
    let operand: ValueForm
    let notes: [HelpBlock]
    /// Lines to type.
    let example: String

    /// How it is called: `surtitle cues`.
    var call: String { name.isEmpty ? "surtitle" : "surtitle \(name)" }

    /// What `--help` prints.
    var helpText: String {
        var help = HelpText()
        help.add("usage: \(call) \(usage)")
        for paragraph in description.paragraphs { help.add(paragraph) }
        if !name.isEmpty { help.add(options.map { Term($0.spelling, $0.text) }) }
        for note in notes {
            help.add(note.text)
            help.add(note.terms, isIntroduced: true)
        }
        // Of the whole the subcommands come first.
        if name.isEmpty { help.add(options.map { Term($0.spelling, $0.text) }) }
        return help.text + "\nExample:\n" + example.pieces(at: "\n").map { "  \($0)\n" }.joined()
    }
}

extension String {
    /// The paragraphs, which blank lines separate.
    var paragraphs: [String] { pieces(at: "\n").split { $0.isEmpty }.map { $0.joined(separator: " ") } }

    /// The words, filled into lines of at most `width` characters. A longer word has a line of its own.
    func filled(_ width: Int) -> [String] {
        var lines: [String] = []
        for word in unicodeScalars.split(whereSeparator: { $0 == " " || $0 == "\n" }).map({ String($0) }) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(word)
            }
        }
        return lines
    }
}
