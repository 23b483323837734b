import ByteScan
import M3U8
import NIOCore
import Sideload

/// Sends a playlist with tracks in it to whoever connects, chunk by chunk, and then closes.
///
/// It does what makes sinks that call back crash: its rewriter is a property, and the channel tells it in the middle of a write that the
/// peer does not keep up.
final class SideloadingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What happened, once all has been sent.
    struct Report: Sendable {
        /// How often the channel came back in the middle of a write.
        var changesWhileSending = 0
        /// How many pieces were sent.
        var pieces = 0
        /// What the playlist was when the channel came back.
        var verdicts: Set<PlaylistVerdict> = []
    }

    private let rewriter: ReusableRewriter
    private let playlist: ByteBuffer
    private let chunkSize: Int
    private let done: EventLoopPromise<Report>
    private var report = Report()
    private var isSending = false

    init(_ tracks: SubtitleTracks, playlist: ByteBuffer, chunkSize: Int, done: EventLoopPromise<Report>) {
        rewriter = ReusableRewriter(tracks)
        self.playlist = playlist
        self.chunkSize = chunkSize
        self.done = done
    }

    func channelActive(context: ChannelHandlerContext) {
        do {
            var rest = playlist
            while let chunk = rest.readSlice(length: min(chunkSize, rest.readableBytes)), chunk.readableBytes > 0 {
                try chunk.withUnsafeReadableBytes { try rewriter.write($0) }
                send(chunk, context)
            }
            rewriter.finish()
            send(ByteBuffer(), context)
            let report = report
            let done = done
            context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in
                done.succeed(report)
                context.close(promise: nil)
            }
        } catch {
            done.fail(error)
            context.close(promise: nil)
        }
    }

    private func send(_ chunk: ByteBuffer, _ context: ChannelHandlerContext) {
        isSending = true
        defer { isSending = false }
        for piece in rewriter.output {
            report.pieces += 1
            switch piece {
            case .chunk(let range):
                guard let slice = chunk.getSlice(at: chunk.readerIndex + range.lowerBound, length: range.count) else {
                    preconditionFailure("a range outside the chunk")
                }
                context.writeAndFlush(wrapOutboundOut(slice), promise: nil)
            case .own(let bytes):
                context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
            }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isSending {
            report.changesWhileSending += 1
            report.verdicts.insert(rewriter.verdict)
            // Whatever a proxy may want to know, and even a write: the loop goes on over the pieces that it has begun with.
            _ = (rewriter.isSettled, rewriter.heldBytes, rewriter.output.count)
            try? rewriter.write(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        context.fireChannelWritabilityChanged()
    }
}
