internal import ByteScan
internal import M3U8
package import Sideload
internal import WebVTT

// What is fetched for a plan, what becomes of it, and what takes its place.

extension Router {
    /// The header fields of a request to `url`, at an origin, that is made for `request`: the player's and the app's,
    /// as far as ``RoutePolicies/appHeaders-swift.property`` lets them go.
    package func originHeaders(for request: RouteRequest, to url: [UInt8]) -> [HeaderLine] {
        policies.sendsAppHeaders(to: url, of: master)
            ? OriginHeaders.filtered(request.headers, adding: headers) : OriginHeaders.anonymous(request.headers)
    }

    /// Whether a request that is made for `asked` may go to `url`, to which `previous` has redirected, if it has.
    ///
    /// Never from https to http. Where anybody may ask, below a base with listed origins: what is handed on comes only
    /// from these; what is only read from public hosts too, which playlists and redirects of theirs name.
    ///
    /// - Parameter isHandedOn: Whether whoever has asked gets what comes: ``RoutePlan/handsOn(_:)``.
    package func mayFetch(
        _ url: [UInt8], isHandedOn: Bool, for asked: RouteRequest, redirectedFrom previous: [UInt8]?
    ) -> FetchPermission {
        guard let origin = RouteOrigin(of: url) else { return .denied }
        if let previous, !RouteOrigin.mayFollow(url, from: previous) { return .denied }
        let isOpen = addresses.areBelowBase || served?.concern(asked.url) == true
        guard isOpen, case .listed(let origins) = origins, !origins.contains(origin) else { return .granted }
        if isHandedOn { return previous == nil ? .denied : .leftToClient }
        return origin.isPublic ? .grantedIfPublic : .denied
    }

    /// Which X-TIMESTAMP-MAP the tracks' files get.
    package var fetchMap: FetchMap { FetchMap(policies.map, of: master) }

    /// The job that brings what `plan` is made of; nil for plans for which nothing is fetched.
    func job(for plan: RoutePlan) -> FetchJob? {
        switch plan {
        case .fetch(let request, .cues): .content(FetchTrack(url: request.url, format: .webVTT), map: fetchMap)
        case .fetch(let request, .key): .key(request.url)
        case .fetch(let request, _): .content(FetchTrack(url: request.url, format: .playlist), map: .own)
        case .subtitlePlaylist(let index): .duration(tracks[index].fetched)
        case .subtitleFile(let index): .content(tracks[index].fetched, map: fetchMap)
        case .emptyFile, .redirect, .decline, .fail: nil
        }
    }

    /// The resource that `plan` is for, now that its job has its `answer`; and of a playlist that was fetched what
    /// there is to know.
    ///
    /// - Parameter missing: The indices of tracks that the entry does not get, and whose files may be missing.
    /// - Throws: ``RouteError`` if what came is no playlist, exceeds a limit, or is the answer to another job.
    package func resource(
        for plan: RoutePlan, from answer: FetchAnswer, leavingOut missing: [Int]
    ) throws(RouteError) -> EditedPlaylist {
        switch (plan, answer) {
        case (.fetch(let asked, .master), .playlist(let playlist)),
            (.fetch(let asked, .playlist), .playlist(let playlist)):
            try master(playlist.bytes(for: asked.url), from: playlist.url, leavingOut: missing)
        case (.fetch(let asked, .mediaPlaylist), .playlist(let playlist)):
            try mediaPlaylist(playlist.bytes(for: asked.url), from: playlist.url)
        case (.fetch(let asked, .subtitlePlaylist), .playlist(let playlist)):
            try givenPlaylist(playlist.bytes(for: asked.url), from: playlist.url)
        case (.fetch(_, .cues), .text(let text)), (.subtitleFile, .text(let text)):
            EditedPlaylist(subtitleFile(text.bytes))
        case (.fetch(_, .key), .key(let bytes)): EditedPlaylist(key(bytes))
        case (.subtitlePlaylist(let index), .duration(let found)):
            EditedPlaylist(
                try subtitlePlaylist(of: index, lasting: found.duration, mayBeMissing: missing.contains(index)))
        default: throw RouteError(.answer)
        }
    }

