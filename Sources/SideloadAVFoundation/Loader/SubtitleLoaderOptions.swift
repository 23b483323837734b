#if canImport(AVFoundation) && !os(watchOS)
public import Delivery
public import Sideload

/// How a loader works; all but what is said here has its documented default.
public struct SubtitleLoaderOptions: Sendable {
    /// How each kind of request is answered.
    ///
    /// The map is that of the video unless said otherwise, so that cues are in sync: that costs the beginning of a
    /// segment, and its key.
    public var policies = {
        var policies = RoutePolicies()
        policies.map = .auto
        return policies
    }()

    /// How WebVTT files reach the player.
    public var webVTT = SubtitleWay.automatic

    /// How much later the cues of all tracks are shown, or earlier if it is below zero, to the millisecond; not those
    /// of subtitle playlists. It comes on top of ``ExternalSubtitle/shift``.
    public var shift = Duration.zero

    /// The URLs that the player sees: schemes that begin with `surtitle-` unless said otherwise.
    public var addresses = RouteAddresses()

    /// The app's own header fields for requests to origins, as far as `RoutePolicies.appHeaders` lets them go: to that
    /// of the multivariant playlist, unless said otherwise. They take the place of the player's of the same name.
    public var headers: [(name: String, value: String)] = []

    /// What makes requests to origins: a URLSession of its own unless said otherwise.
    public var transport: any SubtitleTransport

    /// How much is fetched, whatever origins answer.
    public var limits = FetchLimits()

    /// How much may be remembered of a playlist that is edited.
    public var playlistLimits = SideloadLimits()

    /// The most bytes of playlists and files that are kept for the player's next requests: 16 MiB unless said
    /// otherwise.
    public var keptBytes = 16 << 20

    /// Whether a track that is the default replaces the video's own.
    public var replacesDefault = false

    /// How long the multivariant playlist waits, once it is there, to learn whether tracks are missing: 2 s unless said
    /// otherwise.
    ///
    /// Tracks of which nothing is known by then are in it. Of account if `RoutePolicies.missingTrack` is to leave
    /// them out.
    public var patience = Duration.seconds(2)

    /// How long a request for a track's playlist or file waits for its origin: 3 s unless said otherwise, because a
    /// player ends when something comes later than that.
    ///
    /// Then the playlist is made without the file's length, and the file is empty, unless
    /// `RoutePolicies.missingTrack` lets requests fail.
    public var filePatience = Duration.seconds(3)

    /// What a video that is a media playlist alone is wrapped into: its codecs, resolution, frame rate and video range,
    /// where the app knows them. Its URI is of no account.
    ///
    /// A video range of HLG or PQ wants a frame rate, and a receiver without HDR may refuse the playlist.
    public var wrapping: WrappedVariant?

    /// How the subtitle playlists are written that are made for files.
    public var playlistOptions = SubtitlePlaylist.Options()

    /// Called with everything that happens to requests, on the loader's queue or that of a fetch; nil for nobody.
    public var trace: (@Sendable (LoadingEvent) -> Void)?

    /// How long the loopback listener waits; for tests.
    var loopbackPatience = LoopbackListener.Patience()

    /// Milliseconds from anywhere; for tests.
    var now = FetchedMaster.clock

    /// The way that counts; nil if that of the policies does.
    var wayInEffect: SubtitleWay? {
        guard case .automatic = webVTT else { return webVTT }
        return switch policies.webVTT {
        case .automatic: .automatic
        case .direct: .direct
        case .bytes: .bytes
        case .redirect: .redirect
        case .served: nil
        }
    }

    /// The documented defaults.
    public init(transport: any SubtitleTransport = URLSessionTransport()) { self.transport = transport }

    /// What makes answers, by these options.
    func maker() -> ResourceMaker {
        ResourceMaker(
            transport: transport, limits: limits, patience: patience, filePatience: filePatience,
            trace: LoadingTrace(receive: trace), now: now)
    }
}
#endif
