#if canImport(AVFoundation) && !os(watchOS)
public import AVFoundation
internal import ByteScan
public import Delivery
internal import M3U8

/// Puts subtitles from elsewhere beside a video that AVPlayer plays, without a server.
///
/// It answers what the player asks for: the multivariant playlist with the tracks in it, the tracks' playlists, and
/// their files where the player cannot have them from their origin. The player fetches everything else by itself, as
/// far as the policies let it.
///
/// An asset that it makes keeps it. It may be used from any thread, and by several assets. It fetches the multivariant
/// playlist once, and again only if the player asks for a renewal or after ``forget()``. Its tracks are those that it
/// was made with: one that is added later needs another loader and a new player item, because a player reads the
/// multivariant playlist once.
///
/// Beside a live or EVENT video, whose playlist has no EXT-X-ENDLIST, the tracks are live too, but those that
/// say otherwise. For that the loader asks for the video's playlist itself, once for all of them.
public final class SubtitleLoader: Sendable {
    /// What plans the answers.
    public let router: Router

    /// The URL that the player begins with, of a scheme of ours: AVPlayer asks nobody else for it.
    public let entryURL: URL

    private let maker: SubtitleWays
    let live: LiveAnswers
    let listener: LoopbackListener
    private let staleness: Staleness
    // AVFoundation calls it on this queue; it is NSObject for that, and Sendable by all of its state being there.
    private let delegate: ResourceDelegate
    private let queue: DispatchQueue
    private let board: TrackBoard
    private let requests: OpenRequests
    let assets = AttachedAssets()

    /// A loader for the multivariant playlist at `masterURL`, or for the media playlist of a video without one, with
    /// these tracks.
    ///
    /// The app's own `delegate` is for what is not ours: keys of DRM, challenges, other schemes. It is held weakly and
    /// called on the loader's queue.
    ///
    /// - Throws: ``SubtitleLoaderError`` for a URL that is not http or https, for tracks that the playlist cannot have,
    ///   and for policies that a track cannot meet.
    public convenience init(
        _ masterURL: URL, subtitles: [ExternalSubtitle], options: SubtitleLoaderOptions = SubtitleLoaderOptions(),
        delegate: (any AVAssetResourceLoaderDelegate)? = nil
    ) throws(SubtitleLoaderError) {
        try self.init(try Self.router(masterURL, subtitles, options), options.maker(), options, delegate)
    }

    /// A loader for a media playlist that is made here, of segments and their keys, whose URIs are relative to `url`,
    /// with these tracks beside it.
    ///
    /// - Throws: ``SubtitleLoaderError`` for a URL that is not http or https, and for a playlist that cannot be
    ///   written.
    public convenience init(
        _ playlist: MadePlaylist, relativeTo url: URL, subtitles: [ExternalSubtitle] = [],
        options: SubtitleLoaderOptions = SubtitleLoaderOptions(),
        delegate: (any AVAssetResourceLoaderDelegate)? = nil
    ) throws(SubtitleLoaderError) {
        let router = try Self.router(url, [], options)
        let made = try refusing(try router.mediaPlaylist(playlist)) {
            SubtitleLoaderError(.route($0), Array(url.absoluteString.utf8))
        }
        try self.init(playlist: Data(made.bytes), at: url, subtitles: subtitles, options: options, delegate: delegate)
    }

    /// A loader for a multivariant or media playlist in memory, as if it had been fetched from `url`, to which its URIs
    /// are relative.
    ///
    /// - Throws: ``SubtitleLoaderError`` as for one that is fetched.
    public convenience init(
        playlist: Data, at url: URL, subtitles: [ExternalSubtitle] = [],
        options: SubtitleLoaderOptions = SubtitleLoaderOptions(), delegate: (any AVAssetResourceLoaderDelegate)? = nil
    ) throws(SubtitleLoaderError) {
        var options = options
        // The player cannot fetch a media playlist that is nowhere else.
        if PlaylistFacts(of: [UInt8](playlist)).verdict == .media { options.policies.variants = .mapped }
        let router = try Self.router(url, subtitles, options)
        var maker = options.maker()
        maker.given = GivenPlaylist(url: Array(router.master.prefix { $0 != UInt8(ascii: "#") }), body: playlist)
        try self.init(router, maker, options, delegate)
    }

