internal import CSurtitle
internal import Delivery
internal import M3U8
internal import WebVTT

/// A job of fetching as a caller has put it into a struct, or as a track of a router has it.
struct FetchSettings {
    let job: FetchJob
    var limits = FetchLimits()

    /// A job of the library's own.
    init(_ job: FetchJob) { self.job = job }

    init(_ settings: surtitle_fetch_settings) throws(Refusal) {
        guard unsafe settings.reserved == 0 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let kind = try unsafe Self.kind(settings.job)
        let video = try unsafe Arguments.bytes(of: settings.video)
        let map = try unsafe FetchMap(settings, video)
        guard map == .own || kind == SURTITLE_FETCH_CONTENT else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let url = try unsafe Arguments.bytes(of: settings.url)
        guard let format = unsafe UInt8(exactly: settings.format).flatMap({ SubtitleFormat(rawValue: $0) }) else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
        if kind == SURTITLE_FETCH_MEDIA_START {
            job = .mediaStart(video: try Arguments.required(video))
        } else {
            let nanoseconds = unsafe settings.duration_nanoseconds
            let duration = nanoseconds == 0 ? nil : DecimalSeconds(nanoseconds: nanoseconds)
            var track = FetchTrack(url: try Arguments.required(url), format: format, duration: duration)
            track.shift = unsafe settings.shift_milliseconds
            // The most that a track may be shifted.
            guard track.shift.magnitude < 10_000_000_000_000_000 else { throw Refusal(SURTITLE_INVALID_VALUE) }
            job = Self.job(kind, track, map)
        }
        limits = try unsafe FetchLimits(
            tail: Arguments.limit(settings.tail, or: limits.tail),
            block: Arguments.limit(settings.block, or: limits.block),
            file: Arguments.limit(settings.file, or: limits.file),
            playlist: Arguments.limit(settings.playlist, or: limits.playlist),
            segment: Arguments.limit(settings.segment, or: limits.segment),
            requests: Arguments.limit(settings.requests, or: limits.requests))
    }

    /// What `number` says is to be done about the track at `index`.
    init(_ router: Router, _ index: Int, _ number: Int32) throws(Refusal) {
        let kind = try Self.kind(number)
        if kind == SURTITLE_FETCH_MEDIA_START {
            job = .mediaStart(video: router.master)
        } else if router.tracks.indices.contains(index), router.tracks[index].url != nil {
            job = Self.job(kind, router.tracks[index].fetched, router.fetchMap)
        } else {
            throw Refusal(SURTITLE_NOT_FOUND)
        }
    }

    private static func kind(_ number: Int32) throws(Refusal) -> surtitle_fetch_job {
        guard 0...3 ~= number else { throw Refusal(SURTITLE_INVALID_VALUE) }
        return surtitle_fetch_job(rawValue: .init(truncatingIfNeeded: number))
    }

    private static func job(_ kind: surtitle_fetch_job, _ track: FetchTrack, _ map: FetchMap) -> FetchJob {
        switch kind {
        case SURTITLE_FETCH_PRESENCE: .presence(track)
        case SURTITLE_FETCH_DURATION: .duration(track)
        default: .content(track, map: map)
        }
    }
}

extension FetchMap {
    fileprivate init(_ settings: surtitle_fetch_settings, _ video: [UInt8]?) throws(Refusal) {
        let number = unsafe settings.map
        switch surtitle_fetch_map(rawValue: .init(truncatingIfNeeded: number)) {
        case SURTITLE_MAP_OWN: self = .own
        case SURTITLE_MAP_ALWAYS, SURTITLE_MAP_IF_NONE:
            let map = try unsafe TimestampMap(mpegts: settings.mpegts, localMilliseconds: settings.local_milliseconds)
            self = number == SURTITLE_MAP_ALWAYS.rawValue ? .always(map) : .ifNone(map)
        case SURTITLE_MAP_FROM_VIDEO: self = .fromVideo(try Arguments.required(video))
        default: throw Refusal(SURTITLE_INVALID_VALUE)
        }
    }
}
