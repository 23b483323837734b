/// What people are told of an option: by `--help`, by the manual page, and by the completions of shells.
struct OptionDescription {
    /// The names and the value as the help shows them: `-o, --output DIR`.
    let spelling: String
    let form: ValueForm
    /// What the option does, in words that are filled into lines of any width.
    let text: String
    /// What it is called: `-o`, `--output`.
    let names: [String]
    /// What the value is called; nil if there is none.
    let placeholder: String?

    init(_ spelling: String, _ text: String, _ form: ValueForm = .free) {
        self.spelling = spelling
        self.form = form
        self.text = text
        let words = spelling.pieces(at: " ")
        names = words.filter { $0.utf8.first == UInt8(ascii: "-") }.map { $0.pieces(at: ",")[0] }
        placeholder = words.count > names.count ? words.dropFirst(names.count).joined(separator: " ") : nil
    }

    /// The names that begin with two hyphens.
    var longNames: [String] { names.filter { $0.utf8.starts(with: "--".utf8) } }

    /// The option every subcommand has, and the command as a whole.
    static let help = OptionDescription("-h, --help", "prints this help")
}
