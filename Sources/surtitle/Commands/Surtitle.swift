internal import Sideload
internal import WebVTT

// The command line as a whole: which subcommands there are, and how one is run.
//
// To add a subcommand, write a type like CuesCommand and put it into `Surtitle.commands`: it then appears wherever
// subcommands are listed, in the help, the manual page and the completions of shells.

/// Selects the subcommand, and turns a failure into a message and an exit status.
package enum Surtitle {
    /// What `surtitle --version` tells. CHANGELOG.md says the same of what is unreleased.
    static let version = "0.1.0"

    /// All subcommands, in the order in which the help lists them.
    static var commands: [any Command.Type] {
        [
            SideloadCommand.self, MasterCommand.self, PlaylistCommand.self, SegmentCommand.self, DurationCommand.self,
            CuesCommand.self, EditCommand.self, InspectCommand.self, CheckCommand.self,
            RouteCommand.self, LiveCommand.self,
        ]
    }

    /// Runs the process's own arguments and returns its exit status.
    package static func run() -> Int32 {
        prepareProcess()
        do throws(Failure) {
            try run(processArguments())
            Console.tellNotes()
            Console.tellClosing()
            return 0
        } catch {
            if let message = error.message { Console.complain(message) }
            return error.status
        }
    }

    /// Runs the words after the program's name.
    static func run(_ words: [String]) throws(Failure) {
        guard let first = words.first else {
            throw .usage("a subcommand is missing: one of \(names); see surtitle --help")
        }
        if let command = commands.first(where: { $0.name == first }) { return try command.run(words.dropFirst()) }
        if ["--help", "-h", "help"].contains(first) { return try Console.print(help(words.dropFirst())) }
        if first == "--complete", words.count > 2, let shell = Shell(rawValue: words[1]) {
            return try Console.print(Completion.answer(for: shell, words.dropFirst(2), manuals))
        }
        if first.utf8.first == UInt8(ascii: "-"), first != "-" { return try Console.print(answer(words)) }
        // What stands alone needs its hyphens: version, man.
        let isOption = options.contains { $0.description.names.contains("--\(first)") }
        let hint =
            isOption ? "; did you mean --\(first)?" : NearestName.hint(for: first, among: commands.map { $0.name })
        throw .usage("\(first) is not a subcommand\(hint) use one of \(names); see surtitle --help")
    }

    private static var names: String { commands.map { $0.name }.joined(separator: ", ") }

    // MARK: What the command tells of itself

    /// The options that stand before any subcommand. Each gives what is printed.
    private static var options: [CommandOption<String>] {
        [
            CommandOption("--version", "prints which version this is") { text, _ in text = "surtitle \(version)\n" },
            CommandOption(
                "--completions SHELL",
                "prints what makes SHELL complete this command's subcommands, options and values: bash, zsh or fish",
                .words(Shell.allCases.map { $0.rawValue })
            ) { text, arguments throws(Failure) in
                let name = try arguments.value()
                guard let shell = Shell(rawValue: name) else {
                    let names = Shell.allCases.map { $0.rawValue }.joined(separator: ", ")
                    throw .usage("--completions is \(name), which is no shell it knows; give one of \(names)")
                }
                text = shell.completions
            },
            CommandOption("--man", "prints the manual page, for man") { text, _ in
                text = ManualPage(manuals, version: version).text
            },
        ]
    }

    /// What options before any subcommand print: that of the last.
    private static func answer(_ words: [String]) throws(Failure) -> String {
        var arguments = ArgumentList(words, of: "", options: manual.options.flatMap { $0.longNames })
        if arguments.asksForHelp { return manual.helpText }
        var text = ""
        while let argument = try arguments.next() {
            guard case .option(let name) = argument,
                let option = options.first(where: { $0.description.names.contains(name) })
            else { throw arguments.unexpected(argument) }
            try option.read(&text, &arguments)
        }
        return text
    }

    /// The help of the subcommand that `words` begin with, or of them all.
    private static func help(_ words: ArraySlice<String>) -> String {
        (commands.first { $0.name == words.first }?.manual ?? manual).helpText
    }

    /// What people are told of the whole, and then of each subcommand.
    static var manuals: [CommandManual] { [manual] + commands.map { $0.manual } }

    /// What people are told of the command as a whole.
    private static var manual: CommandManual {
        CommandManual(
            name: "", summary: "puts WebVTT subtitles beside HLS streams", usage: "SUBCOMMAND [OPTION…] [FILE…]",
            description:
                "Puts WebVTT subtitles beside HLS streams. Wherever a WebVTT file is asked for, \(SubtitleFormat.converted) will do.",
            options: options.map { $0.description } + [.help],
            operand: .words(commands.map { $0.name } + ["help"]),
            notes: [
                HelpBlock(
                    text: "SUBCOMMAND is one of these; surtitle SUBCOMMAND --help tells more of each.",
                    terms: commands.map { Term($0.name, $0.summary) }),
                HelpBlock(
                    text: """
                        FILE may be -, which is standard input. An option's value is the next word or follows after =; -- ends
                        the options. Of an option that is for one value and given twice, the last counts. SECONDS may be 90,
                        90.5, 1:30 or 1:02:03.5; BYTES may be 65536, 64k or 1M.
                        """),
                HelpBlock(
                    title: "Exit status", text: "The exit status is one of these.",
                    terms: [
                        Term("0", "done; what may surprise is a note on standard error"),
                        Term("1", "the input is refused, and one line on standard error says why"),
                        Term("2", "the arguments are wrong"),
                    ]),
            ],
            example: SideloadCommand.example)
    }

    /// The words after the program's name.
    ///
    /// - Throws: A refusal of a word that is not UTF-8: repaired, it would name another file or write other bytes.
    private static func processArguments() throws(Failure) -> [String] {
        var words: [String] = []
        var index = 1
        while index < Int(CommandLine.argc), let pointer = unsafe CommandLine.unsafeArgv[index] {
            guard let word = unsafe String(validatingCString: pointer) else {
                throw .usage("argument \(index) is not UTF-8; write it in UTF-8, and rename the file if it is a name")
            }
            words.append(word)
            index += 1
        }
        return words
    }

    /// Makes writing to a closed pipe and past the limit of a file's size errors like any other, and keeps files from
    /// being opened as standard streams.
    private static func prepareProcess() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGXFSZ, SIG_IGN)
        // A standard stream that the caller has closed stays useless, but its number is taken: otherwise the next file
        // opened would get it, and messages would be written into that file.
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
