internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload

// What a plan is in the numbers of surtitle.h.

extension RoutePlan {
    /// What the request gets, and why it gets nothing.
    var numbers: (kind: surtitle_plan_kind, reason: surtitle_plan_reason) {
        switch self {
        case .redirect: (SURTITLE_PLAN_REDIRECT, SURTITLE_PLAN_NO_REASON)
        case .fetch(_, .master): (SURTITLE_PLAN_FETCH_MASTER, SURTITLE_PLAN_NO_REASON)
        case .fetch(_, .playlist): (SURTITLE_PLAN_FETCH_PLAYLIST, SURTITLE_PLAN_NO_REASON)
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
    /// The URL to which the request is redirected or from which something is fetched for it, and the header fields of
    /// that.
    func target(of plan: RoutePlan, for request: RouteRequest) -> (url: [UInt8]?, headers: [HeaderLine]) {
        switch plan {
        case .redirect(let url): (url.escapedForURI, [])
        case .fetch(let origin, _): (origin.url, origin.headers)
        case .subtitlePlaylist(let track), .subtitleFile(let track):
            (tracks[track].url, tracks[track].url.map { originHeaders(for: request, to: $0) } ?? [])
        case .emptyFile, .decline, .fail: (nil, [])
        }
    }

    /// What `plan` is for, made of what a caller has fetched and put into a struct.
    func resource(of plan: RoutePlan, _ material: surtitle_material) throws(Refusal) -> EditedPlaylist {
        let flags = unsafe material.flags
        guard flags <= SURTITLE_MATERIAL_READY.rawValue, unsafe material.reserved == 0 else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
        let bytes = try unsafe Array(ByteView(Arguments.bytes(material.bytes, material.count)))
        let url = try unsafe Arguments.bytes(of: material.url)
        let nanoseconds = unsafe material.duration_nanoseconds
        let duration = nanoseconds == 0 ? nil : MediaDuration(nanoseconds: nanoseconds)
        let leftOut = try unsafe leftOut(material.left_out, material.left_out_count)
        guard plan.givesResource else { throw Refusal(SURTITLE_INVALID_VALUE) }
        if flags == SURTITLE_MATERIAL_READY.rawValue { return EditedPlaylist(Resource(bytes, plan.contentType)) }
        let answer = flags == 0 ? answer(for: plan, bytes, from: url, lasting: duration) : nil
        if let answer {
            return try refusing(try resource(for: plan, from: answer, leavingOut: leftOut)) { Refusal(route: $0) }
        }
        let substitute = try refusing(try resource(insteadOf: plan, lasting: duration)) { Refusal(route: $0) }
        guard let substitute else { throw Refusal(SURTITLE_NOT_FOUND) }
        return EditedPlaylist(substitute)
    }

    private func leftOut(_ start: UnsafePointer<Int>?, _ count: Int) throws(Refusal) -> [Int] {
        let given = try unsafe Arguments.array(start, count)
        var indices: [Int] = []
        for place in given.indices {
            let index = unsafe given[place]
            guard tracks.indices.contains(index) else { throw Refusal(SURTITLE_INVALID_VALUE).of("left_out", place) }
            if !indices.contains(index) { indices.append(index) }
        }
        return indices
    }
}
