import Delivery
import NIOConcurrencyHelpers
import NIOCore
import WebVTT

// The first time stamps of videos, kept for all event loops: to find one out takes three requests to the origin.
//
//     ask ─┬─ known   it is kept, or that there is none
//          ├─ find    nobody is at it: whoever asks finds it out, and then calls `take` or `giveUp`
//          └─ wait    somebody is: a future brings what that comes to, or says that it is one's own turn
//
// Kept is what the video itself tells. What hangs on who asks, or on the moment, is not: an origin that refuses or does
// not answer. Whoever has waited for that tries by itself. Nor is the time stamp of a playlist whose first segment goes
// one day.

/// What videos have told of their first time stamps.
final class VideoStarts: Sendable {
    /// What somebody gets who asks.
    enum Answer {
        /// The map; nil if the video tells none.
        case known(TimestampMap?)
        case find
        case wait(EventLoopFuture<Told>, Waiter)
    }

    /// Somebody who waits, by a number that nobody else has.
    typealias Waiter = Int

    /// What somebody is told who has waited.
    enum Told: Equatable, Sendable {
        case known(TimestampMap?)
        /// It is this one's turn to find it out, for all who still wait.
        case find
        /// What came counts for nobody else: all who have waited find it out by themselves.
        case findAlone
    }

    private struct Kept {
        let map: TimestampMap?
        let end: NIODeadline
    }

    /// Who waits for what somebody is finding out.
    private struct Waiting {
        /// In the order in which they came; those are passed over that have left.
        var order = CircularBuffer<Waiter>()
        var promises: [Waiter: EventLoopPromise<Told>] = [:]

        mutating func popFirst() -> EventLoopPromise<Told>? {
            while let waiter = order.popFirst() {
                if let promise = promises.removeValue(forKey: waiter) { return promise }
            }
            return nil
        }
    }

    private struct State {
        var kept: [[UInt8]: Kept] = [:]
        var keptBytes = 0
        /// Of those that somebody is finding out.
        var waiting: [[UInt8]: Waiting] = [:]
        var nextWaiter: Waiter = 0
    }

    /// How long a time stamp is kept, and how long it is that there is none: as long as by the module for nginx.
    static let lifetime = TimeAmount.minutes(10)
    static let lifetimeOfNone = TimeAmount.seconds(10)
    /// How many bytes those may take that are kept, for all workers together.
    private static let mostBytes = 1 << 20
    /// What one takes beside its URL.
    private static let bytesOfOne = 128

    private let mostBytes: Int
    private let state = NIOLockedValueBox(State())

    init(mostBytes: Int = VideoStarts.mostBytes) { self.mostBytes = mostBytes }

    /// What is known of the video whose playlist has this URL. A future is one of `loop`.
    func ask(_ video: [UInt8], at now: NIODeadline, on loop: any EventLoop) -> Answer {
        state.withLockedValue { state in
            if let kept = state.kept[video], kept.end > now { return .known(kept.map) }
            guard state.waiting[video] != nil else {
                state.waiting[video] = Waiting()
                return .find
            }
            let (promise, waiter) = (loop.makePromise(of: Told.self), state.nextWaiter)
            state.nextWaiter += 1
            state.waiting[video]?.order.append(waiter)
            state.waiting[video]?.promises[waiter] = promise
            return .wait(promise.futureResult, waiter)
        }
    }

    /// Takes what a `FetchJob.mediaStart` of the video has come to, and returns its map.
    ///
    /// - Parameter isForAll: Whether others may wait for it.
    func take(_ step: Fetch.Step, of video: [UInt8], isForAll: Bool, at now: NIODeadline) -> TimestampMap? {
        var map: TimestampMap?
        var (lifetime, told) = (TimeAmount?.none, Told.findAlone)
        switch step {
        case .answer(.mediaStart(let start)):
            map = start.map
            told = .known(map)
            if start.stays { lifetime = Self.lifetime }
        case .failure(let error) where error.reason.category == .unusable || error.reason.category == .limit:
            told = .known(nil)
            lifetime = Self.lifetimeOfNone
        case .answer, .failure, .request, .decrypt: break
        }
        let waiting = state.withLockedValue { state in
            if let lifetime { keep(Kept(map: map, end: now + lifetime), of: video, now, &state) }
            return isForAll ? state.waiting.removeValue(forKey: video) : nil
        }
        if let waiting { for promise in waiting.promises.values { promise.succeed(told) } }
        return map
    }

