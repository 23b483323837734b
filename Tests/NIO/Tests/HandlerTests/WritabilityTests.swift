import M3U8
import NIOCore
import NIOPosix
import Sideload
import Testing

/// A handler whose channel comes back to it in the middle of a write, over real sockets.
@Suite struct WritabilityTests {
    /// Reads nothing until it is told to, then everything until the peer closes.
    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let all: EventLoopPromise<ByteBuffer>
        private var collected = ByteBuffer()

        init(_ all: EventLoopPromise<ByteBuffer>) { self.all = all }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            collected.writeBuffer(&bytes)
        }

        func channelInactive(context: ChannelHandlerContext) { all.succeed(collected) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { all.fail(error) }
    }

    private static let tracks = [
        SubtitleTrack(uri: "subs/en.m3u8", language: "en", name: "English", isDefault: true),
        SubtitleTrack(uri: "subs/sv.m3u8", language: "sv", name: "Svenska"),
    ]

    /// 1 MB of variants.
    private static let playlist: [UInt8] = {
        var text = Array("#EXTM3U\n".utf8)
        var number = 0
        while text.count < 1_000_000 {
            text += "#EXT-X-STREAM-INF:BANDWIDTH=\(1000 + number),RESOLUTION=1280x720\nvideo/\(number).m3u8\n".utf8
            number += 1
        }
        return text
    }()

    @Test(arguments: [1000, 16_384, 65_536, 1 << 20])
    func theChannelComesBackInTheMiddleOfAWrite(chunkSize: Int) async throws {
        let tracks = try SubtitleTracks(Self.tracks)
        let expected = try tracks.sideloaded(into: Self.playlist).bytes
        let group = MultiThreadedEventLoopGroup.singleton
        let report = group.next().makePromise(of: SideloadingHandler.Report.self)
        let playlist = ByteBuffer(bytes: Self.playlist)
        let server = try await ServerBootstrap(group: group)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 1, high: 64 << 10))
            .childChannelOption(.socketOption(.so_sndbuf), value: 4096)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        SideloadingHandler(tracks, playlist: playlist, chunkSize: chunkSize, done: report))
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

        let sent = try await report.futureResult.get()
        let bytes = try await received.futureResult.get()
        try await server.close()
        #expect(bytes == ByteBuffer(bytes: expected))
        #expect(sent.changesWhileSending > 0)
        #expect(sent.verdicts == [.multivariant])
        // Few pieces: merged, where slices would be thousands.
        #expect(sent.pieces <= 2 * (Self.playlist.count / chunkSize + expected.count / (32 << 10)) + 4)
    }
}
