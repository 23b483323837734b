internal import M3U8
internal import Sideload
internal import WebVTT

/// `surtitle sideload`: a directory with the rewritten master, the subtitle playlists and the subtitles.
struct SideloadCommand: Command {
    static let name = "sideload"
    static let summary = "makes a directory of rewritten master, subtitle playlists and subtitles"
    static let help = """
        usage: surtitle sideload MASTER --track SPEC… -o DIR [OPTION…]

        Puts into DIR: MASTER under its own name (master.m3u8 from standard input), with the tracks added; for
        each track whose URI is a .vtt file a subtitle playlist, en.m3u8 for subs/en.vtt; and the tracks' local
        files, each where its relative URI says, SubRip as WebVTT. All of them appear together, or none.

          --track SPEC        a track to add; at least one
          -o, --output DIR    where the files go; made if it is not there
          --media MEDIA       the video's media playlist, for the duration of tracks that give none
          --segment           cuts the tracks' local files into segments, as surtitle segment does, instead of
                              copying them: en-00000.vtt and so on for en.vtt; as long as MEDIA's, or 6 s
          --target SECONDS    how long a segment is
          --replace-default   a track with the flag default replaces the playlist's own default
        \(TimestampMap.optionHelp)
          --chunk BYTES       how much is read at a time (65536)

        A subtitle playlist lasts as long as the track's duration= says, or else as MEDIA does, or else until
        the final cue of the track's file= ends.

        \(TrackSpec.help)

        Example:
          surtitle sideload master.m3u8 \\
            --track uri=en.vtt,file=subtitles/en.vtt,language=en,name=English,default -o out

        """

    /// How large a master playlist may be: the largest ones met have a few hundred KiB.
    private static let largestMaster = 64 << 20

    private var master = ""
    private var specs: [TrackSpec] = []
    private var directory = ""
    private var media: String?
    private var replacesDefault = false
    private var map: TimestampMap?
    private var isSegmented = false
    private var target: DecimalSeconds?
    private var chunk = InputFile.defaultChunk

    init(_ arguments: inout ArgumentList) throws(Failure) {
        while let argument = try arguments.next() {
            switch argument {
            case .option("--track"): specs.append(try TrackSpec(arguments.value(), number: specs.count + 1))
            case .option("-o"), .option("--output"): directory = try arguments.value()
            case .option("--media"): media = try arguments.value()
            case .option("--segment"): isSegmented = true
            case .option("--target"): target = try DecimalSeconds(option: "--target", arguments.value())
            case .option("--replace-default"): replacesDefault = true
            case .option("--map"): map = try TimestampMap(option: "--map", arguments.value())
            case .option("--chunk"): chunk = try arguments.byteCount(upTo: InputFile.largestChunk)
            case .operand(let word) where master.isEmpty: master = word
            default: throw arguments.unexpected(argument)
            }
        }
        if master.isEmpty { throw arguments.missing("MASTER") }
        if specs.isEmpty { throw arguments.missing("--track") }
        if directory.isEmpty { throw arguments.missing("-o DIR") }
        if map != nil, !specs.contains(where: { $0.file != nil }) {
            throw .usage("--map is for the tracks' local files, and no track has file=")
        }
        if target != nil, !isSegmented { throw .usage("--target says how long segments are; give --segment too") }
        if master == "-", media == "-" { throw .usage("MASTER and --media cannot both be standard input") }
    }

    /// The name that the master has in the directory.
    private var masterName: String { master == "-" ? "master.m3u8" : master.lastStep ?? "" }

    func run() throws(Failure) {
        // Everything is read and decided before the directory is touched.
        let file = try InputFile(master)
        let playlist = try file.whole(upTo: Self.largestMaster, otherwise: "use surtitle master, which has no limit")
        let referred = ReferredFiles(in: playlist)
        let plan = try TrackPlan(specs, masterName: masterName, taken: referred.paths, isSegmented: isSegmented)
        var rewriting = MasterRewriting(try plan.tracks(replacesDefault: replacesDefault))
        try referred.kind.requireMultivariant(file.name, ending: "nothing was written")
        let video: MediaPlaylist? =
            if let media { try MediaPlaylist(reading: InputFile(media), chunk: chunk) } else { nil }
        let playlists = try plan.playlists(video: video, master: file.name, chunk: chunk)

        let output = OutputDirectory(directory)
        if let status = try output.status(of: [masterName]), status.identity == file.status.identity {
            throw .refused(file.name, "would be overwritten by the rewritten one; give another directory with -o")
        }
        try plan.stageCopies(in: output, map: map, chunk: chunk)
        try plan.stageSegments(
            in: output, by: SubtitleCutting(target: target, video: video, map: map, chunk: chunk))
        for (name, bytes) in playlists {
            try output.stage([name]) { writer in writer.write(bytes) }
        }
        try output.stage([masterName]) { (writer) throws(Failure) in
            unsafe playlist.withUnsafeBytes { unsafe rewriting.write($0, to: writer) }
            rewriting.finish(to: writer)
            try rewriting.requireMaster(file.name, ending: "nothing was written")
        }
        try output.commit()
        // What could be done is there by now.
        try rewriting.requireVariants(file.name)
    }
}
