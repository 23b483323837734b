internal import ByteScan
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

/// `surtitle live`: tracks beside an encoder's folder, as long as the stream goes on.
struct LiveCommand: Command {
    static let name = "live"
    static let summary = "writes tracks beside a live stream in a folder, as it goes on"
    static let usage = "MASTER --track SPEC… -o DIR [OPTION…]"
    static let description = """
        Follows a live or EVENT stream that an encoder writes into a folder, and puts into DIR: MASTER under its own name, with the
        tracks added; for each track a subtitle playlist that goes along with the video's, en.m3u8 for en.vtt; and its segments,
        en-17.vtt for segment 17 of the video. Each file is written whole and then gets its name. What has slid out of the playlist
        stays for two windows more. It ends with the stream (EXT-X-ENDLIST), or when it is interrupted; the files stay then.
        """
    static let notes = [
        HelpBlock(
            text: """
                A track's cues are those of its file=, whose time 0 its at= says; without that it is the beginning of an EVENT
                stream. Or they come while the stream goes on, in a file that grows: cues=FILE, or --follow FILE. That is WebVTT,
                SubRip or JSON lines such as {"start":1.5,"end":3,"text":"Hello"}. Their times count as at= says; without it each
                shows when it comes, as long as its times tell.
                """),
        TrackKey.help, ConfigurationKey.help(of: configurationKeys),
    ]
    static let example = """
        surtitle live stream/master.m3u8 --name subtitled.m3u8 -o stream \\
          --track file=en.vtt,language=en,at=2026-11-23T20:00:00Z --track cues=said.jsonl,language=sv
        """

    /// The keys of a configuration that are used.
    private static let configurationKeys: [ConfigurationKey] = [.tracks, .replaceDefault, .limits, .map]

    private var master = ""
    private var specs: [TrackConfiguration] = []
    private var configurationName: String?
    private var limits = SideloadLimits()
    private var directory = ""
    private var media: String?
    private var follow: String?
    /// The numbers of the tracks whose files grow.
    private var followed: Set<Int> = []
    private var latency: DecimalSeconds?
    private var wait: DecimalSeconds?
    private var replacesDefault = false
    private var map = MapRequest()
    private var name: String?
    private var base: MasterBase?
    private var reading = SubtitleReading()
    private var isForced = false

    static var operand: CommandOperand<Self> { CommandOperand("MASTER", \.master) }

    static var options: [CommandOption<Self>] {
        [
            .tracks(\.specs), .configuration(\.configurationName), .outputDirectory(\.directory).required,
            .force(\.isForced), .masterName(\.name), .masterBase(\.base),
            CommandOption(
                "--media MEDIA",
                "the video's media playlist that is followed; otherwise that of MASTER's first variant with video",
                .file,
                \.media),
            CommandOption(
                "--follow FILE",
                """
                the file that grows, or standard input (-), with the cues of the track that has neither file= nor cues=
                """, .file, \.follow),
            CommandOption(
                "--latency SECONDS",
                "how long after it was said a cue comes, where its track has no at= (0)"
            ) { command, arguments throws(Failure) in
                command.latency = try DecimalSeconds(option: "--latency", arguments.value())
            },
            CommandOption(
                "--wait SECONDS",
                "how long to wait for MASTER and MEDIA, which an encoder writes with its first segment (10)"
            ) { command, arguments throws(Failure) in
                command.wait = try DecimalSeconds(option: "--wait", arguments.value())
            },
            .replacesDefault(\.replacesDefault),
            CommandOption(
                "--map auto|none|MPEGTS[:LOCAL]",
                """
                the X-TIMESTAMP-MAP of the segments: auto (the default) reads the time stamps of the video's segments; none
                writes none; tick MPEGTS (90 kHz) of the video is the cues' time LOCAL (00:00:00.000), all the stream long
                """, .words(["auto", "none"])
            ) { command, arguments throws(Failure) in
                try command.map.choose(arguments.value())
            },
        ] + CommandOption.reading(\.reading) + [.chunk]
    }

    mutating func check() throws(Failure) {
        try InputFile.requireOnePipe(("--config", configurationName), ("--follow", follow))
        let file = try ConfigurationFile(configurationName)
        file.noteUnused(by: Self.name, used: Self.configurationKeys)
        limits = file.configuration.limits
        specs = try file.specs(before: specs, for: Self.name)
        replacesDefault = replacesDefault || file.configuration.replacesDefault
        map.take(file.configuration.map)
        try bindFollowed()
    }

