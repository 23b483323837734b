import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOSSL
import Testing

@testable import SurtitleProxy

/// Requests to an origin, and the connections that carry them.
@Suite struct OriginExchangeTests {
    private final class Receiver: OriginReceiver {
        var told: [String] = []

        func originAnswered(_ head: HTTPResponseHead, _ length: BodyLength) {
            told.append("\(head.status.code), \(length)")
        }

        func originSent(_ bytes: ByteBuffer) { told.append(String(buffer: bytes)) }

        func originPaused() { told.append("paused") }

        func originEnded(_ trailers: HTTPHeaders?) { told.append("ended") }

        func originFailed(_ failure: OriginFailure) { told.append("\(failure)") }

        func originIsWritable(_ isWritable: Bool) { told.append(isWritable ? "writable" : "full") }
    }

    private let loop = EmbeddedEventLoop()
    private let pool: OriginPool
    private let receiver = Receiver()
    private let address = OriginAddress(isSecure: false, host: "origin.example", port: 80)

    /// No connection can be made: whoever needs one more is told that all are busy.
    init() throws {
        pool = OriginPool(
            on: loop, try NIOSSLContext(configuration: .clientDefault), patience: .seconds(1), most: 0)
    }

    /// A connection that waits for a request.
    private func waiting() throws -> EmbeddedChannel {
        let connection = OriginConnection(to: address)
        let channel = EmbeddedChannel(handler: connection, loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        connection.pool = pool
        pool.giveBack(connection)
        return channel
    }

    private func begin(_ method: HTTPMethod) -> OriginExchange {
        OriginExchange(
            HTTPRequestHead(version: .http1_1, method: method, uri: "/"), to: address, by: pool, for: receiver)
    }

    private func answer(_ channel: EmbeddedChannel, _ parts: HTTPClientResponsePart...) throws {
        for part in parts { channel.pipeline.fireChannelRead(part) }
        channel.pipeline.fireChannelReadComplete()
    }

    private static func head(_ fields: HTTPHeaders = ["Content-Length": "1"]) -> HTTPClientResponsePart {
        .head(HTTPResponseHead(version: .http1_1, status: .ok, headers: fields))
    }

    private static let body = HTTPClientResponsePart.body(ByteBuffer(string: "a"))

    /// What a connection that has waited was closed for: nobody knows whether the request has been acted on.
    @Test(arguments: [
        (HTTPMethod.GET, false, ["busy"]), (.HEAD, false, ["busy"]), (.POST, false, ["brokenOff"]),
        (.DELETE, false, ["brokenOff"]), (.GET, true, ["brokenOff"]),
    ])
    func onlyWhatChangesNothingIsAskedAgain(_ method: HTTPMethod, _ hasBody: Bool, _ told: [String]) throws {
        let channel = try waiting()
        let exchange = begin(method)
        if hasBody { exchange.send(Self.part) }
        exchange.send(.end(nil))
        channel.close(promise: nil)
        loop.run()
        #expect(receiver.told == told)
    }

    private static let part = HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(string: "a")))

    @Test func whatHasNotWaitedIsNotAskedAgain() throws {
        let channel = try waiting()
        try channel.pipeline.syncOperations.handler(type: OriginConnection.self).hasWaited = false
        begin(.GET).send(.end(nil))
        channel.close(promise: nil)
        loop.run()
        #expect(receiver.told == ["brokenOff"])
    }

    @Test func whatHasBeenAnsweredIsNotAskedAgain() throws {
        let channel = try waiting()
        begin(.GET).send(.end(nil))
        try answer(channel, Self.head())
        channel.close(promise: nil)
        loop.run()
        #expect(receiver.told == ["200, known(1)", "paused", "brokenOff"])
    }

    /// A connection carries one request after the other, if it may.
    @Test(
        arguments: [
            (["Content-Length": "1"], true), (["Transfer-Encoding": "chunked"], true), ([:], false),
            (["Content-Length": "1", "Connection": "close"], false),
        ] as [(HTTPHeaders, Bool)])
    func aConnectionIsUsedAgain(_ fields: HTTPHeaders, _ isUsedAgain: Bool) throws {
        let channel = try waiting()
        begin(.GET).send(.end(nil))
        #expect(pool.take(to: address) == nil, "it is in use")
        try answer(channel, Self.head(fields), Self.body, .end(nil))
        loop.run()
        #expect(receiver.told.suffix(2) == ["a", "ended"])
        #expect(channel.isActive == isUsedAgain)
        #expect((pool.take(to: address) != nil) == isUsedAgain)
    }

    @Test func aRequestThatIsNotWholeEndsItsConnection() throws {
        let channel = try waiting()
        let exchange = begin(.POST)
        exchange.send(Self.part)
        try answer(channel, Self.head(), Self.body, .end(nil))
        loop.run()
        #expect(receiver.told.last == "ended" && !channel.isActive)
        exchange.send(.end(nil))
    }

    /// What has been sent of the request before counts for nothing.
    @Test func aLaterRequestThatIsNotWholeEndsItsConnection() throws {
        let channel = try waiting()
        begin(.GET).send(.end(nil))
        try answer(channel, Self.head(), Self.body, .end(nil))
        let exchange = begin(.POST)
        exchange.send(Self.part)
        try answer(channel, Self.head(), Self.body, .end(nil))
        loop.run()
        #expect(receiver.told.last == "ended" && !channel.isActive)
    }

    /// A request that has its answer has no part in its connection any more, which may carry another's.
    @Test func whatHasEndedLeavesItsConnectionAlone() throws {
        let channel = try waiting()
        let exchange = begin(.GET)
        exchange.send(.end(nil))
        try answer(channel, Self.head(), Self.body, .end(nil))
        #expect(!exchange.isWritable)
        exchange.cancel()
        loop.run()
        #expect(channel.isActive && pool.take(to: address) != nil)
    }

    @Test(arguments: [101, 199, 200])
    func anAnswerThatNobodyCanTakeIsMalformed(_ status: Int) throws {
        let channel = try waiting()
        begin(.POST).send(.end(nil))
        let fields: HTTPHeaders =
            status == 200 ? ["Content-Length": "1", "content-length": "2"] : ["Content-Length": "1"]
        let head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: fields)
        try answer(channel, .head(head))
        loop.run()
        #expect(receiver.told == ["malformed"] && !channel.isActive)
    }

    @Test func aConnectionThatIsClosedIsNotGivenBack() throws {
        weak var connection: OriginConnection?
        func answerAndClose() throws {
            let channel = try waiting()
            connection = try channel.pipeline.syncOperations.handler(type: OriginConnection.self)
            begin(.GET).send(.end(nil))
            for part in [Self.head(), Self.body, .end(nil)] { channel.pipeline.fireChannelRead(part) }
            channel.close(promise: nil)
            channel.pipeline.fireChannelReadComplete()
            loop.run()
        }
        try answerAndClose()
        #expect(receiver.told == ["200, known(1)", "a", "ended"] && connection == nil)
    }

    /// Whatever comes behind a response has not been asked for.
    @Test func whatNobodyHasAskedForEndsTheConnection() throws {
        let channel = try waiting()
        begin(.GET).send(.end(nil))
        try answer(channel, Self.head(), Self.body, .end(nil), Self.head())
        loop.run()
        #expect(receiver.told == ["200, known(1)", "a", "ended"] && !channel.isActive)
        #expect(pool.take(to: address) == nil)
    }

    @Test func theNextRequestMayBeginBeforeItIsRead() throws {
        let channel = try waiting()
        begin(.GET).send(.end(nil))
        channel.pipeline.fireChannelRead(Self.head())
        channel.pipeline.fireChannelRead(Self.body)
        channel.pipeline.fireChannelRead(HTTPClientResponsePart.end(nil))
        #expect(pool.take(to: address) == nil, "more may have come with it")
        channel.pipeline.fireChannelReadComplete()
        #expect(pool.take(to: address) != nil)
        channel.pipeline.fireChannelReadComplete()
        #expect(pool.take(to: address) == nil, "it has been given back once")
    }

    @Test(
        arguments: [
            (HTTPParserError.invalidConstant, "malformed"), (HTTPParserError.headerOverflow, "malformed"),
            (HTTPParserError.invalidEOFState, "brokenOff"), (IOError(errnoCode: 104, reason: "reset"), "brokenOff"),
        ] as [(any Error, String)])
    func errors(_ error: any Error, _ told: String) throws {
        let channel = try waiting()
        begin(.POST).send(.end(nil))
        channel.pipeline.fireErrorCaught(error)
        loop.run()
        #expect(receiver.told == [told] && !channel.isActive)
    }

    @Test func whoIsPausedIsNotRead() throws {
        let (channel, reads) = (try waiting(), Reads())
        try channel.pipeline.syncOperations.addHandler(reads, position: .first)
        let exchange = begin(.GET)
        exchange.pause(true)
        channel.read()
        #expect(reads.count == 0)
        exchange.pause(false)
        #expect(reads.count == 1)
        exchange.pause(false)
        #expect(reads.count == 1, "once is enough")
        exchange.pause(true)
        channel.read()
        try answer(channel, Self.head(), Self.body, .end(nil))
        #expect(reads.count == 2, "the next request's answer is read")
    }

    private final class Reads: ChannelOutboundHandler {
        typealias OutboundIn = Any
        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    @Test func whoWritesIsToldHowItGoes() throws {
        let channel = try waiting()
        let exchange = begin(.POST)
        #expect(exchange.isWritable)
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(!exchange.isWritable)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(receiver.told == ["full", "writable"])
        exchange.cancel()
        #expect(!exchange.isWritable)
        loop.run()
        #expect(receiver.told == ["full", "writable"] && !channel.isActive, "nobody hears of it any more")
    }

    @Test func noRoomIsToldLater() {
        let exchange = begin(.GET)
        #expect(receiver.told == [] && !exchange.isWritable)
        loop.run()
        #expect(receiver.told == ["busy"])
    }

    @Test func whoHasLeftHearsOfNoRoom() {
        let exchange = begin(.GET)
        exchange.cancel()
        loop.run()
        #expect(receiver.told == [])
    }
}
