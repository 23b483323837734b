import Delivery
import NIOHTTP1
import Sideload

/// The answer to a request for an address of ours: what it takes the request says by itself, and here it is fetched.
final class OwnAnswer {
    private let own: Site.Own
    private let pool: OriginPool
    private let method: [UInt8]
    private var request: Router.Request
    private let live: LiveDoor?
    private var done: ((HTTPAnswer) -> Void)?
    private var runs: [FetchRun] = []
    private var search: VideoStartSearch?
    /// How many bytes a text has that waits for its map.
    private var waitingBytes = 0
    /// Called with the number of bytes that are held, whenever more has come or is asked for.
    var whenHolding: (Int) -> Void = { _ in }

    /// - Parameter live: Where answers beside live streams come from; nil if there are none.
    init(_ own: Site.Own, _ method: HTTPMethod, by pool: OriginPool, _ live: LiveDoor?) {
        self.live = live
        self.own = own
        self.pool = pool
        self.method = Array(method.rawValue.utf8)
        request = Router.Request(own.router, own.request, besideLive: live != nil)
    }

    /// What is planned, for logs.
    var description: String {
        if case .segment(let name)? = own.router.liveRequest(own.request)?.kind {
            return "make the segment \(String(decoding: name, as: UTF8.self).debugDescription) beside the live stream"
        }
        guard case .entry(let target) = own.kind else { return "\(request.plan)" }
        return "\(RoutePlan.fetch(OriginRequest(url: url(of: target), headers: []), use: .master))"
    }

    /// Calls `done` with the answer, at once or later.
    func begin(_ done: @escaping (HTTPAnswer) -> Void) {
        self.done = done
        if case .entry(let target) = own.kind { return makeEntry(target) }
        guard let live, let wanted = own.router.liveRequest(own.request) else { return proceed() }
        live.answer(wanted, own, method, on: pool.loop) { [self] answer in
            if let answer { finish(answer) } else { proceed() }
        }
    }

    func cancel() {
        done = nil
        whenHolding = { _ in }
        for run in runs { run.cancel() }
        runs = []
        search?.cancel()
        search = nil
    }

    private func proceed() {
        while done != nil {
            switch request.next() {
            case .fetch(let wanted):
                bring(wanted) { [self] step in
                    request.take(step, of: wanted)
                    proceed()
                }
            case .wait, .waitForTracks: return
            case .answer, .redirect, .decline, .fail: finish(request.httpAnswer(to: method) ?? .notFound)
            }
        }
    }

    private func bring(_ wanted: Router.Request.Wanted, _ done: @escaping (Fetch.Step) -> Void) {
        let file = wanted.file.flatMap { own.site.files[$0] }
        guard case .content(let track, .fromVideo(let video)) = wanted.job else { return run(wanted.job, file, done) }
        run(.content(track, map: .own), file) { [self] step in
            guard case .answer(.text(let text)) = step, text.map == nil else { return done(step) }
            let search = VideoStartSearch(
                video, in: own.site.videoStarts, by: { [self] job, done in run(job, nil, done) },
                { map in done(.answer(.text(map.map { text.mapped(by: $0) } ?? text))) })
            self.search = search
            waitingBytes = text.bytes.count
            noteHeld()
            // There may be no room for it.
            if self.done != nil { search.begin(on: pool.loop) }
        }
    }

    private func finish(_ answer: HTTPAnswer) {
        let done = done
        cancel()
        done?(answer)
    }

    private func run(_ job: FetchJob, _ file: [UInt8]?, _ done: @escaping (Fetch.Step) -> Void) {
        let run = FetchRun(job, for: request, by: pool, file: file, done: done)
        runs.append(run)
        run.whenHolding = { [self] in noteHeld() }
        noteHeld()
        run.proceed()
    }

    private func noteHeld() { whenHolding(runs.reduce(waitingBytes) { $0 + $1.heldBytes }) }

    // MARK: The playlist that a player begins with

    private func url(of target: String) -> [UInt8] { Array(((own.site.origin?.root ?? "") + target).utf8) }

    private func makeEntry(_ target: String) {
        run(.content(FetchTrack(url: url(of: target), format: .playlist), map: .own), nil) { [self] step in
            switch step {
            case .answer(.playlist(let playlist)):
                do {
                    let wrapped = try own.site.wrapped(playlist, target, at: own.authority)
                    let redirect = RoutePlan.redirect(to: Array(target.utf8)).httpAnswer
                    finish(wrapped.map { HTTPAnswer($0, to: method, own.request.headers) } ?? redirect ?? .notFound)
                } catch {
                    finish((error as? RouteError).map { HTTPAnswer($0) } ?? .notFound)
                }
            case .failure(let error): finish(HTTPAnswer(error))
            case .answer, .request, .decrypt: finish(.notFound)
            }
        }
    }
}

extension Site {
    /// A media playlist of the origin wrapped into a multivariant one, with the tracks; nil if it is multivariant
    /// already.
    fileprivate func wrapped(
        _ playlist: FetchedPlaylist, _ target: String, at authority: String
    ) throws -> Resource? {
        guard let tracks = try tracks(besides: target, at: authority) else { return nil }
        guard try tracks.sideloaded(into: playlist.bytes).verdict == .media else { return nil }
        let wrapped = try WrappedVariant(uri: target).playlist(around: playlist.bytes)
        return Resource(try tracks.sideloaded(into: wrapped).bytes, .playlist)
    }
}
