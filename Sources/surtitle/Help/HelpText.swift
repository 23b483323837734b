/// Help for a terminal: paragraphs, and lists whose labels have a column of their own.
///
///     Lists the cues of the WebVTT file FILE, or standard input (-).
///
///       --json              one JSON object a line instead
///       --map auto|none|MPEGTS[:LOCAL]
///                           a label that is too long for the column has a line of its own
struct HelpText {
    private(set) var text = ""

    /// How long a line may be.
    private static let width = 106
    /// How wide a label may be that has the column made as wide as it is.
    private static let widestLabel = 25

    /// Adds a paragraph.
    mutating func add(_ paragraph: String) {
        separate()
        for line in paragraph.filled(Self.width) { text += "\(line)\n" }
    }

    /// Adds a list, without a blank line before it if a paragraph introduces it.
    mutating func add(_ terms: [Term], isIntroduced: Bool = false) {
        if terms.isEmpty { return }
        if !isIntroduced { separate() }
        let column = 4 + (terms.map { $0.label.count }.filter { $0 <= Self.widestLabel }.max() ?? 0)
        for term in terms {
            var line = "  \(term.label)"
            if line.count + 2 > column {
                text += "\(line)\n"
                line = ""
            }
            for words in term.text.filled(Self.width - column) {
                text += line + String(repeating: " ", count: column - line.count) + words + "\n"
                line = ""
            }
        }
    }

    private mutating func separate() { if !text.isEmpty { text += "\n" } }
}