    /// Takes note that `waiter` waits no longer.
    func leave(_ video: [UInt8], _ waiter: Waiter) {
        let promise = state.withLockedValue { $0.waiting[video]?.promises.removeValue(forKey: waiter) }
        promise?.succeed(.findAlone)
    }

    /// Takes note that whoever was to find it out does not: somebody else's turn.
    func giveUp(_ video: [UInt8]) {
        let next = state.withLockedValue { state in
            let next = state.waiting[video]?.popFirst()
            if next == nil { state.waiting[video] = nil }
            return next
        }
        next?.succeed(.find)
    }

    private func keep(_ kept: Kept, of video: [UInt8], _ now: NIODeadline, _ state: inout State) {
        let cost = video.count + Self.bytesOfOne
        if state.kept.removeValue(forKey: video) != nil { state.keptBytes -= cost }
        guard cost <= mostBytes else { return }
        if state.keptBytes + cost > mostBytes {
            state.kept = state.kept.filter { $0.value.end > now }
            state.keptBytes = state.kept.keys.reduce(0) { $0 + $1.count + Self.bytesOfOne }
        }
        if state.keptBytes + cost > mostBytes { (state.kept, state.keptBytes) = ([:], 0) }
        state.kept[video] = kept
        state.keptBytes += cost
    }
}

/// One request's search for the first time stamp of a video.
final class VideoStartSearch {
    private let video: [UInt8]
    private let starts: VideoStarts
    private let fetch: (FetchJob, @escaping (Fetch.Step) -> Void) -> Void
    private var done: ((TimestampMap?) -> Void)?
    /// Whether others wait for what this one finds out.
    private var isForAll = false
    private var waiter: VideoStarts.Waiter?

    /// - Parameters:
    ///   - fetch: Carries out a job and hands its last step on, unless it is cancelled.
    ///   - done: Called with the map, at once or later; with nil if the video tells none.
    init(
        _ video: [UInt8], in starts: VideoStarts,
        by fetch: @escaping (FetchJob, @escaping (Fetch.Step) -> Void) -> Void,
        _ done: @escaping (TimestampMap?) -> Void
    ) {
        (self.video, self.starts, self.fetch, self.done) = (video, starts, fetch, done)
    }

    /// Begins, on this event loop.
    func begin(on loop: any EventLoop) {
        switch starts.ask(video, at: .now(), on: loop) {
        case .known(let map): finish(map)
        case .find: find(forAll: true)
        case .wait(let told, let waiter):
            self.waiter = waiter
            told.assumeIsolated().whenSuccess { [self] told in
                self.waiter = nil
                switch told {
                case .known(let map): finish(map)
                case .find: find(forAll: true)
                case .findAlone: find(forAll: false)
                }
            }
        }
    }

    /// Ends it; its fetch is cancelled by whoever carries that out.
    func cancel() {
        done = nil
        if let waiter { starts.leave(video, waiter) }
        passOn()
    }

    private func find(forAll: Bool) {
        isForAll = forAll
        guard done != nil else { return passOn() }
        fetch(.mediaStart(video: video)) { [self] step in
            let isForAll = isForAll
            self.isForAll = false
            finish(starts.take(step, of: video, isForAll: isForAll, at: .now()))
        }
    }

    private func passOn() {
        guard isForAll else { return }
        isForAll = false
        starts.giveUp(video)
    }

    private func finish(_ map: TimestampMap?) {
        let done = done
        self.done = nil
        done?(map)
    }
}
