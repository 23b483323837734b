internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload

/// A plan as a `surtitle_plan` tells it.
struct PlanSummary {
    var kind = SURTITLE_PLAN_DECLINE
    var reason = SURTITLE_PLAN_NO_REASON
    var track: Int?
    var url: [UInt8]?
    var headers: [HeaderLine] = []

    /// A summary of what `request` gets of `router`.
    init(_ plan: RoutePlan, _ router: Router, _ request: RouteRequest) {
        switch plan {
        case .redirect(let url):
            kind = SURTITLE_PLAN_REDIRECT
            self.url = url
        case .fetch(let origin, let use):
            url = origin.url
            headers = origin.headers
            (kind, track) = Self.kind(of: use)
        case .subtitlePlaylist(let track): (kind, self.track) = (SURTITLE_PLAN_SUBTITLE_PLAYLIST, track)
        case .subtitleFile(let track): (kind, self.track) = (SURTITLE_PLAN_SUBTITLE_FILE, track)
        case .emptyFile(let track): (kind, self.track) = (SURTITLE_PLAN_EMPTY_FILE, track)
        case .decline(let reason): self.reason = Self.number(of: reason)
        case .fail(let error):
            kind = SURTITLE_PLAN_FAIL
            reason = error.isUnknownTrack ? SURTITLE_PLAN_UNKNOWN_TRACK : SURTITLE_PLAN_NO_ADDRESS
        }
        if plan.isOfFile, let track, router.tracks.indices.contains(track) {
            url = router.tracks[track].url
            headers = url.map { router.originHeaders(for: request, to: $0) } ?? []
        }
    }

    private static func kind(of use: FetchUse) -> (surtitle_plan_kind, track: Int?) {
        switch use {
        case .master: (SURTITLE_PLAN_FETCH_MASTER, nil)
        case .mediaPlaylist: (SURTITLE_PLAN_FETCH_MEDIA_PLAYLIST, nil)
        case .subtitlePlaylist(let track): (SURTITLE_PLAN_FETCH_SUBTITLE_PLAYLIST, track)
        case .cues: (SURTITLE_PLAN_FETCH_CUES, nil)
        case .key: (SURTITLE_PLAN_FETCH_KEY, nil)
        }
    }

    private static func number(of reason: DeclineReason) -> surtitle_plan_reason {
        switch reason {
        case .otherURL: SURTITLE_PLAN_OTHER_URL
        case .keySystem: SURTITLE_PLAN_KEY_SYSTEM
        case .contentKey: SURTITLE_PLAN_CONTENT_KEY
        case .key: SURTITLE_PLAN_KEY_LEFT
        }
    }
}

extension RoutePlan {
    /// Whether something of a track is made, for which others fetch the track's file.
    fileprivate var isOfFile: Bool {
        switch self {
        case .subtitlePlaylist, .subtitleFile: true
        default: false
        }
    }
}

extension Refusal {
    /// An error of a router, or of what came from an origin.
    init(_ error: RouteError) {
        if let tracks = error.tracks {
            self.init(tracks)
        } else if let limit = error.limit {
            self = Refusal(SURTITLE_LIMIT_EXCEEDED, limit.words, at: limit.position)
        } else if let playlist = error.playlist {
            self.init(SURTITLE_SEGMENT_REFUSED, playlist.message)
        } else if error.verdict != nil {
            self.init(SURTITLE_NOT_PLAYLIST, error.words)
        } else if error.isMalformedAddress {
            self.init(SURTITLE_URI_REFUSED, error.words)
        } else {
            self.init(error.track == nil ? SURTITLE_CONFIGURATION_REFUSED : SURTITLE_TRACK_REFUSED, error.words)
            if let track = error.track { self = of("tracks", track) }
        }
    }
}
