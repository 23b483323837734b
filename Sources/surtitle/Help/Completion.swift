/// What may come next on a command line, as the tables of options tell it.
///
/// Shells ask for it: `surtitle --complete SHELL WORD…` has the words behind `surtitle` up to the one that is
/// completed, which may be empty. See ``answer(for:_:_:)`` for what it prints.
struct Completion {
    /// What may come besides the words: `files`, `directories`, or nothing.
    private(set) var files = ""
    /// The beginning of the word that stays as it is: `--track=a.vtt,file=`.
    private(set) var head = ""
    /// What is behind it, of which words and files have to be a continuation.
    private(set) var value = ""
    /// What the value is called; empty if no option's value is completed.
    private(set) var placeholder = ""
    /// What may come behind the head, each with what it means.
    private(set) var words: [Term] = []

    /// What may stand in the place of the last of `words`, by `manuals`, of which one is that of the whole.
    init(of words: [String], by manuals: [CommandManual]) {
        value = words.last ?? ""
        var before = words.dropLast()
        let name = before.first.flatMap { ArgumentList.isOption($0) ? nil : $0 } ?? ""
        if !name.isEmpty { before = before.dropFirst() }
        let options = manuals.first { $0.name == name }?.options ?? []
        // The option whose value comes next.
        var option: OptionDescription?
        func find(_ name: String) -> OptionDescription? {
            options.first { $0.placeholder != nil && $0.names.contains(name) }
        }
        var endsOptions = false
        for word in before {
            endsOptions = endsOptions || option == nil && word == "--"
            option = option == nil && !endsOptions ? find(word) : nil
        }
        let parts = ArgumentList.parts(of: value)
        if option == nil, !endsOptions, let attached = parts.attached, let found = find(parts.option) {
            option = found
            move(to: attached)
        }
        if let option {
            placeholder = option.placeholder ?? ""
            offer(option.form)
        } else if endsOptions || value.utf8.first != UInt8(ascii: "-") {
            offerOperand(of: name, isFirst: before.isEmpty, manuals)
        } else {
            self.words = options.flatMap { option in option.names.map { Term($0, option.text.firstClause) } }
        }
    }

    /// Counts what is before `rest`, the end of the value, among what stays.
    private mutating func move(to rest: String) {
        head += String(value.unicodeScalars.dropLast(rest.unicodeScalars.count))
        value = rest
    }

    private mutating func offerOperand(of name: String, isFirst: Bool, _ manuals: [CommandManual]) {
        guard name.isEmpty || name == "help" else { return files = "files" }
        guard name.isEmpty || isFirst else { return }
        words = manuals.filter { !$0.name.isEmpty }.map { Term($0.name, $0.summary) }
        if name.isEmpty { words.append(Term("help", "prints the help of a subcommand")) }
    }

    private mutating func offer(_ form: ValueForm) {
        switch form {
        case .free: break
        case .file: files = "files"
        case .directory: files = "directories"
        case .words(let words): self.words += words.map { Term($0, "") }
        case .prefixed(let prefixes, let rest):
            let separator = prefixes.first?.unicodeScalars.last ?? "="
            if let (_, rest) = value.cut(at: separator) {
                move(to: rest)
            } else {
                words += prefixes.map { Term($0, "") }
            }
            offer(rest)
        case .fields(let fields):
            let last = value.pieces(at: ",").last ?? ""
            let isFirst = last == value
            move(to: last)
            if let (key, rest) = last.cut(at: "=") {
                move(to: rest)
                if let field = fields.first(where: { $0.name == key }) { offer(field.form) }
            } else {
                if isFirst { files = "files" }
                words += fields.map { Term($0.isFlag ? $0.name : $0.name + "=", "") }
            }
        }
    }

    // MARK: What a shell is told

    /// The lines of the answer: `files` or `directories` if those may come, else nothing; the head; the value; what it
    /// is called; and then each word, with a tab and its meaning behind it.
    ///
    /// Bash cuts words at `=` and `:` too, and replaces what is behind the last of them alone. So its words are put
    /// together, and what is before that is left out of the answer. It is also given no words but those that begin with
    /// the value. Fish would look for the value in the meaning too, so it is given those with the value's letters in
    /// order.
    static func answer(for shell: Shell, _ words: some Sequence<String>, _ manuals: [CommandManual]) -> String {
        guard shell == .bash else {
            let found = Completion(of: Array(words), by: manuals)
            let words = found.words.filter { shell == .zsh || $0.label.hasInOrder(found.value) }
            return found.text(found.head, words.map { "\($0.label)\t\($0.text)" })
        }
        let found = Completion(of: joined(words), by: manuals)
        let typed = found.head + found.value
        let cut = typed.unicodeScalars.count - typed.behindLastBreak.unicodeScalars.count
        let begun = found.words.filter { $0.label.utf8.starts(with: found.value.utf8) }
        return found.text(
            found.value.behindLastBreak == found.value ? found.head.behindLastBreak : "",
            begun.map { String((found.head + $0.label).unicodeScalars.dropFirst(cut)) })
    }

    private func text(_ head: String, _ words: [String]) -> String {
        ([files, head, value, placeholder] + words).map { $0 + "\n" }.joined()
    }

    /// The words that bash has cut.
    private static func joined(_ pieces: some Sequence<String>) -> [String] {
        var words: [String] = []
        var isOpen = false
        for piece in pieces {
            let isBreak = !piece.isEmpty && piece.unicodeScalars.allSatisfy { $0.isBreak }
            if let last = words.last, isBreak || isOpen && !piece.isEmpty {
                words[words.count - 1] = last + piece
            } else {
                words.append(piece)
            }
            isOpen = isBreak
        }
        return words
    }
}

extension Unicode.Scalar {
    /// Whether bash cuts words here.
    fileprivate var isBreak: Bool { self == "=" || self == ":" }
}

extension String {
    /// What is behind the last place where bash cuts the word.
    fileprivate var behindLastBreak: String {
        String(
            unicodeScalars.suffix(
                from: unicodeScalars.lastIndex { $0.isBreak }.map(unicodeScalars.index(after:)) ?? startIndex))
    }

    /// Whether all letters of `other` are here in that order, maybe with others between them, in either case.
    fileprivate func hasInOrder(_ other: String) -> Bool {
        var rest = other.lowercased().unicodeScalars[...]
        for scalar in lowercased().unicodeScalars where scalar == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }

    /// The words up to the first that ends a clause, without its stop: what fits a line.
    fileprivate var firstClause: String {
        var words: [String] = []
        for word in filled(1) {
            let isLast = word.unicodeScalars.last.map { ";:.".unicodeScalars.contains($0) } == true
            words.append(isLast ? String(word.unicodeScalars.dropLast()) : word)
            if isLast { break }
        }
        return words.joined(separator: " ")
    }
}
