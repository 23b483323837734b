internal import M3U8
internal import WebVTT

/// `surtitle duration`: when a file's final cue ends, on standard output.
struct DurationCommand: Command {
    static let name = "duration"
    static let summary = "prints when a WebVTT or SubRip file's final cue ends, in seconds"
    static let help = """
        usage: surtitle duration FILE [OPTION…]

        Prints when the last cue in the WebVTT file FILE, or standard input (-), ends: seconds with three
        decimals. Only the file's head and its tail are read; of SubRip, and of other encodings than UTF-8, all
        of it. If there is no cue, or the file is neither WebVTT nor SubRip, nothing is printed and the exit
        status is 1.

          --latest            the end of the cue that ends last instead, of those that ever show; all of the
                              file is read
          --budget BYTES      how much of the tail, or of the whole, may be read; past it the answer is undecided
        \(SubtitleReading.optionHelp)
          --chunk BYTES       how much is read at a time (65536)

        Example:
          surtitle duration en.vtt

        """

    private var file = ""
    private var budget = Int.max
    private var isLatest = false
    private var reading = SubtitleReading()
    private var chunk = InputFile.defaultChunk

    init(_ arguments: inout ArgumentList) throws(Failure) {
        while let argument = try arguments.next() {
            switch argument {
            case .option("--latest"): isLatest = true
            case .option("--budget"): budget = try arguments.byteCount(upTo: .max)
            case .option("--chunk"): chunk = try arguments.byteCount(upTo: InputFile.largestChunk)
            case .operand(let word) where file.isEmpty: file = word
            default: try reading.parse(argument, &arguments)
            }
        }
        if file.isEmpty { throw arguments.missing("FILE") }
    }

    func run() throws(Failure) {
        let input = try InputFile(file)
        let end = isLatest ? try latestEnd(of: input) : try finalEnd(of: input)
        try Console.print("\(end.seconds)\n")
    }

    private func finalEnd(of input: borrowing InputFile) throws(Failure) -> Timestamp {
        let cue = try FinalCue(of: input, block: chunk, budget: budget, reading)
        return try cue.end(in: input.name, otherwise: "nothing else tells its duration")
    }

    private func latestEnd(of input: borrowing InputFile) throws(Failure) -> Timestamp {
        let content = try ContentEnd(of: input, chunk: chunk, budget: budget, reading)
        return try content.end(in: input.name, otherwise: "nothing else tells its duration")
    }
}
