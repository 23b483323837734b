import Foundation
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
    /// Whether it has waited for the present request, and may have been closed meanwhile.
    var hasWaited = false
    /// Whether it is one of those that there may be so many of.
    var isCounted = true

    private var context: ChannelHandlerContext?
    /// That of the channel, if it has one.
    private var socket: NIOBSDSocket.Handle?
    private var receiver: (any OriginReceiver)?
    /// The method of the latest request.
    private var method = HTTPMethod.GET
    private var isRequestSent = false
    private var keepsAlive = false
    /// Whether it can carry another request once all that has come is read.
    private var isFree = false
    private var isPaused = false
    private var readIsDue = false

    init(to address: OriginAddress) { self.address = address }

    // MARK: Requests

    var isOpen: Bool { context?.channel.isActive ?? false }
    var isWritable: Bool { context?.channel.isWritable ?? false }

    /// Whether nothing waits to be read that nobody has asked for: it would be taken for the answer to the next
    /// request.
    ///
    /// The event loop has not always seen all that has come: it reads so much at a time.
    var isSilent: Bool {
        guard let socket else { return true }
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 0
    }

    /// Begins a request, whose response `receiver` gets.
    func begin(_ head: HTTPRequestHead, for receiver: any OriginReceiver) {
        self.receiver = receiver
        method = head.method
        isRequestSent = false
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

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func read(context: ChannelHandlerContext) {
        if isPaused { readIsDue = true } else { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Whatever comes without having been asked for.
        guard let receiver else { return context.close(promise: nil) }
        switch unwrapInboundIn(data) {
        case .head(let head):
            // The decoder takes what follows 101 for another protocol. Of the others below 200 it tells nothing.
            guard head.status.code >= 200, let framing = try? BodyFraming(head.headers) else {
                fail(.malformed)
                return context.close(promise: nil)
            }
            keepsAlive = head.isKeepAlive && framing.endsByItself(to: method, head.status)
            receiver.originAnswered(head, framing.ofResponse)
        case .body(let bytes): receiver.originSent(bytes)
        case .end(let trailers):
            self.receiver = nil
            pause(false)
            isFree = keepsAlive && isRequestSent && context.channel.isActive
            if !isFree { context.close(promise: nil) }
            receiver.originEnded(trailers)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isFree {
            // Not before: whatever came behind the response would be taken for the answer to the next request.
            isFree = false
            pool?.giveBack(self)
        }
        receiver?.originPaused()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        receiver?.originIsWritable(context.channel.isWritable)
    }

    func channelActive(context: ChannelHandlerContext) {
        socket = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable { $0 }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isFree = false
        pool?.forget(self)
        fail(.brokenOff)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isMalformed = (error as? HTTPParserError).map { $0 != .invalidEOFState } ?? false
        fail(isMalformed ? .malformed : .brokenOff)
        context.close(promise: nil)
    }

    private func fail(_ failure: OriginFailure) {
        let receiver = receiver
        self.receiver = nil
        receiver?.originFailed(failure)
    }
}