    /// A loader for what a configuration says, in JSON for instance: the multivariant playlist, the tracks, policies,
    /// addresses and header fields, whatever `options` say of these.
    ///
    /// Paths of local files are relative to `folder`.
    ///
    /// - Throws: ``SubtitleLoaderError`` for a configuration without `master`, and as if it were in code.
    public convenience init(
        _ configuration: Configuration, folder: URL? = nil, options: SubtitleLoaderOptions = SubtitleLoaderOptions(),
        delegate: (any AVAssetResourceLoaderDelegate)? = nil
    ) throws(SubtitleLoaderError) {
        var configuration = configuration
        for index in configuration.tracks.indices {
            guard let file = configuration.tracks[index].file, let folder, !file.hasPrefix("/") else { continue }
            configuration.tracks[index].file = folder.appendingPathComponent(file).path
        }
        var options = options
        options.policies = configuration.policies
        try self.init(Self.router(configuration, options), options.maker(), options, delegate)
    }

    /// A loader for a configuration in JSON, as `surtitle route` reads it: see the guide's table of keys.
    ///
    /// Paths of local files are relative to `folder`.
    ///
    /// - Throws: ``SubtitleLoaderError`` with the place in the text, and as if it were in code.
    public convenience init(
        json: Data, folder: URL? = nil, options: SubtitleLoaderOptions = SubtitleLoaderOptions(),
        delegate: (any AVAssetResourceLoaderDelegate)? = nil
    ) throws(SubtitleLoaderError) {
        let configuration = try refusing(try Configuration([UInt8](json))) {
            SubtitleLoaderError(.configuration($0), [])
        }
        try self.init(configuration, folder: folder, options: options, delegate: delegate)
    }

    private init(
        _ router: Router, _ maker: ResourceMaker, _ options: SubtitleLoaderOptions,
        _ app: (any AVAssetResourceLoaderDelegate)?
    ) throws(SubtitleLoaderError) {
        self.router = router
        guard let entryURL = URL(keeping: router.entry) else { throw SubtitleLoaderError(.noURL, router.entry) }
        self.entryURL = entryURL
        let (trace, staleness) = (maker.trace, Staleness())
        let empty = router.missingFile() ?? Resource(Array("WEBVTT\n\n".utf8), .webVTT)
        let listener = LoopbackListener(empty: empty, patience: options.loopbackPatience) {
            staleness.set()
            trace.note(.moved, router.entry)
        }
        (self.listener, self.staleness) = (listener, staleness)
        board = TrackBoard(router)
        live = LiveAnswers(router, maker, board, now: maker.now)
        let ways = SubtitleWays(
            router: router, maker: maker, way: options.wayInEffect, listener: listener, live: live, board: board,
            trace: trace)
        self.maker = ways
        queue = DispatchQueue(label: "surtitle.loader")
        let app = AppDelegate(app)
        maker.challenges.set(app, queue, assets)
        requests = OpenRequests(queue, assets, ways, keeping: options.keptBytes)
        // What was kept has the addresses that lead nowhere.
        staleness.whenSet { [weak requests] in requests?.forget() }
        delegate = ResourceDelegate(router, requests, app, maker.trace)
    }

    private static func router(
        _ url: URL, _ subtitles: [ExternalSubtitle], _ options: SubtitleLoaderOptions
    ) throws(SubtitleLoaderError) -> Router {
        var configuration = Configuration(master: url.absoluteString)
        for subtitle in subtitles { configuration.tracks.append(try subtitle.configuration()) }
        configuration.policies = options.policies
        configuration.addresses = options.addresses
        configuration.headers = options.headers.map { HeaderLine($0.name, $0.value) }
        configuration.limits = options.playlistLimits
        configuration.replacesDefault = options.replacesDefault
        configuration.wrapping = options.wrapping
        configuration.playlistOptions = options.playlistOptions
        return try Self.router(configuration, options)
    }

