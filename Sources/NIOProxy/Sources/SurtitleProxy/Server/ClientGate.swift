import Foundation
import NIOCore
import NIOHTTP1

// What every request and every response of a client's connection passes, next to the codec.
//
//     request    judged before anything else sees it. One that is refused is answered here, and ends the connection
//     no HTTP    answered here, if nothing is being answered. ClientConnection closes then
//     response   if it breaks off, and only the end of the connection would tell where it ends, the connection is
//                reset: closed in good order, it would look whole

/// Lets through what can be acted on, and lets nothing end that is not whole.
final class ClientGate: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Response {
        case none
        /// One whose end its framing tells.
        case framed
        /// One that ends with the connection.
        case untilTheEnd
    }

    private let worker: Worker
    let door: Door
    private var context: ChannelHandlerContext?
    /// Those of the latest request.
    private var (method, version) = (HTTPMethod.GET, HTTPVersion.http1_1)
    private var response = Response.none
    /// Whether the connection's last answer has been given here.
    private var isShut = false
    /// Whether its last answer has been given by whoever: to what comes behind it, HTTP or not, there is none.
    var isOver = false

    init(_ worker: Worker, _ door: Door) {
        self.worker = worker
        self.door = door
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    private var names: HostNames { if case .metrics(let names) = door { names } else { worker.site.names } }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isShut else { return }
        guard case .head(let head) = unwrapInboundIn(data), !isOver else { return context.fireChannelRead(data) }
        (method, version) = (head.method, head.version)
        do throws(HeadJudge.Refusal) {
            let judged = try HeadJudge.judge(head, for: names)
            context.fireChannelRead(judged.uri == head.uri ? data : wrapInboundOut(.head(judged)))
        } catch {
            refuse(error.status, context)
            var record = RequestRecord(head)
            record.status = Int(error.status.code)
            record.note = error.reason
            worker.note(record, nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The connection is closed once what was written has left, and not before.
        if error is HTTPParserError, isOver { return }
        if let error = error as? HTTPParserError, case .none = response, !isShut {
            let isLong = if case .headerOverflow = error { true } else { false }
            refuse(isLong ? .requestHeaderFieldsTooLarge : .badRequest, context)
        }
        context.fireErrorCaught(error)
    }

    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
        isShut = true
        var fields = HTTPHeaders([("Connection", "close")])
        fields.frame(Framing(method, status, .http1_1, .known(0)))
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))), promise: nil)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    // MARK: Responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.code >= 200:
            response = version == .http1_0 && head.endsWithConnection(to: method) ? .untilTheEnd : .framed
        case .end: response = .none
        case .head, .body: break
        }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .all, case .untilTheEnd = response { resetAtClose(context) }
        context.close(mode: mode, promise: promise)
    }

    /// Closes the connection at once, whatever waits to be sent.
    func reset() {
        guard let context else { return }
        resetAtClose(context)
        context.close(promise: nil)
    }

    private func resetAtClose(_ context: ChannelHandlerContext) {
        // Zero seconds: what the kernel still has is dropped, and the client gets a reset.
        guard let socket = context.channel as? any SocketOptionProvider else { return }
        _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }
}

/// Tells a connection how many bytes have come, before the codec holds them.
final class ByteMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: ClientConnection

    init(_ connection: ClientConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.came(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        connection.noteUnread()
    }
}
