import Delivery
import HTTPResponseSideloader
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A proxy that listens.
public struct ProxyServer: Sendable {
    /// What a proxy is made of.
    public struct Settings: Sendable {
        package var listen = ListenPlace(host: "127.0.0.1", port: 8080)
        /// Who reaches it.
        var reach = ListenPlace.Reach.loopback
        /// Where metrics are, if not where clients come.
        var metrics: ListenPlace?
        package var threads = System.coreCount
        package var limits = TimeLimits()
        /// How many clients are connected at once, in equal shares for the threads; others are turned away.
        package var connections = 4096
        /// How many connections to origins there are at once, in equal shares too; who needs one more gets 503.
        var originConnections = 4096
        /// How many bytes may be held for clients. If there are more, those have to go who have not taken theirs for
        /// longest.
        var bufferedBytes = 16 << 20
        /// Whose pages may read what is made here: an origin, or `*`.
        var pages: String?
        /// What becomes of the video's own media playlists, and of the renditions beside them.
        var playlistEdits = VideoPlaylistEdits()
        /// What those must know who send cues; nil if nobody needs to, who reaches the proxy on this machine.
        var cuesToken: String?
        /// Whether there is a line for each request on standard error.
        package var isLogging = true
        /// Whether everything passes as it is, without anything that looks at it.
        package var isPassing = false
        /// The file of those who sign the certificates of https origins; nil for those that the system trusts.
        package var authorities: String?

        package init() {}

        /// Whether clients get the metrics where everything else is.
        package var givesMetrics: Bool { metrics == nil && reach == .loopback }
    }

    private let group: MultiThreadedEventLoopGroup
    private let listeners: [any Channel]
    private let workers: Workers
    private let grace: TimeAmount

    /// The port at which it listens.
    public var port: Int { listeners[0].localAddress?.port ?? 0 }

    /// Listens. Connections wait until ``serve(_:)`` is called.
    public init(_ settings: Settings) async throws {
        group = MultiThreadedEventLoopGroup(numberOfThreads: settings.threads)
        grace = settings.limits.grace
        workers = try await Workers(on: group, settings)
        var listeners = [try await Self.listen(at: settings.listen, for: .clients, workers, group, settings)]
        if let metrics = settings.metrics {
            let reach = try metrics.reach
            let names = reach == .loopback ? HostNames(loopbackAt: metrics.port, []) : .any
            listeners.append(try await Self.listen(at: metrics, for: .metrics(names), workers, group, settings))
        }
        self.listeners = listeners
    }

    private static func listen(
        at place: ListenPlace, for door: Door, _ workers: Workers, _ group: MultiThreadedEventLoopGroup,
        _ settings: Settings
    ) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.autoRead, value: false)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause())
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 64 << 10, high: 256 << 10))
            // Requests that come early are held, parsed, until their turn comes: not more of them than this.
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 2048))
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try workers.configure(channel, settings, door) }
            }
            .bind(host: place.host, port: place.port).get()
    }

    /// Serves `site` from the next request on.
    public func serve(_ site: Site) async throws {
        try await workers.serve(site)
        for listener in listeners { try await listener.setOption(.autoRead, value: true).get() }
    }

    /// Takes no more connections, lets requests under way end, but not for longer than the limit, and closes
    /// everything.
    public func end() async throws {
        for listener in listeners { try await listener.close() }
        let workers = workers
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await workers.end() }
            tasks.addTask { [grace] in try await Task.sleep(for: .nanoseconds(grace.nanoseconds)) }
            try await tasks.next()
            tasks.cancelAll()
            try await workers.forEach { $0.stop() }
        }
        try await group.shutdownGracefully()
    }
}
