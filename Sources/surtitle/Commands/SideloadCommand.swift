internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

/// `surtitle sideload`: a directory with the rewritten master, the subtitle playlists and the subtitles.
struct SideloadCommand: Command {
    static let name = "sideload"
    static let summary = "makes a directory of rewritten master, subtitle playlists and subtitles"
    static let usage = "MASTER --track SPEC… -o DIR [OPTION…]"
    static let description = """
        Puts into DIR: MASTER under its own name (master.m3u8 from standard input), with the tracks added; for each track whose URI
        is a .vtt file a subtitle playlist, en.m3u8 for subs/en.vtt; and the tracks' local files, each where its relative URI says,
        \(SubtitleFormat.converted) as WebVTT. None gets its name before all are written. With --wrap MASTER may be a media playlist.
        """
    static let notes = [
        HelpBlock(
            text: """
                A subtitle playlist lasts as long as the track's duration= says, or else as MEDIA does, or else until the cue
                of the track's file= ends that ends last, of those that ever show, and at least as long as MASTER's first
                variant with video, if that can be read and is complete.
                """),
        HelpBlock(
            text: """
                With --wrap a media playlist MASTER stays where it is, as the one variant of master.m3u8, or of --name, in DIR. It
                is the MEDIA too, unless --media names another.
                """),
        TrackKey.help, ConfigurationKey.help(of: configurationKeys),
    ]
    static let example = """
        surtitle sideload master.m3u8 \\
          --track uri=en.vtt,file=subtitles/en.vtt,language=en,name=English,default -o out
        """

    /// The keys of a configuration that are used.
    private static let configurationKeys: [ConfigurationKey] = [
        .tracks, .replaceDefault, .limits, .map, .segment, .target,
    ]

    /// How large a master playlist may be: the largest ones met have a few hundred KiB.
    static let largestMaster = 64 << 20

    private var master = ""
    private var specs: [TrackConfiguration] = []
    private var configurationName: String?
    private var limits = SideloadLimits()
    private var directory = ""
    private var media: String?
    private var wrap = WrapRequest()
    private var replacesDefault = false
    private var map = MapRequest()
    private var name: String?
    private var base: MasterBase?
    private var isSegmented = false
    private var target: DecimalSeconds?
    private var reading = SubtitleReading()
    private var isForced = false

    static var operand: CommandOperand<Self> { CommandOperand("MASTER", \.master) }

    static var options: [CommandOption<Self>] {
        [
            .tracks(\.specs), .configuration(\.configurationName), .outputDirectory(\.directory).required,
            .force(\.isForced),
            .masterName(\.name), .masterBase(\.base),
            CommandOption(
                "--media MEDIA",
                """
                the video's media playlist: for the duration of tracks that give none, for its type, date and timelines, and
                for its first segment (--map auto)
                """, .file, \.media),
            CommandOption(
                "--segment",
                """
                cuts the tracks' local files into segments, as surtitle segment does, instead of copying them: en-00000.vtt
                and so on for en.vtt; as long as MEDIA's, or 6 s
                """, \.isSegmented),
            CommandOption("--target SECONDS", "how long a segment is") { command, arguments throws(Failure) in
                command.target = try DecimalSeconds(option: "--target", arguments.value())
            },
            .replacesDefault(\.replacesDefault),
        ] + CommandOption.wrap(\.wrap) + CommandOption.map(\.map) + CommandOption.reading(\.reading)
            + CommandOption.web + [.followsReferences, .chunk]
    }

    mutating func check() throws(Failure) {
        try wrap.check()
        try InputFile.requireOnePipe(("MASTER", master), ("--media", media), ("--config", configurationName))
        let configuration = try ConfigurationFile(configurationName)
        limits = configuration.configuration.limits
        try add(configuration)
        try map.check(writesCues: writesCues)
        if let option = reading.givenOption, !writesCues {
            throw .usage("\(option) is for the tracks' local files, and no track has file=")
        }
    }

    /// Puts the tracks of `file` before those of the options, and takes what no option says.
    private mutating func add(_ file: ConfigurationFile) throws(Failure) {
        file.noteUnused(by: Self.name, used: Self.configurationKeys)
        let configuration = file.configuration
        specs = try file.specs(before: specs, for: Self.name)
        replacesDefault = replacesDefault || configuration.replacesDefault
        isSegmented = isSegmented || configuration.isSegmented
        if target != nil, !isSegmented { throw .usage("--target says how long segments are; give --segment too") }
        if isSegmented { target = target ?? configuration.target }
        map.take(configuration.map)
    }

    /// The name that the master has in the directory.
    private func masterName(isWrapped: Bool) -> String {
        name ?? (isWrapped || master == "-" ? "master.m3u8" : master.fileName ?? "master.m3u8")
    }

    /// What the tracks go into: a playlist, with what it says and its name in the directory.
    private struct Main {
        let playlist: [UInt8]
        let referred: ReferredFiles
        let name: String
        /// The media playlist that has been wrapped, if it is the video's.
        var video: VideoClock.Located?
    }

    /// What the tracks go into: the playlist `own` of `file`, or one that is made around it.
    private func wrapped(_ own: [UInt8], of file: borrowing InputFile, isMoved: Bool) throws(Failure) -> Main {
        let referred = ReferredFiles(in: own, asking: wrap.isAsked ? [.bitRate, .timelines] : [])
        guard let made = try wrap.wrapped(own, referred.facts, from: file.place) else {
            return Main(playlist: own, referred: referred, name: masterName(isWrapped: false))
        }
        let name = masterName(isWrapped: true)
        // A playlist that is its own variant has no end.
        if !isMoved, LocalReference.path(made.uri, in: "")?.lowercased() == name.lowercased() {
            throw .usage("--wrap: \(name) would refer to itself; give another --name")
        }
        if media == nil { try referred.facts.requireMedia(called: file.name) }
        return Main(
            playlist: made.playlist, referred: ReferredFiles(in: made.playlist), name: name,
            video: media == nil ? VideoClock.Located(facts: referred.facts, path: file.place) : nil)
    }

