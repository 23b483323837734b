internal import M3U8
internal import Sideload
internal import WebVTT

/// `surtitle segment`: a directory with the segments of a file of subtitles and their playlist.
struct SegmentCommand: Command {
    static let name = "segment"
    static let summary = "cuts a \(SubtitleFormat.files) file into segments and writes their playlist"
    static let usage = "FILE -o DIR [OPTION…]"
    static let description = """
        Cuts the \(SubtitleFormat.files) file FILE, or standard input (-), into segments of WebVTT and puts them into DIR: for en.vtt
        en-00000.vtt, en-00001.vtt and so on, and their playlist en.m3u8; from standard input it is subtitles-00000.vtt and
        subtitles.m3u8. None gets its name before all are written.
        """
    static let notes = [
        HelpBlock(
            text: """
                A cue is in every segment in which it shows, with its full times. Every segment has the file's styles and
                regions, and the X-TIMESTAMP-MAP of its part of the video. Without --media the last segment ends with the
                cue that ends last, of those that ever show. A file whose cues are out of order is read twice, the second
                time as a whole; standard input cannot be, and is refused then.
                """)
    ]
    static let example = "surtitle segment en.vtt --target 6 --map 126000 -o out"

    private var file = ""
    private var directory = ""
    private var target: DecimalSeconds?
    private var media: String?
    private var map = MapRequest()
    private var cuesOnce = false
    private var omitsComma = false
    private var reading = SubtitleReading()
    private var isForced = false

    static var operand: CommandOperand<Self> { CommandOperand("FILE", \.file) }

    static var options: [CommandOption<Self>] {
        [
            .outputDirectory(\.directory).required, .force(\.isForced),
            CommandOption("--target SECONDS", "how long a segment is (6)") { command, arguments throws(Failure) in
                command.target = try DecimalSeconds(option: "--target", arguments.value())
            },
            CommandOption(
                "--media MEDIA",
                """
                the video's media playlist: segments are as long as its own, or, with --target, go on until its end; its type,
                date and discontinuities become the playlist's
                """, .file, \.media),
        ] + CommandOption.map(\.map) + [
            CommandOption(
                "--cues-once",
                """
                puts each cue only into the segment it starts in, for players that show it again for every segment that has it
                (Chromecast, ffmpeg, GStreamer)
                """, \.cuesOnce),
            CommandOption("--no-comma", "leaves out the comma after durations", \.omitsComma),
        ] + CommandOption.reading(\.reading) + CommandOption.web
            + [.followsReferences, .chunk]
    }

    func check() throws(Failure) {
        try map.check(writesCues: true)
        try InputFile.requireOnePipe(("FILE", file), ("--media", media))
    }

    /// The beginning of the names of segments and playlist.
    private var stem: String {
        guard file != "-", let last = file.fileName else { return "subtitles" }
        guard let dot = last.unicodeScalars.lastIndex(of: "."), dot > last.startIndex else { return last }
        return String(last.unicodeScalars[..<dot])
    }

    func run() throws(Failure) {
        try WebAccess.begin(for: file, media)
        let located = try media.map { media throws(Failure) in try VideoClock.Located(reading: media) }
        let video = located?.facts
        let clock = try VideoClock(map, media: located, variant: nil)
        let names = SegmentNames(stem: stem)
        let earlier = EarlierResult(in: directory)
        earlier.addSegments(names, playlist: stem + ".m3u8")
        let output = OutputDirectory(directory, replacing: isForced ? .everything : .own(earlier.contains))
        let files = SegmentFiles(names, in: output)
        let cutting = SubtitleCutting(
            target: target, video: video, clock: clock, cuesOnce: cuesOnce, reading: reading)
        let (inventory, note) = try cutting.cut(file, into: files)
        let name = file == "-" ? "standard input" : file
        inventory.noteFaults(of: name, note)
        guard !files.segments.isEmpty else {
            throw .refused(name, "no cue shows; give --media, which tells how long the content plays")
        }
        let options = video?.options(omitsComma: omitsComma) ?? SubtitlePlaylist.Options(omitsComma: omitsComma)
        let playlist = try Failure.refusing(name, try files.playlist(options))
        try output.stage([stem + ".m3u8"]) { writer in writer.write(playlist.bytes) }
        try output.commit()
        Console.close(with: "\(directory): \(output.summary), \(clock.closing)")
    }
}
