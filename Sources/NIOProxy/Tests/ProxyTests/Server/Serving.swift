import Delivery
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOSSL
import Sideload
import Testing

@testable import SurtitleProxy

/// A worker without sockets: clients say what they like, and so do origins.
final class Serving {
    let loop = EmbeddedEventLoop()
    let worker: Worker
    let held: HeldBytes
    let reported = ReportedRenditions()
    private let settings: ProxyServer.Settings

    /// What serves the origin at `http://origin.example`, unless `origin` is another URL, or nil for none.
    init(
        origin: String? = "http://origin.example/", tracks: [String] = [],
        authority: Site.Authority = .fixed("http://proxy.example"),
        _ change: (inout ProxyServer.Settings) -> Void = { _ in }
    ) throws {
        var settings = ProxyServer.Settings()
        settings.threads = 1
        settings.isLogging = false
        change(&settings)
        self.settings = settings
        held = HeldBytes(most: settings.bufferedBytes)
        var configuration = Configuration()
        configuration.decodesText = true
        configuration.tracks = try tracks.map { try TrackConfiguration(spec: $0) }
        let site = try Site(
            configuration, origin: origin.flatMap { OriginURL($0) }, authority: authority)
        let security = try NIOSSLContext(configuration: .clientDefault)
        worker = Worker(on: loop, site, security, held, reported, settings)
        // It makes no connections of its own.
        let pool = OriginPool(on: loop, security, patience: .seconds(30), most: 0)
        let hub = LiveHub(by: pool, .seconds(30), settings.playlistEdits, reported)
        hub.serve(site)
        worker.live = LiveDoor(hub, on: loop)
    }

    /// A client that has connected.
    func client(_ door: Door = .clients) throws -> Peer {
        let channel = EmbeddedChannel(loop: loop)
        try worker.configure(channel, settings, door)
        return try Peer(channel)
    }

    /// A connection to the origin that waits for a request. The one that was made last is used first.
    func origin() throws -> Peer {
        let channel = EmbeddedChannel(loop: loop)
        let pipeline = channel.pipeline.syncOperations
        var encoding = HTTPRequestEncoder.Configuration()
        encoding.automaticallySetFramingHeaders = false
        try pipeline.addHandler(HTTPRequestEncoder(configuration: encoding))
        try pipeline.addHandler(
            ByteToMessageHandler(
                HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: .ofHeads)))
        let connection = OriginConnection(to: OriginAddress(isSecure: false, host: "origin.example", port: 80))
        try pipeline.addHandler(connection)
        connection.pool = worker.pool
        worker.pool.giveBack(connection)
        return try Peer(channel)
    }

    /// A client whose request has gone to the origin, and the origin, which has answered so.
    func forwarding(
        _ request: String = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n", answer: String = ""
    ) throws -> (client: Peer, origin: Peer) {
        let (origin, client) = (try origin(), try client())
        try client.say(request)
        try #require(origin.heard() != "")
        if answer != "" { try origin.say(answer) }
        return (client, origin)
    }

    /// Whether so many bytes are held for all clients.
    func holds(_ count: Int) -> Bool {
        let room = settings.bufferedBytes - count
        return !held.areTooMany(without: -room) && held.areTooMany(without: -room - 1)
    }

    /// A number of the metrics.
    func metric(_ name: String) -> Int? {
        let line = worker.metrics.text.split(separator: "\n").first { $0.hasPrefix("surtitle_\(name) ") }
        return line.flatMap { Int($0.split(separator: " ")[1]) }
    }

    /// What the log says of requests that have ended, without how long each took.
    var log: [String] {
        (worker.log?.lines ?? "").split(separator: "\n").map { String($0.replacing(#/ \d+\.\d+ms/#, with: "")) }
    }
}

/// The other end of a connection.
struct Peer {
    let channel: EmbeddedChannel
    private let valve = Valve()

    init(_ channel: EmbeddedChannel) throws {
        self.channel = channel
        try channel.pipeline.syncOperations.addHandler(valve, position: .first)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        // The channel may ask for the first bytes now.
        valve.readCount = 0
    }

    /// Serves the client.
    var connection: ClientConnection {
        get throws { try channel.pipeline.syncOperations.handler(type: ClientConnection.self) }
    }

    /// Whether it has not been closed.
    var isOpen: Bool { channel.isActive }

    /// How often more bytes were asked for.
    var readCount: Int { valve.readCount }

    func say(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    /// What has come since the last time.
    func heard() -> String {
        var text = ""
        while let data = (try? channel.readOutbound(as: IOData.self)) ?? nil {
            if case .byteBuffer(let bytes) = data { text += String(buffer: bytes) }
        }
        return text
    }

    /// Takes nothing more.
    func stopReading() { valve.isShut = true }

    /// Takes what has waited.
    func goOnReading() {
        valve.isShut = false
        channel.flush()
    }

    /// Whether the channel says that it takes more without being full.
    func setWritable(_ isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    /// Leaves.
    func leave() {
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
    }
}

/// Stands where the socket is: holds back what is flushed while the peer reads nothing, and counts what is asked for.
private final class Valve: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    var isShut = false
    var readCount = 0

    func flush(context: ChannelHandlerContext) { if !isShut { context.flush() } }

    func read(context: ChannelHandlerContext) {
        readCount += 1
        context.read()
    }
}
