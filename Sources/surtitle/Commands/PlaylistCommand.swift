internal import M3U8
internal import Sideload
internal import WebVTT

/// `surtitle playlist`: the subtitle playlist of one WebVTT file on standard output.
struct PlaylistCommand: Command {
    static let name = "playlist"
    static let summary = "writes the subtitle playlist of a WebVTT file"
    static let usage = "FILE --uri URI [OPTION…]"
    static let description = """
        Writes the subtitle playlist whose one segment is the WebVTT file at URI. FILE is that file, or the \(SubtitleFormat.converted) file it is made
        from, or standard input (-); it may be left out where --duration or --media says how long the content plays. Otherwise the
        playlist lasts until the cue ends that ends last, of those that ever show, for which all of the file is read.
        """
    static let example = "surtitle playlist en.vtt --uri https://example.com/en.vtt --media video.m3u8 > en.m3u8"

    private var file: String?
    private var uri = ""
    private var duration: MediaDuration?
    private var media: String?
    private var omitsComma = false
    private var reading = SubtitleReading()
    private var output: String?

    static var operand: CommandOperand<Self> { CommandOperand("FILE", \.file) }

    static var options: [CommandOption<Self>] {
        [
            CommandOption("--uri URI", "the file as the playlist calls it: absolute, or relative to the playlist") {
                command, arguments throws(Failure) in
                command.uri = try arguments.value()
            }.required,
            CommandOption("--duration SECONDS", "how long the content plays") { command, arguments throws(Failure) in
                let time = try DecimalSeconds(option: "--duration", arguments.value())
                command.duration = MediaDuration(covering: time)
            },
            CommandOption(
                "--media MEDIA",
                """
                the video's media playlist, whose durations are added up; its type, date and discontinuity sequence become the
                subtitle playlist's
                """, .file, \.media),
            CommandOption("--no-comma", "leaves out the comma after the duration", \.omitsComma),
        ] + CommandOption.reading(\.reading) + CommandOption.web + [.outputFile(\.output), .chunk]
    }

    func check() throws(Failure) {
        if file == nil, duration == nil, media == nil {
            throw .usage("FILE is missing; give one, or --duration or --media; see surtitle playlist --help")
        }
        try InputFile.requireOnePipe(("FILE", file), ("--media", media))
    }

    func run() throws(Failure) {
        try WebAccess.begin(for: file, media)
        var options = SubtitlePlaylist.Options(omitsComma: omitsComma)
        var duration = duration
        if let media {
            let video = try PlaylistFacts(reading: InputFile(media))
            options = video.options(omitsComma: omitsComma)
            duration = duration ?? MediaDuration(covering: video.duration)
        }
        if let file {
            let input = try InputFile(file)
            if duration == nil {
                let end = try SubtitleFacts(of: input, reading, CueInventory())
                    .contentEnd(in: input.name, otherwise: "give --duration or --media")
                duration = MediaDuration(milliseconds: end.milliseconds)
            } else {
                _ = try SubtitleFacts(headerOf: input, reading)
            }
        }
        let bytes: [UInt8]
        do {
            let known = duration ?? MediaDuration(milliseconds: 0)
            bytes = try SubtitlePlaylist(uri: uri, duration: known, options: options).bytes
        } catch  where error.reason == .longerThanTarget {
            throw .refused(
                media ?? "",
                "the content is longer than its EXT-X-TARGETDURATION, which only VOD allows (8216bis 6.2.4); use surtitle "
                    + "segment --media")
        } catch {
            guard error.reason == .noDuration else { throw .usage("--uri \(uri): \(error)") }
            throw .refused(file ?? "--duration", "no cue shows; give --duration or --media")
        }
        let output = try OutputFile(output)
        output.writer.write(bytes)
        try output.finish()
    }
}
