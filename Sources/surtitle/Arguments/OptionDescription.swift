/// What people are told of an option: by `--help`, by the manual page, and by the completions of shells.
struct OptionDescription {
    /// The names and the value as the help shows them: `-o, --output DIR`.
    let spelling: String
    let form: ValueForm
    /// What the option does, in words that are filled into lines of any width.
    let text: String
    /// What it is called: `-o`, `--output`.
    var names: [String] { words.filter { $0.utf8.first == UInt8(ascii: "-") }.map { $0.pieces(at: ",")[0] } }

    /// What the value is called; nil if there is none.
    var placeholder: String? {
        let (words, count) = (words, names.count)
        return words.count > count ? words.dropFirst(count).joined(separator: " ") : nil
    }

    init(_ spelling: String, _ text: String, _ form: ValueForm = .free) {
        self.spelling = spelling
        self.form = form
        self.text = text
    }

    private var words: [String] { spelling.pieces(at: " ") }

    /// Whether `name` is one of ``names``. Of all options this is asked in every run, and of most nothing else.
    func isCalled(_ name: String) -> Bool {
        spelling.utf8.split(separator: UInt8(ascii: " ")).contains { word in
            word.first == UInt8(ascii: "-")
                && (word.last == UInt8(ascii: ",") ? word.dropLast() : word).elementsEqual(name.utf8)
        }
    }

    /// The names that begin with two hyphens.
    var longNames: [String] { names.filter { $0.utf8.starts(with: "--".utf8) } }

    /// The option every subcommand has, and the command as a whole.
    static let help = OptionDescription("-h, --help", "prints this help")
}
