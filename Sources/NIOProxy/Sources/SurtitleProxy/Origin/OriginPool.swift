import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The connections of one event loop to origins.
final class OriginPool {
    let loop: any EventLoop
    private let security: NIOSSLContext
    private let patience: TimeAmount
    private let most: Int
    private var idle: [OriginAddress: [OriginConnection]] = [:]
    /// How many connections there are, those included that are being made.
    private var count = 0

    /// How many connections to one origin wait for a request at most, and how long each.
    private static let mostIdle = 256
    private static let longestIdle = TimeAmount.seconds(30)

    init(on loop: any EventLoop, _ security: NIOSSLContext, patience: TimeAmount, most: Int) {
        self.loop = loop
        self.most = most
        self.security = security
        self.patience = patience
    }

    /// A connection that waits, if there is one.
    func take(to address: OriginAddress) -> OriginConnection? {
        var waiting = idle.removeValue(forKey: address) ?? []
        defer { if !waiting.isEmpty { idle[address] = waiting } }
        while let connection = waiting.popLast() {
            if connection.isOpen, connection.isSilent { return connection }
            connection.cancel()
        }
        return nil
    }

    /// Makes a connection, and calls `done` when it is there or cannot be had.
    ///
    /// - Parameter onlyPublic: Whether it must not lead to an address of the machine and its networks.
    func connect(
        to address: OriginAddress, onlyPublic: Bool,
        _ done: @escaping (Result<OriginConnection, OriginFailure>) -> Void
    ) {
        if count >= most, let connection = longestWaiting {
            forget(connection)
            connection.cancel()
            release(connection)
        }
        guard count < most else { return later { done(.failure(.busy)) } }
        count += 1
        let security = security
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(patience)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // A channel keeps as many buffers as it fills in a row, each as large as the largest read.
            .channelOption(.maxMessagesPerRead, value: 2)
            .channelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 2048, initial: 4096, maximum: 32 << 10)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if onlyPublic { try pipeline.addHandler(PublicOnly()) }
                    if address.isSecure { try pipeline.addHandler(address.security(security)) }
                    var encoding = HTTPRequestEncoder.Configuration()
                    encoding.automaticallySetFramingHeaders = false
                    try pipeline.addHandler(HTTPRequestEncoder(configuration: encoding))
                    let decoder = HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: .ofHeads)
                    try pipeline.addHandler(ByteToMessageHandler(decoder))
                    try pipeline.addHandler(OriginConnection(to: address))
                }
            }
        bootstrap.connect(host: address.host, port: address.port).assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success(let channel):
                guard !onlyPublic || channel.isConnectedToPublicAddress,
                    let connection = try? channel.pipeline.syncOperations.handler(type: OriginConnection.self)
                else {
                    count -= 1
                    channel.close(promise: nil)
                    return done(.failure(.unreachable))
                }
                channel.closeFuture.assumeIsolated().whenComplete { [self] _ in release(connection) }
                connection.pool = self
                done(.success(connection))
            case .failure(let error):
                count -= 1
                if case ChannelError.connectTimeout = error {
                    done(.failure(.connectingTooLong))
                } else {
                    done(.failure(.unreachable))
                }
            }
        }
    }

    /// The connection that has waited longest for a request.
    private var longestWaiting: OriginConnection? {
        idle.values.compactMap(\.first).min { $0.idleSince < $1.idleSince }
    }

    /// Another connection can be made in its place; one that has been closed may still have to tell its peer.
    private func release(_ connection: OriginConnection) {
        guard connection.isCounted else { return }
        connection.isCounted = false
        count -= 1
    }

    func giveBack(_ connection: OriginConnection) {
        connection.hasWaited = true
        connection.idleSince = .now()
        var waiting = idle.removeValue(forKey: connection.address) ?? []
        waiting.append(connection)
        if waiting.count > Self.mostIdle { waiting.removeFirst().cancel() }
        idle[connection.address] = waiting
    }

    func forget(_ connection: OriginConnection) {
        guard var waiting = idle.removeValue(forKey: connection.address) else { return }
        waiting.removeAll { $0 === connection }
        if !waiting.isEmpty { idle[connection.address] = waiting }
    }

    /// Closes those that have waited too long, or all.
    func closeIdle(all: Bool = false) {
        let oldest = NIODeadline.now() - Self.longestIdle
        for connection in idle.values.joined() where all || connection.idleSince < oldest { connection.cancel() }
    }
}

extension OriginAddress {
    /// What encrypts a connection. IP addresses cannot be told to servers by name (RFC 6066 3).
    fileprivate func security(_ context: NIOSSLContext) throws -> NIOSSLClientHandler {
        let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
    }
}

extension OriginPool {
    /// Calls `body` once whatever is under way on the event loop is done.
    func later(_ body: @escaping () -> Void) { loop.assumeIsolated().execute(body) }
}
