internal import ByteScan
internal import M3U8
internal import Sideload

/// What the media playlist of a video says that a subtitle playlist beside it must say too.
struct MediaPlaylist {
    /// All its EXTINF durations together.
    private(set) var duration = DecimalSeconds.zero
    /// Each of them, as far as it is above 0.
    private(set) var durations: [DecimalSeconds] = []
    private(set) var segmentCount = 0
    /// Whether it says that no more segments will come.
    private(set) var isComplete = false
    /// The value of EXT-X-DISCONTINUITY-SEQUENCE.
    private(set) var discontinuitySequence: UInt64?
    /// The value of EXT-X-PROGRAM-DATE-TIME, where it is the first segment's.
    private(set) var programDateTime: [UInt8]?
    /// The first EXTINF without a duration.
    private(set) var badLine: LinePlace?

    private var hasSegment = false

    init() {}

    /// Reads the media playlist `file`, and refuses what has no duration. One that may still grow gets a warning.
    init(reading file: borrowing InputFile, chunk: Int = InputFile.defaultChunk) throws(Failure) {
        let name = file.name
        let kind = PlaylistKind()
        var playlist = MediaPlaylist()
        try unsafe file.forEachChunk(of: chunk) { bytes in
            unsafe kind.scan(bytes) { line, place in playlist.take(line, place) }
        }
        kind.finish { line, place in playlist.take(line, place) }
        switch kind.verdict {
        case .notPlaylist: throw .refused(name, "at byte 0: the first line is not #EXTM3U; give a media playlist")
        case .multivariant:
            throw .refused(
                name,
                "\(kind.decidingLine): \(kind.decidingTag) makes this a multivariant playlist; give a media playlist")
        case .media, .mixed, .undecided: break
        }
        if let line = playlist.badLine { throw .refused(name, "\(line): EXTINF has no duration; repair it") }
        guard playlist.duration > .zero else {
            throw .refused(name, "\(kind.lineCount) lines and no EXTINF above 0; give a media playlist with segments")
        }
        if !playlist.isComplete {
            Console.complain("\(name): without EXT-X-ENDLIST more segments may come; only those so far are counted")
        }
        self = playlist
    }

    /// Notes what `line` says.
    mutating func take(_ line: PlaylistLine, _ place: LinePlace) {
        switch line.kind {
        case .tag(.extInf): takeDuration(line, place)
        case .tag(.endList): isComplete = true
        case .tag(.discontinuitySequence):
            discontinuitySequence = unsafe UInt64(String(decoding: line.value.buffer, as: UTF8.self))
        case .tag(.programDateTime) where !hasSegment: programDateTime = Array(line.value)
        case .uri where segmentCount > 0: hasSegment = true
        default: break
        }
    }

    private mutating func takeDuration(_ line: PlaylistLine, _ place: LinePlace) {
        guard let seconds = DecimalSeconds(line.value) else {
            badLine = badLine ?? place
            return
        }
        duration += seconds
        if seconds > .zero { durations.append(seconds) }
        segmentCount += 1
    }

    /// What a subtitle playlist beside it says too.
    func options(omitsComma: Bool) -> SubtitlePlaylist.Options {
        let date = programDateTime.flatMap { $0.isEmpty ? nil : $0 }
        return SubtitlePlaylist.Options(
            omitsComma: omitsComma, programDateTime: date, discontinuitySequence: discontinuitySequence)
    }
}