    /// Gives what `--follow` names to the track that has no cues, and checks that all have some.
    private mutating func bindFollowed() throws(Failure) {
        let without = specs.indices.filter {
            specs[$0].format == .webVTT && specs[$0].file == nil && specs[$0].cues == nil
        }
        if let follow {
            guard without.count == 1 else {
                throw .usage(
                    "--follow is for the one track with neither file= nor cues=, and there are \(without.count); give cues= to each"
                )
            }
            specs[without[0]].cues = follow
        } else if let first = without.first {
            throw .usage(
                "track \(first + 1): \(specs[first].uri) is cut as the stream goes on; give its file= or cues=, or --follow FILE"
            )
        }
        for index in specs.indices {
            let spec = specs[index]
            if !spec.followsLiveStreams {
                throw .usage("track \(index + 1): live=no means one segment, which surtitle sideload writes")
            }
            guard let cues = spec.cues else { continue }
            guard spec.cuesFile != nil else {
                throw .usage("track \(index + 1): cues=http is for surtitle-proxy; give a file that grows")
            }
            if spec.changesFile || reading.givenOption != nil {
                throw .usage("track \(index + 1): cues that grow are UTF-8, and are not shifted; give file= for others")
            }
            // From here on it is the file behind the URI.
            (specs[index].file, specs[index].cues) = (cues, nil)
            followed.insert(index + 1)
        }
    }

    /// How long the files are left alone, in milliseconds.
    private static let interval: Int32 = 50

    func run() throws(Failure) {
        for path in [master, media ?? ""] where path == "-" || Web.isURL(path) {
            throw .refused(
                path == "-" ? "standard input" : path, "a live stream is followed in a folder; name the playlist there")
        }
        let signal = try Interruption.firstSignal()
        var watched = WatchedFile(master)
        guard let text = try appeared(&watched, signal) else { return }
        let referred = ReferredFiles(in: text)
        try referred.facts.kind.requireMultivariant(master, ending: "nothing was written")
        let name = name ?? master.fileName ?? "master.m3u8"
        let plan = try TrackPlan(specs, masterName: name, taken: referred.paths, isSegmented: true)
        let master = LiveMaster(
            path: master, name: name, tracks: try plan.tracks(replacesDefault: replacesDefault), limits: limits,
            mapping: try base?.mapping(of: master, for: directory))
        try master.check(text)
        var playlist = WatchedFile(try playlistPath(referred.facts))
        let folder = try folder(plan, beside: playlist.path, master, text)
        guard var version = try appeared(&playlist, signal) else { return }
        if base == nil { referred.noteMissing(in: directory, master: name) }
        plan.noteTracks(besideMasterAt: "\(directory)/\(name)")
        while true {
            try folder.readCues()
            try folder.take(version, of: playlist.path)
            Console.tellNotes()
            if folder.isEnded { break }
            guard let next = try self.next(&playlist, &watched, signal, folder) else { break }
            version = next
        }
        let count = folder.versionCount
        Console.close(with: "\(directory): \(count) \(count == 1 ? "version" : "versions"), \(plan.summary)")
        try folder.checkCues()
    }

    /// The next version of the video's playlist; nil if there is a signal before. Cues and the master are read too.
    private func next(
        _ playlist: inout WatchedFile, _ watched: inout WatchedFile, _ signal: borrowing FileDescriptor,
        _ folder: LiveFolder
    ) throws(Failure) -> [UInt8]? {
        while !signal.isReady(within: Self.interval) {
            try folder.readCues()
            if let text = try watched.read(upTo: SideloadCommand.largestMaster) { folder.take(master: text) }
            if let bytes = try playlist.read(upTo: LiveLimits().playlist), !bytes.isEmpty { return bytes }
        }
        return nil
    }

    /// The path of the media playlist that is followed.
    private func playlistPath(_ facts: PlaylistFacts) throws(Failure) -> String {
        if let media { return media }
        let advice = "give the media playlist that is followed as --media"
        // There is a variant, or the master would have been refused.
        guard case .success(let uri)? = facts.variant,
            case .file(let path)? = PlaylistReference(String(decoding: uri, as: UTF8.self), in: master)
        else { throw .refused(master, "its first variant is no file in its folder; \(advice)") }
        return path
    }

