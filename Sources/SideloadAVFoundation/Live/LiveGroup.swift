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

    /// The target duration in seconds: an hour at most, whatever a playlist says.
    private var targetDuration: Int64 { Int64(clamping: min(tracks.targetDuration, 3600)) }
    /// How many seconds a fetch may take: an origin blocks for up to three target durations.
    var fetchLimit: Int64 { max(targetDuration * 3, 10) }
    /// For how many milliseconds a version is good for tracks that have not had it.
    var freshness: Int64 { targetDuration * 500 }
    /// How many milliseconds later to look for another version while cues come.
    var followPause: Int64 { max(targetDuration * 250, 250) }

    init(_ configuration: LiveConfiguration, _ router: Router) {
        self.configuration = configuration
        tracks = LiveTracks(router, configuration)
        request = Router.Request(router, RouteRequest(router.entry))
    }
}
#endif
