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
        package var host = "127.0.0.1"
        package var port = 8080
        package var threads = System.coreCount
        package var limits = TimeLimits()
        /// How many clients are connected at once, in equal shares for the threads; others are turned away.
        package var connections = 4096
        /// Whether there is a line for each request on standard error.
        package var isLogging = true
        /// Whether everything passes as it is, without anything that looks at it.
        package var isPassing = false
        /// The file of those who sign the certificates of https origins; nil for those that the system trusts.
        package var authorities: String?

        package init() {}
    }

    private let group: MultiThreadedEventLoopGroup
    private let listener: any Channel
    private let workers: Workers
    private let grace: TimeAmount

    /// The port at which it listens.
    public var port: Int { listener.localAddress?.port ?? 0 }

    /// Listens. Connections wait until ``serve(_:)`` is called.
    public init(_ settings: Settings) async throws {
        group = MultiThreadedEventLoopGroup(numberOfThreads: settings.threads)
        grace = settings.limits.grace
        let workers = try await Workers(on: group, settings)
        self.workers = workers
        listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.autoRead, value: false)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 64 << 10, high: 256 << 10))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try workers.configure(channel, settings) }
            }
            .bind(host: settings.host, port: settings.port).get()
    }

    /// Serves `site` from the next request on.
    public func serve(_ site: Site) async throws {
        try await workers.forEach { $0.serve(site) }
        try await listener.setOption(.autoRead, value: true).get()
    }

    /// Takes no more connections, lets requests under way end, but not for longer than the limit, and closes everything.
    public func end() async throws {
        try await listener.close()
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