    /// Whether the directory gets files of cues.
    private var writesCues: Bool { specs.contains { $0.file != nil } }

    func run() throws(Failure) {
        try WebAccess.begin(for: master, media)
        // Everything is read and decided before the directory is touched.
        let file = try InputFile(master)
        let own = try file.whole(upTo: Self.largestMaster, otherwise: "use surtitle master, which has no limit")
        // What has been fetched refers to what is where it comes from.
        var base = base
        if base == nil, Web.isURL(file.place) { base = try MasterBase(Web.withoutCredentials(file.place)) }
        let main = try wrapped(own, of: file, isMoved: base != nil)
        let (playlist, referred, masterName) = (main.playlist, main.referred, main.name)
        var plan = try TrackPlan(specs, masterName: masterName, taken: referred.paths, isSegmented: isSegmented)
        let tracks = try plan.tracks(replacesDefault: replacesDefault)
        try referred.facts.kind.requireMultivariant(file.name, ending: "nothing was written")
        let mapping = try base?.mapping(of: master, for: directory)
        let video: VideoClock.Located? =
            if let media { try VideoClock.Located(reading: media) } else { main.video }
        let variant = video == nil ? variant(of: VideoClock.Located(facts: referred.facts, path: file.place)) : nil
        let complete = (try? variant?.get()).flatMap { $0.facts.isComplete ? $0.facts.duration : nil }
        let playlists = try plan.playlists(
            video: video?.facts, covering: complete, master: file.name, reading)
        let clock = writesCues ? try VideoClock(map, media: video, variant: variant) : VideoClock()

        let earlier = EarlierResult(in: directory)
        earlier.addMaster(masterName, of: plan)
        let output = OutputDirectory(
            directory, otherwise: "give the track another uri=, another directory with -o, or --name",
            replacing: isForced ? .everything : .own(earlier.contains))
        let notes = TrackNotes(plan, directory: directory, master: masterName, video: video ?? (try? variant?.get()))
        try plan.stageCopies(in: output, clock: clock, reading, notes)
        try plan.stageSegments(
            in: output,
            by: SubtitleCutting(target: target, video: video?.facts, clock: clock, reading: reading),
            notes)
        for (name, bytes) in playlists {
            try output.stage([name]) { writer in writer.write(bytes) }
        }
        let sideloaded = LiveMaster(
            path: file.name, name: masterName, tracks: tracks, limits: limits, mapping: mapping)
        try sideloaded.stage(playlist, in: output)
        let rewriting = try sideloaded.edit(playlist, to: nil)
        try rewriting.requireMaster(file.name, ending: "nothing was written")
        try output.commit()
        if base == nil { referred.noteMissing(in: directory, master: masterName) }
        plan.noteTracks(besideMasterAt: "\(directory)/\(masterName)")
        notes.noteReferences()
        noteFilesThatAreNotWritten(video, variant)
        // What could be done is there by now.
        try rewriting.requireVariants(file.name)
        Console.close(with: "\(directory): \(output.summary), \(plan.summary)\(writesCues ? ", \(clock.closing)" : "")")
    }

    /// What a variant of `master` says, if it matters: for the clock of files of cues, or of tracks that are referred
    /// to, and for how long tracks last.
    private func variant(of master: VideoClock.Located) -> Result<VideoClock.Located, UnknownMediaStart>? {
        guard specs.contains(where: { $0.format == .webVTT }) else { return nil }
        return Result { () throws(UnknownMediaStart) in try VideoClock.variant(of: master) }
    }

    /// Notes which local files are not written although they might be expected, and what `--map` does not reach.
    private func noteFilesThatAreNotWritten(
        _ video: VideoClock.Located?, _ variant: Result<VideoClock.Located, UnknownMediaStart>?
    ) {
        if isSegmented {
            for (index, spec) in specs.enumerated() where spec.file != nil && !URIPath(spec.uri).isRelative {
                Console.note(
                    "track \(index + 1): \(spec.uri) is not relative to DIR, so its file= is not cut; give a relative uri=, or cut "
                        + "the file with surtitle segment and give the uri= of the playlist that it makes")
            }
        }
        guard map.choice != .none else { return }
        let located = video ?? (try? variant?.get())
        let referred = specs.indices.filter { specs[$0].format == .webVTT && specs[$0].file == nil }
        let start = referred.isEmpty ? nil : located.flatMap { VideoClock.start(of: $0) }
        for index in referred {
            let uri = specs[index].uri
            guard let start else {
                Console.note(
                    "track \(index + 1): \(uri) goes out as it is, without an X-TIMESTAMP-MAP by --map; give file= with it"
                )
                continue
            }
            // Players take time 0 of such a file for tick 0.
            let early = start.delay(after: .none)
            guard early.magnitude > TimestampMap.tolerance else { continue }
            Console.note(
                "track \(index + 1): \(uri) goes out as it is, without an X-TIMESTAMP-MAP by --map, and the video begins at "
                    + "\(TimestampMap.seconds(early)) s: so much too early its cues show, unless it has "
                    + "one; give file= with it")
        }
        if !isSegmented, writesCues, let video, video.facts.timelines.count > 1 {
            Console.note(
                "\(media ?? master): has an EXT-X-DISCONTINUITY, behind which cues in one file may show at other times; "
                    + "--segment gives each part its X-TIMESTAMP-MAP")
        }
    }
}
