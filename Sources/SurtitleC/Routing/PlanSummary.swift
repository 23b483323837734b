internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import Sideload

// What a plan is in the numbers of surtitle.h.

extension RoutePlan {
    /// What the request gets, and why it gets nothing.
    var numbers: (kind: surtitle_plan_kind, reason: surtitle_plan_reason) {
        switch self {
        case .redirect: (SURTITLE_PLAN_REDIRECT, SURTITLE_PLAN_NO_REASON)
        case .fetch(_, .master): (SURTITLE_PLAN_FETCH_MASTER, SURTITLE_PLAN_NO_REASON)
        case .fetch(_, .mediaPlaylist): (SURTITLE_PLAN_FETCH_MEDIA_PLAYLIST, SURTITLE_PLAN_NO_REASON)
        case .fetch(_, .subtitlePlaylist): (SURTITLE_PLAN_FETCH_SUBTITLE_PLAYLIST, SURTITLE_PLAN_NO_REASON)
        case .fetch(_, .cues): (SURTITLE_PLAN_FETCH_CUES, SURTITLE_PLAN_NO_REASON)
        case .fetch(_, .key): (SURTITLE_PLAN_FETCH_KEY, SURTITLE_PLAN_NO_REASON)
        case .subtitlePlaylist: (SURTITLE_PLAN_SUBTITLE_PLAYLIST, SURTITLE_PLAN_NO_REASON)
        case .subtitleFile: (SURTITLE_PLAN_SUBTITLE_FILE, SURTITLE_PLAN_NO_REASON)
        case .emptyFile: (SURTITLE_PLAN_EMPTY_FILE, SURTITLE_PLAN_NO_REASON)
        case .decline(.otherURL): (SURTITLE_PLAN_DECLINE, SURTITLE_PLAN_OTHER_URL)
        case .decline(.keySystem): (SURTITLE_PLAN_DECLINE, SURTITLE_PLAN_KEY_SYSTEM)
        case .decline(.contentKey): (SURTITLE_PLAN_DECLINE, SURTITLE_PLAN_CONTENT_KEY)
        case .decline(.key): (SURTITLE_PLAN_DECLINE, SURTITLE_PLAN_KEY_LEFT)
        case .fail(let error) where error.isUnknownTrack: (SURTITLE_PLAN_FAIL, SURTITLE_PLAN_UNKNOWN_TRACK)
        case .fail: (SURTITLE_PLAN_FAIL, SURTITLE_PLAN_NO_ADDRESS)
        }
    }
}

extension Router {
    /// The URL to which the request is redirected or from which something is fetched for it, and the header fields of that.
    func target(of plan: RoutePlan, for request: RouteRequest) -> (url: [UInt8]?, headers: [HeaderLine]) {
        switch plan {
        case .redirect(let url): (url, [])
        case .fetch(let origin, _): (origin.url, origin.headers)
        case .subtitlePlaylist(let track), .subtitleFile(let track):
            (tracks[track].url, tracks[track].url.map { originHeaders(for: request, to: $0) } ?? [])
        case .emptyFile, .decline, .fail: (nil, [])
        }
    }
}
