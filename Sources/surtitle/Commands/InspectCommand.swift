internal import M3U8

/// `surtitle inspect`: what a file is and what is in it.
struct InspectCommand: Command {
    static let name = "inspect"
    static let summary = "tells what a playlist, WebVTT or SubRip file is and what is in it"
    static let help = """
        usage: surtitle inspect FILE [OPTION…]

        Tells what FILE, or standard input (-), is: multivariant, media, mixed or undecided playlist, webvtt,
        subrip, or neither. Of playlists it counts lines and tags and lists variants, groups of renditions, and
        the duration; a list of more than some thousands is cut. Of subtitles it counts cues, notes, style
        sheets, regions and the blocks that players leave out, with the reasons, and gives the end of the
        final cue, the latest end, the timestamp map, and whether cues are out of order. What is printed is at most
        4 times as long as FILE, and 1 MiB.

          --json              one JSON object in a line instead. Of a playlist kind, bytes, lines, segments,
                              duration (seconds), complete, variant_count, i_frame_count, rendition_count, tags
                              (how often each), variants, i_frames, groups (type, id, renditions), and unlisted,
                              how many more there are; attributes are strings, as the playlist has them. Of
                              subtitles kind, encoding, bytes, cues, notes, styles, regions, final_end_ms and
                              latest_end_ms (or null), timestamp_map (mpegts, local_ms), out_of_order, unparsed
                              (count, reason, first_line).
        \(SubtitleReading.optionHelp)
          --chunk BYTES       how much is read at a time (65536)

        Example:
          surtitle inspect master.m3u8

        """

    private var file = ""
    private var form = FileInspection.Form.readable
    private var reading = SubtitleReading()
    private var chunk = InputFile.defaultChunk

    init(_ arguments: inout ArgumentList) throws(Failure) {
        while let argument = try arguments.next() {
            switch argument {
            case .option("--json"): form = .json
            case .option("--chunk"): chunk = try arguments.byteCount(upTo: InputFile.largestChunk)
            case .operand(let word) where file.isEmpty: file = word
            default: try reading.parse(argument, &arguments)
            }
        }
        if file.isEmpty { throw arguments.missing("FILE") }
    }

    func run() throws(Failure) {
        let inspection = try FileInspection(InputFile(file), as: form, chunk: chunk, reading)
        try Console.print(inspection.report)
    }
}
