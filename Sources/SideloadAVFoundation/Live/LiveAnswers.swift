#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery
internal import Foundation
internal import M3U8

// What requests get beside a live video.
//
//     answer ──▶ LiveTracks ─┬─ complete: as beside any video, SubtitleWays goes on
//                            ├─ fetch ──▶ LiveFetches, one for all who want the same ──▶ take ──▶ who waits asks again
//                            ├─ wait: until a fetch has ended, 3 s at most
//                            └─ a playlist, a segment, a status
//
// Tracks whose cues count in the same way share a channel. Where there are several, all take the same versions of the
// video's playlist: what one has fetched is handed to the next as of the time when it came.
//
// All state is behind one lock, which is held for moments; writers of cues come in by it from any thread.

/// What a loader's tracks get beside a live video. It ends with the loader.
final class LiveAnswers: @unchecked Sendable {
    /// What a request gets.
    enum Answer: Sendable {
        case made(Resource)
        /// 404, 502, 504, or what the origin has answered to delivery directives.
        case status(Int)
        /// The video is not live.
        case complete
        /// Nobody knows whether it is: the status with which its playlist could not be had.
        case unknown(Int)
    }

    /// A fetch that is under way, and for whom.
    private struct Flight {
        let job: FetchJob
        let task: Task<Void, Never>
        var waiting: [(group: LiveGroup, number: LiveFetch)]
    }

    let router: Router
    private let maker: ResourceMaker
    private let board: TrackBoard
    private let trace: LoadingTrace
    /// Milliseconds from anywhere, which go on while the device sleeps.
    let now: @Sendable () -> Int64

    let lock = NSLock()
    var groups: [LiveGroup] = []
    private var flights: [Flight] = []
    private var findings = LiveFindings()
    /// Goes up whenever somebody who waits is to ask again.
    private var changeCount = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    private var waitCount = 0
    var hasEnded = false
    /// What is to be said once the lock is free.
    private var tellings: [(tracks: Set<Int>, all: LiveNotes, new: LiveNotes)] = []

    /// How long an answer waits, in milliseconds, as LiveStream has it.
    private static let patience: Int64 = 3000

    init(_ router: Router, _ maker: ResourceMaker, _ board: TrackBoard, now: @escaping @Sendable () -> Int64) {
        self.router = router
        self.maker = maker
        self.board = board
        self.now = now
        trace = maker.trace
    }

    /// What `request` gets, which asks for `asked`.
    ///
    /// - Parameter makeNames: How the playlist calls its segments; called if there is one.
    func answer(_ asked: LiveRequest, _ request: Router.Request, _ makeNames: () -> LiveNames) async -> Answer {
        var ask = LiveAsk(asked.kind, at: now())
        var asking: LiveGroup?
        var names: LiveNames?
        while true {
            let next: (step: LiveTracks.Step, count: Int, isLive: Bool)? = locked {
                if hasEnded { return (.status(503), 0, true) }
                let group = group(of: asked.track)
                // What has been done for a request counts for the group alone that has done it.
                if let asking, asking !== group { ask = LiveAsk(asked.kind, at: ask.began) }
                asking = group
                if case .playlist = asked.kind {
                    group.request = request
                    // Whoever names them is not to be asked with the lock held.
                    if names == nil, group.tracks.isLive { return nil }
                }
                let step = group.tracks.step(&ask, of: asked.track, named: names, at: now())
                if case .fetch(let fetching) = step { begin(fetching, group) }
                fetchWanted(group)
                group.asked.insert(asked.track)
                return (step, changeCount, group.tracks.isLive)
            }
            guard let (step, count, isLive) = next else {
                names = makeNames()
                continue
            }
            switch step {
            case .fetch: continue
            case .wait:
                await wait(after: count, for: ask.began + Self.patience - now())
                if Task.isCancelled { return .status(503) }
            case .answer(let resource):
                tell(of: asked.track)
                return .made(resource)
            case .complete: return .complete
            case .status(let status) where !isLive: return .unknown(status)
            case .status(let status): return .status(status)
            }
        }
    }

    /// Begins anew with the multivariant playlist, but for streams whose cues would be lost. Who waits asks anew too.
    func forget() {
        locked {
            groups.removeAll { !$0.tracks.holdsGrowingCues }
            findings = LiveFindings()
            changeCount += 1
        }
    }

