import Delivery
import HTTPResponseSideloader
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Closes the connection of a client that there is no room for.
private struct TooManyConnections: Error {}

/// The workers of all event loops.
struct Workers: Sendable {
    private struct Bound: Sendable {
        let loop: any EventLoop
        let worker: NIOLoopBound<Worker>
    }

    private let all: [Bound]
    private let live: LiveDoor?

    /// Workers that serve nothing yet.
    init(on group: MultiThreadedEventLoopGroup, _ settings: ProxyServer.Settings) async throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if let authorities = settings.authorities { configuration.trustRoots = .file(authorities) }
        let security = try NIOSSLContext(configuration: configuration)
        let nothing = try Site(Configuration(), origin: nil, authority: .fixed(""))
        let held = HeldBytes(most: settings.bufferedBytes)
        let reported = ReportedRenditions()
        var all: [Bound] = []
        for loop in group.makeIterator() {
            let worker = try await loop.submit {
                NIOLoopBound(Worker(on: loop, nothing, security, held, reported, settings), eventLoop: loop)
            }.get()
            all.append(Bound(loop: loop, worker: worker))
        }
        self.all = all
        live = try await all.first?.loop.submit { [first = all[0]] in
            let worker = first.worker.value
            return LiveDoor(
                LiveHub(by: worker.pool, worker.limits.patience, settings.playlistEdits, reported), on: first.loop)
        }.get()
        let workers = self
        try await forEach { worker in
            worker.gather = { [loop = worker.loop] in workers.metrics(on: loop) }
            worker.live = workers.live
        }
    }

    /// Puts the handlers of a client's connection into its pipeline.
    func configure(_ channel: any Channel, _ settings: ProxyServer.Settings, _ door: Door = .clients) throws {
        try all.first { $0.loop === channel.eventLoop }?.worker.value.configure(channel, settings, door)
    }

    /// Serves `site` from the next request on. The live channels are its own before any worker has a request of it.
    func serve(_ site: Site) async throws {
        try await live?.serve(site).get()
        try await forEach { $0.serve(site) }
    }

    /// Calls `body` with each worker on its event loop.
    func forEach(_ body: @escaping @Sendable (Worker) -> Void) async throws {
        for bound in all { try await bound.loop.submit { body(bound.worker.value) }.get() }
    }

    /// Returns when all connections have ended.
    func end() async throws {
        let ends = all.map { bound in bound.loop.flatSubmit { bound.worker.value.end() } }
        for end in ends { try await end.get() }
    }

    /// What all workers have counted.
    private func metrics(on loop: any EventLoop) -> EventLoopFuture<Metrics?> {
        let counts = all.map { bound in bound.loop.submit { bound.worker.value.metrics } }
        return EventLoopFuture.reduce(into: Metrics?.none, counts, on: loop) { sum, metrics in
            sum = sum.map { $0 + metrics } ?? metrics
        }
    }
}

extension Worker {
    /// Puts the handlers of a client's connection into its pipeline, if there is room for it.
    func configure(_ channel: any Channel, _ settings: ProxyServer.Settings, _ door: Door) throws {
        guard hasRoom(at: door) else {
            counts.turnedAway += 1
            throw TooManyConnections()
        }
        let pipeline = channel.pipeline.syncOperations
        var encoding = HTTPResponseEncoder.Configuration()
        encoding.automaticallySetFramingHeaders = false
        try pipeline.addHandler(HTTPResponseEncoder(configuration: encoding))
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: .ofHeads)
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(HTTPServerPipelineHandler())
        let gate = ClientGate(self, door)
        try pipeline.addHandler(gate)
        let isSideloading = door == .clients && !settings.isPassing
        let sideloader = isSideloading ? HTTPResponseSideloader(sideloading) : nil
        if let sideloader { try pipeline.addHandler(sideloader) }
        let connection = ClientConnection(self, gate, sideloader)
        try pipeline.addHandler(connection)
        try pipeline.addHandler(ByteMeter(connection), position: .first)
    }
}
