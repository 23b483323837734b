import NIOCore
import NIOHTTP1

/// A connection to an origin, which carries one request after the other.
final class OriginConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// Where it belongs when nobody uses it.
    weak var pool: OriginPool?
    let address: OriginAddress
    /// When it was last given back.
    var idleSince = NIODeadline.uptimeNanoseconds(0)
    /// Whether it has carried a request before the present one.
    private(set) var isReused = false

    private var context: ChannelHandlerContext?
    private var receiver: (any OriginReceiver)?
    private var isRequestSent = false
    private var keepsAlive = false
    private var isPaused = false
    private var readIsDue = false

    init(to address: OriginAddress) { self.address = address }

    // MARK: Requests

    var isOpen: Bool { context?.channel.isActive ?? false }
    var isWritable: Bool { context?.channel.isWritable ?? false }

    /// Begins a request, whose response `receiver` gets.
    func begin(_ head: HTTPRequestHead, for receiver: any OriginReceiver) {
        self.receiver = receiver
        isRequestSent = false
        keepsAlive = false
        send(.head(head))
    }

    /// Sends more of the request. The end is flushed.
    func send(_ part: HTTPClientRequestPart) {
        guard let context else { return }
        context.write(wrapOutboundOut(part), promise: nil)
        guard case .end = part else { return }
        isRequestSent = true
        context.flush()
    }

    func flush() { context?.flush() }

    /// Stops reading, because nobody can take more, or goes on.
    func pause(_ pauses: Bool) {
        isPaused = pauses
        if !pauses, readIsDue {
            readIsDue = false
            context?.read()
        }
    }

    /// Drops the request, and with it the connection: nothing comes to the receiver any more.
    func cancel() {
        receiver = nil
        context?.close(promise: nil)
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        fail()
    }

    func read(context: ChannelHandlerContext) {
        if isPaused { readIsDue = true } else { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Whatever comes without having been asked for.
        guard let receiver else { return context.close(promise: nil) }
        switch unwrapInboundIn(data) {
        case .head(let head):
            keepsAlive = head.isKeepAlive
            receiver.originAnswered(head)
        case .body(let bytes): receiver.originSent(bytes)
        case .end(let trailers):
            self.receiver = nil
            pause(false)
            if keepsAlive, isRequestSent, context.channel.isActive {
                isReused = true
                pool?.giveBack(self)
            } else {
                context.close(promise: nil)
            }
            receiver.originEnded(trailers)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { receiver?.originPaused() }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        receiver?.originIsWritable(context.channel.isWritable)
    }

    func channelInactive(context: ChannelHandlerContext) {
        pool?.forget(self)
        fail()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail()
        context.close(promise: nil)
    }

    private func fail() {
        let receiver = receiver
        self.receiver = nil
        receiver?.originFailed(.brokenOff)
    }
}
