internal import M3U8
internal import Sideload

/// `surtitle segment`: a directory with the segments of a WebVTT or SubRip file and their playlist.
struct SegmentCommand: Command {
    static let name = "segment"
    static let summary = "cuts a WebVTT or SubRip file into segments and writes their playlist"
    static let help = """
        usage: surtitle segment FILE -o DIR [OPTION…]

        Cuts the WebVTT or SubRip file FILE, or standard input (-), into segments of WebVTT and puts them into
        DIR: for en.vtt en-00000.vtt, en-00001.vtt and so on, and their playlist en.m3u8; from standard input it
        is subtitles-00000.vtt and subtitles.m3u8. All of them appear together, or none.

          -o, --output DIR    where the files go; made if it is not there
          --target SECONDS    how long a segment is (6)
          --media MEDIA       the video's media playlist: segments are as long as its own, or, with --target,
                              go on until its end; its type, date and discontinuities become the playlist's
        \(MapRequest.optionHelp)
          --cues-once         puts each cue only into the segment it starts in, for players that show it again
                              for every segment that has it (Chromecast, ffmpeg, GStreamer)
          --no-comma          leaves out the comma after durations
        \(SubtitleReading.optionHelp)
          --chunk BYTES       how much is read at a time (65536)

        A cue is in every segment in which it shows, with its full times. Every segment has the file's styles and
        regions, and the X-TIMESTAMP-MAP of its part of the video. Without --media the last segment ends
        with the cue that ends last, of those that ever show. A file whose cues are out of order is read twice,
        the second time as a whole; standard input cannot be, and is refused then.

        Example:
          surtitle segment en.vtt --target 6 --map 126000 -o out

        """

    private var file = ""
    private var directory = ""
    private var target: DecimalSeconds?
    private var media: String?
    private var map = MapRequest()
    private var cuesOnce = false
    private var omitsComma = false
    private var reading = SubtitleReading()
    private var chunk = InputFile.defaultChunk

    init(_ arguments: inout ArgumentList) throws(Failure) {
        while let argument = try arguments.next() {
            switch argument {
            case .option("-o"), .option("--output"): directory = try arguments.value()
            case .option("--target"): target = try DecimalSeconds(option: "--target", arguments.value())
            case .option("--media"): media = try arguments.value()
            case .option("--map"): try map.choose(arguments.value())
            case .option("--map-from"): map.read(from: try arguments.value())
            case .option("--cues-once"): cuesOnce = true
            case .option("--no-comma"): omitsComma = true
            case .option("--chunk"): chunk = try arguments.byteCount(upTo: InputFile.largestChunk)
            case .operand(let word) where file.isEmpty: file = word
            default: try reading.parse(argument, &arguments)
            }
        }
        if file.isEmpty { throw arguments.missing("FILE") }
        if directory.isEmpty { throw arguments.missing("-o DIR") }
        try map.check(writesCues: true)
        if file == "-", media == "-" { throw .usage("FILE and --media cannot both be standard input") }
    }

    /// The beginning of the names of segments and playlist.
    private var stem: String {
        guard file != "-", let last = file.lastStep else { return "subtitles" }
        guard let dot = last.unicodeScalars.lastIndex(of: "."), dot > last.startIndex else { return last }
        return String(last.unicodeScalars[..<dot])
    }

    func run() throws(Failure) {
        let video: MediaPlaylist? =
            if let media { try MediaPlaylist(reading: InputFile(media), chunk: chunk) } else { nil }
        let located = video.map { VideoClock.Located(playlist: $0, path: media ?? "-") }
        let clock = try VideoClock(map, media: located, master: nil, chunk: chunk)
        let output = OutputDirectory(directory)
        let files = SegmentFiles(SegmentNames(stem: stem), in: output)
        let cutting = SubtitleCutting(
            target: target, video: video, clock: clock, chunk: chunk, cuesOnce: cuesOnce, reading: reading)
        try cutting.cut(file, into: files)

        let name = file == "-" ? "standard input" : file
        guard !files.segments.isEmpty else {
            throw .refused(name, "no cue shows; give --media, which tells how long the content plays")
        }
        let playlist: SubtitlePlaylist
        do {
            let options = video?.options(omitsComma: omitsComma) ?? SubtitlePlaylist.Options(omitsComma: omitsComma)
            playlist = try files.playlist(options)
        } catch {
            throw .refused(name, "\(error)")
        }
        try output.stage([stem + ".m3u8"]) { writer in writer.write(playlist.bytes) }
        try output.commit()
    }
}
