internal import M3U8
internal import WebVTT

/// `surtitle duration`: when a file's final cue ends, on standard output.
struct DurationCommand: Command {
    static let name = "duration"
    static let summary = "prints when a \(SubtitleFormat.files) file's final cue ends, in seconds"
    static let usage = "FILE [OPTION…]"
    static let description = """
        Prints when the last cue in the WebVTT file FILE, or standard input (-), ends: seconds with three decimals. Only the file's
        head and its tail are read; of \(SubtitleFormat.converted), and of other encodings than UTF-8, all of it. If there is no cue, or
        the file is not \(SubtitleFormat.files), nothing is printed and the exit status is 1.
        """
    static let example = "surtitle duration en.vtt"

    private var file = ""
    private var budget = Int.max
    private var isLatest = false
    private var reading = SubtitleReading()

    static var operand: CommandOperand<Self> { CommandOperand("FILE", \.file) }

    static var options: [CommandOption<Self>] {
        [
            CommandOption(
                "--latest",
                "the end of the cue that ends last instead, of those that ever show; all of the file is read",
                \.isLatest),
            CommandOption(
                "--budget BYTES", "how much of the tail, or of the whole, may be read; past it the answer is undecided"
            ) { command, arguments throws(Failure) in
                command.budget = try arguments.byteCount(upTo: .max)
            },
        ] + CommandOption.reading(\.reading) + CommandOption.web + [.chunk]
    }

    func run() throws(Failure) {
        try WebAccess.begin(for: file)
        let input = try InputFile(file)
        let advice = "nothing else tells its duration"
        let end =
            if isLatest {
                try SubtitleFacts(of: input, budget: budget, reading).contentEnd(in: input.name, otherwise: advice)
            } else {
                try FinalCue(of: input, budget: budget, reading).end(in: input.name, otherwise: advice)
            }
        try Console.print("\(end.seconds)\n")
    }
}
