internal import ByteScan
internal import M3U8
internal import Sideload

/// What the media playlist of a video says that matters to a subtitle playlist beside it.
///
/// A duration counts only with the URI of its segment.
struct MediaPlaylist {
    /// The segments' durations above 0, in order.
    private(set) var durations: [DecimalSeconds] = []
    /// How many segments have a duration, 0 included.
    private(set) var segmentCount = 0
    /// All durations together.
    private(set) var duration = DecimalSeconds.zero
    /// The time lines, in order; there is one as soon as there is a segment.
    private(set) var timeLines: [MediaTimeLine] = []
    /// Whether EXT-X-ENDLIST says that no more segments will come.
    private(set) var isComplete = false
    /// The value of EXT-X-DISCONTINUITY-SEQUENCE.
    private(set) var discontinuitySequence: UInt64?
    /// The first EXT-X-PROGRAM-DATE-TIME of the first time line.
    private(set) var programDateTime: ProgramDateTime?
    /// Whether there is an EXT-X-PROGRAM-DATE-TIME of which the first segment's cannot be told.
    private(set) var hasDistantDate = false
    /// The value of EXT-X-PLAYLIST-TYPE.
    private(set) var playlistType: SubtitlePlaylist.Options.PlaylistType?
    /// The value of EXT-X-TARGETDURATION, in seconds.
    private(set) var targetDuration: UInt64?
    /// The first EXTINF without a duration.
    private(set) var badLine: LineLocation?
    /// The EXT-X-SKIP that makes this a delta update.
    private(set) var skipLine: LineLocation?

    private var next = NextSegment()
    private var standing = Standing()

    init() {}

    /// What stands before a segment's URI.
    private struct NextSegment {
        var duration: DecimalSeconds?
        var range: ByteRangeText?
        var isGap = false
        var isDiscontinuous = false
    }

    /// What holds for all segments until it is said anew.
    private struct Standing {
        var initialization: MediaResource?
        var isEncrypted = false
        /// Where the range of the segment before ended, and in which resource.
        var last = MediaResource(uri: "")
    }

    /// Notes what `line` says.
    mutating func note(_ line: PlaylistLine, _ location: LineLocation) {
        switch line.kind {
        case .uri: noteSegment(Self.text(line.bytes))
        case .tag(.extInf):
            next.duration = DecimalSeconds(line.value)
            if next.duration == nil { badLine = badLine ?? location }
        case .tag(.byteRange): next.range = ByteRangeText(Self.text(line.value))
        case .tag(.gap): next.isGap = true
        case .tag(.discontinuity): next.isDiscontinuous = true
        case .tag(.key): noteKey(line)
        case .tag(.map): noteInitialization(line)
        case .tag(.programDateTime): noteDate(Self.text(line.value))
        case .tag(.discontinuitySequence): discontinuitySequence = UInt64(Self.text(line.value))
        case .tag(.targetDuration): targetDuration = UInt64(Self.text(line.value))
        case .tag(.playlistType): notePlaylistType(Self.text(line.value))
        case .tag(.endList): isComplete = true
        case .tag(.skip): skipLine = skipLine ?? location
        default: break
        }
    }

    private mutating func noteSegment(_ uri: String) {
        defer { next = NextSegment() }
        guard let seconds = next.duration else { return }
        if timeLines.isEmpty || next.isDiscontinuous {
            timeLines.append(
                MediaTimeLine(
                    start: duration, isDiscontinuous: next.isDiscontinuous, firstDuration: durations.count))
        }
        let follows = standing.last.uri == uri ? standing.last.range?.upperBound ?? 0 : 0
        let resource = MediaResource(uri: uri, range: next.range?.range(after: follows))
        standing.last = resource
        if !next.isGap, timeLines[timeLines.count - 1].segment == nil {
            timeLines[timeLines.count - 1].segment = MediaSegment(
                start: duration, resource: resource, initialization: standing.initialization,
                isEncrypted: standing.isEncrypted)
        }
        segmentCount += 1
        duration += seconds
        if seconds > .zero { durations.append(seconds) }
    }

    /// Notes the first date. Before its segment others may stand, whose durations are taken off (8216bis 6.3.3).
    private mutating func noteDate(_ text: String) {
        guard programDateTime == nil, !hasDistantDate else { return }
        let isInFirst = timeLines.isEmpty || timeLines.count == 1 && !next.isDiscontinuous
        programDateTime = isInFirst ? ProgramDateTime(text, earlierBy: duration) : nil
        hasDistantDate = programDateTime == nil
    }

