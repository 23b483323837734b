// What every subcommand has. Its options are rows of a table, of which reading them, the help, the manual page and the
// completions of shells are made: to add an option, add a row.

/// What a command does something with: its one word that is no option.
struct CommandOperand<Target> {
    let name: String
    let isRequired: Bool
    let read: (inout Target, String) -> Void

    init(_ name: String, isRequired: Bool, _ read: @escaping (inout Target, String) -> Void) {
        self.name = name
        self.isRequired = isRequired
        self.read = read
    }
}

/// A subcommand: made from its arguments, then run.
protocol Command {
    /// The word that selects it.
    static var name: String { get }

    /// What it does, in a few words.
    static var summary: String { get }

    /// Its arguments, for the first line of its help: `FILE [OPTION…]`.
    static var usage: String { get }

    /// What it does, in paragraphs with blank lines between them.
    static var description: String { get }

    static var operand: CommandOperand<Self> { get }

    static var options: [CommandOption<Self>] { get }

    /// What there is to know beyond the options.
    static var notes: [HelpBlock] { get }

    /// Lines to type.
    static var example: String { get }

    /// The command without any argument.
    init()

    /// Checks the arguments together, and puts together what they say.
    mutating func check() throws(Failure)

    /// Does the work.
    func run() throws(Failure)
}

extension Command {
    static var notes: [HelpBlock] { [] }

    mutating func check() throws(Failure) {}

    /// Everything people are told of it.
    static var manual: CommandManual {
        CommandManual(
            name: name, summary: summary, usage: usage, description: description,
            options: options.map { $0.description } + [.help], operand: .file, notes: notes, example: example)
    }

    /// Runs the words after the command's name.
    static func run(_ words: ArraySlice<String>) throws(Failure) {
        let options = options
        var arguments = ArgumentList(
            words, of: name, options: (options.map { $0.description } + [.help]).flatMap { $0.longNames })
        if arguments.asksForHelp { return try Console.print(manual.helpText) }
        var command = Self()
        try command.read(&arguments, options)
        try command.check()
        try command.run()
    }

    private mutating func read(
        _ arguments: inout ArgumentList, _ options: [CommandOption<Self>]
    ) throws(Failure) {
        let operand = Self.operand
        var missing = options.filter { $0.isRequired }
        var hasOperand = false
        while let argument = try arguments.next() {
            switch argument {
            case .option(let name):
                guard let option = options.first(where: { $0.description.isCalled(name) }) else {
                    throw arguments.unexpected(argument)
                }
                try option.read(&self, &arguments)
                missing.removeAll { $0.description.isCalled(name) }
            case .operand(let word):
                if hasOperand { throw arguments.unexpected(argument) }
                guard !word.isEmpty else { throw arguments.empty(operand.name) }
                operand.read(&self, word)
                hasOperand = true
            }
        }
        if operand.isRequired, !hasOperand { throw arguments.missing(operand.name) }
        if let option = missing.first { throw arguments.missing(option.shortSpelling) }
    }
}
