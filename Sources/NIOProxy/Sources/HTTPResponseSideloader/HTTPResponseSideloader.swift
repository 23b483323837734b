// Puts subtitle tracks into the multivariant playlists that pass through a server's pipeline. This one file may be
// copied: nothing of its package is needed but swift-nio and the library.
//
//     codec ⇄ HTTPResponseSideloader ⇄ your handler
//
// What happens to header fields, HTTPRules decides; what happens to playlists, MasterRewriter. Here is what lies
// between: which request a response belongs to, how much of it is held, and in which order parts go out.
//
//     request    decide ──▶ edited fields on to your handler
//     response   decide ──▶ pass      as it is, or with edited fields
//                           hold      through the rewriter, and sent whole with its length; streamed if it is too long
//                           stream    through the rewriter; without a length, unless nothing turns out to be edited
//                           look      the first bytes decide
//                           askAgain  dropped; your handler gets the request once more, without what came between
//
// The codec's encoder must leave the framing alone (`automaticallySetFramingHeaders = false`): it would send chunks in
// answer to HEAD. So what your handler sends has a Content-Length, `Transfer-Encoding: chunked`, or neither and ends
// with the connection.
//
// If its source has broken off, your handler closes the channel without an end, as always. Then what is held goes out
// unedited, nothing is appended, and the client sees that it is not whole. Promises of parts that are held succeed at
// once.
//
// A write may make the channel come back in the middle, and your handler with it. Whatever it calls then waits until
// the write is done.
//
// A playlist that has been held goes out in one write, its head with it: WholeResponses, which stands next to NIO's
// encoder, encodes the head into the body's memory. Another codec gets the parts as they are.

import ByteScan
import Delivery
import M3U8
import NIOCore
import NIOHTTP1
import Sideload

/// What the handlers of one event loop share: rules, tracks, and memory that is used again.
public final class Sideloading {
    /// The tracks that playlists get.
    public final class Tracks {
        /// What changes if the tracks do.
        public let version: TracksVersion
        /// How much may be remembered of a playlist.
        public let limits: SideloadLimits
        /// The tracks for the playlist that a request is for; called if one has come.
        fileprivate let find: (HTTPRequestHead) -> SubtitleTracks
        /// Whether all playlists get the same.
        fileprivate let areFixed: Bool

        /// Tracks that are found for each playlist. `version` must tell apart what `find` gives for one playlist.
        public init(
            version: TracksVersion, limits: SideloadLimits = SideloadLimits(),
            find: @escaping (HTTPRequestHead) -> SubtitleTracks
        ) {
            self.version = version
            self.limits = limits
            self.find = find
            areFixed = false
        }

        /// The same tracks for all playlists.
        public init(_ tracks: SubtitleTracks, limits: SideloadLimits = SideloadLimits()) {
            version = TracksVersion(fingerprint: tracks.fingerprint(with: limits))
            self.limits = limits
            find = { _ in tracks }
            areFixed = true
        }
    }

    /// What has been done since the beginning.
    public struct Counts: Sendable {
        /// Multivariant playlists that went through.
        public var multivariant = 0
        /// Variants that could not be given a group.
        public var uneditableLines = 0
        /// Playlists that exceeded a limit.
        public var bailouts = 0
        /// Playlists whose source broke off.
        public var abandoned = 0
    }

    /// What is done about header fields.
    public let rules: HTTPRules
    /// The tracks for a request that comes from now on, by its path, a cookie or whatever it has; nil if it goes by
    /// untouched.
    public var tracks: (HTTPRequestHead) -> Tracks?
    /// Whose pages may read playlists that get tracks, whatever the origin says: the value of
    /// Access-Control-Allow-Origin; nil if that is the origin's.
    public var pages: String?
    /// What has been done.
    public private(set) var counts = Counts()

