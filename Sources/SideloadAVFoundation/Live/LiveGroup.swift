#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery

/// Tracks whose cues count in the same way.
final class LiveGroup {
    let configuration: LiveConfiguration
    var tracks: LiveTracks
    /// Whose header fields go to the origin: those of the request for a playlist that came last.
    var request: Router.Request
    /// Those of its tracks that have been asked for.
    var asked: Set<Int> = []
    var notes = LiveNotes()
    /// Follows versions while cues come.
    var follower: Task<Void, Never>?

    init(_ configuration: LiveConfiguration, _ router: Router) {
        self.configuration = configuration
        tracks = LiveTracks(router, configuration)
        request = Router.Request(router, RouteRequest(router.entry))
    }
}
#endif
