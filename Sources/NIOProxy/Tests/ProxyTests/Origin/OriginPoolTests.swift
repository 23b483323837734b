import NIOCore
import NIOEmbedded
import NIOPosix
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
        let connection = try channels[0].pipeline.syncOperations.handler(type: OriginConnection.self)
        connection.idleSince = .now() - .hours(1)
        pool.giveBack(connection)
        pool.closeIdle()
        loop.run()
        #expect(channels.map(\.isActive) == [true, false, true], "it has just come back")
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

    /// A connection to the machine or its networks ends before anything is sent.
    @Test(arguments: [
        ("127.0.0.1", false), ("10.0.0.1", false), ("::1", false), ("1.1.1.1", true), ("2606:4700::1111", true),
    ])
    func whereOnlyThePublicNetIsRight(_ address: String, _ isPublic: Bool) throws {
        final class Activity: ChannelInboundHandler {
            typealias InboundIn = Any
            var count = 0
            func channelActive(context: ChannelHandlerContext) { count += 1 }
        }
        let activity = Activity()
        let channel = EmbeddedChannel(handlers: [PublicOnly(), activity])
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 443)
        try channel.connect(to: SocketAddress(ipAddress: address, port: 443)).wait()
        #expect(channel.isActive == isPublic && activity.count == (isPublic ? 1 : 0))
    }

    /// A pool of two connections on an event loop of its own, and a server at `port`.
    private struct Setting {
        let loop: any EventLoop
        let pool: NIOLoopBound<OriginPool>
        let port: Int
        /// What the server has accepted first.
        let accepted: EventLoopPromise<any Channel>

        init() async throws {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
            accepted = loop.makePromise()
            let listener = try await ServerBootstrap(group: group)
                .childChannelInitializer { [accepted] channel in
                    accepted.succeed(channel)
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).get()
            port = try #require(listener.localAddress?.port)
            let security = try NIOSSLContext(configuration: .clientDefault)
            pool = try await loop.submit { [loop] in
                NIOLoopBound(OriginPool(on: loop, security, patience: .seconds(5), most: 2), eventLoop: loop)
            }.get()
        }

        func address(_ port: Int) -> OriginAddress { OriginAddress(isSecure: false, host: "127.0.0.1", port: port) }

        func connect(
            _ port: Int, onlyPublic: Bool = false
        ) async throws -> Result<NIOLoopBound<OriginConnection>, OriginFailure> {
            let made = loop.makePromise(of: Result<NIOLoopBound<OriginConnection>, OriginFailure>.self)
            loop.execute { [loop, pool, address = address(port)] in
                pool.value.connect(to: address, onlyPublic: onlyPublic) { result in
                    made.succeed(result.map { NIOLoopBound($0, eventLoop: loop) })
                }
            }
            return try await made.futureResult.get()
        }

        /// Makes a connection that must be there.
        func connection() async throws -> NIOLoopBound<OriginConnection> { try await connect(port).get() }

        func failure(_ port: Int, onlyPublic: Bool = false) async throws -> OriginFailure? {
            if case .failure(let failure) = try await connect(port, onlyPublic: onlyPublic) { failure } else { nil }
        }

        func isOpen(_ connection: NIOLoopBound<OriginConnection>) async throws -> Bool {
            // What is to be closed is, by the next turn but one.
            for _ in 0..<3 { try await loop.submit {}.get() }
            return try await loop.submit { connection.value.isOpen }.get()
        }

        func giveBack(_ connection: NIOLoopBound<OriginConnection>, _ seconds: Int64) async throws {
            try await loop.submit { [pool] in
                pool.value.giveBack(connection.value)
                connection.value.idleSince = .now() - .seconds(seconds)
            }.get()
        }

        func cancel(_ connection: NIOLoopBound<OriginConnection>) async throws {
            try await loop.submit { connection.value.cancel() }.get()
            #expect(try await !isOpen(connection))
        }
    }

    @Test func thereAreAsManyConnectionsAsMayBe() async throws {
        let setting = try await Setting()
        let closed = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let closedPort = try #require(closed.localAddress?.port)
        try await closed.close()
        for _ in 0..<3 {
            #expect(try await setting.failure(closedPort) == .unreachable)
            #expect(try await setting.failure(setting.port, onlyPublic: true) == .unreachable, "not of the public net")
        }
        let first = try await [setting.connection(), setting.connection()]
        #expect(try await setting.failure(setting.port) == .busy, "those that could not be made do not count")
        try await setting.giveBack(first[0], 2)
        try await setting.giveBack(first[1], 1)
        let third = try await setting.connection()
        #expect(try await !setting.isOpen(first[0]), "the one that has waited longest gives way")
        #expect(try await setting.isOpen(first[1]))
        let fourth = try await setting.connection()
        #expect(try await !setting.isOpen(first[1]))
        #expect(try await setting.failure(setting.port) == .busy, "each has given way to one")
        try await setting.cancel(third)
        try await setting.cancel(fourth)
        let last = try await [setting.connection(), setting.connection()]
        #expect(try await setting.failure(setting.port) == .busy)
        for connection in last { try await setting.cancel(connection) }
    }

    /// What comes before the event loop has looked would be taken for the answer to the next request.
    @Test func whatHasSaidSomethingIsNotTaken() async throws {
        let setting = try await Setting()
        let connection = try await setting.connection()
        try await setting.giveBack(connection, 0)
        let address = setting.address(setting.port)
        let isTaken = try await setting.loop.submit { [pool = setting.pool] in
            let taken = pool.value.take(to: address)
            taken.map(pool.value.giveBack)
            return taken === connection.value
        }.get()
        #expect(isTaken)
        let server = try await setting.accepted.futureResult.get()
        let (wasSilent, isTakenStill) = try await setting.loop.submit { [pool = setting.pool] in
            server.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"), promise: nil)
            let end = NIODeadline.now() + .seconds(10)
            while connection.value.isSilent, NIODeadline.now() < end {}
            return (connection.value.isSilent, pool.value.take(to: address) != nil)
        }.get()
        #expect(!wasSilent && !isTakenStill)
        #expect(try await !setting.isOpen(connection))
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
