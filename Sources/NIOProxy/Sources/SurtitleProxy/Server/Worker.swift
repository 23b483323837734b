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
    private var connections: [ObjectIdentifier: ClientConnection] = [:]
    private let budget: Budget
    private var ticking: Scheduled<Void>?
    private var whenEmpty: EventLoopPromise<Void>?
    /// Brings what all workers have counted.
    var gather: (() -> EventLoopFuture<Metrics?>)?

    init(
        on loop: any EventLoop, _ site: Site, _ security: NIOSSLContext, _ settings: ProxyServer.Settings
    ) {
        self.loop = loop
        self.site = site
        limits = settings.limits
        budget = Budget(settings)
        log = settings.isLogging ? AccessLog() : nil
        pool = OriginPool(on: loop, security, patience: limits.patience)
        sideloading = Sideloading { _ in nil }
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

    /// Whether another client can be served.
    var hasRoom: Bool { connections.count < budget.connections }

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
        ticking?.cancel()
        pool.closeIdle(all: true)
        log?.flush()
        for connection in Array(connections.values) { connection.stop() }
    }

    private func scheduleTick() {
        ticking = loop.assumeIsolated().scheduleTask(in: .milliseconds(500)) { [weak self] in self?.tick() }
    }

    private func tick() {
        let now = NIODeadline.now()
        for connection in Array(connections.values) { connection.check(now) }
        pool.closeIdle()
        log?.flush()
        scheduleTick()
    }
}

/// One worker's share of what clients can make grow.
private struct Budget {
    /// How many clients are served at once.
    let connections: Int
    /// How many bytes the tracks' addresses may have that are kept.
    let trackBytes: Int

    /// Of 4 MiB of addresses for all workers together. What is kept of them takes about five times as much.
    init(_ settings: ProxyServer.Settings) {
        connections = max(settings.connections / settings.threads, 1)
        trackBytes = (4 << 20) / settings.threads
    }
}

/// The tracks for each playlist of an origin, kept for those that were asked for lately.
private final class MasterTracks {
    private let site: Site
    private let all: SubtitleTracks
    private let mostBytes: Int
    private var kept: [String: SubtitleTracks] = [:]
    private var keptBytes = 0

    /// Nil if nothing is sideloaded.
    init?(_ site: Site, mostBytes: Int) {
        guard site.hasTracks, let all = try? site.tracks(besides: "/") else { return nil }
        self.site = site
        self.all = all
        self.mostBytes = mostBytes
    }

    var tracks: Sideloading.Tracks {
        let limits = site.configuration.limits
        if site.hasOneList { return Sideloading.Tracks(all, limits: limits) }
        // Addresses differ from playlist to playlist, and so need no fingerprint: a tag is compared with those of one playlist alone.
        let version = TracksVersion(fingerprint: all.fingerprint(with: limits))
        return Sideloading.Tracks(version: version, limits: limits) { [self] head in find(head.uri) }
    }

    private func find(_ target: String) -> SubtitleTracks {
        if let found = kept[target] { return found }
        guard let found = try? site.tracks(besides: target) else { return all }
        let bytes = site.addressBytes(besides: target)
        if keptBytes + bytes > mostBytes {
            kept.removeAll()
            keptBytes = 0
        }
        if bytes <= mostBytes {
            kept[target] = found
            keptBytes += bytes
        }
        return found
    }
}

extension Worker {
    /// Counts a request that has ended, and logs it.
    func note(_ record: RequestRecord, _ report: HTTPResponseSideloader.Report?) {
        counts.add(record)
        log?.append(record.line(report))
    }
}
