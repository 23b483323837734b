/// The command line as a whole: picks the subcommand and turns what comes of it into an exit status.
enum Surtitle {
    static var commands: [any Command.Type] {
        [
            SideloadCommand.self, MasterCommand.self, PlaylistCommand.self, SegmentCommand.self, DurationCommand.self,
            CuesCommand.self, EditCommand.self, InspectCommand.self,
        ]
    }

    /// Runs the process's own arguments, and gives its exit status.
    static func run() -> Int32 {
        Launch.prepare()
        do throws(Failure) {
            try run(Launch.arguments())
            return 0
        } catch {
            if let message = error.message { Console.complain(message) }
            return error.status
        }
    }

    /// Runs the words behind the program's name.
    static func run(_ words: [String]) throws(Failure) {
        guard let first = words.first else {
            throw .usage("a subcommand is missing: one of \(names); see surtitle --help")
        }
        if first == "--help" || first == "-h" || first == "help" { return try Console.print(help(words.dropFirst())) }
        guard let command = commands.first(where: { $0.name == first }) else {
            throw .usage("\(first) is not a subcommand: use one of \(names); see surtitle --help")
        }
        var arguments = ArgumentList(words.dropFirst(), of: command.name)
        if arguments.asksForHelp { return try Console.print(command.help) }
        try command.init(&arguments).run()
    }

    /// The help of the subcommand named first in `words`, or of them all.
    private static func help(_ words: ArraySlice<String>) -> String {
        if let command = commands.first(where: { $0.name == words.first }) { return command.help }
        let width = commands.map { $0.name.count }.max() ?? 0
        let list = commands.map { command in
            "  \(command.name)\(String(repeating: " ", count: width - command.name.count))  \(command.summary)\n"
        }
        return """
            usage: surtitle SUBCOMMAND [OPTION…] [FILE…]

            Puts WebVTT subtitles beside HLS streams. Where a WebVTT file is asked for, SubRip will do.

            \(list.joined())
            FILE may be -, which is standard input. An option's value is the next word or stands behind =;
            -- ends the options. surtitle SUBCOMMAND --help tells more of each.

            Exit status: 0 done; 1 the input is refused, one line on standard error says why; 2 the
            arguments are wrong.

            Example:
              surtitle sideload master.m3u8 \\
                --track uri=en.vtt,file=subtitles/en.vtt,language=en,name=English,default -o out

            """
    }

    private static var names: String { commands.map { $0.name }.joined(separator: ", ") }
}
