/// How files of cues are read: the options that all commands have which read any, and what has been said about the files.
struct SubtitleReading {
    /// The encoding of files that do not begin with a byte order mark; nil for UTF-8.
    private(set) var encoding: TextEncoding?

    private let notes = Notes()

    /// The notes that have been given. A file may be read twice.
    private final class Notes {
        var given: Set<String> = []
    }

    /// Reads an option of these and its value. Any other argument is refused.
    mutating func parse(_ argument: ArgumentList.Argument, _ arguments: inout ArgumentList) throws(Failure) {
        switch argument {
        case .option("--from-encoding"):
            encoding = try TextEncoding(option: "--from-encoding", arguments.value())
        default: throw arguments.unexpected(argument)
        }
    }

    /// Whether an option was given.
    var hasOptions: Bool { encoding != nil }

    /// Tells `note` about the file called `name`, once.
    func tell(_ name: String, _ note: String) {
        let line = "\(name): \(note)"
        if notes.given.insert(line).inserted { Console.complain(line) }
    }

    /// The lines about the options in the help of the commands that have them.
    static let optionHelp = """
          --from-encoding NAME  the encoding of the subtitles, such as windows-1252, shift_jis or gb18030, as the
                              system's iconv calls it. Without it they are UTF-8, or UTF-16 with a byte
                              order mark, which goes before the option.
        """
}
