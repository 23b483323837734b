internal import Sideload

// What is fetched for a request, with which header fields, and where that may be.

extension Router.Request {
    /// The header fields with which `fetched`, a request of a fetch, goes to its URL, or to `url` if a redirect has led
    /// there: those of the player and the app that may go to that origin, and its own.
    public func headers(of fetched: FetchRequest, at url: [UInt8]? = nil) -> [HeaderLine] {
        router.originHeaders(for: asked, to: url ?? fetched.url) + fetched.fields.map { HeaderLine($0.name, $0.value) }
    }

    /// The header fields with which a redirected player goes to the redirect's target, where it sends what it is
    /// given: those of its request and of the app that may go to that origin. None if the plan is no redirect, and
    /// cannot turn out to be one.
    public var redirectHeaders: [HeaderLine] {
        switch plan {
        case .redirect(let url): router.originHeaders(for: asked, to: url)
        case .fetch(let origin, .playlist), .fetch(let origin, .mediaPlaylist): origin.headers
        default: []
        }
    }

    /// Whether `fetched`, a request of a fetch, may go to its URL, or to `url` if the answer of `previous` redirects
    /// there.
    ///
    /// An answer that redirects to where it may not go is given to the fetch as it is. If it is left to the client, the
    /// request then ends with that redirect.
    public func mayFetch(
        _ fetched: FetchRequest, at url: [UInt8]? = nil, redirectedFrom previous: [UInt8]? = nil
    ) -> FetchPermission { permission(fetched.purpose, url ?? fetched.url, previous) }

    func permission(
        _ purpose: FetchRequest.Purpose, _ url: [UInt8], _ previous: [UInt8]?
    ) -> FetchPermission {
        router.mayFetch(url, isHandedOn: plan.handsOn(purpose), for: asked, redirectedFrom: previous)
    }

    mutating func want() {
        guard let job = router.job(for: plan) else {
            let name = plan.track.map { router.tracks[$0].name } ?? []
            return end = substitute(for: .route(RouteError(.unknownTrack, name: name)))
        }
        if let track = plan.track, router.tracks[track].configuration.cues != nil {
            return end = substitute(for: .route(RouteError(.notLive, track: track)))
        }
        let file = plan.track.flatMap { router.tracks[$0].configuration.file }
        wanted = [Wanted(job: job, file: file, track: plan.track, checked: nil)]
        guard case .fetch(_, .master) = plan, router.policies.missingTrack == .leaveOut else { return }
        // Cues that come while the stream goes on are not there yet.
        unknown = router.tracks.indices.filter { router.tracks[$0].configuration.cues == nil }
        wanted += unknown.map { index in
            let track = router.tracks[index]
            return Wanted(job: .presence(track.fetched), file: track.configuration.file, track: index, checked: index)
        }
    }
}
