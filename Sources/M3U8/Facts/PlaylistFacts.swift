internal import ByteScan

// What a playlist says, told by one read of it, line by line:
//
//     #EXTM3U                                        line 1     verdict, with the line that decides it
//     #EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x1   a master   variant: the first with video, or else the first
//     video.m3u8
//
//     #EXT-X-MAP:URI="all.mp4",BYTERANGE="700@0"     media      timelines: where each begins, and its first segment
//     #EXT-X-BYTERANGE:9000@700                                 duration, segmentCount, durations
//     #EXTINF:6,                                                peak: bytes and seconds, or EXT-X-BITRATE
//     all.mp4
//     #EXT-X-DISCONTINUITY                                      the next timeline
//
// What grows with the playlist, or takes time with every segment, is told only if it is asked for. What a segment needs
// that cannot be read counts once the segment does: a broken byte range of a gap breaks nothing.
//
// To add a fact: a property, the line that tells it in `note`, and a question if it is not free.

/// What a playlist says, as far as its lines have been noted.
package struct PlaylistFacts {
    /// What is asked for besides what every playlist is asked.
    package struct Questions: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The first segment, with what is needed to read its time stamps.
        package static var segment: Questions { Questions(rawValue: 1) }
        /// All timelines, each with its first segment, and all durations.
        package static var timelines: Questions { Questions(rawValue: 3) }
        /// Every segment, with what is needed to read its bytes.
        package static var everySegment: Questions { Questions(rawValue: 17) }
        /// The bit rate.
        package static var bitRate: Questions { Questions(rawValue: 4) }
        /// Nothing behind the first segment, or the first variant with video: then ``isSettled`` is true.
        package static var onlyStart: Questions { Questions(rawValue: 8) }
        /// With `onlyStart`: whether that stays, for which a media playlist may have to be read to its end.
        package static var staying: Questions { Questions(rawValue: 32) }
    }

    /// Why what a playlist refers to cannot be read.
    package enum Fault: Error, Equatable, Sendable {
        /// A line that tells where it is has no meaning, or is longer than the limits allow.
        case malformed
        /// The URI holds a variable (8216bis 4.3).
        case variable(uri: [UInt8])
    }

    /// The values of EXT-X-PLAYLIST-TYPE.
    package enum PlaylistType: Equatable, Sendable {
        case event, vod
    }

    /// What the playlist is.
    package var verdict: PlaylistVerdict { kind.verdict }
    private var kind = DocumentKind.undecided
    /// The line that decided the verdict, and its tag; nil if no tag did.
    package private(set) var decidingLine: (location: LineLocation, tag: TagName)?
    /// How many lines there have been.
    package private(set) var lineCount = 0

    /// The URI of the first variant with video, or else of the first variant; nil if there is none.
    package var variant: Result<[UInt8], Fault>? { videoVariant ?? firstVariant }
    /// The URI of the first variant with video; nil if there is none.
    package private(set) var videoVariant: Result<[UInt8], Fault>?
    private var firstVariant: Result<[UInt8], Fault>?

    /// All durations together. A duration counts only with the URI of its segment.
    package private(set) var duration = DecimalSeconds.zero
    /// How many segments have a duration, 0 included.
    package private(set) var segmentCount = 0
    /// The segments' durations above 0, in order, if they are asked for.
    package private(set) var durations: [DecimalSeconds] = []
    /// The first EXTINF without a duration.
    package private(set) var malformedDuration: LineLocation?
    /// The timelines in order; if they are not asked for, one for all segments.
    package private(set) var timelines: [Timeline] = []

    /// The segments with a duration, if they are asked for.
    package private(set) var everySegment: [Result<MediaSegment, Fault>] = []

    /// Whether EXT-X-ENDLIST says that no more segments will come.
    package private(set) var isComplete = false
    /// The value of EXT-X-DISCONTINUITY-SEQUENCE.
    package private(set) var discontinuitySequence: UInt64?
    /// The value of EXT-X-MEDIA-SEQUENCE: the number of the first segment; 0 unless it says another.
    package private(set) var mediaSequence: UInt64 = 0
    /// The value of EXT-X-PLAYLIST-TYPE.
    package private(set) var playlistType: PlaylistType?
    /// The value of EXT-X-TARGETDURATION, in seconds.
    package private(set) var targetDuration: UInt64?
    /// When the first segment begins, by the first EXT-X-PROGRAM-DATE-TIME: the durations before that one's segment are
    /// taken off (8216bis 6.3.3).
    package private(set) var programDateTime: ProgramDateTime?
    /// Whether there is an EXT-X-PROGRAM-DATE-TIME by which the first segment's cannot be told.
    package private(set) var hasDistantDate = false
    /// The EXT-X-SKIP that makes this a delta update.
    package private(set) var skipLine: LineLocation?
    /// The segment at the place that was asked for, gap or not; its first part as long as it is not whole. Nil if there
    /// is neither.
    package private(set) var numberedSegment: Result<MediaSegment, Fault>?
    /// The most bits per second of a segment, if it is asked for; nil if no segment tells.
    package var peak: UInt64? { bitRate.peak }

    private let questions: Questions
    /// The place of the segment that is asked for among all that the playlist has, and its media sequence number.
    private var place: Int?
    private var sequenceNumber: UInt64 = 0
    /// Whether the variant before whose URI the lines are has video; nil if there is no such variant.
    private var openVariant: Bool?
    private var timelineCount = 0
    private var next = NextSegment()
    private var segments = SegmentReader()
    private var bitRate = BitRateMeter()

    /// The facts of a playlist of which no line has come.
    package init(asking questions: Questions = []) { self.questions = questions }

    /// The facts of a playlist of which no line has come, asked for the segment at this place of all that it has, from
    /// 0, and with this media sequence number.
    package init(askingForSegment place: Int, numbered number: UInt64) {
        self.init(asking: .segment)
        self.place = place
        sequenceNumber = number
    }

    /// Whether the start that was asked for alone is known, or will never be.
    package var isSettled: Bool {
        questions.contains(.onlyStart)
            && (kind == .notPlaylist || videoVariant != nil || malformedDuration != nil
                || timelines.first?.segment != nil && (startStays || !questions.contains(.staying)))
    }

    /// Whether the first segment stays the first one, as far as has been read: of a playlist that may become another by
    /// segments at its end alone (8216bis 4.4.3.5), or not at all.
    package var startStays: Bool { isComplete || playlistType != nil }

    /// Notes what `line` says, and returns where it is.
    @discardableResult
    package mutating func note(_ line: PlaylistLine) -> LineLocation {
        let location = LineLocation(position: line.position, number: lineCount + 1)
        guard !isSettled else { return location }
        lineCount += 1
        if lineCount == 1, PlaylistSignature.matches(line.bytes, isWhole: true) != true { kind = .notPlaylist }
        switch line.kind {
        case .uri: noteURI(line)
        case .tag(let tag):
            let decided = kind.after(tag.scope)
            if decided != kind { (kind, decidingLine) = (decided, (location, tag)) }
            note(line, tag, location)
        case .blank, .comment, .otherTag: break
        }
        return location
    }

    /// Ends the playlist.
    package mutating func finish() { if lineCount == 0 { kind = .notPlaylist } }

    private mutating func note(_ line: PlaylistLine, _ tag: TagName, _ location: LineLocation) {
        switch tag {
        case .streamInf: openVariant = videoVariant == nil ? line.hasVideo : nil
        case .extInf:
            next.duration = DecimalSeconds(line.value)
            if next.duration == nil { malformedDuration = malformedDuration ?? location }
        case .byteRange where !questions.isDisjoint(with: [.segment, .bitRate]):
            next.range = ByteRange(line.value.trimmed).map { .some($0) } ?? .malformed
        case .gap: next.isGap = true
        case .discontinuity: next.isDiscontinuous = true
        case .key where questions.contains(.segment): segments.noteKey(line)
        case .map where questions.contains(.segment): segments.noteInitialization(line)
        case .part where segmentCount == place && numberedSegment == nil: noteFirstPart(line)
        case .bitrate: bitRate.noteRate(line.value)
        case .targetDuration:
            targetDuration = UInt64(decimal: line.value.trimmed)
            bitRate.target = DecimalSeconds(line.value)?.nanoseconds ?? 0
        case .programDateTime: noteDate(line.value.trimmed)
        case .mediaSequence: mediaSequence = UInt64(decimal: line.value.trimmed) ?? mediaSequence
        case .discontinuitySequence: discontinuitySequence = UInt64(decimal: line.value.trimmed)
        case .playlistType:
            let value = line.value.trimmed
            if value == "VOD" { playlistType = .vod } else if value == "EVENT" { playlistType = .event }
        case .endList: isComplete = true
        case .skip: skipLine = skipLine ?? location
        default: break
        }
    }

    /// Notes the first partial segment of the segment that is asked for: that segment begins there, whole or not yet
    /// (8216bis 4.4.4.9).
    private mutating func noteFirstPart(_ line: PlaylistLine) {
        numberedSegment = Result { () throws(Fault) in
            let isGap = line.content(of: "GAP").map { $0 == "YES" } ?? false
            guard !isGap, let uri = line.content(of: "URI") else { throw .malformed }
            let text = line.content(of: "BYTERANGE").map { ByteRange($0.trimmed) }
            // Without an offset it begins where the part before ends, of which nothing is known here.
            let range = text.map { $0.flatMap { text in text.offset.flatMap { text.range(after: $0) } } }
            if case .some(nil) = range { throw .malformed }
            return try segments.segment(
                sequenceNumber, at: duration, line.reference(uri.trimmed), .success(range ?? nil))
        }
    }

    private mutating func noteDate(_ text: ByteView) {
        guard programDateTime == nil, !hasDistantDate else { return }
        let isOnFirstTimeline = timelineCount == 0 || timelineCount == 1 && !next.isDiscontinuous
        programDateTime = isOnFirstTimeline ? ProgramDateTime(text, earlierBy: duration) : nil
        hasDistantDate = programDateTime == nil
    }

    private mutating func noteURI(_ line: PlaylistLine) {
        let uri = line.bytes.trimmed
        if let hasVideo = openVariant {
            openVariant = nil
            if hasVideo || firstVariant == nil {
                let reference = Result { () throws(Fault) in try line.reference(uri) }
                if hasVideo { videoVariant = reference } else { firstVariant = reference }
            }
        }
        if let duration = next.duration { noteSegment(line, uri, lasting: duration) }
        next = NextSegment()
    }

    private mutating func noteSegment(_ line: PlaylistLine, _ uri: ByteView, lasting seconds: DecimalSeconds) {
        if timelineCount == 0 || next.isDiscontinuous {
            timelineCount += 1
            if timelineCount == 1 || questions.contains(.timelines) {
                timelines.append(
                    Timeline(start: duration, isDiscontinuous: next.isDiscontinuous, firstDuration: durations.count))
            }
        }
        if questions.contains(.segment) {
            let range = segments.range(of: uri, next.range)
            if segmentCount == place {
                numberedSegment = Result { () throws(Fault) in
                    try segments.segment(sequenceNumber, at: duration, line.reference(uri), range)
                }
            }
            let isFirst = !next.isGap && timelines[timelines.count - 1].segment == nil
            if isFirst || questions.contains(.everySegment) {
                let segment = Result { () throws(Fault) in
                    if malformedDuration != nil { throw .malformed }
                    let number = mediaSequence &+ UInt64(segmentCount)
                    return try segments.segment(number, at: duration, line.reference(uri), range)
                }
                if isFirst { timelines[timelines.count - 1].segment = segment }
                if questions.contains(.everySegment) { everySegment.append(segment) }
            }
        }
        if questions.contains(.bitRate) { bitRate.noteSegment(next.range, lasting: seconds.nanoseconds) }
        segmentCount += 1
        duration += seconds
        if seconds > .zero, questions.contains(.timelines) { durations.append(seconds) }
    }

    /// What stands before a segment's URI.
    private struct NextSegment {
        var duration: DecimalSeconds?
        var range = ByteRangeLine.none
        var isGap = false
        var isDiscontinuous = false
    }
}

extension PlaylistLine {
    /// The URI `uri` of the line.
    func reference(_ uri: ByteView) throws(PlaylistFacts.Fault) -> [UInt8] {
        if isTruncated { throw .malformed }
        if URIReference(uri).holdsVariable { throw .variable(uri: Array(uri)) }
        return Array(uri)
    }
}
