internal import ByteScan
internal import Sideload

/// The words after a subcommand's name, read one argument at a time.
///
///     while let argument = try arguments.next() {
///         switch argument {
///         case .option("--uri"): uri = try arguments.value()
///         case .operand(let word) where file == nil: file = word
///         default: throw arguments.unexpected(argument)
///         }
///     }
///
/// `--name=value`, `--name value`, `-n value` and `-nvalue` are the same to the caller. `--` ends the options, and `-`
/// is an operand.
package struct ArgumentList {
    /// One argument. ``value()`` gives an option's value.
    package enum Argument: Equatable {
        case option(String)
        case operand(String)
    }

    private let command: String
    /// The options that the command has, of which a mistyped one may be meant.
    private let options: () -> [String]
    private var words: ArraySlice<String>
    private var endsOptions = false

    /// The option handed out last.
    private var option = ""
    /// The value attached to it, as in `--name=value`; nil once it has been read.
    private var attached: String?

    /// The `words` after the name of `command`, which has these `options`. The name is empty for the command as a
    /// whole.
    package init(
        _ words: some Sequence<String>, of command: String, options: @autoclosure @escaping () -> [String] = []
    ) {
        self.options = options
        self.words = ArraySlice(words)
        self.command = command
    }

    /// Whether one of the options is `--help` or `-h`.
    var asksForHelp: Bool { words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" } }

    /// The next argument, or nil after the last.
    package mutating func next() throws(Failure) -> Argument? {
        if attached != nil { throw .usage("\(option) takes no value; see \(helpCall)") }
        guard let word = words.popFirst() else { return nil }
        if endsOptions || !Self.isOption(word) { return .operand(word) }
        if word == "--" {
            endsOptions = true
            return try next()
        }
        // -output is no -o with the value utput.
        if word.unicodeScalars.dropFirst().first != "-", options().contains("-\(word.cut(at: "=")?.before ?? word)") {
            throw .usage("unknown option \(word); did you mean -\(word)? see \(helpCall)")
        }
        (option, attached) = Self.parts(of: word)
        return .option(option)
    }

    /// The option that a word is, and the value attached to it; nil if none is.
    static func parts(of word: String) -> (option: String, attached: String?) {
        if word.utf8.starts(with: "--".utf8) {
            let parts = word.cut(at: "=")
            return (parts?.before ?? word, parts?.after)
        }
        let rest = word.unicodeScalars.dropFirst(2)
        return (
            String(word.unicodeScalars.prefix(2)),
            rest.isEmpty ? nil : String(rest.first == "=" ? rest.dropFirst() : rest)
        )
    }

    /// Whether `word` begins like an option. A hyphen alone is standard input.
    static func isOption(_ word: String) -> Bool { word != "-" && word.unicodeScalars.first == "-" }

    /// Whether `word` is a hyphen with a digit or a period after it.
    private static func isNegativeNumber(_ word: String) -> Bool {
        word.utf8.dropFirst().first.map { "0123456789.".utf8.contains($0) } ?? false
    }

    /// The value of the option handed out last. Only if it `mayBeNegative` may a word like `-1.4` be one without an
    /// equals sign.
    package mutating func value(mayBeNegative: Bool = false) throws(Failure) -> String {
        if let value = attached {
            attached = nil
            guard !value.isEmpty else { throw .usage("\(option) has an empty value; see \(helpCall)") }
            return value
        }
        guard let word = words.first else { throw .usage("\(option) needs a value; see \(helpCall)") }
        guard !Self.isOption(word) || mayBeNegative && Self.isNegativeNumber(word) else {
            throw .usage("\(option) needs a value, but \(word) follows; write \(option)=\(word) if that is the value")
        }
        guard !word.isEmpty else { throw .usage("\(option) has an empty value; see \(helpCall)") }
        words = words.dropFirst()
        return word
    }

    /// The value as a number of bytes, from 1 to `limit`; `64k`, `1M` and `1G` are multiples of 1024.
    mutating func byteCount(upTo limit: Int) throws(Failure) -> Int {
        let text = try value()
        guard let count = Self.byteCount(text), count >= 1, count <= limit else {
            throw .usage(
                "\(option) is \(text), which is no number of bytes from 1 to \(limit), like 65536, 64k or 1M")
        }
        return count
    }

    private static func byteCount(_ text: String) -> Int? {
        let shifts: [Unicode.Scalar: Int] = ["k": 10, "K": 10, "m": 20, "M": 20, "g": 30, "G": 30]
        guard let shift = text.unicodeScalars.last.flatMap({ shifts[$0] }) else { return Int(text) }
        return Int(String(text.unicodeScalars.dropLast()))?.times(1 << shift)
    }

    /// The message for an unknown option, for `--help=word`, or for an operand too many.
    func unexpected(_ argument: Argument) -> Failure {
        switch argument {
        case .option(let name) where options().contains(name) || name == "-h":
            .usage("\(name) takes no value; see \(helpCall)")
        case .option(let name): .usage("unknown option \(hinted(name)) see \(helpCall)")
        case .operand(let word): .usage("\(word) is one operand too many; see \(helpCall)")
        }
    }

    /// The unknown option `name` and what may be meant. A word after one hyphen, such as -trak, is told whole.
    private func hinted(_ name: String) -> String {
        guard let attached, name.utf8.count == 2 else {
            return name + NearestName.hint(for: name, among: options())
        }
        return name + attached + NearestName.hint(for: "-\(name)\(attached)", among: options())
    }

    /// The message for something that is missing.
    func missing(_ what: String) -> Failure { .usage("\(what) is missing; see \(helpCall)") }

    /// The message for an operand that is an empty word.
    func empty(_ what: String) -> Failure { .usage("\(what) is empty; name a file, or give - for standard input") }

    private var helpCall: String { command.isEmpty ? "surtitle --help" : "surtitle \(command) --help" }
}

extension NearestName {
    /// What a message adds after a word that nothing is called by: `; did you mean --media?`, or a semicolon alone.
    static func hint(for word: String, among names: [String]) -> String {
        let index = index(of: Array(word.utf8), among: names.map { Array($0.utf8) })
        return index.map { "; did you mean \(names[$0])?" } ?? ";"
    }
}

// Scalars are compared, not characters: a separator is one, whatever combining mark follows.
extension String {
    /// The text before and after the first `separator`, or nil if there is none.
    package func cut(at separator: Unicode.Scalar) -> (before: String, after: String)? {
        guard let index = unicodeScalars.firstIndex(of: separator) else { return nil }
        return (String(unicodeScalars[..<index]), String(unicodeScalars[unicodeScalars.index(after: index)...]))
    }

    /// The text between separators, empty pieces too.
    package func pieces(at separator: Unicode.Scalar) -> [String] {
        unicodeScalars.split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }

    /// The name of the file that a path or a URL leads to, or nil if there is none.
    var fileName: String? {
        guard Web.isURL(self) else { return lastStep }
        return URIPath(self).lastComponent.decoded
    }

    /// A path up to its last slash, with that; empty if there is none.
    var folder: String { unicodeScalars.lastIndex(of: "/").map { String(unicodeScalars[...$0]) } ?? "" }

    /// The last component of a path that is not empty, or nil if there is none.
    var lastStep: String? { pieces(at: "/").last { !$0.isEmpty } }
}
