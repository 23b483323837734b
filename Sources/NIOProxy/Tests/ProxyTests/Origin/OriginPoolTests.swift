import NIOCore
import NIOEmbedded
import NIOSSL
import Testing

@testable import SurtitleProxy

/// Connections to origins that wait for a request.
@Suite struct OriginPoolTests {
    private static let address = OriginAddress(isSecure: false, host: "127.0.0.1", port: 1)

    /// A connection that was given back so many seconds ago, and its channel.
    private static func waiting(_ seconds: Double, in pool: OriginPool, _ loop: EmbeddedEventLoop) throws
        -> EmbeddedChannel
    {
        let connection = OriginConnection(to: address)
        let channel = EmbeddedChannel(handler: connection, loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        pool.giveBack(connection)
        connection.idleSince = .now() - .nanoseconds(Int64(seconds * 1e9))
        return channel
    }

    @Test func whatHasWaitedTooLongIsClosed() throws {
        let loop = EmbeddedEventLoop()
        let security = try NIOSSLContext(configuration: .clientDefault)
        let pool = OriginPool(on: loop, security, patience: .seconds(1), most: 4)
        let channels = try [29.5, 30.5, 3].map { try Self.waiting($0, in: pool, loop) }
        pool.closeIdle()
        loop.run()
        #expect(channels.map(\.isActive) == [true, false, true])
        pool.closeIdle(all: true)
        loop.run()
        #expect(channels.map(\.isActive) == [false, false, false])
    }

    @Test func theLastOneThatIsOpenIsTaken() throws {
        let loop = EmbeddedEventLoop()
        let security = try NIOSSLContext(configuration: .clientDefault)
        let pool = OriginPool(on: loop, security, patience: .seconds(1), most: 4)
        let channels = try (0..<3).map { _ in try Self.waiting(0, in: pool, loop) }
        try channels[2].close().wait()
        #expect(pool.take(to: Self.address)?.isOpen == true)
        #expect(pool.take(to: Self.address)?.isOpen == true)
        #expect(pool.take(to: Self.address) == nil)
    }

    @Test func whatHasWaitedMayHaveBeenClosedThoughItHasCarriedNothing() throws {
        let loop = EmbeddedEventLoop()
        let security = try NIOSSLContext(configuration: .clientDefault)
        let pool = OriginPool(on: loop, security, patience: .seconds(1), most: 4)
        _ = try Self.waiting(0, in: pool, loop)
        #expect(pool.take(to: Self.address)?.hasWaited == true)
    }

    @Test func theOneThatHasWaitedLongestOfTooManyIsClosed() throws {
        let loop = EmbeddedEventLoop()
        let security = try NIOSSLContext(configuration: .clientDefault)
        let pool = OriginPool(on: loop, security, patience: .seconds(1), most: 4)
        var channels = try (0..<256).map { _ in try Self.waiting(0, in: pool, loop) }
        loop.run()
        #expect(channels.map(\.isActive) == [Bool](repeating: true, count: 256))
        channels.append(try Self.waiting(0, in: pool, loop))
        loop.run()
        #expect(channels.map(\.isActive) == [false] + [Bool](repeating: true, count: 256))
    }

    @Test func whatHasGoneDoesNotWait() throws {
        let loop = EmbeddedEventLoop()
        let security = try NIOSSLContext(configuration: .clientDefault)
        let pool = OriginPool(on: loop, security, patience: .seconds(1), most: 4)
        let (one, other) = (OriginConnection(to: Self.address), OriginConnection(to: Self.address))
        let channels = try [one, other].map { connection in
            let channel = EmbeddedChannel(handler: connection, loop: loop)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            pool.giveBack(connection)
            return channel
        }
        pool.forget(other)
        #expect(pool.take(to: Self.address) === one)
        #expect(pool.take(to: Self.address) == nil)
        #expect(channels.map(\.isActive) == [true, true])
    }
}
