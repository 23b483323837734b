internal import M3U8
internal import WebVTT

/// Which tick of the video's time stamps is which time of the content, for each of its time lines.
struct VideoClock {
    /// The first time line's map, if it is known.
    private(set) var first: TimestampMap?
    /// Whether a file's own map counts more than the first time line's.
    private(set) var keepsOwn = true
    /// The maps of the time lines behind it.
    private(set) var later: [TimestampMap?] = []

    /// A playlist with the path that its references are relative to.
    struct Located<Playlist> {
        let playlist: Playlist
        let path: String
    }

    /// Nothing is known, and nothing is asked for.
    init() {}

    /// The clock that `request` asks for: that of the video with the media playlist `media`, or else of a variant of `master`.
    ///
    /// - Throws: A refusal of what `--map-from` names. What else cannot be read is noted.
    init(
        _ request: MapRequest, media: Located<MediaPlaylist>?, master: Located<[UInt8]>?, chunk: Int
    ) throws(Failure) {
        if request.choice == .none { return }
        later =
            media.map { media in
                media.playlist.timeLines.dropFirst().map { try? Self.map(of: $0, in: media.path, chunk: chunk) }
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
            } else if let media, let line = media.playlist.timeLines.first {
                first = try Self.map(of: line, in: media.path, chunk: chunk)
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
        of line: MediaTimeLine, in playlist: String, chunk: Int
    ) throws(UnknownMediaStart) -> TimestampMap {
        guard let segment = line.segment else {
            throw UnknownMediaStart(reason: "\(playlist) has nothing but gaps there")
        }
        return try MediaStartReading.map(of: segment, in: playlist, chunk: chunk)
    }

    private static func map(ofVariantIn master: Located<[UInt8]>, chunk: Int) throws(UnknownMediaStart) -> TimestampMap
    {
        guard let uri = VideoVariant.uri(in: master.playlist) else {
            throw UnknownMediaStart(reason: "\(master.path) has no variant")
        }
        guard let path = LocalReference.path(uri, in: master.path) else {
            throw UnknownMediaStart(reason: "the variant \(uri) is no local file")
        }
        var playlist = MediaPlaylist()
        do throws(Failure) {
            playlist = try MediaPlaylist.scan(InputFile(path), chunk: chunk).playlist
        } catch {
            throw UnknownMediaStart(reason: error.message ?? path)
        }
        guard let line = playlist.timeLines.first else {
            throw UnknownMediaStart(reason: "\(path) is no media playlist with segments")
        }
        return try map(of: line, in: path, chunk: chunk)
    }
}

extension TimestampMap {
    /// The tick that is the cues' time 0, modulo 2 to the 33rd.
    fileprivate var zero: UInt64 { mpegTS &- UInt64(bitPattern: local.milliseconds) &* 90 }
}
