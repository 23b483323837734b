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

    /// What a playlist says, with the path that its references are relative to.
    struct Located {
        let facts: PlaylistFacts
        let path: String
    }

    /// Nothing is known, and nothing is asked for.
    init() {}

    /// The clock that `request` asks for: that of the video with the media playlist `media`, or else of a variant of `master`.
    ///
    /// - Throws: A refusal of what `--map-from` names. What else cannot be read is noted.
    init(
        _ request: MapRequest, media: Located?, master: Located?, chunk: Int
    ) throws(Failure) {
        if request.choice == .none { return }
        later =
            media.map { media in
                media.facts.timelines.dropFirst().map { try? Self.map(of: $0, in: media.path, chunk: chunk) }
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
                first = try MediaStartReading.map(of: request.segments, chunk: chunk)
            } else if let media, let timeline = media.facts.timelines.first {
                first = try Self.map(of: timeline, in: media.path, chunk: chunk)
            } else if let master {
                first = try Self.map(ofVariantIn: master, chunk: chunk)
            }
        } catch {
            if !request.segments.isEmpty { throw .refused("\(error.reason); give a segment that tells, or --map") }
            Console.note(
                "the cues get no X-TIMESTAMP-MAP, so players may show them too early: \(error.reason); give "
                    + "--map-from SEGMENT or --map MPEGTS, or --map none")
        }
    }

    /// Notes where the map `own` of the file called `name`, which counts, differs from the video's by more than 0.1 s.
    func compare(_ own: TimestampMap?, of name: String) {
        guard keepsOwn, let own, let first else { return }
        let ticks = (own.zero &- first.zero) & (1 << 33 - 1)
        let difference = ticks < 1 << 32 ? Int64(ticks) : Int64(ticks) - 1 << 33
        guard difference.magnitude > 9000 else { return }
        let seconds = Timestamp(milliseconds: Int64(difference.magnitude / 90)).seconds
        Console.note(
            "\(name): its own X-TIMESTAMP-MAP counts, by which cues show \(seconds) s \(difference > 0 ? "later" : "earlier") "
                + "than by the video's first time stamp; --map MPEGTS replaces it")
    }

    private static func map(
        of timeline: Timeline, in playlist: String, chunk: Int
    ) throws(UnknownMediaStart) -> TimestampMap {
        switch timeline.segment {
        case .success(let segment): return try MediaStartReading.map(of: segment, in: playlist, chunk: chunk)
        case .failure(let fault): throw UnknownMediaStart(fault, in: playlist)
        case nil: throw UnknownMediaStart(reason: "\(playlist) has nothing but gaps there")
        }
    }

    /// The map that the first variant with video tells, or else the first variant.
    private static func map(ofVariantIn master: Located, chunk: Int) throws(UnknownMediaStart) -> TimestampMap {
        let uri: String
        switch master.facts.variant {
        case .success(let bytes): uri = String(decoding: bytes, as: UTF8.self)
        case .failure(let fault): throw UnknownMediaStart(fault, in: master.path)
        case nil: throw UnknownMediaStart(reason: "\(master.path) has no variant")
        }
        guard let path = LocalReference.path(uri, in: master.path) else {
            throw UnknownMediaStart(reason: "the variant \(uri) is no local file")
        }
        let facts: PlaylistFacts
        do throws(Failure) {
            facts = try PlaylistFacts(timelinesOf: InputFile(path), chunk: chunk)
        } catch {
            throw UnknownMediaStart(reason: error.message ?? path)
        }
        guard let timeline = facts.timelines.first else {
            throw UnknownMediaStart(reason: "\(path) is no media playlist with segments")
        }
        return try map(of: timeline, in: path, chunk: chunk)
    }
}

extension TimestampMap {
    /// The tick that is the cues' time 0, modulo 2 to the 33rd.
    fileprivate var zero: UInt64 { mpegTS &- UInt64(bitPattern: local.milliseconds) &* 90 }
}
