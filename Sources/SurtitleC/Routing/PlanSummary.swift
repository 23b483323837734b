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

    /// The plan in words. Embedded Swift has no descriptions, so that of `RoutePlan` is made here once more, of bytes.
    var words: [UInt8] = []

    /// A summary of what `request` gets of `router`.
    init(_ plan: RoutePlan, _ router: Router, _ request: RouteRequest) {
        switch plan {
        case .redirect(let url):
            kind = SURTITLE_PLAN_REDIRECT
            self.url = url
            add("redirect to ")
            words += url
        case .fetch(let origin, let use):
            url = origin.url
            headers = origin.headers
            add("fetch ")
            words += origin.url
            describe(use)
        case .subtitlePlaylist(let track):
            describe(track, SURTITLE_PLAN_SUBTITLE_PLAYLIST, "make the subtitle playlist of track ")
        case .subtitleFile(let track):
            describe(track, SURTITLE_PLAN_SUBTITLE_FILE, "hand over the WebVTT file of track ")
        case .emptyFile(let track):
            describe(track, SURTITLE_PLAN_EMPTY_FILE, "hand over a WebVTT file without cues for track ")
        case .decline(let reason): describe(reason)
        case .fail(let error): describe(error)
        }
        if plan.isOfFile, let track, router.tracks.indices.contains(track) {
            url = router.tracks[track].url
            headers = url.map { router.originHeaders(for: request, to: $0) } ?? []
        }
    }

    private mutating func add(_ text: StaticString) { words += Array(ByteView(text)) }

    /// Adds the number of a track, which in words counts from 1.
    private mutating func add(_ track: Int) {
        self.track = track
        words += DecimalDigits(UInt64(track.magnitude) &+ 1)
    }

    private mutating func describe(_ track: Int, _ kind: surtitle_plan_kind, _ text: StaticString) {
        self.kind = kind
        add(text)
        add(track)
    }

    private mutating func describe(_ use: FetchUse) {
        switch use {
        case .master:
            kind = SURTITLE_PLAN_FETCH_MASTER
            add(" and add the tracks")
        case .mediaPlaylist:
            kind = SURTITLE_PLAN_FETCH_MEDIA_PLAYLIST
            add(" and map its URIs")
        case .subtitlePlaylist(let track):
            describe(track, SURTITLE_PLAN_FETCH_SUBTITLE_PLAYLIST, " and map the WebVTT files of track ")
        case .cues:
            kind = SURTITLE_PLAN_FETCH_CUES
            add(" and hand over the WebVTT")
        case .key:
            kind = SURTITLE_PLAN_FETCH_KEY
            add(" and hand over the key")
        }
    }

    private mutating func describe(_ reason: DeclineReason) {
        let text: StaticString
        switch reason {
        case .otherURL: (self.reason, text) = (SURTITLE_PLAN_OTHER_URL, "decline: the URL is none of ours")
        case .keySystem: (self.reason, text) = (SURTITLE_PLAN_KEY_SYSTEM, "decline: skd: belongs to a key system")
        case .contentKey: (self.reason, text) = (SURTITLE_PLAN_CONTENT_KEY, "decline: content keys are the app's")
        case .key: (self.reason, text) = (SURTITLE_PLAN_KEY_LEFT, "decline: keys are left to the app")
        }
        add(text)
    }

    private mutating func describe(_ error: RouteError) {
        kind = SURTITLE_PLAN_FAIL
        if error.isUnknownTrack {
            reason = SURTITLE_PLAN_UNKNOWN_TRACK
            add("fail: there is no track \"")
            for byte in error.name {
                if byte == ASCII.quote || byte == UInt8(ascii: "\\") { words.append(UInt8(ascii: "\\")) }
                words.append(byte)
            }
            add("\"")
        } else {
            reason = SURTITLE_PLAN_NO_ADDRESS
            add("fail: ")
            words += error.name
            add(" is no address that the router has made")
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
            self = Refusal(SURTITLE_LIMIT_EXCEEDED).at(limit.position)
        } else if let playlist = error.playlist {
            self.init(SURTITLE_SEGMENT_REFUSED, PlaylistEntries.words(for: playlist.reason))
        } else if error.verdict != nil {
            self.init(SURTITLE_NOT_PLAYLIST)
        } else if error.isMalformedAddress {
            self.init(SURTITLE_URI_REFUSED, "it is no http or https URL with a host")
        } else {
            self.init(error.track == nil ? SURTITLE_CONFIGURATION_REFUSED : SURTITLE_TRACK_REFUSED, error.words)
            if let track = error.track { self = of("tracks", track) }
        }
    }
}
