import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

@testable import SurtitleProxy

/// Connections of clients, from when they are accepted until their channels are gone.
@Suite struct WorkersTests {
    private struct NeverActive: Error {}

    /// A listener whose connections are closed once they have their handlers, as by NIO where the listener is closed
    /// meanwhile.
    @Test func aConnectionThatWasNeverActiveIsNotLeft() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var settings = ProxyServer.Settings()
        settings.threads = 1
        let workers = try await Workers(on: group, settings)
        let listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { [settings] channel in
                channel.eventLoop.makeCompletedFuture {
                    try workers.configure(channel, settings)
                    throw NeverActive()
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let client = try await ClientBootstrap(group: group).connect(to: #require(listener.localAddress)).get()
        try await client.closeFuture.get()
        let connections = NIOLockedValueBox((came: 0, open: [String]()))
        try await workers.forEach { worker in
            connections.withLockedValue {
                $0.came += worker.counts.connections
                $0.open += worker.metrics.text.split(separator: "\n").map(String.init)
                    .filter { $0.hasPrefix("surtitle_connections_open") }
            }
        }
        let (came, open) = connections.withLockedValue { $0 }
        try #require(came == 1 && open == ["surtitle_connections_open 0"])
        try await listener.close()
        try await workers.end()
        try await group.shutdownGracefully()
    }
}