    /// The router, whose addresses of files are ours where the way says later what becomes of them.
    private static func router(
        _ configuration: Configuration, _ options: SubtitleLoaderOptions
    ) throws(SubtitleLoaderError) -> Router {
        var configuration = configuration
        configuration.decodesText = true
        for index in configuration.tracks.indices {
            _ = try configuration.tracks[index].textEncoding()
            if let file = configuration.tracks[index].cuesFile {
                throw SubtitleLoaderError(.cuesFile, Array(file.utf8))
            }
            let (sum, isTooLong) = configuration.tracks[index].shift.addingReportingOverflow(
                options.shift.inMilliseconds)
            configuration.tracks[index].shift = isTooLong ? sum < 0 ? .max : .min : sum
        }
        switch options.wayInEffect {
        case .redirect: configuration.policies.webVTT = .redirect
        case .automatic, .direct, .loopback, .bytes, .served: configuration.policies.webVTT = .bytes
        case nil: break
        }
        return try refusing(try Router(configuration)) {
            SubtitleLoaderError(.route($0), configuration.master ?? [])
        }
    }

    deinit {
        listener.end()
        live.end()
        board.end()
    }

    /// Whether addresses that the player has been given lead nowhere any more, because their port was taken while the
    /// app was suspended: the item must be loaded again, from a new asset.
    public var needsNewItem: Bool { staleness.isSet }

    /// An asset that plays the video with the tracks, and keeps this loader. `options` are those of AVURLAsset.
    public func makeAsset(options: [String: Any]? = nil) -> SubtitleAsset { SubtitleAsset(self, options: options) }

    /// Answers for another asset, whose URL is ``entryURL``. The caller keeps this loader as long as it is played.
    public func attach(to resourceLoader: AVAssetResourceLoader) {
        staleness.clear()
        assets.add(resourceLoader)
        resourceLoader.setDelegate(delegate, queue: queue)
    }

    /// Forgets the multivariant playlist, and all that has been made: they are fetched again for the next item, if the
    /// tokens of their URLs have expired, for instance.
    public func forget() {
        maker.maker.masters.forget()
        live.forget()
        requests.forget()
    }

    /// What has become of each track.
    public var subtitles: [SubtitleStatus] { board.statuses }

    /// What has become of each track, and then every change, until the loader goes.
    public var subtitleChanges: AsyncStream<SubtitleStatus> { board.changes }

    /// What the multivariant playlist calls each track: its NAME, or one for each group where that was taken.
    var listedNames: [[String]] { board.statuses.map(\.listedNames) }

    /// What a server of the app's hands out for a request below the base of `RoutePolicies.WebVTT.served(base:)`, in
    /// the very same way.
    ///
    /// - Returns: All of the resource; nil if the request is none of ours, is redirected, or is for what no subtitle
    ///   playlist of this loader's has named: whoever reaches the app's server can write any address.
    public func resource(for request: RouteRequest) async throws(SubtitleLoaderError) -> Resource? {
        var request = request
        if case .served = maker.way, let address = SubtitleWays.address(in: request.url) { request.url = address }
        let asked = Router.Request(router, request, besideLive: true)
        switch asked.plan {
        case .redirect, .decline: return nil
        case .fetch where !board.knows(asked): return nil
        default:
            board.noteAsking(asked)
            switch await maker.make(asked) {
            case .success(.redirected): return nil
            case .success(.made(let made)):
                board.note(asked, .success(made))
                return made.resource
            case .failure(let error):
                board.note(asked, .failure(error))
                throw error
            }
        }
    }
}
#endif