    // Checks that accesses are exclusive cost more than most decisions. Nothing is called during a decision that could
    // come back here.
    @exclusivity(unchecked) fileprivate var fields = HeaderFields()
    @exclusivity(unchecked) fileprivate var edits = HeaderEdits()
    /// Those that no playlist needs at the moment.
    private var spare: [Rewriting] = []
    /// The memory of the latest response that was sent whole.
    fileprivate var whole = ByteBuffer()

    /// What is to be shared, on one event loop alone.
    public init(rules: HTTPRules = HTTPRules(), tracks: @escaping (HTTPRequestHead) -> Tracks?) {
        self.rules = rules
        self.tracks = tracks
    }

    fileprivate func take(for request: HTTPRequestHead, _ tracks: Tracks) -> Rewriting {
        let found = tracks.areFixed ? nil : tracks.find(request)
        let fingerprint = found?.fingerprint(with: tracks.limits) ?? tracks.version.fingerprint
        guard let index = spare.lastIndex(where: { $0.fingerprint == fingerprint }) else {
            return Rewriting(found ?? tracks.find(request), fingerprint, tracks.limits)
        }
        return spare.remove(at: index)
    }

    fileprivate func giveBack(_ rewriting: Rewriting, isAbandoned: Bool) {
        if rewriting.rewriter.verdict == .multivariant { counts.multivariant += 1 }
        counts.uneditableLines += rewriting.rewriter.uneditableLines
        if rewriting.rewriter.exceededLimit != nil { counts.bailouts += 1 }
        if isAbandoned { counts.abandoned += 1 }
        rewriting.reset()
        if spare.count == 16 { spare.removeFirst() }
        spare.append(rewriting)
    }

    /// Counts a playlist whose source has broken off after nothing was to be edited any more.
    fileprivate func noteAbandoned() { counts.abandoned += 1 }

    fileprivate func fill(_ headers: HTTPHeaders) {
        fields.removeAll()
        for (name, value) in headers { fields.append(name, value) }
    }

    fileprivate func decide(_ request: HTTPRequestHead, _ tracks: Tracks) -> RequestDecision {
        fill(request.headers)
        return RequestLine.with(request.method.rawValue, request.uri) { line in
            rules.decide(line, fields, for: tracks.version, into: &edits)
        }
    }

    fileprivate func decideAgain(_ request: HTTPRequestHead, after first: RequestDecision) -> RequestDecision {
        fill(request.headers)
        return rules.decideAgain(fields, after: first, into: &edits)
    }

    fileprivate func decide(
        _ response: HTTPResponseHead, _ content: ResponseHead.Content, after request: RequestDecision
    ) -> ResponseDecision {
        fill(response.headers)
        let head = ResponseHead(status: Int(response.status.code), content: content)
        return rules.decide(head, fields, after: request, into: &edits)
    }
}

/// A playlist on its way through the rewriter. It is kept for the next one with the same tracks.
private final class Rewriting {
    /// That of the tracks.
    let fingerprint: UInt64
    var rewriter: MasterRewriter
    /// What is about to be sent.
    var output = CollectedBytes()
    /// The output of a call.
    private var pieces = OutputPieces(mergingThreshold: .max)
    /// Goes out before the first byte; nil if it has.
    var head: HTTPResponseHead?
    /// How many bytes the origin has announced.
    private(set) var length: Int?
    /// How many bytes are held before the head goes out without a length.
    private(set) var limit = 0
    /// How many bytes have come.
    var taken = 0
    /// Whether the connection's end is that of the body (RFC 9112 6.3).
    var endsWithConnection = false

    init(_ tracks: SubtitleTracks, _ fingerprint: UInt64, _ limits: SideloadLimits) {
        self.fingerprint = fingerprint
        rewriter = MasterRewriter(tracks, limits: limits)
    }

    func begin(_ head: HTTPResponseHead, length: Int?, limit: Int) {
        (self.head, self.length, self.limit, taken, endsWithConnection) = (head, length, limit, 0, false)
    }

    func reset() {
        rewriter.reset()
        head = nil
        _ = output.take()
    }