    /// The directory, with what is known of the tracks before the first version.
    private func folder(
        _ plan: TrackPlan, beside playlist: String, _ master: LiveMaster, _ text: [UInt8]
    ) throws(Failure) -> LiveFolder {
        var videos: [(anchor: LiveAnchor, video: FollowedVideo)] = []
        var tracks: [LiveTrack] = []
        for entry in plan.entries where entry.spec.format == .webVTT {
            guard let names = entry.segments, let list = entry.playlist else {
                throw .usage("track \(entry.number): \(entry.spec.uri) is not relative to DIR; give a relative uri")
            }
            let anchor = anchor(of: entry)
            let known = videos.first { $0.anchor == anchor }?.video
            let video =
                known
                ?? FollowedVideo(
                    playlist: playlist, LiveConfiguration(anchor: anchor, map: map.choice))
            if known == nil { videos.append((anchor, video)) }
            tracks.append(LiveTrack(names, playlist: list.fileName, try cues(of: entry, list), beside: video))
        }
        let earlier = EarlierResult(in: directory)
        earlier.addMaster(master.name, of: plan)
        let place = LiveFolder.Place(
            directory: directory, master: master, earlier: earlier, isForced: isForced,
            inputs: [master.path, playlist] + specs.compactMap { $0.file })
        return LiveFolder(place, tracks, videos.map { $0.video }, master: text)
    }

    /// What cue time 0 is.
    private func anchor(of entry: TrackPlan.Entry) -> LiveAnchor {
        switch entry.spec.anchor {
        case .date(let date): .date(date)
        case .segment(let number): .segment(number)
        case .media: .media
        case nil: followed.contains(entry.number) ? .firstVersion : .automatic
        }
    }

    /// The cues of a track.
    private func cues(
        of entry: TrackPlan.Entry, _ playlist: TrackPlan.PlannedPlaylist
    ) throws(Failure) -> LiveTrack.Cues {
        // Identifiers of cues begin with it.
        let name = Array(playlist.fileName.utf8.dropLast(".m3u8".utf8.count))
        let source = entry.spec.file ?? ""
        if followed.contains(entry.number) {
            let latency = Int64(clamping: (latency?.nanoseconds ?? 0) / 1_000_000)
            return .growing(
                FollowedFile(
                    source, GrowingConfiguration(name: name, latency: entry.spec.anchor == nil ? latency : nil)))
        }
        let file = try InputFile(source)
        let decoder = try SubtitleDecoder(file.name, try reading.reading(of: entry.spec, number: entry.number))
        let text = try decoder.whole(file, otherwise: "cut the file into several")
        if decoder.format == .neither { throw decoder.notSubtitles }
        let inventory = CueInventory()
        unsafe text.withUnsafeBytes { unsafe inventory.scan($0) }
        inventory.noteFaults(of: source, decoder.locationNote)
        return .whole(try Failure.refusing(source, try CueIndex(text, naming: .ifNone(name))))
    }

    /// Waits for a playlist that an encoder writes, until it has a variant or a segment, or is none; nil if there is a
    /// signal before.
    private func appeared(_ file: inout WatchedFile, _ signal: borrowing FileDescriptor) throws(Failure) -> [UInt8]? {
        var left = Int(clamping: (wait?.nanoseconds ?? 10_000_000_000) / 1_000_000)
        var last: [UInt8]?
        while true {
            if let bytes = try file.read(upTo: SideloadCommand.largestMaster) {
                if Self.isBegun(bytes) { return bytes }
                last = bytes
            }
            guard left > 0 else {
                // What is wrong with it is told by whoever reads it.
                if let last { return last }
                throw .refused(file.path, SystemError(code: ENOENT).description)
            }
            if signal.isReady(within: Self.interval) { return nil }
            left -= Int(Self.interval)
        }
    }

    /// Whether `playlist` is more than the first lines of one that is being written.
    private static func isBegun(_ playlist: [UInt8]) -> Bool {
        let facts = PlaylistFacts(of: playlist)
        return switch facts.verdict {
        case .undecided: false
        case .multivariant: facts.variant != nil
        case .media: facts.segmentCount > 0
        case .notPlaylist, .mixed: !playlist.isEmpty
        }
    }
}
