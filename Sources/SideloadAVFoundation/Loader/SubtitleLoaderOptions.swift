#if canImport(AVFoundation) && !os(watchOS)
public import Delivery
public import Sideload

/// How a loader works; all but what is said here has its documented default.
public struct SubtitleLoaderOptions: Sendable {
    /// How each kind of request is answered.
    public var policies = RoutePolicies()

    /// The URLs that the player sees: schemes that begin with `surtitle-` unless said otherwise.
    public var addresses = RouteAddresses()

    /// The app's own header fields for every request to an origin, the tracks' too, whoever they belong to. They take the place of the
    /// player's of the same name. An app whose credentials are for some hosts alone adds them in a transport of its own.
    public var headers: [(name: String, value: String)] = []

    /// What makes requests to origins: a URLSession of its own unless said otherwise.
    public var transport: any SubtitleTransport

    /// How much is fetched, whatever origins answer.
    public var limits = FetchLimits()

    /// How much may be remembered of a playlist that is edited.
    public var playlistLimits = SideloadLimits()

    /// The most bytes of playlists and files that are kept for the player's next requests: 16 MiB unless said otherwise.
    public var keptBytes = 16 << 20

    /// Whether a track that is the default replaces the video's own.
    public var replacesDefault = false

    /// How long the multivariant playlist waits, once it is there, to learn whether tracks are missing: 2 s unless said otherwise.
    ///
    /// Tracks of which nothing is known by then are in it. Of account if ``RoutePolicies/missingTrack`` is to leave them out.
    public var patience = Duration.seconds(2)

    /// Called with everything that happens to requests, on the loader's queue or that of a fetch; nil for nobody.
    public var trace: (@Sendable (LoadingEvent) -> Void)?

    /// The documented defaults.
    public init(transport: any SubtitleTransport = URLSessionTransport()) { self.transport = transport }

    /// What makes answers, by these options.
    func maker(_ router: Router) -> ResourceMaker {
        let origin = Origin(transport: transport, limits: limits, trace: LoadingTrace(receive: trace))
        var maker = ResourceMaker(router, origin)
        maker.headers = headers.map { HeaderLine($0.name, $0.value) }
        maker.patience = patience
        return maker
    }
}
#endif
