// The command line as a whole: what every subcommand has, which ones there are, and how one is run.
//
// To add a subcommand, write a type like CuesCommand and put it into `Surtitle.commands`: its name, its summary and its help
// then appear wherever subcommands are listed.

/// A subcommand: made from its arguments, then run.
protocol Command {
    /// The word that selects it.
    static var name: String { get }

    /// What it does, in a few words.
    static var summary: String { get }

    /// What `--help` prints: usage, options, an example.
    static var help: String { get }

    /// Reads the arguments after the command's name.
    init(_ arguments: inout ArgumentList) throws(Failure)

    /// Does the work.
    func run() throws(Failure)
}

extension Command {
    /// The long options that the help lists, each at the beginning of a line: `  -o, --output DIR`.
    static var options: [String] {
        help.pieces(at: "\n").filter { $0.utf8.starts(with: "  -".utf8) }
            .flatMap { line in String(line.dropFirst(2)).pieces(at: " ").prefix { $0.utf8.first == UInt8(ascii: "-") } }
            .filter { $0.utf8.starts(with: "--".utf8) } + ["--help"]
    }
}

/// Selects the subcommand, and turns a failure into a message and an exit status.
enum Surtitle {
    /// What `surtitle --version` tells. CHANGELOG.md says the same of what is unreleased.
    static let version = "0.1.0"

    /// All subcommands, in the order in which the help lists them.
    static var commands: [any Command.Type] {
        [
            SideloadCommand.self, MasterCommand.self, PlaylistCommand.self, SegmentCommand.self, DurationCommand.self,
            CuesCommand.self, EditCommand.self, InspectCommand.self,
        ]
    }

    /// Runs the process's own arguments and returns its exit status.
    static func run() -> Int32 {
        prepareProcess()
        do throws(Failure) {
            try run(processArguments())
            Console.tellNotes()
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
        if first == "--help" || first == "-h" || first == "help" { return try Console.print(help(words.dropFirst())) }
        if first == "--version" { return try Console.print("surtitle \(version)\n") }
        guard let command = commands.first(where: { $0.name == first }) else {
            let hint = Suggestion.hint(for: first, among: commands.map { $0.name })
            throw .usage("\(first) is not a subcommand\(hint) use one of \(names); see surtitle --help")
        }
        var arguments = ArgumentList(words.dropFirst(), of: command.name, options: command.options)
        if arguments.asksForHelp { return try Console.print(command.help) }
        try command.init(&arguments).run()
    }

    /// The help of the subcommand that `words` begin with, or of them all.
    private static func help(_ words: ArraySlice<String>) -> String {
        if let command = commands.first(where: { $0.name == words.first }) { return command.help }
        let width = commands.map { $0.name.count }.max() ?? 0
        let list = commands.map { command in
            "  \(command.name)\(String(repeating: " ", count: width - command.name.count))  \(command.summary)\n"
        }
        return """
            usage: surtitle SUBCOMMAND [OPTION…] [FILE…]

            Puts WebVTT subtitles beside HLS streams. Wherever a WebVTT file is asked for, SubRip will do.

            \(list.joined())
            FILE may be -, which is standard input. An option's value is the next word or follows after =;
            -- ends the options. SECONDS may be 90, 90.5, 1:30 or 1:02:03.5; BYTES may be 65536, 64k or 1M.
            surtitle SUBCOMMAND --help tells more of each, surtitle --version which version this is.

            Exit status: 0 done; 1 the input is refused, one line on standard error says why; 2 the
            arguments are wrong.

            Example:
              surtitle sideload master.m3u8 \\
                --track uri=en.vtt,file=subtitles/en.vtt,language=en,name=English,default -o out

            """
    }

    private static var names: String { commands.map { $0.name }.joined(separator: ", ") }

    /// The words after the program's name.
    ///
    /// - Throws: A refusal of a word that is not UTF-8: repaired, it would name another file or write other bytes.
    private static func processArguments() throws(Failure) -> [String] {
        var words: [String] = []
        var index = 1
        while index < Int(CommandLine.argc), let pointer = unsafe CommandLine.unsafeArgv[index] {
            guard let word = unsafe String(validatingCString: pointer) else {
                throw .usage("argument \(index) is not UTF-8")
            }
            words.append(word)
            index += 1
        }
        return words
    }

    /// Makes writing to a closed pipe and past the limit of a file's size errors like any other, and keeps files from being opened as standard streams.
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
