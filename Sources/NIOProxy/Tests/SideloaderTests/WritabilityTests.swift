import HTTPResponseSideloader
import NIOCore
import NIOHTTP1
import NIOPosix
import Sideload
import Testing

/// A channel that comes back in the middle of a write, over real sockets.
@Suite struct WritabilityTests {
    /// Reads nothing until it is told to, then everything until the peer closes.
    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let all: EventLoopPromise<ByteBuffer>
        private var collected = ByteBuffer()

        init(_ all: EventLoopPromise<ByteBuffer>) { self.all = all }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(string: "GET /a.m3u8 HTTP/1.0\r\n\r\n")), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            collected.writeBuffer(&bytes)
        }

        func channelInactive(context: ChannelHandlerContext) { all.succeed(collected) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { all.fail(error) }
    }

    /// Sends a playlist chunk by chunk, and when the channel comes back in the middle sends the next chunk at once.
    private final class Application: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        private var rest: ByteBuffer
        private let size: Int
        private let changes: EventLoopPromise<Int>
        private var changeCount = 0
        private var isSending = false

        init(_ playlist: ByteBuffer, size: Int, changes: EventLoopPromise<Int>) {
            rest = playlist
            self.size = size
            self.changes = changes
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Type": "audio/mpegurl"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            isSending = true
            while rest.readableBytes > 0 { sendNext(context) }
            isSending = false
            changes.succeed(changeCount)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }

        private func sendNext(_ context: ChannelHandlerContext) {
            guard let chunk = rest.readSlice(length: min(size, rest.readableBytes)) else { return }
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(chunk))), promise: nil)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            guard isSending else { return }
            changeCount += 1
            sendNext(context)
        }
    }

    @Test(arguments: [1000, 16_384, 65_536, 1 << 18])
    func theChannelComesBackInTheMiddleOfAWrite(chunkSize: Int) async throws {
        let playlist = Playlists.multivariant(1_000_000)
        let expected = try Playlists.tracks().sideloaded(into: playlist).bytes
        let group = MultiThreadedEventLoopGroup.singleton
        let changes = group.next().makePromise(of: Int.self)
        let server = try await ServerBootstrap(group: group)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 1, high: 64 << 10))
            .childChannelOption(.socketOption(.so_sndbuf), value: 4096)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let tracks = Sideloading.Tracks(try Playlists.tracks())
                    let pipeline = channel.pipeline.syncOperations
                    var encoding = HTTPResponseEncoder.Configuration()
                    encoding.automaticallySetFramingHeaders = false
                    try pipeline.addHandler(HTTPResponseEncoder(configuration: encoding))
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try pipeline.addHandler(HTTPResponseSideloader(Sideloading { _ in tracks }))
                    try pipeline.addHandler(
                        Application(ByteBuffer(bytes: playlist), size: chunkSize, changes: changes))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let received = group.next().makePromise(of: ByteBuffer.self)
        let address = try #require(server.localAddress)
        let client = try await ClientBootstrap(group: group)
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 4096)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(received))
                }
            }
            .connect(to: address).get()
        // The server has met its high-water mark long before the first byte is read.
        try await Task.sleep(for: .milliseconds(100))
        try await client.setOption(.autoRead, value: true).get()

        #expect(try await changes.futureResult.get() > 0)
        let text = try await received.futureResult.get()
        try await server.close()
        let body = Array(text.readableBytesView.suffix(expected.count))
        #expect(body == expected)
        #expect(text.readableBytes - expected.count < 200)
    }
}
