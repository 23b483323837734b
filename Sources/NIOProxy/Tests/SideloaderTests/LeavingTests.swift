import HTTPResponseSideloader
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Sideload
import Testing

/// Channels that end in the middle of a playlist, and what they share with others afterwards.
@Suite struct LeavingTests {
    private static let typed = [("Content-Type", "audio/mpegurl")]
    private static let playlist = Playlists.multivariant(3000)

    private static func expected() throws -> [UInt8] { try Playlists.tracks().sideloaded(into: playlist).bytes }

    /// Two playlists at once that take turns: each must have a rewriter of its own, and that as new.
    private static func takeTurns(_ shared: Sideloading, _ reason: Comment) throws {
        let both = [try Exchange(shared), try Exchange(shared)]
        for exchange in both {
            try exchange.ask()
            exchange.begin(.ok, typed)
        }
        for start in stride(from: 0, to: playlist.count, by: 500) {
            for exchange in both { exchange.send(Array(playlist[start..<min(start + 500, playlist.count)])) }
        }
        for exchange in both {
            exchange.write(.end(nil))
            #expect(try exchange.response().body == (try expected()), reason)
        }
    }

    /// What a client has left is not sent to another.
    @Test(arguments: [0, 5, 1000, 70_000]) func aClientThatLeaves(_ count: Int) throws {
        let exchange = try Exchange()
        try exchange.ask()
        exchange.begin(.ok, Self.typed)
        let bytes = Array(Playlists.multivariant(100_000)[..<count])
        if count > 0 {
            exchange.channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
        }
        exchange.channel.pipeline.fireChannelInactive()
        #expect(exchange.shared.counts.multivariant == (count < 1000 ? 0 : 1) && exchange.shared.counts.abandoned == 0)
        // The application does not know yet.
        exchange.send(bytes)
        exchange.write(.end(nil))
        try Self.takeTurns(exchange.shared, "\(count) bytes")
    }

    @Test(arguments: [0, 5, 1000, 70_000]) func aResponseThatBreaksOff(_ count: Int) throws {
        for version in [HTTPVersion.http1_0, .http1_1] {
            let exchange = try Exchange()
            try exchange.ask(version: version)
            exchange.begin(.ok, Self.typed)
            exchange.send(Array(Playlists.multivariant(100_000)[..<count]))
            exchange.channel.close(promise: nil)
            #expect(!exchange.channel.isActive && exchange.shared.counts.abandoned == 1)
            try Self.takeTurns(exchange.shared, "\(count) bytes, \(version)")
            #expect(exchange.shared.counts.abandoned == 1)
        }
    }

    /// Of a response that has ended nothing breaks off.
    @Test(arguments: [Playlists.media, playlist]) func whatHasEndedDoesNotBreakOff(_ playlist: [UInt8]) throws {
        let exchange = try Exchange()
        try exchange.ask()
        exchange.begin(.ok, Self.typed)
        exchange.send(playlist, size: 100)
        exchange.write(.end(nil))
        exchange.channel.close(promise: nil)
        #expect(try exchange.response().isWhole)
        #expect(!exchange.channel.isActive && exchange.shared.counts.abandoned == 0)
    }

    /// Calls the channel back the first time that something is written to it.
    private final class Once: ChannelOutboundHandler {
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart
        private var call: (() -> Void)?

        init(_ call: @escaping () -> Void) { self.call = call }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let call = call
            self.call = nil
            call?()
            context.write(data, promise: promise)
        }
    }

    /// As where the peer resets the connection: the channel notices when it writes.
    @Test(arguments: [true, false]) func aChannelThatClosesInTheMiddleOfAWrite(_ isWhole: Bool) throws {
        let exchange = try Exchange()
        let once = Once { [channel = exchange.channel] in channel.pipeline.fireChannelInactive() }
        try exchange.channel.pipeline.syncOperations.addHandler(once, position: .first)
        try exchange.ask()
        exchange.begin(.ok, Self.typed)
        exchange.send(Self.playlist)
        if isWhole { exchange.write(.end(nil)) } else { exchange.channel.close(promise: nil) }
        try Self.takeTurns(exchange.shared, "it is given back once")
    }

    /// What the application writes in the middle of a call comes after what the call sends.
    @Test func callsInTheMiddleOfACallWait() throws {
        for isClosing in [true, false] {
            let exchange = try Exchange()
            let once = Once { [channel = exchange.channel] in
                channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "#EXT-X-END"))), promise: nil)
            }
            try exchange.channel.pipeline.syncOperations.addHandler(once, position: .first)
            try exchange.ask()
            exchange.begin(.ok, Self.typed)
            let lines = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n"
            exchange.send(Array(lines.utf8))
            if isClosing {
                exchange.channel.close(promise: nil)
            } else {
                exchange.send(Playlists.multivariant(70_000))
            }
            let body = String(decoding: try exchange.response().body, as: UTF8.self)
            #expect(body.contains("\nv\n") && !body.hasPrefix("#EXT-X-END"))
            if isClosing { #expect(body.hasSuffix("\nv\n"), "there is no more once it is closed") }
        }
    }
}
