import ByteScan
import Delivery
import NIOCore
import NIOHTTP1

// Live channels, all on one event loop.
//
//     any loop   OwnAnswer ── asks ──▶ LiveHub ── LiveRun of the video and how its tracks count ─┐
//                        ◀── HTTPAnswer, or nil: the video is complete, and all is as beside it ──┘
//
// So all clients of all loops share one state and one fetch, and what is answered is the same for everybody.

/// How event loops ask the one that has the live channels.
struct LiveDoor: Sendable {
    private let hub: NIOLoopBound<LiveHub>
    private let loop: any EventLoop

    init(_ hub: LiveHub, on loop: any EventLoop) {
        self.hub = NIOLoopBound(hub, eventLoop: loop)
        self.loop = loop
    }

    /// Calls `done` on `other`, the caller's event loop, with what a request gets that asks for `live`; with nil if the
    /// video is complete.
    func answer(
        _ live: LiveRequest, _ own: Site.Own, _ method: [UInt8], on other: any EventLoop,
        _ done: @escaping (HTTPAnswer?) -> Void
    ) {
        loop.flatSubmit { [hub] in hub.value.answer(live, own, method) }.hop(to: other).assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success(let answer): done(answer)
                case .failure: done(.busy)
                }
            }
    }

    // MARK: Cues that are sent

    /// What sends cues is known by this number.
    func open(
        _ request: CuesRequest, _ format: GrowingConfiguration.Format, _ router: Router
    ) -> EventLoopFuture<Int> {
        loop.submit { [hub] in try hub.value.open(request, format, router) }
    }

    /// Takes bytes of its cues.
    func append(_ bytes: ByteBuffer, _ writer: Int) -> EventLoopFuture<Void> {
        loop.submit { [hub] in try hub.value.append(bytes, writer) }
    }

    /// Takes note that all its bytes have come.
    func finish(_ writer: Int) -> EventLoopFuture<Void> { loop.submit { [hub] in try hub.value.finish(writer) } }

    /// Takes note that no more will come.
    func abandon(_ writer: Int) { loop.execute { [hub] in hub.value.abandon(writer) } }

    /// Ends all channels.
    func stop() -> EventLoopFuture<Void> { loop.submit { [hub] in hub.value.stop() } }
}

extension HTTPAnswer {
    /// There is no room at the moment.
    static var busy: HTTPAnswer { HTTPAnswer(status: 503) }
}

/// The live channels of a proxy, used on its event loop alone.
final class LiveHub {
    /// What tells channels apart.
    private struct Key: Hashable {
        /// A configuration that is read again begins anew.
        let site: ObjectIdentifier
        let video: [UInt8]
        /// The tracks' anchor and map.
        let configuration: LiveConfiguration

        static func == (a: Key, b: Key) -> Bool {
            a.site == b.site && a.video == b.video && a.configuration == b.configuration
        }

        // A video's tracks seldom count in more than one way.
        func hash(into hasher: inout Hasher) {
            hasher.combine(site)
            hasher.combine(video)
        }
    }

    private let loop: any EventLoop
    private let pool: OriginPool
    /// What is served at present.
    private let site: () -> Site
    private let edits: VideoPlaylistEdits
    private let reported: ReportedRenditions
    private var runs: [Key: LiveRun] = [:]
    private var ticking: Scheduled<Void>?
    private var writers: [Int: CuesWriter] = [:]
    private var writerCount = 0

    /// How many videos are followed at once, and for how long nobody may ask for one before it is forgotten.
    private static let mostRuns = 256
    private static let longestIdle = TimeAmount.minutes(10)

    /// The channels of `site`, all on the event loop of `pool`.
    init(
        by pool: OriginPool, _ edits: VideoPlaylistEdits, _ reported: ReportedRenditions, of site: @escaping () -> Site
    ) {
        loop = pool.loop
        self.pool = pool
        self.site = site
        self.edits = edits
        self.reported = reported
    }

    /// What a request gets that asks for `live`; nil if the video is complete.
    func answer(_ live: LiveRequest, _ own: Site.Own, _ method: [UInt8]) -> EventLoopFuture<HTTPAnswer?> {
        let promise = loop.makePromise(of: HTTPAnswer?.self)
        guard let run = run(of: own.router, live.track) else {
            promise.succeed(.busy)
            return promise.futureResult
        }
        run.answer(LiveRun.Question(live, own, method) { promise.succeed($0) })
        if ticking == nil { scheduleTick() }
        return promise.futureResult
    }

    func open(
        _ request: CuesRequest, _ format: GrowingConfiguration.Format, _ router: Router
    ) throws(CuesRefusal) -> Int {
        guard let run = run(of: router, request.track) else { throw .busy }
        let writer = try CuesWriter(request.track, of: run.tracks, format)
        writerCount += 1
        writers[writerCount] = writer
        run.proceed()
        if ticking == nil { scheduleTick() }
        return writerCount
    }

    func append(_ bytes: ByteBuffer, _ writer: Int) throws(CuesRefusal) {
        guard let cues = writers[writer] else { throw .busy }
        do {
            try bytes.withUnsafeReadableBytes { (bytes) throws(CuesRefusal) in try cues.append(bytes) }
        } catch {
            writers[writer] = nil
            throw error
        }
    }

    func finish(_ writer: Int) throws(CuesRefusal) {
        guard let cues = writers.removeValue(forKey: writer) else { throw .busy }
        try cues.finish()
    }

    func abandon(_ writer: Int) { writers.removeValue(forKey: writer)?.abandon() }

    private func run(of router: Router, _ track: Int) -> LiveRun? {
        let configuration = router.liveConfiguration(of: track, with: edits)
        let key = Key(
            site: ObjectIdentifier(site()), video: router.master, configuration: configuration)
        if let run = runs[key] { return run }
        if runs.count >= Self.mostRuns {
            forgetIdle()
            guard runs.count < Self.mostRuns else { return nil }
        }
        let run = LiveRun(router, configuration, site(), pool, reported)
        runs[key] = run
        return run
    }

    /// Forgets what nobody has asked for lately.
    private func forgetIdle() {
        let oldest = NIODeadline.now() - Self.longestIdle
        let forgotten = runs.filter { $0.value.mayBeForgotten(since: oldest) }
        for key in forgotten.keys { runs[key] = nil }
        let followed = runs.values.compactMap(\.reportedBeside)
        for url in forgotten.values.compactMap(\.reportedBeside) where !followed.contains(url) {
            reported.set([], beside: url)
        }
    }

    private func scheduleTick() {
        ticking = loop.assumeIsolated().scheduleTask(in: .milliseconds(250)) { [weak self] in self?.tick() }
    }

    private func tick() {
        ticking = nil
        for run in runs.values { run.proceed() }
        forgetIdle()
        if !runs.isEmpty { scheduleTick() }
    }

    /// Ends all.
    func stop() {
        ticking?.cancel()
        for run in runs.values { run.cancel() }
        (runs, writers) = ([:], [:])
    }
}