    /// Takes the next bytes of the playlist. A limit that they exceed is noted: all bytes come out, and later ones
    /// pass.
    func write(_ chunk: ByteBuffer) {
        taken += chunk.readableBytes
        // What is added seldom doubles it.
        fill(2 * chunk.readableBytes + rewriter.heldBytes) { output in
            chunk.withUnsafeReadableBytes { try? rewriter.write($0, into: &output) }
        }
    }

    func finish() {
        fill(1024) { rewriter.finish(into: &$0) }
    }

    /// Whether nothing will be edited any more. Of a media playlist the beginning of a line may be held all the same:
    /// it might be one of a multivariant playlist, by which nothing changes but the verdict.
    var isUneditable: Bool { rewriter.isSettled || rewriter.verdict == .media }

    /// Ends the playlist where it is: what is held comes out as it came.
    func abandon() {
        fill(rewriter.heldBytes) { rewriter.abandon(into: &$0) }
    }

    /// Appends what `body` writes: as far as there is `room`, straight to what is about to be sent.
    private func fill(_ room: Int, _ body: (inout OutputPieces) -> Void) {
        output.append(room) { memory in
            pieces.lend(memory)
            body(&pieces)
            return pieces.lentCount
        }
        for case .own(let bytes) in pieces.dropFirst(pieces.lentCount == 0 ? 0 : 1) {
            output.append(bytes.count) { memory in
                memory.copyMemory(from: bytes)
                return bytes.count
            }
        }
    }
}

/// Bytes that are collected and then sent. Their memory is used again if the channel is done with it by the time of the
/// next ones.
private struct CollectedBytes {
    private var buffer = ByteBuffer()
    /// Whether what is in the buffer has been handed on.
    private var isTaken = true

    var count: Int { isTaken ? 0 : buffer.readableBytes }

    /// Appends what `body` writes to memory of at least so many bytes, and says the number of.
    mutating func append(_ room: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int) {
        begin()
        _ = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room, body)
    }

    /// All that has been collected since the last time; nil if nothing has.
    mutating func take() -> ByteBuffer? {
        guard count > 0 else { return nil }
        isTaken = true
        return buffer
    }

    private mutating func begin() {
        guard isTaken else { return }
        isTaken = false
        buffer.clear()
    }
}

extension HTTPHeaders {
    /// The fields after `edits`, made in one pass, and without `other`; there is room for one more.
    fileprivate func edited(_ edits: borrowing HeaderEdits, leavingOut other: String? = nil) -> HTTPHeaders {
        var fields: [(String, String)] = []
        fields.reserveCapacity(count + edits.count + 1)
        for field in self where !edits.concern(field.name) {
            if let other, field.name.isField(other.utf8) { continue }
            fields.append(field)
        }
        for index in 0..<edits.count {
            guard let value = edits[index].value else { continue }
            let name = String(decoding: edits[index].name.buffer, as: UTF8.self)
            fields.append((name, String(decoding: value.buffer, as: UTF8.self)))
        }
        return HTTPHeaders(fields)
    }

    fileprivate var contentLength: Int? {
        contains(name: "Transfer-Encoding") ? nil : first(name: "Content-Length").flatMap { Int($0) }
    }
}

extension HeaderEdits {
    /// Whether the field called `name` is set or removed.
    fileprivate func concern(_ name: String) -> Bool {
        for index in 0..<count where name.isField(self[index].name.buffer) { return true }
        return false
    }
}

extension PlaylistVerdict {
    /// Whether there is a multivariant playlist, as far as has come.
    fileprivate var getsTracks: Bool { self == .multivariant || self == .mixed }
}

extension String {
    /// Whether it is `name`, in any case of its letters. Both are tokens (RFC 9110 5.1).
    fileprivate func isField(_ name: some Collection<UInt8>) -> Bool {
        utf8.count == name.count && utf8.elementsEqual(name) { ($0 ^ $1) & ~0x20 == 0 }
    }
}

