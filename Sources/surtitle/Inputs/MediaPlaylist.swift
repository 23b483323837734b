internal import ByteScan
internal import M3U8
internal import Sideload

/// What the media playlist of a video says that a subtitle playlist beside it must say too.
struct MediaPlaylist {
    /// The EXTINF durations above 0, in order.
    private(set) var durations: [DecimalSeconds] = []
    /// How many EXTINF tags have a duration, 0 included.
    private(set) var segmentCount = 0
    /// Whether EXT-X-ENDLIST says that no more segments will come.
    private(set) var isComplete = false
    /// The value of EXT-X-DISCONTINUITY-SEQUENCE.
    private(set) var discontinuitySequence: UInt64?
    /// The value of EXT-X-PROGRAM-DATE-TIME, if it is the first segment's.
    private(set) var programDateTime: [UInt8]?
    /// The first EXTINF without a duration.
    private(set) var badLine: LineLocation?

    /// Whether the URI of the first segment has been read.
    private var hasSegment = false

    /// All durations together.
    var duration: DecimalSeconds { durations.reduce(.zero, +) }

    init() {}

    /// Reads the media playlist `file`. One without a duration is refused; one that may still grow gets a warning.
    init(reading file: borrowing InputFile, chunk: Int = InputFile.defaultChunk) throws(Failure) {
        let name = file.name
        let reader = PlaylistReader()
        var playlist = MediaPlaylist()
        try unsafe file.forEachChunk(of: chunk) { bytes in
            unsafe reader.scan(bytes) { line, location in playlist.note(line, location) }
        }
        reader.finish { line, location in playlist.note(line, location) }
        switch reader.kind.verdict {
        case .notPlaylist: throw .refused(name, "at byte 0: the first line is not #EXTM3U; give a media playlist")
        case .multivariant:
            throw .refused(
                name, "\(reader.kind.decidingLine) makes this a multivariant playlist; give a media playlist")
        case .media, .mixed, .undecided: break
        }
        if let line = playlist.badLine { throw .refused(name, "\(line): EXTINF has no duration; repair it") }
        guard !playlist.durations.isEmpty else {
            throw .refused(
                name, "\(reader.kind.lineCount) lines and no EXTINF above 0; give a media playlist with segments")
        }
        if !playlist.isComplete {
            Console.complain("\(name): without EXT-X-ENDLIST more segments may come; only those so far are counted")
        }
        self = playlist
    }

    /// Notes what `line` says.
    mutating func note(_ line: PlaylistLine, _ location: LineLocation) {
        switch line.kind {
        case .tag(.extInf): noteDuration(line, location)
        case .tag(.endList): isComplete = true
        case .tag(.discontinuitySequence):
            discontinuitySequence = unsafe UInt64(String(decoding: line.value.buffer, as: UTF8.self))
        case .tag(.programDateTime) where !hasSegment: programDateTime = Array(line.value)
        case .uri where segmentCount > 0: hasSegment = true
        default: break
        }
    }

    private mutating func noteDuration(_ line: PlaylistLine, _ location: LineLocation) {
        guard let seconds = DecimalSeconds(line.value) else {
            badLine = badLine ?? location
            return
        }
        if seconds > .zero { durations.append(seconds) }
        segmentCount += 1
    }

    /// The options of a subtitle playlist beside it.
    func options(omitsComma: Bool) -> SubtitlePlaylist.Options {
        let date = programDateTime.flatMap { $0.isEmpty ? nil : $0 }
        return SubtitlePlaylist.Options(
            omitsComma: omitsComma, programDateTime: date, discontinuitySequence: discontinuitySequence)
    }
}
