internal import WebVTT

/// `surtitle cues`: the cues of a file of subtitles on standard output, one a line.
struct CuesCommand: Command {
    static let name = "cues"
    static let summary = "lists the cues of a \(SubtitleFormat.files) file, as text or JSON"
    static let usage = "FILE [OPTION…]"
    static let description = """
        Lists the cues of the \(SubtitleFormat.files) file FILE, or standard input (-), in the order of the file, one a line: when it is
        shown, and its text, whose lines have " / " between them.
        """
    static let notes = [
        HelpBlock(
            text: """
                A file that begins with WEBVTT is WebVTT. Any other is \(SubtitleFormat.converted) if its name ends in \
                \(SubtitleFormat.endings(of: SubtitleFormat.allCases.filter(\.isConverted))), or if it begins like it and its \
                name does not end in .vtt. If a file is refused half-way, the cues before
                that have been listed.
                """)
    ]
    static let example = "surtitle cues en.vtt --json"

    private var file = ""
    private var form = CueLine.Form.readable
    private var reading = SubtitleReading()

    static var operand: CommandOperand<Self> { CommandOperand("FILE", \.file) }

    static var options: [CommandOption<Self>] {
        [
            CommandOption(
                "--json",
                """
                one JSON object a line instead: start_ms, end_ms, id, settings, text. The lines of the text are joined by
                \\n. Invalid UTF-8 and NUL become U+FFFD.
                """
            ) { command, _ in command.form = .json }
        ] + CommandOption.reading(\.reading) + CommandOption.web + [.chunk]
    }

    func run() throws(Failure) {
        try WebAccess.begin(for: file)
        let output = ByteWriter.standardOutput()
        do throws(Failure) {
            do throws(Failure) {
                try CueListing(form, to: output).list(InputFile(file), reading)
            } catch {
                try output.finish()
                throw error
            }
            try output.finish()
        } catch {
            guard error == .closedOutput else { throw error }
            // Who reads a list of cues has had enough of it, such as head.
        }
    }
}