    /// What the job for `plan` would have brought, of what a caller has fetched by itself; nil if the plan has no job.
    ///
    /// - Parameters:
    ///   - url: Where the bytes came from, after redirects; nil for the plan's URL.
    ///   - duration: How long the track lasts; nil if its configuration says.
    package func answer(
        for plan: RoutePlan, _ bytes: [UInt8], from url: [UInt8]?, lasting duration: MediaDuration?
    ) -> FetchAnswer? {
        switch plan {
        case .fetch(_, .key): return .key(bytes)
        case .fetch(_, .cues), .subtitleFile:
            return .text(FetchedText(bytes: bytes, isConverted: false, map: nil, isChanged: false, mapFailure: nil))
        case .fetch(let origin, _): return .playlist(FetchedPlaylist(bytes: bytes, url: url ?? origin.url))
        case .subtitlePlaylist(let index):
            let duration = duration ?? knownDuration(of: index) ?? MediaDuration(milliseconds: 0)
            return .duration(FetchedDuration(duration: duration, source: .track, finalCueEnd: nil))
        case .emptyFile, .redirect, .decline, .fail: return nil
        }
    }

    /// Where a request is redirected for whose `plan` came what is no playlist, or too long for one: a segment or a
    /// key, perhaps. Nil if it had to be one.
    package func redirect(insteadOfPlaylist plan: RoutePlan) -> [UInt8]? {
        switch plan {
        case .fetch(let origin, .playlist), .fetch(let origin, .mediaPlaylist): origin.url
        default: nil
        }
    }

    /// What takes the place of what `plan` is made of: for subtitles a playlist with an empty file, or that file.
    ///
    /// - Parameters:
    ///   - duration: How long the content plays; if nobody knows, the track's playlist lasts one second.
    ///   - isLate: Whether it may still be there, so that a playlist that is made lists the track's own file, which
    ///     is asked for later, for longer than any video lasts.
    /// - Returns: Nil if the policy is that the request fails, and for everything but subtitles.
    package func resource(
        insteadOf plan: RoutePlan, lasting duration: MediaDuration? = nil, isLate: Bool = false
    ) throws(RouteError) -> Resource? {
        switch plan {
        case .subtitlePlaylist(let index) where isLate:
            // A week, which AVPlayer takes; the largest number it does not.
            let duration = duration ?? knownDuration(of: index) ?? MediaDuration(milliseconds: 604_800_000)
            return try subtitlePlaylist(of: index, lasting: duration, mayBeMissing: true)
        case .subtitlePlaylist(let index), .fetch(_, .subtitlePlaylist(let index)):
            // As little as players take for a duration.
            let duration = duration ?? knownDuration(of: index) ?? MediaDuration(milliseconds: 1000)
            return try missingPlaylist(of: index, lasting: duration)
        case .fetch(_, .cues), .subtitleFile, .emptyFile: return missingFile()
        default: return nil
        }
    }

    private func knownDuration(of index: Int) -> MediaDuration? {
        tracks[index].configuration.duration.flatMap { $0 > .zero ? $0 : nil }
    }
}

extension RoutePlan {
    /// The track that it is about, if it is about one.
    package var track: Int? {
        switch self {
        case .subtitlePlaylist(let track), .subtitleFile(let track), .emptyFile(let track),
            .fetch(_, .subtitlePlaylist(let track)):
            track
        case .fetch, .redirect, .decline, .fail: nil
        }
    }

    /// Whether the body of a request for `purpose`, or what is made of it, is what the player gets: a key, a file of
    /// cues.
    package func handsOn(_ purpose: FetchRequest.Purpose) -> Bool {
        switch (self, purpose) {
        case (.fetch(_, .key), .key), (.fetch(_, .cues), .subtitles), (.subtitleFile, .subtitles): true
        default: false
        }
    }

    /// Whether its resource is a track's playlist or file.
    var isOfSubtitles: Bool {
        if case .fetch(_, .cues) = self { return true }
        return track != nil
    }

    /// What its resource is.
    package var contentType: ContentType {
        switch self {
        case .fetch(_, .cues), .subtitleFile, .emptyFile: .webVTT
        case .fetch(_, .key): .key
        default: .playlist
        }
    }
}
