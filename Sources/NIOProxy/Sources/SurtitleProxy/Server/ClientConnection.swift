import Delivery
import HTTPResponseSideloader
import NIOCore
import NIOHTTP1

// A client's connection, one request after the other: HTTPServerPipelineHandler holds back those that come early, and
// ClientGate those that nobody should act on.
//
//     idle ──▶ own          an address of ours: an answer is being made
//          ──▶ taking       an address of ours: cues are coming
//          ──▶ forwarding   the origin has been asked
//          ──▶ ending       the response is there, but the client has not taken enough of it: its end waits, and
//                       the next request with it
//          ──▶ closing      the last response has been given
//
// The head of an origin's response is held until some of its body has come, for half a second at most: what turns out
// to be no HTTP then is answered with 502.
//
// Back-pressure: nothing is read from the client while the origin takes no more of a request's body, or while the
// client itself takes no more; and nothing from the origin while the client takes no more of the response's body. What
// is held for the client all the same is counted, with that for all others (HeldBytes): where it is too much, origins
// wait until the client has taken everything, and who takes it slowest has to go.

/// Serves one client.
final class ClientConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    enum State {
        case idle
        /// Nil while metrics are gathered.
        case own(OwnAnswer?)
        case taking(CuesUpload)
        case forwarding(OriginExchange)
        case ending(HTTPHeaders?)
        case closing
    }

    /// What the client has got in answer to the latest request.
    enum Response {
        case none
        /// The origin's head waits, since then.
        case held(HTTPResponseHead, Framing, since: NIODeadline)
        case begun
    }

    /// What the response is if that may be edited.
    var videoPlaylist: VideoPlaylist?

    /// How long the head of an origin's response waits for its body.
    static let longestHold = TimeAmount.milliseconds(500)

    let worker: Worker
    let gate: ClientGate
    let sideloader: HTTPResponseSideloader?
    var context: ChannelHandlerContext?
    var state = State.idle
    /// The latest request, and what has been sent in answer to it.
    var record: RequestRecord?
    var isRequestWhole = true
    var response = Response.none
    var keepsAlive = true
    /// Whether the client sends no more, and may still wait for an answer.
    private var isInputClosed = false
    private var readIsDue = false
    var lastProgress = NIODeadline.now()
    /// When the latest request began.
    var began = NIODeadline.now()
    /// How many bytes have come of which nothing has been made yet.
    var unread = 0
    var held = Held() {
        didSet {
            guard held.count != oldValue.count else { return }
            worker.held.change(by: held.count - oldValue.count)
            if oldValue.count == 0 { holdsSince = .now() }
        }
    }
    /// Since when something has been held.
    private(set) var holdsSince = NIODeadline.now()

    /// How many bytes are held for the client.
    struct Held {
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

    /// The end of every channel: one that was closed before it was active has no other.
    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        worker.remove(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastProgress = .now()
        unread = 0
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes):
            switch state {
            case .forwarding(let exchange): exchange.send(.body(.byteBuffer(bytes)))
            case .taking(let upload): upload.send(bytes)
            case .idle, .own, .ending, .closing: break
            }
        case .end(let trailers):
            isRequestWhole = true
            switch state {
            case .forwarding(let exchange): exchange.send(.end(trailers?.forwardedTrailers))
            case .taking(let upload): upload.finish()
            case .idle, .own, .ending, .closing: break
            }
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
            head.isKeepAlive && head.version != .http1_0 && !worker.isEnding && !isInputClosed
            && !head.headers.contains(name: "Upgrade")
        let isFixed = Site.fixedPaths.contains(head.uri)
        let own = isFixed || gate.door != .clients ? nil : worker.site.own(head)
        if let own, let wanted = own.router.cuesRequest(own.request) { return takeCues(wanted, own, head) }
        if head.method != .GET, head.method != .HEAD, isFixed || own != nil {
            let fields = HTTPHeaders([("Allow", "GET, HEAD")])
            return send(.methodNotAllowed, own == nil ? fields : fields.readable(by: worker.pages), ByteBuffer())
        }
        if head.uri == Site.healthPath { return sendPage("text/plain", "ok\n") }
        if head.uri == Site.metricsPath, gate.door != .clients || worker.givesMetrics { return answerMetrics() }
        if isFixed || gate.door != .clients { return send(.notFound, HTTPHeaders(), ByteBuffer()) }
        if let own {
            if worker.held.areTooMany { return sendBusy() }
            let answer = OwnAnswer(own, head.method, by: worker.pool, worker.live)
            state = .own(answer)
            record?.note = answer.description
            answer.whenHolding = { [self] bytes in hold(bytes) }
            return answer.begin { [self] answer in send(answer) }
        }
        guard let origin = worker.site.origin else { return send(HTTPResponseStatus.notFound) }
        continueIfExpected(head)
        state = .forwarding(
            OriginExchange(
                head.forwarded(to: origin.address.authority, framing.ofRequest), to: origin.address, by: worker.pool,
                for: self))
    }

    /// Tells a client to go on that waits for that before it sends the body (RFC 9110 10.1.1).
    func continueIfExpected(_ head: HTTPRequestHead) {
        guard head.version != .http1_0, head.headers.first(name: "Expect")?.lowercased() == "100-continue" else {
            return
        }
        context?.writeAndFlush(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    }

    func read(context: ChannelHandlerContext) {
        let takesMore =
            switch state {
            case .forwarding(let exchange) where !isRequestWhole: exchange.isWritable
            case .taking(let upload) where !isRequestWhole: upload.isWritable
            default: context.channel.isWritable
            }
        if takesMore { context.read() } else { readIsDue = true }
    }

    func originIsWritable(_ isWritable: Bool) { if isWritable { readIfDue() } }

    func readIfDue() {
        guard readIsDue else { return }
        readIsDue = false
        context?.read()
    }

    // MARK: Events

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        noteWritten()
        guard context.channel.isWritable else { return }
        switch state {
        case .forwarding(let exchange):
            lastProgress = .now()
            exchange.pause(false)
        case .ending(let trailers): finishResponse(trailers)
        case .idle, .own, .taking, .closing: break
        }
        if isRequestWhole { readIfDue() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case HTTPResponseSideloader.Event.askingAgain = event {
            state = .idle
        } else if case ChannelEvent.inputClosed = event {
            isInputClosed = true
            end()
        }
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
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
