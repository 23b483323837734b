internal import ByteScan
internal import M3U8
internal import Sideload

// From plans to jobs of fetching, and from what comes of them to resources.
//
//     plan ──▶ job ── Fetch ──▶ answer ──▶ resource(for:from:)             what the player gets
//                           └─▶ failure ─▶ resource(insteadOf:)            what takes its place, if the policy has something
//
// Before the entry goes out, presenceJobs find out which tracks are missing, where the policy is to leave these out.

extension Router {
    /// The header fields of a request to `url`, at an origin, that is made for `request`: the player's, and the app's as far as
    /// ``RoutePolicies/appHeaders-swift.property`` lets them go. After a redirect there is another URL to ask this for.
    public func originHeaders(for request: RouteRequest, to url: [UInt8]) -> [HeaderLine] {
        let app = policies.appHeaders == .everywhere || url.origin == master.origin ? headers : []
        return OriginHeaders.filtered(request.headers, adding: app)
    }

    /// The jobs that tell which tracks are missing, before ``FetchUse/master`` is answered. None unless the policy is to leave them out.
    public var presenceJobs: [(track: Int, job: FetchJob)] {
        guard policies.missingTrack == .leaveOut else { return [] }
        return tracks.indices.compactMap { index in tracks[index].fetched.map { (index, .presence($0)) } }
    }

    /// The job that brings what `plan` is made of.
    ///
    /// - Returns: Nil for a key, which is fetched and handed over as it is, for a track that is a local file, and for plans for which
    ///   nothing is fetched.
    public func job(for plan: RoutePlan) -> FetchJob? {
        switch plan {
        case .fetch(let request, let use):
            switch use {
            case .master, .mediaPlaylist, .subtitlePlaylist:
                .content(FetchTrack(url: request.url, format: .playlist), map: .own)
            case .cues: .content(FetchTrack(url: request.url, format: .webVTT), map: fetchMap)
            case .key: nil
            }
        case .subtitlePlaylist(let index): fetched(index).map { .duration($0) }
        case .subtitleFile(let index): fetched(index).map { .content($0, map: fetchMap) }
        case .emptyFile, .redirect, .decline, .fail: nil
        }
    }

    /// What the player gets, now that the job for `plan` has its `answer`.
    ///
    /// An entry that turns out to be a media playlist is wrapped into a multivariant playlist, so that it can have the tracks.
    ///
    /// - Parameter missing: The indices of tracks that the entry does not get.
    /// - Throws: ``RouteError`` if what came is no playlist, exceeds a limit, or is not what the plan is for.
    public func resource(
        for plan: RoutePlan, from answer: FetchAnswer, leavingOut missing: [Int] = []
    ) throws(RouteError) -> Resource {
        switch (plan, answer) {
        case (.fetch(_, .master), .playlist(let playlist)): try entry(of: playlist, leavingOut: missing)
        case (.fetch(_, .mediaPlaylist), .playlist(let playlist)):
            try mediaPlaylist(playlist.bytes, from: playlist.url).resource
        case (.fetch(_, .subtitlePlaylist), .playlist(let playlist)):
            try givenPlaylist(playlist.bytes, from: playlist.url).resource
        case (.fetch(_, .cues), .text(let text)), (.subtitleFile, .text(let text)): subtitleFile(text.bytes)
        case (.subtitlePlaylist(let index), .duration(let found)):
            try subtitlePlaylist(of: index, lasting: found.duration)
        default: throw RouteError(.answer)
        }
    }

    /// What the player gets of subtitles if the job for `plan` came to nothing: a playlist of one second, or a file without cues.
    ///
    /// - Returns: Nil if the policy is that the request fails, and for everything but subtitles.
    public func resource(insteadOf plan: RoutePlan) -> Resource? {
        guard policies.missingTrack != .fail else { return nil }
        // As little as players take for a duration.
        let duration = MediaDuration(milliseconds: 1000)
        return switch plan {
        case .subtitlePlaylist(let index): try? subtitlePlaylist(of: index, lasting: duration)
        case .fetch(_, .subtitlePlaylist(let index)): try? missingPlaylist(of: index, lasting: duration)
        case .fetch(_, .cues), .subtitleFile, .emptyFile: missingFile()
        default: nil
        }
    }

    private func entry(of playlist: FetchedPlaylist, leavingOut missing: [Int]) throws(RouteError) -> Resource {
        let edited = try master(playlist.bytes, from: playlist.url, leavingOut: missing)
        guard edited.verdict == .media, tracks.indices.contains(where: { !missing.contains($0) }) else {
            return edited.resource
        }
        let wrapped: [UInt8]
        do throws(WrappedVariantError) {
            let uri = String(decoding: playlist.url.escapedForURI, as: UTF8.self)
            wrapped = try WrappedVariant(uri: uri).playlist(around: playlist.bytes)
        } catch {
            throw RouteError(.wrapping(error))
        }
        return try master(wrapped, from: playlist.url, leavingOut: missing).resource
    }

    private func fetched(_ index: Int) -> FetchTrack? { tracks.indices.contains(index) ? tracks[index].fetched : nil }

    private var fetchMap: FetchMap {
        switch policies.map {
        case .none: .own
        case .automatic: .fromVideo(master)
        case .given(let map): .always(map)
        }
    }
}

extension RoutedTrack {
    /// The track as it is fetched; nil for a local file.
    fileprivate var fetched: FetchTrack? {
        let format: FetchTrack.Format =
            switch configuration.source {
            case .webVTT: .webVTT
            case .subRip: .subRip
            case .playlist: .playlist
            }
        return url.map { FetchTrack(url: $0, format: format, duration: configuration.duration) }
    }
}