    /// Ends all that is under way. Who waits gets a status.
    func end() {
        let (tasks, continuations) = lock.withLock {
            hasEnded = true
            defer { (flights, groups, waiting) = ([], [], [:]) }
            return (flights.map(\.task) + groups.compactMap(\.follower), Array(waiting.values))
        }
        for task in tasks { task.cancel() }
        for continuation in continuations { continuation.resume() }
    }

    /// Has `body` done with the lock held; then wakes who waits, if something has changed, and says what there is to
    /// say.
    func locked<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        let count = changeCount
        let result = body()
        let woken = changeCount == count ? [] : Array(waiting.values)
        if changeCount != count { waiting = [:] }
        let told = tellings
        tellings = []
        lock.unlock()
        for continuation in woken { continuation.resume() }
        for telling in told {
            for track in telling.tracks { board.noteLive(track, telling.all) }
            trace.note(.live(telling.new), router.master)
        }
        return result
    }

    func group(of track: Int) -> LiveGroup {
        let configuration = router.liveConfiguration(of: track)
        if let group = groups.first(where: { $0.configuration == configuration }) { return group }
        let group = LiveGroup(configuration, router)
        groups.append(group)
        return group
    }

    /// Tells what there is to say of a track's stream.
    private func tell(of track: Int) { board.noteLive(track, lock.withLock { group(of: track).notes }) }

    // MARK: Waiting

    private func wait(after count: Int, for milliseconds: Int64) async {
        let number = lock.withLock {
            waitCount += 1
            return waitCount
        }
        let timer = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(max(milliseconds, 1)))
            self?.wake(number)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = lock.withLock {
                    if changeCount != count || hasEnded || Task.isCancelled { return true }
                    waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake(number)
        }
        timer.cancel()
    }

    private func wake(_ number: Int) { lock.withLock { waiting.removeValue(forKey: number) }?.resume() }

    // MARK: Fetches, with the lock held but for `ended`

    private func fetchWanted(_ group: LiveGroup) {
        while let fetching = group.tracks.nextFetch(at: now()) { begin(fetching, group) }
    }

    func begin(_ fetching: LiveTracks.Fetching, _ group: LiveGroup) {
        if let known = known(fetching.job, group) {
            take(known.step, fetching.number, group, at: known.at)
            return
        }
        if let same = flights.firstIndex(where: { $0.job == fetching.job }) {
            flights[same].waiting.append((group, fetching.number))
            return
        }
        let file = fetching.path
        let task = Task { [maker, weak self, request = group.request, limit = group.fetchLimit] in
            let (step, error) = await maker.fetch(fetching.job, file, for: request, within: .seconds(limit))
            self?.ended(fetching, step, error)
        }
        flights.append(Flight(job: fetching.job, task: task, waiting: [(group, fetching.number)]))
    }

    /// What has been fetched for others, or by the loader, and is young enough.
    private func known(_ job: FetchJob, _ group: LiveGroup) -> (step: Fetch.Step, at: Int64)? {
        if case .livePlaylist(let url) = job, let master = maker.masters.found(at: url) {
            // A multivariant playlist stays what it is; a media playlist may be of use for a moment.
            if PlaylistFacts(of: master.playlist.bytes).verdict != .media || now() - master.at < 500 {
                return (.answer(.playlist(master.playlist)), master.at)
            }
        }
        let age = groups.reduce(group.freshness) { max($0, $1.freshness) }
        return findings.find(job, for: ObjectIdentifier(group), since: now() - age)
    }

    private func ended(_ fetching: LiveTracks.Fetching, _ step: Fetch.Step, _ error: SubtitleLoaderError?) {
        locked {
            guard let index = flights.firstIndex(where: { $0.job == fetching.job }) else { return }
            let flight = flights.remove(at: index)
            let at = now()
            if case .answer = step, fetching.track == nil {
                findings.keep(step, of: fetching.job, at: at, seenBy: flight.waiting.map { ObjectIdentifier($0.group) })
            }
            for (group, number) in flight.waiting where groups.contains(where: { $0 === group }) {
                take(step, number, group, at: at)
            }
        }
        guard let track = fetching.track else { return }
        if let error { board.noteEmptied(track, error) } else { board.noteFilled(track) }
    }

    private func take(_ step: Fetch.Step, _ number: LiveFetch, _ group: LiveGroup, at: Int64) {
        group.tracks.take(step, of: number, at: at)
        changeCount += 1
        let notes = group.tracks.takeNotes()
        if !notes.isEmpty {
            group.notes.formUnion(notes)
            tellings.append((group.asked, group.notes, notes))
        }
        fetchWanted(group)
    }
}
#endif
