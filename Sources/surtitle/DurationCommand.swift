internal import M3U8
internal import WebVTT

/// `surtitle duration`: the end of a WebVTT file's final cue on standard output.
struct DurationCommand: Command {
    static let name = "duration"
    static let summary = "prints when a WebVTT file's final cue ends, in seconds"
    static let help = """
        usage: surtitle duration FILE [OPTION…]

        Prints when the last cue in the WebVTT file FILE, or standard input (-), ends: seconds with three
        decimals. Only the file's head and its tail are read. Where there is no cue, or no WebVTT, nothing is
        printed and the exit status is 1.

          --budget BYTES      how much of the tail may be read; past it the answer is undecided
          --chunk BYTES       how much is read at a time (65536)

        Example:
          surtitle duration en.vtt

        """

    private var file = ""
    private var budget = Int.max
    private var chunk = InputFile.defaultChunk

    init(_ arguments: inout ArgumentList) throws(Failure) {
        while let argument = try arguments.next() {
            switch argument {
            case .option("--budget"): budget = try arguments.byteCount(upTo: .max)
            case .option("--chunk"): chunk = try arguments.byteCount(upTo: InputFile.largestChunk)
            case .operand(let word) where file.isEmpty: file = word
            default: throw arguments.unexpected(argument)
            }
        }
        if file.isEmpty { throw arguments.missing("FILE") }
    }

    func run() throws(Failure) {
        let input = try InputFile(file)
        let cue = try FinalCue(of: input, block: chunk, budget: budget)
        let end = try cue.end(in: input.name, otherwise: "nothing is known of its duration")
        try Console.print("\(end.seconds)\n")
    }
}
