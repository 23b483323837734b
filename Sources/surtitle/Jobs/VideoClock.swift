internal import M3U8
internal import WebVTT

/// Which tick of the video's time stamps is which time of the content, for each of its timelines.
struct VideoClock {
    /// The first timeline's map, if it is known.
    private(set) var first: TimestampMap?
    /// Whether a file's own map counts more than the first timeline's.
    private(set) var keepsOwn = true
    /// The maps of the timelines behind it.
    private(set) var later: [TimestampMap?] = []

    /// What a playlist says, and the path or URL that its references are relative to.
    struct Located {
        let facts: PlaylistFacts
        let path: String
    }

    /// Nothing is known, and nothing is asked for.
    init() {}

    /// The clock that `request` asks for: that of the video with the media playlist `media`, or else of a variant.
    ///
    /// - Throws: A refusal of what `--map-from` names. What else cannot be read is noted.
    init(_ request: MapRequest, media: Located?, variant: Result<Located, UnknownMediaStart>?) throws(Failure) {
        if request.choice == .none { return }
        later =
            media.map { media in
                media.facts.timelines.dropFirst().map { try? Self.map(of: $0, in: media.path) }
            } ?? []
        if later.contains(nil) {
            Console.note(
                "\(media?.path ?? ""): the time stamps behind an EXT-X-DISCONTINUITY cannot be read; the segments there get no "
                    + "X-TIMESTAMP-MAP")
        }
        if case .given(let map) = request.choice {
            (first, keepsOwn) = (map, false)
            return
        }
        do throws(UnknownMediaStart) {
            if !request.segments.isEmpty {
                first = try MediaStartReading.map(of: request.segments)
            } else if let media, let timeline = media.facts.timelines.first {
                first = try Self.map(of: timeline, in: media.path)
            } else if let variant {
                let found = try variant.get()
                first = try found.facts.timelines.first.map { (timeline) throws(UnknownMediaStart) in
                    try Self.map(of: timeline, in: found.path)
                }
            }
        } catch {
            if !request.segments.isEmpty { throw .refused("\(error.reason); give a segment that tells, or --map") }
            Console.note(
                "the cues get no X-TIMESTAMP-MAP, so players may show them too early: \(error.reason); \(error.advice)")
        }
    }

    /// What a closing line says of the maps that files of cues have got.
    var closing: String { first.map { "X-TIMESTAMP-MAP \($0.mpegTS):\($0.local)" } ?? "no X-TIMESTAMP-MAP" }

    /// The map that the video's first segment tells; nil if it tells none.
    static func start(of video: Located) -> TimestampMap? {
        video.facts.timelines.first.flatMap { try? map(of: $0, in: video.path) }
    }

    /// Notes where the map `own` of the file called `name`, which counts, differs from the video's by more than 0.1 s.
    func compare(_ own: TimestampMap?, of name: String) {
        guard keepsOwn, let own, let first else { return }
        let difference = own.delay(after: first)
        guard difference.magnitude > TimestampMap.tolerance else { return }
        let seconds = TimestampMap.seconds(difference)
        Console.note(
            "\(name): its own X-TIMESTAMP-MAP counts, by which cues show \(seconds) s \(difference > 0 ? "later" : "earlier") "
                + "than by the video's first time stamp; --map MPEGTS replaces it")
    }

    /// The map that the first segment of `timeline` tells, in the media playlist at `playlist`.
    static func map(of timeline: Timeline, in playlist: String) throws(UnknownMediaStart) -> TimestampMap {
        switch timeline.segment {
        case .success(let segment): return try MediaStartReading.map(of: segment, in: playlist)
        case .failure(let fault): throw UnknownMediaStart(fault, in: playlist)
        case nil: throw UnknownMediaStart(reason: "\(playlist) has nothing but gaps there")
        }
    }

    /// What the first variant of `master` with video says, or else the first variant.
    static func variant(of master: Located) throws(UnknownMediaStart) -> Located {
        let uri: String
        switch master.facts.variant {
        case .success(let bytes): uri = String(decoding: bytes, as: UTF8.self)
        case .failure(let fault): throw UnknownMediaStart(fault, in: master.path)
        case nil: throw UnknownMediaStart(reason: "\(master.path) has no variant")
        }
        let operand: String
        switch PlaylistReference(uri, in: master.path) {
        case nil: throw UnknownMediaStart(reason: "the variant \(uri) is no local file")
        default: operand = try PlaylistReference.operand(uri, in: master.path)
        }
        let found: Located
        do throws(Failure) {
            let file = try InputFile(operand)
            found = Located(facts: try PlaylistFacts(timelinesOf: file), path: file.place)
        } catch {
            throw UnknownMediaStart(reason: error.message ?? operand)
        }
        guard !found.facts.timelines.isEmpty else {
            throw UnknownMediaStart(reason: "\(operand) is no media playlist with segments")
        }
        return found
    }
}

extension VideoClock.Located {
    /// What the media playlist called `operand` says. One without a duration is refused.
    init(reading operand: String) throws(Failure) {
        let file = try InputFile(operand)
        self.init(facts: try PlaylistFacts(reading: file), path: file.place)
    }
}

extension TimestampMap {
    /// The tick that is the cues' time 0, modulo 2 to the 33rd.
    private var zero: UInt64 { mpegTS &- UInt64(bitPattern: local.milliseconds) &* 90 }

    /// How many ticks later cues show by this map than by `other`; below 0 if they show earlier.
    func delay(after other: TimestampMap) -> Int64 {
        let ticks = (zero &- other.zero) & (1 << 33 - 1)
        return ticks < 1 << 32 ? Int64(ticks) : Int64(ticks) - 1 << 33
    }

    /// What players go by where a file has no map.
    static var none: TimestampMap { TimestampMap(mpegTS: 0) }

    /// The shortest difference of two maps, in ticks, that is worth a word: 0.1 s.
    static var tolerance: Int64 { 9000 }

    /// So many ticks in seconds, with three decimals.
    static func seconds(_ ticks: Int64) -> String { Timestamp(milliseconds: Int64(ticks.magnitude / 90)).seconds }
}
