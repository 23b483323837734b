import Delivery
import HTTPResponseSideloader
import NIOCore
import NIOHTTP1

// A client's connection, one request after the other: HTTPServerPipelineHandler holds back those that come early, and ClientGate those that
// nobody should act on.
//
//     idle ──▶ own          an address of ours: an answer is being made
//          ──▶ forwarding   the origin has been asked
//          ──▶ ending       the response is there, but the client has not taken enough of it: its end waits, and with it the next request
//          ──▶ closing      the last response has been given
//
// The head of an origin's response is held until some of its body has come, for half a second at most: what turns out to be no HTTP then is
// answered with 502.
//
// Back-pressure: nothing is read from the client while the origin takes no more of a request's body, or while the client itself takes no more;
// and nothing from the origin while the client takes no more of the response's body. What is held for the client all the same is counted, with
// that for all others (HeldBytes): where it is too much, origins wait until the client has taken everything, and who takes it slowest has to go.

/// Serves one client.
final class ClientConnection: ChannelDuplexHandler, OriginReceiver {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case idle
        /// Nil while metrics are gathered.
        case own(OwnAnswer?)
        case forwarding(OriginExchange)
        case ending(HTTPHeaders?)
        case closing
    }

    /// What the client has got in answer to the latest request.
    private enum Response {
        case none
        /// The origin's head waits, since then.
        case held(HTTPResponseHead, Framing, since: NIODeadline)
        case begun
    }

    /// How long the head of an origin's response waits for its body.
    private static let longestHold = TimeAmount.milliseconds(500)

    private let worker: Worker
    private let gate: ClientGate
    private let sideloader: HTTPResponseSideloader?
    private var context: ChannelHandlerContext?
    private var state = State.idle
    /// The latest request, and what has been sent in answer to it.
    private var record: RequestRecord?
    private var isRequestWhole = true
    private var response = Response.none
    private var keepsAlive = true
    private var readIsDue = false
    private var lastProgress = NIODeadline.now()
    /// When the latest request began.
    private var began = NIODeadline.now()
    /// How many bytes have come of which nothing has been made yet.
    private var unread = 0
    private var held = Held() {
        didSet {
            guard held.count != oldValue.count else { return }
            worker.held.change(by: held.count - oldValue.count)
            if oldValue.count == 0 { holdsSince = .now() }
        }
    }
    /// Since when something has been held.
    private(set) var holdsSince = NIODeadline.now()

    /// How many bytes are held for the client.
    private struct Held {
        /// Of a head that is not whole yet.
        var unread = 0
        /// Of what an answer is being made of.
        var own = 0
        /// Of responses that the client has not taken.
        var written = 0

        var count: Int { unread + own + written }
    }

    init(_ worker: Worker, _ gate: ClientGate, _ sideloader: HTTPResponseSideloader?) {
        self.worker = worker
        self.gate = gate
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
        unread = 0
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes):
            guard case .forwarding(let exchange) = state else { return }
            exchange.send(.body(.byteBuffer(bytes)))
        case .end(let trailers):
            isRequestWhole = true
            guard case .forwarding(let exchange) = state else { return }
            exchange.send(.end(trailers?.forwardedTrailers))
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .forwarding(let exchange) = state, !isRequestWhole { exchange.flush() }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard case .idle = state, let framing = try? BodyFraming(head.headers) else { return }
        record = RequestRecord(head)
        began = lastProgress
        isRequestWhole = framing.ofRequest == .none
        response = .none
        // The decoder takes what follows an Upgrade for another protocol.
        keepsAlive =
            head.isKeepAlive && head.version != .http1_0 && !worker.isEnding && !head.headers.contains(name: "Upgrade")
        let isFixed = Site.fixedPaths.contains(head.uri)
        let own = isFixed || gate.door != .clients ? nil : worker.site.own(head)
        if head.method != .GET, head.method != .HEAD, isFixed || own != nil {
            let fields = HTTPHeaders([("Allow", "GET, HEAD")])
            return send(.methodNotAllowed, own == nil ? fields : fields.readable(by: worker.pages), ByteBuffer())
        }
        if head.uri == Site.healthPath { return sendPage("text/plain", "ok\n") }
        if head.uri == Site.metricsPath, gate.door != .clients || worker.givesMetrics { return answerMetrics() }
        if isFixed || gate.door != .clients { return send(.notFound, HTTPHeaders(), ByteBuffer()) }
        if let own {
            if worker.held.areTooMany { return sendBusy() }
            let answer = OwnAnswer(own, of: worker.site, head.method, by: worker.pool)
            state = .own(answer)
            record?.note = answer.description
            answer.whenHolding = { [self] bytes in hold(bytes) }
            return answer.begin { [self] answer in send(answer) }
        }
        guard let origin = worker.site.origin else { return send(HTTPResponseStatus.notFound) }
        if head.version != .http1_0, head.headers.first(name: "Expect")?.lowercased() == "100-continue" {
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
        state = .forwarding(
            OriginExchange(
                head.forwarded(to: origin.address.authority, framing.ofRequest), to: origin.address, by: worker.pool,
                for: self))
    }

    func read(context: ChannelHandlerContext) {
        let takesMore: Bool
        if case .forwarding(let exchange) = state, !isRequestWhole {
            takesMore = exchange.isWritable
        } else {
            takesMore = context.channel.isWritable
        }
        if takesMore { context.read() } else { readIsDue = true }
    }

    func originIsWritable(_ isWritable: Bool) { if isWritable { readIfDue() } }

    private func readIfDue() {
        guard readIsDue else { return }
        readIsDue = false
        context?.read()
    }

    // MARK: Responses of the origin

    func originAnswered(_ head: HTTPResponseHead, _ length: BodyLength) {
        guard let request = record?.head else { return }
        lastProgress = .now()
        record?.status = Int(head.status.code)
        let framing = Framing(request.method, head.status, request.version, length)
        if framing == .connection { keepsAlive = false }
        guard let forwarded = head.forwarded(framing, keepsAlive: keepsAlive) else {
            if case .forwarding(let exchange) = state { exchange.cancel() }
            return originFailed(.malformed)
        }
        response = .held(forwarded, framing, since: lastProgress)
    }

    /// Sends the origin's head, if it waits.
    private func sendHead() {
        guard let context, case .held(let head, _, _) = response else { return }
        response = .begun
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    func originSent(_ bytes: ByteBuffer) {
        guard let context else { return }
        lastProgress = .now()
        record?.bytes += bytes.readableBytes
        sendHead()
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        if !context.channel.isWritable, case .forwarding(let exchange) = state { exchange.pause(true) }
    }

    func originPaused() {
        context?.flush()
        noteWritten()
        if held.written > 0, worker.held.areTooMany, case .forwarding(let exchange) = state { exchange.pause(true) }
    }

    func originEnded(_ trailers: HTTPHeaders?) {
        sendHead()
        endResponse(trailers?.forwardedTrailers)
    }

    func originFailed(_ failure: OriginFailure) {
        worker.counts.originFailures += 1
        switch (response, failure) {
        case (.none, .busy): sendBusy()
        case (.none, .connectingTooLong): send(.gatewayTimeout)
        case (.none, _), (.held, .malformed), (.held(_, .connection, _), _): send(.badGateway)
        case (.held, _), (.begun, _):
            // What the client has is not all, and it must see that.
            record?.note = "broken off"
            sendHead()
            breakOff()
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        noteWritten()
        guard context.channel.isWritable else { return }
        switch state {
        case .forwarding(let exchange):
            lastProgress = .now()
            exchange.pause(false)
        case .ending(let trailers): finishResponse(trailers)
        case .idle, .own, .closing: break
        }
        if isRequestWhole { readIfDue() }
    }

    // MARK: Answers of ours

    private func send(_ answer: HTTPAnswer) {
        var headers = HTTPHeaders()
        for line in answer.headers {
            headers.add(
                name: String(decoding: line.name, as: UTF8.self), value: String(decoding: line.value, as: UTF8.self))
        }
        // In answer to HEAD there is no body to be counted.
        let announced = try? BodyFraming(headers).ofResponse
        headers = headers.withoutFraming.readable(by: worker.pages)
        let body = ByteBuffer(bytes: answer.body)
        let isHead = record?.head.method == .HEAD
        send(HTTPResponseStatus(statusCode: answer.status), headers, body, isHead ? announced : nil)
    }

    private func send(_ status: HTTPResponseStatus) {
        send(status, HTTPHeaders().readable(by: worker.pages), ByteBuffer())
    }

    /// Sends that there is no room at the moment.
    private func sendBusy() {
        worker.counts.turnedAway += 1
        send(.serviceUnavailable, HTTPHeaders([("Retry-After", "1")]).readable(by: worker.pages), ByteBuffer())
    }

    /// Takes note of how many bytes an answer is being made of. If all together are too many it is given up.
    private func hold(_ bytes: Int) {
        held.own = bytes
        // One alone may be larger than all should be.
        guard worker.held.areTooMany(without: bytes), case .own(let answer?) = state else { return }
        answer.cancel()
        sendBusy()
    }

    /// Sends what is for whoever runs the proxy, and not for pages of other places.
    private func sendPage(_ type: String, _ text: String) {
        let body = ByteBuffer(string: text)
        let isHead = record?.head.method == .HEAD
        let fields = HTTPHeaders([("Content-Type", type), ("Cache-Control", "no-store")])
        send(.ok, fields, isHead ? ByteBuffer() : body, .known(body.readableBytes))
    }

    /// - Parameter length: That of the body, if it is not `body`'s.
    private func send(
        _ status: HTTPResponseStatus, _ fields: HTTPHeaders, _ body: ByteBuffer, _ length: BodyLength? = nil
    ) {
        guard let context, let request = record?.head else { return }
        response = .begun
        var headers = fields
        headers.frame(Framing(request.method, status, request.version, length ?? .known(body.readableBytes)))
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
        state = .own(nil)
        worker.gather?().assumeIsolated().whenSuccess { [self] metrics in
            guard case .own(nil) = state else { return }
            sendPage("text/plain; version=0.0.4", metrics?.text ?? "")
        }
    }

    // MARK: The end

    private func endResponse(_ trailers: HTTPHeaders?) {
        guard let context else { return }
        if keepsAlive, isRequestWhole, !context.channel.isWritable {
            state = .ending(trailers)
            context.flush()
        } else {
            finishResponse(trailers)
        }
    }

    private func finishResponse(_ trailers: HTTPHeaders?) {
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
        held.own = 0
        noteWritten()
        if let finished, sideloader?.isAskingAgain != true { worker.note(finished, sideloader?.report) }
    }

    private func noteWritten() {
        guard let context else { return }
        held.written = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
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
            end()
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
        held = Held()
        worker.remove(self)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func drop() {
        switch state {
        case .own(let answer): answer?.cancel()
        case .forwarding(let exchange): exchange.cancel()
        case .idle, .ending, .closing: break
        }
        state = .closing
    }

    /// Ends with the present request, or at once if there is none.
    func end() {
        keepsAlive = false
        switch state {
        case .idle: context?.close(promise: nil)
        case .ending(let trailers): finishResponse(trailers)
        case .own, .forwarding, .closing: break
        }
    }

    /// Ends at once.
    func stop() { context?.close(promise: nil) }

    // MARK: What lasts too long, and what is held

    /// Takes note that so many bytes have come, which the decoder gets next.
    func came(_ bytes: Int) { unread += bytes }

    /// Takes note that the decoder has made of them what it could: what is left is held twice, as bytes and in fields.
    func noteUnread() { held.unread = 2 * unread }

    /// Whether something has been held since then.
    func hasHeld(since then: NIODeadline) -> Bool { held.count > 0 && holdsSince < then }

    /// Ends at once, whatever waits to be sent, because of `reason`.
    func reset(_ reason: String) {
        record?.note = reason
        drop()
        noteUnfinished()
        gate.reset()
    }

    /// Ends what has lasted too long.
    func check(_ now: NIODeadline) {
        let before = held.written
        noteWritten()
        if held.written != before { lastProgress = now }
        if case .held(_, _, let since) = response, now - since > Self.longestHold {
            sendHead()
            context?.flush()
        }
        let limits = worker.limits
        let isStuck = now - lastProgress > limits.patience
        let isOver = now - began > limits.total
        switch state {
        case .idle: if now - lastProgress > limits.keepAlive { context?.close(promise: nil) }
        case .closing: if isStuck || isOver { gate.reset() }
        case .own, .forwarding, .ending:
            let isUploadOver = !isRequestWhole && now - began > limits.upload
            guard isUploadOver || isStuck || isOver else { return goOn() }
            drop()
            if case .begun = response {
                guard !isOver else { return reset("too slow") }
                record?.note = "too slow"
                breakOff()
            } else {
                keepsAlive = false
                if isUploadOver { return send(.requestTimeout) }
                worker.counts.originFailures += 1
                send(.gatewayTimeout)
            }
        }
    }

    /// Lets the origin go on, which has waited because too much was held for all clients.
    private func goOn() {
        guard case .forwarding(let exchange) = state, context?.channel.isWritable == true else { return }
        if held.written == 0 || !worker.held.areTooMany { exchange.pause(false) }
    }
}

extension HTTPHeaders {
    /// With leave for `pages`, an origin or `*`, to read what they belong to.
    fileprivate func readable(by pages: String?) -> HTTPHeaders {
        guard let pages else { return self }
        var fields = self
        fields.add(name: "Access-Control-Allow-Origin", value: pages)
        return fields
    }
}
