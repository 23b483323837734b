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
    ///
    /// - Parameter whenEnded: Called on any loop with why, if it is ended before all has come.
    func open(
        _ request: CuesRequest, _ format: GrowingConfiguration.Format, _ own: Site.Own,
        _ whenEnded: @escaping @Sendable (CuesRefusal) -> Void
    ) -> EventLoopFuture<Int> {
        loop.submit { [hub] in try hub.value.open(request, format, own, whenEnded) }
    }

    /// Takes bytes of its cues.
    func append(_ bytes: ByteBuffer, _ writer: Int) -> EventLoopFuture<Void> {
        loop.submit { [hub] in try hub.value.append(bytes, writer) }
    }

    /// Takes note that all its bytes have come.
    func finish(_ writer: Int) -> EventLoopFuture<Void> { loop.submit { [hub] in try hub.value.finish(writer) } }

    /// Takes note that no more will come.
    func abandon(_ writer: Int) { loop.execute { [hub] in hub.value.abandon(writer) } }

    /// Has the channels of `site` and of no other from now on.
    func serve(_ site: Site) -> EventLoopFuture<Void> { loop.submit { [hub] in hub.value.serve(site) } }
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

    /// Somebody who sends cues.
    private struct Sender {
        let writer: CuesWriter
        let site: Site
        let whenEnded: @Sendable (CuesRefusal) -> Void
    }

    private let loop: any EventLoop
    private let means: LiveRun.Means
    private let edits: VideoPlaylistEdits
    /// What is served at present. Requests of the one before may come from workers that have not been told yet.
    private var site: Site?
    private var runs: [Key: LiveRun] = [:]
    private var ticking: Scheduled<Void>?
    private var senders: [Int: Sender] = [:]
    private var senderCount = 0

    /// How many videos are followed at once, and for how long nobody may ask for one before it is forgotten.
    static let mostRuns = 256
    private static let longestIdle = TimeAmount.minutes(10)

    /// The channels of no site, all on the event loop of `pool`.
    ///
    /// - Parameter patience: How long a fetch may take.
    init(by pool: OriginPool, _ patience: TimeAmount, _ edits: VideoPlaylistEdits, _ reported: ReportedRenditions) {
        loop = pool.loop
        means = LiveRun.Means(pool: pool, patience: patience, reported: reported, pipes: CuesPipes())
        self.edits = edits
    }

    /// Has the channels of `site` and of no other from now on: who sends cues to another has to begin anew.
    func serve(_ site: Site) {
        self.site = site
        for (number, sender) in senders where sender.site !== site {
            abandon(number)
            sender.whenEnded(.isChanged)
        }
        for run in runs.values where run.site !== site { run.retire() }
        means.pipes.keep(Set(site.configuration.tracks.compactMap(\.cuesFile)))
        forgetIdle()
    }

    /// What a request gets that asks for `live`; nil if the video is complete.
    func answer(_ live: LiveRequest, _ own: Site.Own, _ method: [UInt8]) -> EventLoopFuture<HTTPAnswer?> {
        let promise = loop.makePromise(of: HTTPAnswer?.self)
        guard let run = run(of: own, live.track) else {
            promise.succeed(.busy)
            return promise.futureResult
        }
        run.answer(LiveRun.Question(live, own, method) { promise.succeed($0) })
        if ticking == nil { scheduleTick() }
        return promise.futureResult
    }

    func open(
        _ request: CuesRequest, _ format: GrowingConfiguration.Format, _ own: Site.Own,
        _ whenEnded: @escaping @Sendable (CuesRefusal) -> Void
    ) throws(CuesRefusal) -> Int {
        guard own.site === site else { throw .isChanged }
        guard let run = run(of: own, request.track) else { throw .busy }
        let writer = try CuesWriter(request.track, of: run.tracks, format)
        senderCount += 1
        senders[senderCount] = Sender(writer: writer, site: own.site, whenEnded: whenEnded)
        run.proceed()
        if ticking == nil { scheduleTick() }
        return senderCount
    }

    func append(_ bytes: ByteBuffer, _ sender: Int) throws(CuesRefusal) {
        guard let writer = senders[sender]?.writer else { throw .busy }
        do {
            try bytes.withUnsafeReadableBytes { (bytes) throws(CuesRefusal) in try writer.append(bytes) }
        } catch {
            senders[sender] = nil
            throw error
        }
    }

    func finish(_ sender: Int) throws(CuesRefusal) {
        guard let writer = senders.removeValue(forKey: sender)?.writer else { throw .busy }
        try writer.finish()
    }

    func abandon(_ sender: Int) { senders.removeValue(forKey: sender)?.writer.abandon() }

    /// The run of a video for this track; nil if there is no room for another, or it would be of a site that is not
    /// served any more.
    private func run(of own: Site.Own, _ track: Int) -> LiveRun? {
        guard own.router.tracks.indices.contains(track) else { return nil }
        let configuration = own.router.liveConfiguration(of: track, with: edits)
        let key = Key(site: ObjectIdentifier(own.site), video: own.router.master, configuration: configuration)
        if let run = runs[key] { return run.has(track) ? run : nil }
        guard own.site === site, runs.count < Self.mostRuns || makeRoom() else { return nil }
        let run = LiveRun(own, configuration, by: means)
        runs[key] = run
        return run
    }

    /// Forgets the run that was asked for longest ago of those where nothing is under way, those first that lose no
    /// cues; false if there is none.
    private func makeRoom() -> Bool {
        let idle = runs.filter { $0.value.isIdle }
        let oldest = idle.min {
            let losses = ($0.value.tracks.holdsGrowingCues, $1.value.tracks.holdsGrowingCues)
            return losses.0 == losses.1 ? $0.value.lastAsked < $1.value.lastAsked : losses.1
        }
        guard let oldest else { return false }
        forget([oldest.key])
        return true
    }

    /// Forgets what nobody has asked for lately.
    private func forgetIdle() {
        let oldest = NIODeadline.now() - Self.longestIdle
        forget(runs.filter { $0.value.mayBeForgotten(since: oldest) }.map(\.key))
    }

    private func forget(_ keys: [Key]) {
        guard !keys.isEmpty else { return }
        let forgotten = keys.compactMap { runs.removeValue(forKey: $0) }
        for run in forgotten { run.cancel() }
        let followed = Set(runs.values.compactMap(\.reportedBeside))
        for url in forgotten.compactMap(\.reportedBeside) where !followed.contains(url) {
            means.reported.set([], beside: url)
        }
    }

    private func scheduleTick() {
        ticking = loop.assumeIsolated().scheduleTask(in: .milliseconds(250)) { [weak self] in self?.tick() }
    }

    private func tick() {
        ticking = nil
        means.pipes.read()
        for run in runs.values { run.proceed() }
        forgetIdle()
        if !runs.isEmpty || !means.pipes.isEmpty { scheduleTick() }
    }
}