    private mutating func noteKey(_ line: PlaylistLine) {
        var attributes = line.attributes
        guard let method = attributes.first(named: ByteView("METHOD")) else { return }
        standing.isEncrypted = line.bytes[method.content(in: line.bytes)].hasBytes("AES-", at: 0)
    }

    private mutating func noteInitialization(_ line: PlaylistLine) {
        var (uris, ranges) = (line.attributes, line.attributes)
        guard let uri = uris.first(named: ByteView("URI")) else { return }
        let range = ranges.first(named: ByteView("BYTERANGE")).flatMap { range in
            ByteRangeText(Self.text(line.bytes[range.content(in: line.bytes)]))
        }
        standing.initialization = MediaResource(
            uri: Self.text(line.bytes[uri.content(in: line.bytes)]), range: range?.range(after: 0))
    }

    private mutating func notePlaylistType(_ text: String) {
        switch text {
        case "VOD": playlistType = .vod
        case "EVENT": playlistType = .event
        default: break
        }
    }

    /// `bytes` without the blanks around them.
    private static func text(_ bytes: ByteView) -> String {
        let isBlank = { (byte: UInt8) in byte == ASCII.space || byte == ASCII.tab }
        var bytes = ArraySlice(Array(bytes)).drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension MediaPlaylist {
    /// What the playlist `file` says, whatever its kind.
    static func scan(
        _ file: borrowing InputFile, chunk: Int
    ) throws(Failure) -> (playlist: MediaPlaylist, kind: PlaylistKind) {
        let reader = PlaylistReader()
        var playlist = MediaPlaylist()
        var endless = EndlessLine(file.name)
        try unsafe file.forEachChunk(of: chunk) { (bytes) throws(Failure) in
            try unsafe endless.note(bytes)
            unsafe reader.scan(bytes) { line, location in playlist.note(line, location) }
        }
        reader.finish { line, location in playlist.note(line, location) }
        return (playlist, reader.kind)
    }

    /// Reads the media playlist `file`. One without a duration is refused; what may surprise is noted.
    init(reading file: borrowing InputFile, chunk: Int = InputFile.defaultChunk) throws(Failure) {
        let (playlist, kind) = try Self.scan(file, chunk: chunk)
        try self.init(playlist, kind, called: file.name)
    }

    /// Reads the media playlist `bytes`, which messages call `name`.
    init(_ bytes: [UInt8], called name: String) throws(Failure) {
        let reader = PlaylistReader()
        var playlist = MediaPlaylist()
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe reader.scan(bytes) { line, location in playlist.note(line, location) }
        }
        reader.finish { line, location in playlist.note(line, location) }
        try self.init(playlist, reader.kind, called: name)
    }

    /// Refuses what is no media playlist with a duration, and notes what may surprise.
    private init(_ playlist: MediaPlaylist, _ kind: PlaylistKind, called name: String) throws(Failure) {
        switch kind.verdict {
        case .notPlaylist: throw .refused(name, "at byte 0: the first line is not #EXTM3U; give a media playlist")
        case .multivariant:
            throw .refused(name, "\(kind.decidingLine) makes this a multivariant playlist; give a media playlist")
        case .media, .mixed, .undecided: break
        }
        if let line = playlist.badLine { throw .refused(name, "\(line): EXTINF has no duration; repair it") }
        if let line = playlist.skipLine {
            throw .refused(
                name,
                "\(line): EXT-X-SKIP makes this a delta update, which lacks segments; fetch the playlist without _HLS_skip"
            )
        }
        guard !playlist.durations.isEmpty else {
            throw .refused(
                name, "\(kind.lineCount) lines and no segment longer than 0; give a media playlist with segments")
        }
        if !playlist.isComplete {
            Console.note("\(name): without EXT-X-ENDLIST more segments may come; only those so far are counted")
        }
        if playlist.hasDistantDate {
            Console.note(
                "\(name): the first EXT-X-PROGRAM-DATE-TIME is behind an EXT-X-DISCONTINUITY, or is no date; the subtitle "
                    + "playlist gets none"
            )
        }
        self = playlist
    }

    /// The options of a subtitle playlist beside it (8216bis 6.2.4).
    func options(omitsComma: Bool) -> SubtitlePlaylist.Options {
        var options = SubtitlePlaylist.Options(
            omitsComma: omitsComma, programDateTime: programDateTime?.bytes,
            discontinuitySequence: discontinuitySequence)
        options.playlistType = playlistType
        if playlistType != .vod { options.targetDuration = targetDuration }
        return options
    }
}
