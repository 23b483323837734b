internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8
internal import WebVTT

/// A job of fetching as a caller has put it into a struct, or as a track of a router has it.
struct FetchSettings {
    let job: FetchJob
    var limits = FetchLimits()

    /// The longest that a limit may be, so that no sum of limits is too large for a number.
    private static let largestLimit = 1 << 30

    /// Checks what the caller has said.
    init(_ settings: surtitle_fetch_settings) throws(Refusal) {
        guard unsafe settings.reserved == 0 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let kind = try unsafe Self.job(settings.job)
        let video = try unsafe Arguments.bytes(of: settings.video)
        let map = try unsafe Self.map(settings, video)
        guard map == .own || kind == SURTITLE_FETCH_CONTENT else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let url = try unsafe Arguments.bytes(of: settings.url)
        guard let format = unsafe UInt8(exactly: settings.format).flatMap({ SubtitleFormat(rawValue: $0) }) else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
        if kind == SURTITLE_FETCH_MEDIA_START {
            guard let video else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
            job = .mediaStart(video: video)
        } else {
            guard let url else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
            let nanoseconds = unsafe settings.duration_nanoseconds
            let duration = nanoseconds == 0 ? nil : DecimalSeconds(nanoseconds: nanoseconds)
            job = Self.job(kind, FetchTrack(url: url, format: format, duration: duration), map)
        }
        limits = try unsafe Self.limits(settings)
    }

    /// What `number` says is to be done about the track at `index`.
    init(_ router: Router, _ index: Int, _ number: Int32) throws(Refusal) {
        let kind = try Self.job(number)
        guard kind != SURTITLE_FETCH_MEDIA_START else {
            job = .mediaStart(video: router.master)
            return
        }
        guard router.tracks.indices.contains(index), router.tracks[index].url != nil else {
            throw Refusal(SURTITLE_NOT_FOUND)
        }
        job = Self.job(kind, router.tracks[index].fetched, router.fetchMap)
    }

    private static func job(_ kind: surtitle_fetch_job, _ track: FetchTrack, _ map: FetchMap) -> FetchJob {
        switch kind {
        case SURTITLE_FETCH_PRESENCE: .presence(track)
        case SURTITLE_FETCH_DURATION: .duration(track)
        default: .content(track, map: map)
        }
    }

    private static func job(_ number: Int32) throws(Refusal) -> surtitle_fetch_job {
        guard 0...3 ~= number else { throw Refusal(SURTITLE_INVALID_VALUE) }
        return surtitle_fetch_job(rawValue: .init(truncatingIfNeeded: number))
    }

    private static func map(_ settings: surtitle_fetch_settings, _ video: [UInt8]?) throws(Refusal) -> FetchMap {
        let number = unsafe settings.map
        switch surtitle_fetch_map(rawValue: .init(truncatingIfNeeded: number)) {
        case SURTITLE_MAP_OWN: return .own
        case SURTITLE_MAP_ALWAYS: return .always(try unsafe given(settings))
        case SURTITLE_MAP_IF_NONE: return .ifNone(try unsafe given(settings))
        case SURTITLE_MAP_FROM_VIDEO:
            guard let video else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
            return .fromVideo(video)
        default: throw Refusal(SURTITLE_INVALID_VALUE)
        }
    }

    private static func given(_ settings: surtitle_fetch_settings) throws(Refusal) -> TimestampMap {
        try unsafe TimestampMap(mpegts: settings.mpegts, localMilliseconds: settings.local_milliseconds)
    }

    private static func limits(_ settings: surtitle_fetch_settings) throws(Refusal) -> FetchLimits {
        let standard = FetchLimits()
        return unsafe FetchLimits(
            tail: try limit(settings.tail, or: standard.tail), block: try limit(settings.block, or: standard.block),
            file: try limit(settings.file, or: standard.file),
            playlist: try limit(settings.playlist, or: standard.playlist),
            segment: try limit(settings.segment, or: standard.segment),
            requests: try limit(settings.requests, or: standard.requests))
    }

    private static func limit(_ number: Int, or standard: Int) throws(Refusal) -> Int {
        let limit = try Arguments.limit(number, or: standard)
        guard limit <= largestLimit else { throw Refusal(SURTITLE_INVALID_VALUE) }
        return limit
    }
}
