import Delivery
import HTTPResponseSideloader
import NIOCore
import NIOHTTP1

// A client's connection, one request after the other: HTTPServerPipelineHandler holds back those that come early.
//
//     idle ──▶ own          an address of ours: an answer is being made
//          ──▶ forwarding   the origin has been asked. `hasBegun` once its answer has
//          ──▶ closing      the last response has been given
//
// Back-pressure: nothing is read from the client while the origin takes no more of a request's body, and nothing from the origin while the
// client takes no more of the response's.

/// Serves one client.
final class ClientConnection: ChannelDuplexHandler, OriginReceiver {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case idle
        case own(OwnAnswer)
        case forwarding(OriginExchange)
        case closing
    }

    private let worker: Worker
    private let sideloader: HTTPResponseSideloader?
    private var context: ChannelHandlerContext?
    private var state = State.idle
    /// The latest request, and what has been sent in answer to it.
    private var record: RequestRecord?
    private var isRequestWhole = true
    private var hasBegun = false
    private var keepsAlive = true
    private var readIsDue = false
    private var lastProgress = NIODeadline.now()
    /// How many bytes waited for the client when that was last looked at.
    private var lastBuffered = 0

    init(_ worker: Worker, _ sideloader: HTTPResponseSideloader?) {
        self.worker = worker
        self.sideloader = sideloader
    }

    // MARK: Requests

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        worker.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastProgress = .now()
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes):
            guard case .forwarding(let exchange) = state else { return }
            exchange.send(.body(.byteBuffer(bytes)))
        case .end(let trailers):
            isRequestWhole = true
            guard case .forwarding(let exchange) = state else { return }
            exchange.send(.end(trailers))
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .forwarding(let exchange) = state, !isRequestWhole { exchange.flush() }
    }

    private func begin(_ received: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard case .idle = state else { return }
        var head = received
        head.makeOriginForm()
        record = RequestRecord(head)
        isRequestWhole = !head.hasBody
        hasBegun = false
        lastBuffered = 0
        keepsAlive = head.isKeepAlive && head.version != .http1_0 && !worker.isEnding
        if head.uri == Site.metricsPath { return answerMetrics() }
        if let own = worker.site.own(head) {
            let answer = OwnAnswer(own, of: worker.site, head.method, by: worker.pool)
            state = .own(answer)
            record?.note = answer.description
            return answer.begin { [self] answer in send(answer) }
        }
        guard let origin = worker.site.origin, head.method != .CONNECT else {
            return send(head.method == .CONNECT ? .methodNotAllowed : .notFound)
        }
        if head.headers.first(name: "Expect")?.lowercased() == "100-continue" {
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
        state = .forwarding(
            OriginExchange(
                head.forwarded(to: origin.address.authority), to: origin.address, by: worker.pool, for: self))
    }

    func read(context: ChannelHandlerContext) {
        if case .forwarding(let exchange) = state, !isRequestWhole, !exchange.isWritable {
            readIsDue = true
        } else {
            context.read()
        }
    }

    func originIsWritable(_ isWritable: Bool) {
        guard isWritable, readIsDue else { return }
        readIsDue = false
        context?.read()
    }

    // MARK: Responses of the origin

    func originAnswered(_ head: HTTPResponseHead) {
        guard let context, let record else { return }
        lastProgress = .now()
        hasBegun = true
        self.record?.status = Int(head.status.code)
        let head = head.forwarded(to: record.head, keepsAlive: &keepsAlive)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    func originSent(_ bytes: ByteBuffer) {
        guard let context else { return }
        lastProgress = .now()
        record?.bytes += bytes.readableBytes
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        if !context.channel.isWritable, case .forwarding(let exchange) = state { exchange.pause(true) }
    }

    func originPaused() { context?.flush() }

    func originEnded(_ trailers: HTTPHeaders?) { endResponse(trailers) }

    func originFailed(_ failure: OriginFailure) {
        worker.counts.originFailures += 1
        guard hasBegun else {
            let status: HTTPResponseStatus
            if case .connectingTooLong = failure { status = .gatewayTimeout } else { status = .badGateway }
            return send(status)
        }
        // What the client has is not all, and it must see that.
        record?.note = "broken off"
        breakOff()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, case .forwarding(let exchange) = state {
            lastProgress = .now()
            exchange.pause(false)
        }
    }

    // MARK: Answers of ours

    private func send(_ answer: HTTPAnswer) {
        var headers = HTTPHeaders()
        for line in answer.headers {
            headers.add(
                name: String(decoding: line.name, as: UTF8.self), value: String(decoding: line.value, as: UTF8.self))
        }
        send(HTTPResponseStatus(statusCode: answer.status), headers, ByteBuffer(bytes: answer.body))
    }

    private func send(_ status: HTTPResponseStatus) {
        send(status, HTTPHeaders([("Content-Length", "0")]), ByteBuffer())
    }

    private func send(_ status: HTTPResponseStatus, _ fields: HTTPHeaders, _ body: ByteBuffer) {
        guard let context else { return }
        var headers = fields
        // Pages of other places play what comes from here.
        headers.add(name: "Access-Control-Allow-Origin", value: "*")
        if !isRequestWhole { keepsAlive = false }
        if !keepsAlive { headers.add(name: "Connection", value: "close") }
        record?.status = Int(status.code)
        record?.bytes = body.readableBytes
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        endResponse(nil)
    }

    private func answerMetrics() {
        worker.gather?().assumeIsolated().whenSuccess { [self] metrics in
            let body = ByteBuffer(string: metrics?.text ?? "")
            let fields = HTTPHeaders([
                ("Content-Type", "text/plain; version=0.0.4"), ("Content-Length", String(body.readableBytes)),
            ])
            send(.ok, fields, record?.head.method == .HEAD ? ByteBuffer() : body)
        }
    }

    // MARK: The end

    private func endResponse(_ trailers: HTTPHeaders?) {
        guard let context else { return }
        // A request that is still coming belongs to nothing any more.
        let keepsAlive = keepsAlive && isRequestWhole
        state = keepsAlive ? .idle : .closing
        let finished = record
        record = nil
        // The next request may come in the middle of this call.
        if keepsAlive {
            context.writeAndFlush(wrapOutboundOut(.end(trailers)), promise: nil)
        } else {
            let sent = context.eventLoop.makePromise(of: Void.self)
            sent.futureResult.assumeIsolated().whenComplete { [self] _ in self.context?.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.end(trailers)), promise: sent)
        }
        if let finished, sideloader?.isAskingAgain != true { worker.note(finished, sideloader?.report) }
    }

    /// Closes the connection once all that was written has left.
    private func breakOff() {
        guard let context else { return }
        state = .closing
        noteUnfinished()
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { [self] _ in self.context?.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: sent)
    }

    private func noteUnfinished() {
        guard let record else { return }
        self.record = nil
        worker.note(record, nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case HTTPResponseSideloader.Event.askingAgain = event {
            state = .idle
        } else if case ChannelEvent.inputClosed = event {
            // The client sends no more, and may still wait for an answer.
            keepsAlive = false
            if case .idle = state { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        drop()
        if record != nil {
            worker.counts.cancelled += 1
            record?.status = 499
            record?.note = "the client has left"
        }
        noteUnfinished()
        worker.remove(self)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func drop() {
        switch state {
        case .own(let answer): answer.cancel()
        case .forwarding(let exchange): exchange.cancel()
        case .idle, .closing: break
        }
        state = .closing
    }

    /// Ends with the present request, or at once if there is none.
    func end() {
        keepsAlive = false
        if case .idle = state { context?.close(promise: nil) }
    }

    /// Ends at once.
    func stop() { context?.close(promise: nil) }

    /// Ends what has lasted too long.
    func check(_ now: NIODeadline) {
        let buffered = (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        if buffered != lastBuffered {
            lastBuffered = buffered
            lastProgress = now
        }
        switch state {
        case .idle: if now - lastProgress > worker.limits.keepAlive { context?.close(promise: nil) }
        case .closing: if now - lastProgress > worker.limits.patience { context?.close(promise: nil) }
        case .own, .forwarding:
            guard now - lastProgress > worker.limits.patience else { return }
            drop()
            if hasBegun {
                record?.note = "too slow"
                breakOff()
            } else {
                worker.counts.originFailures += 1
                keepsAlive = false
                send(.gatewayTimeout)
            }
        }
    }
}