/// Sends responses of which it is told so in one write, head and body together, past NIO's encoder, next to which it
/// stands.
///
/// What is between it and the sideloader may change parts as it likes: what is no longer a head with a length, a body
/// of that length and an end goes through the encoder.
private final class WholeResponses: ChannelOutboundHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case passing
        /// The next response is whole.
        case due
        case head(HTTPResponseHead)
        case body(HTTPResponseHead, ByteBuffer)
    }

    /// Longer bodies are not copied.
    static let longestBody = 64 << 10

    private let shared: Sideloading
    private let encoder: ChannelHandlerContext
    private var state = State.passing

    /// - Parameter encoder: That of NIO's encoder.
    init(_ shared: Sideloading, past encoder: ChannelHandlerContext) {
        self.shared = shared
        self.encoder = encoder
    }

    /// Takes note that the next response comes whole.
    func expect() { state = .due }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .passing = state { return context.write(data, promise: promise) }
        switch (state, unwrapOutboundIn(data)) {
        case (.due, .head(let head)) where promise == nil && head.version == .http1_1 && head.status == .ok:
            state = .head(head)
        case (.head(let head), .body(.byteBuffer(let body)))
        where promise == nil && head.hasLength(body.readableBytes):
            state = .body(head, body)
        case (.body(let head, let body), .end(nil)):
            state = .passing
            shared.whole.clear()
            shared.whole.write(head, with: body.readableBytes)
            shared.whole.writeImmutableBuffer(body)
            encoder.write(NIOAny(IOData.byteBuffer(shared.whole)), promise: promise)
        default:
            release(context)
            context.write(data, promise: promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        release(context)
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        release(context)
        context.close(mode: mode, promise: promise)
    }

    /// Lets what is held pass.
    private func release(_ context: ChannelHandlerContext) {
        let held = state
        state = .passing
        switch held {
        case .passing, .due: break
        case .head(let head): context.write(wrapOutboundOut(.head(head)), promise: nil)
        case .body(let head, let body):
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
    }
}

extension HTTPResponseHead {
    /// Whether it announces a body of so many bytes, and no transfer coding.
    fileprivate func hasLength(_ count: Int) -> Bool {
        guard count <= WholeResponses.longestBody else { return false }
        return headers.contentLength == count
    }
}

extension ByteBuffer {
    /// The first `count` bytes of what is four times as long at least, and the others; nil of less.
    fileprivate func split(at count: Int) -> (first: ByteBuffer, rest: ByteBuffer)? {
        var rest = self
        guard readableBytes >= 4 * count, let first = rest.readSlice(length: count) else { return nil }
        return (first, rest)
    }

    /// Appends the head of a response with status 200 of HTTP/1.1 as RFC 9112 3 and 5 have it, with room for `count`
    /// bytes more.
    fileprivate mutating func write(_ head: HTTPResponseHead, with count: Int) {
        reserveCapacity(minimumWritableBytes: count + 1024)
        writeStaticString("HTTP/1.1 200 OK\r\n")
        for (name, value) in head.headers {
            writeString(name)
            writeStaticString(": ")
            writeString(value)
            writeStaticString("\r\n")
        }
        writeStaticString("\r\n")
    }
}

/// Puts subtitle tracks into the multivariant playlists that pass by: a handler of a server's channel, next to its HTTP
/// codec.
public final class HTTPResponseSideloader: ChannelDuplexHandler {
    /// Requests from the codec.
    public typealias InboundIn = HTTPServerRequestPart
    /// Requests for the handler behind.
    public typealias InboundOut = HTTPServerRequestPart
    /// Responses of the handler behind.
    public typealias OutboundIn = HTTPServerResponsePart
    /// Responses for the codec.
    public typealias OutboundOut = HTTPServerResponsePart

    /// What was done about a response, for logs.
    public struct Report: Sendable {
        /// What was decided by its header.
        public let decision: ResponseDecision
        /// What the body has turned out to be; nil if it was not looked into.
        public fileprivate(set) var verdict: PlaylistVerdict?
        /// How many bytes of tags were added at the end.
        public fileprivate(set) var addedBytes = 0
    }

    /// What the handler behind is told of.
    public enum Event: Sendable {
        /// The next request is the latest one once more, even if the connection was about to close.
        case askingAgain
    }

    /// A request whose response has not ended.
    private struct OpenExchange {
        /// As the client sent it.
        let request: HTTPRequestHead
        let tracks: Sideloading.Tracks
        var decision: RequestDecision
        var hasBody = false
        var isWhole = false
    }

    private enum Response {
        /// None has begun, or it passes.
        case none
        /// The first bytes are not enough yet.
        case looking(HTTPResponseHead, ByteBuffer)
        case rewriting(Rewriting)
        /// Nothing will be edited any more, and the head has gone: the rest passes.
        case settled(endsWithConnection: Bool)
        /// It is dropped, and its request sent again.
        case dropping

        /// Whether parts of a body go out as they come.
        var passesBodies: Bool {
            switch self {
            case .none, .settled: true
            case .looking, .rewriting, .dropping: false
            }
        }
    }

    /// What the handler behind has called in the middle of another call.
    private enum Call {
        case write(NIOAny, EventLoopPromise<Void>?)
        case flush
        case close(CloseMode, EventLoopPromise<Void>?)
    }

    private let shared: Sideloading
    // Nothing is called either while one of these is being changed.
    @exclusivity(unchecked) private var exchanges = CircularBuffer<OpenExchange?>(initialCapacity: 2)
    @exclusivity(unchecked) private var response = Response.none
    private var waiting = CircularBuffer<Call>(initialCapacity: 2)
    private var isBusy = false
    /// What sends a playlist whole; nil beside another codec than NIO's.
    private var wholes: WholeResponses?
    /// Whether a response has been dropped, and its request is about to come once more.
    public private(set) var isAskingAgain = false
    /// What was done about the latest response.
    public private(set) var report: Report?

    /// A handler for one channel of the event loop whose handlers share `shared`.
    public init(_ shared: Sideloading) { self.shared = shared }

    /// Looks for NIO's encoder.
    public func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        guard let encoder = try? pipeline.context(handlerType: HTTPResponseEncoder.self) else { return }
        let wholes = WholeResponses(shared, past: encoder)
        guard (try? pipeline.addHandler(wholes, position: .after(encoder.handler))) != nil else { return }
        self.wholes = wholes
    }

    // MARK: Requests

    /// Decides about a request, and hands it on.
    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            guard let tracks = shared.tracks(head) else {
                exchanges.append(nil)
                return context.fireChannelRead(data)
            }
            let decision = shared.decide(head, tracks)
            exchanges.append(OpenExchange(request: head, tracks: tracks, decision: decision))
            if shared.edits.isEmpty { return context.fireChannelRead(data) }
            head.headers = head.headers.edited(shared.edits)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body:
            changeLast { $0.hasBody = true }
            context.fireChannelRead(data)
        case .end:
            changeLast { $0.isWhole = true }
            context.fireChannelRead(data)
        }
    }

    private func changeLast(_ change: (inout OpenExchange) -> Void) {
        guard !exchanges.isEmpty else { return }
        let last = exchanges.index(before: exchanges.endIndex)
        guard var exchange = exchanges[last] else { return }
        change(&exchange)
        exchanges[last] = exchange
    }

    /// Forgets everything: the client has left.
    public func channelInactive(context: ChannelHandlerContext) {
        exchanges.removeAll()
        if case .rewriting(let rewriting) = response { shared.giveBack(rewriting, isAbandoned: false) }
        response = .none
        context.fireChannelInactive()
    }

    // MARK: Calls of the handler behind

    /// Sends a part of a response, or holds it.
    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isBusy else { return waiting.append(.write(data, promise)) }
        isBusy = true
        write(data, promise, context)
        end(context)
    }

    /// Sends what need not be held.
    public func flush(context: ChannelHandlerContext) {
        guard !isBusy else { return waiting.append(.flush) }
        if response.passesBodies { return context.flush() }
        isBusy = true
        flush(context)
        end(context)
    }

    /// Closes the channel. If a response has not ended, its source has broken off.
    public func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard !isBusy else { return waiting.append(.close(mode, promise)) }
        isBusy = true
        close(mode, promise, context)
        end(context)
    }

    /// Ends a call: carries out those that came in the middle of it.
    private func end(_ context: ChannelHandlerContext) {
        while !waiting.isEmpty, let next = waiting.popFirst() {
            switch next {
            case .write(let data, let promise): write(data, promise, context)
            case .flush: flush(context)
            case .close(let mode, let promise): close(mode, promise, context)
            }
        }
        isBusy = false
    }

    private func flush(_ context: ChannelHandlerContext) {
        if case .rewriting(let rewriting) = response, rewriting.head == nil { sendOutput(rewriting, nil, context) }
        context.flush()
    }

    private func close(_ mode: CloseMode, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        if isAskingAgain {
            // The handler behind gets the request once more, and closes then.
            promise?.succeed()
        } else if mode == .input {
            context.close(mode: mode, promise: promise)
        } else {
            breakOff(context) { context.close(mode: mode, promise: promise) }
        }
    }

    // MARK: Responses

    private func write(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        let part = unwrapOutboundIn(data)
        if case .head(let head) = part {
            guard let exchange = exchanges.first ?? nil else { return context.write(data, promise: promise) }
            return begin(head, .unseen, exchange, promise, context)
        }
        switch response {
        case .none:
            if case .end = part { endExchange() }
            context.write(data, promise: promise)
        case .dropping:
            promise?.succeed()
            if case .end = part { askAgain(context) }
        case .looking(let head, var seen):
            promise?.succeed()
            response = .none
            if case .body(.byteBuffer(var bytes)) = part { seen.writeBuffer(&bytes) }
            look(head, seen, part, context)
        case .rewriting(let rewriting): rewrite(part, rewriting, promise, context)
        case .settled(let endsWithConnection):
            guard case .end = part else { return context.write(data, promise: promise) }
            endRewritten(endsWithConnection, promise, context)
        }
    }

    /// Does what is decided about a response, whose body begins with what `content` says.
    private func begin(
        _ head: HTTPResponseHead, _ content: ResponseHead.Content, _ exchange: OpenExchange,
        _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        let decision = shared.decide(head, content, after: exchange.decision)
        report = Report(decision: decision)
        let limit: Int
        switch decision.action {
        case .look:
            response = .looking(head, ByteBuffer())
            promise?.succeed()
            return
        case .askAgain where exchange.isWhole && !exchange.hasBody && exchanges.count == 1:
            response = .dropping
            promise?.succeed()
            return
        case .pass, .askAgain:
            var edited = head
            if !shared.edits.isEmpty { edited.headers = head.headers.edited(shared.edits) }
            return context.write(wrapOutboundOut(.head(edited)), promise: promise)
        case .hold(let most): limit = most
        case .stream: limit = 0
        }
        promise?.succeed()
        var edited = head
        edited.headers = head.headers.edited(shared.edits, leavingOut: "Transfer-Encoding")
        let rewriting = shared.take(for: exchange.request, exchange.tracks)
        rewriting.begin(edited, length: head.headers.contentLength, limit: limit)
        response = .rewriting(rewriting)
    }

    /// Decides again, if `seen` is enough for it, and goes on with these bytes.
    private func look(
        _ head: HTTPResponseHead, _ seen: ByteBuffer, _ part: HTTPServerResponsePart, _ context: ChannelHandlerContext
    ) {
        var isWhole = false
        if case .end = part { isWhole = true }
        let content = seen.withUnsafeReadableBytes { HTTPRules.content(of: ByteView($0), isWhole: isWhole) }
        guard let content, let exchange = exchanges.first ?? nil else {
            response = .looking(head, seen)
            return
        }
        begin(head, content, exchange, nil, context)
        if seen.readableBytes > 0 { write(wrapOutboundOut(.body(.byteBuffer(seen))), nil, context) }
        if isWhole { write(wrapOutboundOut(part), nil, context) }
    }

    private func endExchange() {
        response = .none
        if !exchanges.isEmpty { exchanges.removeFirst() }
    }

    private func askAgain(_ context: ChannelHandlerContext) {
        response = .none
        isAskingAgain = true
        context.eventLoop.assumeIsolated().execute { [self] in
            isAskingAgain = false
            guard var exchange = exchanges.first ?? nil else { return }
            exchange.decision = shared.decideAgain(exchange.request, after: exchange.decision)
            exchanges[exchanges.startIndex] = exchange
            var head = exchange.request
            head.headers = head.headers.edited(shared.edits)
            context.fireUserInboundEventTriggered(Event.askingAgain)
            context.fireChannelRead(wrapInboundOut(.head(head)))
            context.fireChannelRead(wrapInboundOut(.end(nil)))
            context.fireChannelReadComplete()
        }
    }

    // MARK: Bodies

    private func rewrite(
        _ part: HTTPServerResponsePart, _ rewriting: Rewriting, _ promise: EventLoopPromise<Void>?,
        _ context: ChannelHandlerContext
    ) {
        switch part {
        case .body(.byteBuffer(let chunk)):
            if rewriting.taken == 0, let parts = chunk.split(at: Self.tellingBytes) {
                rewriting.write(parts.first)
                if isUnedited(parts.first, rewriting) { return pass(chunk, rewriting, promise, context) }
                rewriting.write(parts.rest)
            } else {
                rewriting.write(chunk)
            }
            if rewriting.head != nil {
                if isUnedited(chunk, rewriting) { return pass(chunk, rewriting, promise, context) }
                sendHeadIfDue(rewriting, context)
            }
            if rewriting.head == nil, promise != nil || rewriting.output.count >= Self.longestOutput {
                sendOutput(rewriting, promise, context)
            } else {
                promise?.succeed()
            }
            if rewriting.head == nil, rewriting.isUneditable { stepAside(rewriting, context) }
        case .end:
            response = .none
            rewriting.finish()
            if rewriting.head != nil { wholes?.expect() }
            sendHead(rewriting, length: rewriting.output.count, context)
            giveBack(rewriting, context)
            endRewritten(rewriting.endsWithConnection, promise, context)
        case .body(.fileRegion), .head:
            // A file is not read here, so it cannot be edited: a handler that has playlists in files reads them.
            promise?.fail(ChannelError.operationUnsupported)
        }
    }

    /// Of a longer first chunk so much is rewritten first: mostly it tells whether there is anything to edit.
    private static let tellingBytes = 1024

    /// Whether `chunk`, which has come first, has told that nothing will be edited, nor has been in it.
    private func isUnedited(_ chunk: ByteBuffer, _ rewriting: Rewriting) -> Bool {
        guard rewriting.taken == chunk.readableBytes, rewriting.isUneditable else { return false }
        return !rewriting.rewriter.verdict.getsTracks
            && rewriting.output.count + rewriting.rewriter.heldBytes == rewriting.taken
    }

    /// Sends the head and the first chunk as they came, and lets the rest pass.
    private func pass(
        _ chunk: ByteBuffer, _ rewriting: Rewriting, _ promise: EventLoopPromise<Void>?,
        _ context: ChannelHandlerContext
    ) {
        sendHead(rewriting, length: rewriting.length.map { max($0, chunk.readableBytes) }, context)
        context.write(wrapOutboundOut(.body(.byteBuffer(chunk))), promise: promise)
        rewriting.abandon()
        _ = rewriting.output.take()
        stepAside(rewriting, context)
    }

    /// Lets the rest of the response pass, of which nothing will be edited.
    private func stepAside(_ rewriting: Rewriting, _ context: ChannelHandlerContext) {
        rewriting.abandon()
        giveBack(rewriting, context)
        response = .settled(endsWithConnection: rewriting.endsWithConnection)
    }

    /// Notes what a playlist has turned out to be, and sends what is left of it.
    private func giveBack(_ rewriting: Rewriting, _ context: ChannelHandlerContext) {
        report?.verdict = rewriting.rewriter.verdict
        report?.addedBytes = rewriting.rewriter.addedBytes
        sendOutput(rewriting, nil, context)
        shared.giveBack(rewriting, isAbandoned: false)
    }

    /// Ends a response that has been edited, and the connection if that says so. Trailers may be digests of what the
    /// origin has sent (RFC 9110 6.5.1).
    private func endRewritten(
        _ endsWithConnection: Bool, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        endExchange()
        guard endsWithConnection else { return context.write(wrapOutboundOut(.end(nil)), promise: promise) }
        let sent = promise ?? context.eventLoop.makePromise()
        sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    /// Sends the head if nothing will be edited any more, so that the length is known, or if more has come than is
    /// held.
    private func sendHeadIfDue(_ rewriting: Rewriting, _ context: ChannelHandlerContext) {
        if rewriting.isUneditable {
            let kept = rewriting.output.count + rewriting.rewriter.heldBytes
            let length = rewriting.length.map { kept + max($0 - rewriting.taken, 0) }
            sendHead(rewriting, length: length, context)
        } else if rewriting.taken > rewriting.limit {
            sendHead(rewriting, length: nil, context)
        }
    }

    private func sendHead(_ rewriting: Rewriting, length: Int?, _ context: ChannelHandlerContext) {
        guard var head = rewriting.head else { return }
        rewriting.head = nil
        if let pages = shared.pages, rewriting.rewriter.verdict.getsTracks {
            head.headers.replaceOrAdd(name: "Access-Control-Allow-Origin", value: pages)
        }
        if let length {
            head.headers.add(name: "Content-Length", value: String(length))
        } else if speaksHTTP10 {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            rewriting.endsWithConnection = true
        } else {
            head.headers.add(name: "Transfer-Encoding", value: "chunked")
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    private func sendOutput(
        _ rewriting: Rewriting, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        guard let bytes = rewriting.output.take() else {
            promise?.succeed()
            return
        }
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: promise)
    }

    /// So much is sent without waiting for a flush.
    private static let longestOutput = 128 << 10

    /// Whether the client takes no chunks.
    private var speaksHTTP10: Bool { (exchanges.first ?? nil)?.request.version == .http1_0 }

    /// Flushes, and calls `body` when everything has left or the channel has failed.
    private func sendAll(_ context: ChannelHandlerContext, then body: @escaping () -> Void) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in body() }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: sent)
    }

    // MARK: Responses that break off

    /// Sends what takes the place of a response of which the client has got nothing.
    private func sendBadGateway(_ context: ChannelHandlerContext) {
        let fields = HTTPHeaders([("Content-Length", "0"), ("Connection", "close")])
        let version = speaksHTTP10 ? HTTPVersion.http1_0 : .http1_1
        let head = HTTPResponseHead(version: version, status: .badGateway, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    /// Sends what is kept of a response that has broken off, unedited, and then calls `close`.
    private func breakOff(_ context: ChannelHandlerContext, then close: @escaping () -> Void) {
        let broken = response
        response = .none
        switch broken {
        case .none: return close()
        case .dropping: sendBadGateway(context)
        case .looking(let head, let seen):
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(seen))), promise: nil)
        case .rewriting(let rewriting):
            rewriting.abandon()
            if rewriting.head != nil, speaksHTTP10 {
                // It could not tell that there is not all of it.
                sendBadGateway(context)
            } else {
                sendHead(rewriting, length: nil, context)
                sendOutput(rewriting, nil, context)
            }
            shared.giveBack(rewriting, isAbandoned: true)
        case .settled: shared.noteAbandoned()
        }
        sendAll(context, then: close)
    }
}
