import Delivery
import HTTPResponseSideloader
import NIOCore
import NIOHTTP1
import NIOSSL
import Sideload

/// All that the connections of one event loop share. It is used on that event loop alone.
final class Worker {
    let loop: any EventLoop
    let limits: TimeLimits
    let pool: OriginPool
    let log: AccessLog?
    private(set) var site: Site
    private(set) var sideloading: Sideloading
    var counts = ProxyCounts()
    /// Whether connections end with their present request.
    private(set) var isEnding = false
    /// Whether those that are accepted yet are closed at once.
    private var isStopped = false
    private var connections: [ObjectIdentifier: ClientConnection] = [:]
    private let budget: Budget
    /// What is held for clients, by other workers too.
    let held: HeldBytes
    /// Whose pages may read what is made here: the value of Access-Control-Allow-Origin.
    let pages: String?
    /// Whether clients get the metrics, and not only whoever comes where `--metrics` says.
    let givesMetrics: Bool
    /// Who may send cues.
    let cuesAccess: CuesAccess
    private var ticking: Scheduled<Void>?
    private var whenEmpty: EventLoopPromise<Void>?
    /// Where answers beside live streams come from.
    var live: LiveDoor?
    /// What becomes of the video's own playlists, and which renditions are reported in them.
    fileprivate let playlistEdits: VideoPlaylistEdits
    fileprivate let reported: ReportedRenditions
    /// Brings what all workers have counted.
    var gather: (() -> EventLoopFuture<Metrics?>)?

    init(
        on loop: any EventLoop, _ site: Site, _ security: NIOSSLContext, _ held: HeldBytes,
        _ reported: ReportedRenditions, _ settings: ProxyServer.Settings
    ) {
        self.loop = loop
        self.reported = reported
        playlistEdits = settings.isPassing ? VideoPlaylistEdits() : settings.playlistEdits
        self.site = site
        limits = settings.limits
        budget = Budget(settings)
        self.held = held
        pages = settings.pages
        givesMetrics = settings.givesMetrics
        cuesAccess = CuesAccess(token: settings.cuesToken, isLocal: settings.reach == .loopback)
        log = settings.isLogging ? AccessLog() : nil
        pool = OriginPool(on: loop, security, patience: limits.patience, most: budget.originConnections)
        sideloading = Sideloading { _ in nil }
        sideloading.pages = settings.pages
        serve(site)
        scheduleTick()
    }

    /// Serves another site from the next request on.
    func serve(_ site: Site) {
        self.site = site
        let tracks = MasterTracks(site, mostBytes: budget.trackBytes)?.tracks
        sideloading.tracks = { head in
            head.uri.hasPrefix(Site.prefix) ? nil : tracks
        }
    }

    var metrics: Metrics { Metrics(counts, sideloading.counts, openConnections: connections.count) }

    // MARK: Connections

    /// Whether another client can be served, or some more that only want the metrics.
    func hasRoom(at door: Door) -> Bool {
        !isStopped && connections.count < budget.connections + (door == .clients ? 0 : 8)
    }

    func add(_ connection: ClientConnection) {
        connections[ObjectIdentifier(connection)] = connection
        counts.connections += 1
    }

    func remove(_ connection: ClientConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if connections.isEmpty { whenEmpty?.succeed() }
    }

    /// Lets requests under way end, and succeeds when there is no connection left.
    func end() -> EventLoopFuture<Void> {
        isEnding = true
        let promise = loop.makePromise(of: Void.self)
        whenEmpty = promise
        for connection in Array(connections.values) { connection.end() }
        if connections.isEmpty { promise.succeed() }
        return promise.futureResult
    }

    /// Closes everything.
    func stop() {
        isStopped = true
        ticking?.cancel()
        pool.closeIdle(all: true)
        log?.flush()
        for connection in Array(connections.values) { connection.stop() }
    }

    /// Ends connections for which bytes have been held longest, until there is room for others again.
    private func makeRoom(_ now: NIODeadline) {
        let slow = connections.values.filter { $0.hasHeld(since: now - .seconds(1)) }
        for connection in slow.sorted(by: { $0.holdsSince < $1.holdsSince }) {
            guard held.areTooMany else { return }
            counts.turnedAway += 1
            connection.reset("no room for what it has not taken")
        }
    }

    private func scheduleTick() {
        ticking = loop.assumeIsolated().scheduleTask(in: .milliseconds(500)) { [weak self] in self?.tick() }
    }

    private func tick() {
        let now = NIODeadline.now()
        for connection in Array(connections.values) { connection.check(now) }
        if held.areTooMany { makeRoom(now) }
        pool.closeIdle()
        log?.flush()
        scheduleTick()
    }
}

/// The tracks for each playlist of an origin, kept for those that were asked for lately.
final class MasterTracks {
    private let site: Site
    private let all: SubtitleTracks
    private let mostBytes: Int
    private(set) var kept: [String: SubtitleTracks] = [:]
    private(set) var keptBytes = 0

    /// Nil if nothing is sideloaded.
    init?(_ site: Site, mostBytes: Int) {
        guard site.hasTracks, let all = try? site.tracks(besides: "/", at: site.authority(for: nil)) else { return nil }
        self.site = site
        self.all = all
        self.mostBytes = mostBytes
    }

    var tracks: Sideloading.Tracks {
        let limits = site.configuration.limits
        if site.hasOneList { return Sideloading.Tracks(all, limits: limits) }
        // Addresses differ from playlist to playlist, and so need no fingerprint: a tag is compared with those of one
        // playlist alone.
        let version = TracksVersion(fingerprint: all.fingerprint(with: limits))
        return Sideloading.Tracks(version: version, limits: limits) { [self] head in
            find(head.uri, site.authority(for: head))
        }
    }

    /// Those of the playlist at `target`, made once if there is room.
    func find(_ target: String, _ authority: String) -> SubtitleTracks {
        let key = site.hasOneAuthority ? target : authority + target
        if let found = kept[key] { return found }
        guard let found = try? site.tracks(besides: target, at: authority) else { return all }
        let bytes = site.addressBytes(besides: target, at: authority)
        if keptBytes + bytes > mostBytes {
            kept.removeAll()
            keptBytes = 0
        }
        if bytes <= mostBytes {
            kept[key] = found
            keptBytes += bytes
        }
        return found
    }
}

extension Worker {
    /// What becomes of a playlist of the video that is asked for by `request`.
    func playlistEdits(of request: HTTPRequestHead) -> VideoPlaylistEdits {
        var edits = playlistEdits
        guard edits.isEmpty, !reported.isEmpty, let origin = site.origin else { return edits }
        edits.reported = reported[LiveDirectives.removed(from: Array((origin.root + request.uri).utf8))]
        return edits
    }

    /// Counts a request that has ended, and logs it.
    func note(_ record: RequestRecord, _ report: HTTPResponseSideloader.Report?) {
        counts.add(record)
        log?.append(record.line(report))
    }
}
