internal import M3U8
internal import WebVTT

/// `surtitle inspect`: what a file is and what is in it.
struct InspectCommand: Command {
    static let name = "inspect"
    static let summary = "tells what a playlist, \(SubtitleFormat.files) file is and what is in it"
    static let usage = "FILE [OPTION…]"
    static let description = """
        Tells what FILE, or standard input (-), is: multivariant, media, mixed or undecided playlist, \(kinds), a
        media segment, whose first time stamp it tells in ticks of 90 kHz and in seconds, or neither.
        Of playlists it counts lines and tags and lists variants, groups of renditions, and the duration; a list of more than some
        thousands is cut. Of subtitles it counts cues, notes, style sheets, regions and the blocks that players leave out, with
        the reasons, and gives the end of the final cue, the latest end, the timestamp map, and whether cues are out of order. What
        is printed is at most 4 times as long as FILE, and 1 MiB.
        """
    static let example = "surtitle inspect master.m3u8"

    /// Which files of subtitles there are.
    private static var kinds: String { SubtitleFormat.ofFiles.map(\.kind).joined(separator: ", ") }

    private var file = ""
    private var form = FileInspection.Form.readable
    private var reading = SubtitleReading()

    static var operand: CommandOperand<Self> { CommandOperand("FILE", \.file) }

    static var options: [CommandOption<Self>] {
        [
            CommandOption(
                "--json",
                """
                one JSON object in a line instead. Of a playlist kind, bytes, lines, segments, duration (seconds), complete,
                variant_count, i_frame_count, rendition_count, tags (how often each), variants, i_frames, groups (type, id,
                renditions), and unlisted, how many more there are; attributes are strings, as the playlist has them. Of
                subtitles kind, encoding, bytes, cues, notes, styles, regions, final_end_ms and latest_end_ms (or null),
                timestamp_map (mpegts, local_ms), out_of_order, unparsed (count, reason, first_line). Of a segment
                first_time_stamp (ticks, or null); of neither looks_like, if the first bytes tell.
                """
            ) { command, _ in command.form = .json }
        ] + CommandOption.reading(\.reading) + CommandOption.web + [.chunk]
    }

    func run() throws(Failure) {
        try WebAccess.begin(for: file)
        let inspection = try FileInspection(InputFile(file), as: form, reading)
        try Console.print(inspection.report)
    }
}
