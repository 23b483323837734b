import HTTPResponseSideloader
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Sideload
import Testing

/// A playlist that is sent in one write, past NIO's encoder: the bytes are those that the encoder makes of the same
/// parts.
@Suite struct WholeResponseTests {
    /// Changes what passes on its way to the codec.
    private final class Between: ChannelOutboundHandler {
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart
        private let change: (HTTPServerResponsePart) -> [HTTPServerResponsePart]
        /// Called behind each part.
        private let then: (HTTPServerResponsePart, ChannelHandlerContext) -> Void

        init(
            _ change: @escaping (HTTPServerResponsePart) -> [HTTPServerResponsePart] = { [$0] },
            then: @escaping (HTTPServerResponsePart, ChannelHandlerContext) -> Void = { _, _ in }
        ) {
            (self.change, self.then) = (change, then)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let part = unwrapOutboundIn(data)
            let parts = change(part)
            for part in parts.dropLast() { context.write(wrapOutboundOut(part), promise: nil) }
            if let last = parts.last { context.write(wrapOutboundOut(last), promise: promise) }
            then(part, context)
        }
    }

    private static func encoder() -> HTTPResponseEncoder {
        var configuration = HTTPResponseEncoder.Configuration()
        configuration.automaticallySetFramingHeaders = false
        return HTTPResponseEncoder(configuration: configuration)
    }

    private static func written(by channel: EmbeddedChannel) throws -> [ByteBuffer] {
        var written: [ByteBuffer] = []
        while let data = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = data, bytes.readableBytes > 0 { written.append(bytes) }
        }
        return written
    }

    private static func joined(_ written: [ByteBuffer]) -> String {
        written.map { String(buffer: $0) }.joined()
    }

    /// What the encoder makes of the parts that come out of a sideloader without one.
    private static func expected(
        _ status: HTTPResponseStatus, _ playlist: [UInt8],
        _ change: (HTTPServerResponsePart) -> [HTTPServerResponsePart]
    ) throws -> String {
        let exchange = try Exchange()
        try exchange.ask()
        answer(exchange.channel, status, playlist)
        let channel = EmbeddedChannel(handler: encoder())
        while let part = try exchange.channel.readOutbound(as: HTTPServerResponsePart.self) {
            for changed in change(part) { channel.writeAndFlush(changed, promise: nil) }
        }
        return joined(try written(by: channel))
    }

    private static func answer(_ channel: EmbeddedChannel, _ status: HTTPResponseStatus, _ playlist: [UInt8]) {
        let fields = HTTPHeaders([("Content-Type", "audio/mpegurl"), ("ETag", "\"a\""), ("X-Empty", "")])
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        for start in stride(from: 0, to: playlist.count, by: 1000) {
            let chunk = playlist[start..<min(start + 1000, playlist.count)]
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: chunk))), promise: nil)
        }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    }

    /// A playlist that is so long with the tracks in it.
    private static func playlist(thatBecomes count: Int) -> [UInt8] {
        let start = Playlists.multivariant(2800)
        let added = ((try? Playlists.tracks().sideloaded(into: start).bytes.count) ?? 0) - start.count
        return start + [UInt8](repeating: UInt8(ascii: "#"), count: count - added - start.count - 1) + [10]
    }

    private struct Row: Sendable {
        let reason: String
        var status = HTTPResponseStatus.ok
        var playlist = Playlists.multivariant(2800)
        var change: @Sendable (HTTPServerResponsePart) -> [HTTPServerResponsePart] = { [$0] }
        var isOneWrite = false
    }

    private static let rows = [
        Row(reason: "a held playlist", isOneWrite: true),
        Row(reason: "as much as is held", playlist: Playlists.multivariant(40_000), isOneWrite: true),
        Row(reason: "as much as is copied", playlist: playlist(thatBecomes: 65_536), isOneWrite: true),
        Row(reason: "a byte more", playlist: playlist(thatBecomes: 65_537)),
        Row(reason: "more than is held", playlist: Playlists.multivariant(100_000)),
        Row(reason: "a media playlist", playlist: Playlists.media),
        Row(reason: "nothing but a head", playlist: [], isOneWrite: true),
        Row(reason: "another status", status: .nonAuthoritativeInformation),
        Row(
            reason: "a body that is cut on its way",
            change: { part in
                guard case .body(.byteBuffer(var bytes)) = part, let first = bytes.readSlice(length: 10) else {
                    return [part]
                }
                return [.body(.byteBuffer(first)), .body(.byteBuffer(bytes))]
            }),
        Row(
            reason: "a body that becomes another",
            change: { part in
                switch part {
                case .head(var head):
                    head.headers.remove(name: "Content-Length")
                    head.headers.add(name: "Transfer-Encoding", value: "chunked")
                    return [.head(head)]
                case .body: return [.body(.byteBuffer(ByteBuffer(string: "encoded")))]
                case .end: return [part]
                }
            }),
        Row(
            reason: "trailers",
            change: { part in if case .end = part { [.end(["X-A": "b"])] } else { [part] } }),
    ]

    private static func channel(_ between: Between) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: encoder())
        let tracks = Sideloading.Tracks(try Playlists.tracks())
        try channel.pipeline.syncOperations.addHandlers([between, HTTPResponseSideloader(Sideloading { _ in tracks })])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        return channel
    }

    private static func ask(_ channel: EmbeddedChannel) {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/master.m3u8")
        channel.pipeline.fireChannelRead(HTTPServerRequestPart.head(head))
        channel.pipeline.fireChannelRead(HTTPServerRequestPart.end(nil))
    }

    /// What somebody flushes or closes in the middle of a response goes out as far as it has come.
    @Test func whatIsFlushedOrClosedInTheMiddle() throws {
        let playlist = Playlists.multivariant(2800)
        let whole = try Self.expected(.ok, playlist) { [$0] }
        let head = whole.prefix(upTo: try #require(whole.firstRange(of: "\r\n\r\n")).upperBound)
        for (isAtHead, isClosed) in [(true, false), (false, false), (true, true), (false, true)] {
            let channel = try Self.channel(
                Between(then: { part, context in
                    switch part {
                    case .head where isAtHead, .body where !isAtHead:
                        if isClosed { context.close(promise: nil) } else { context.flush() }
                    default: break
                    }
                }))
            Self.ask(channel)
            Self.answer(channel, .ok, playlist)
            let written = try Self.written(by: channel).map { String(buffer: $0) }
            #expect(written.joined() == whole)
            #expect(written.first == String(head), "the head is not kept for the body")
        }
    }

    @Test func theBytesAreThoseOfTheEncoder() throws {
        for row in Self.rows {
            let channel = try Self.channel(Between(row.change))
            let expected = try Self.expected(row.status, row.playlist, row.change)
            // One after the other on a connection: nothing is left of one for the next.
            for _ in 0..<3 {
                Self.ask(channel)
                Self.answer(channel, row.status, row.playlist)
                let written = try Self.written(by: channel)
                #expect(Self.joined(written) == expected, "\(row.reason)")
                #expect((written.count == 1) == row.isOneWrite, "\(row.reason)")
            }
        }
    }
}
