import Delivery
import NIOHTTP1
import Sideload

/// The answer to a request for an address of ours: plans it by the router, fetches what that takes, and makes the answer.
final class OwnAnswer {
    private let own: Site.Own
    private let site: Site
    private let pool: OriginPool
    private let method: [UInt8]
    private let plan: RoutePlan
    private var done: ((HTTPAnswer) -> Void)?
    private var runs: [FetchRun] = []
    private var key: WholeBody?
    /// What is planned, for logs.
    var description: String { "\(plan)" }

    init(_ own: Site.Own, of site: Site, _ method: HTTPMethod, by pool: OriginPool) {
        self.own = own
        self.site = site
        self.pool = pool
        self.method = Array(method.rawValue.utf8)
        plan = own.plan(of: site)
    }

    /// Calls `done` with the answer, at once or later.
    func begin(_ done: @escaping (HTTPAnswer) -> Void) {
        self.done = done
        if let answer = plan.httpAnswer { return finish(answer) }
        if case .fetch(let origin, .key) = plan {
            key = WholeBody(origin.url, by: pool, fields: fields) { [self] bytes in
                finish(bytes.map { answer(own.router.key($0)) } ?? .notFound)
            }
            return
        }
        guard let (job, file) = own.job(for: plan, of: site) else {
            return finish(own.router.resource(insteadOf: plan).map(answer) ?? .notFound)
        }
        run(job, file) { [self] result in
            switch result {
            case .success(let fetched): findMissing { [self] missing in make(fetched, leavingOut: missing) }
            case .failure(let error):
                finish(own.router.resource(insteadOf: plan).map(answer) ?? HTTPAnswer(error))
            }
        }
    }

    func cancel() {
        done = nil
        for run in runs { run.cancel() }
        runs = []
        key?.cancel()
    }

    private func finish(_ answer: HTTPAnswer) {
        let done = done
        self.done = nil
        runs = []
        key = nil
        done?(answer)
    }

    private func answer(_ resource: Resource) -> HTTPAnswer { HTTPAnswer(resource, to: method, own.request.headers) }

    private func make(_ fetched: FetchAnswer, leavingOut missing: [Int]) {
        do {
            if case .entry(let target) = own.kind, case .playlist(let playlist) = fetched {
                guard let resource = try site.wrapped(playlist, target) else {
                    return finish(RoutePlan.redirect(to: Array(target.utf8)).httpAnswer ?? .notFound)
                }
                return finish(answer(resource))
            }
            finish(answer(try own.router.resource(for: plan, from: fetched, leavingOut: missing)))
        } catch let error as RouteError {
            finish(HTTPAnswer(error))
        } catch {
            finish(.notFound)
        }
    }

    /// Calls `found` with the tracks that the player should not be told of, because they are missing.
    private func findMissing(_ found: @escaping ([Int]) -> Void) {
        guard case .fetch(_, .master) = plan, case .routed = own.kind else { return found([]) }
        let jobs = own.router.presenceJobs
        var missing: [Int] = []
        var left = jobs.count
        guard left > 0 else { return found([]) }
        for (track, job) in jobs {
            run(job, nil) { result in
                if case .failure(let error) = result, error.reason.category == .missing { missing.append(track) }
                left -= 1
                if left == 0 { found(missing.sorted()) }
            }
        }
    }

    private func run(_ job: FetchJob, _ file: [UInt8]?, _ done: @escaping (Result<FetchAnswer, FetchError>) -> Void) {
        let run = FetchRun(job, by: pool, file: file, fields: fields, done: done)
        runs.append(run)
        run.proceed()
    }

    private func fields(of url: [UInt8]) -> [HeaderLine] { own.router.originHeaders(for: own.request, to: url) }
}

extension Site.Own {
    fileprivate func plan(of site: Site) -> RoutePlan {
        guard case .entry(let target) = kind, let origin = site.origin else { return router.plan(request) }
        let url = Array((origin.root + target).utf8)
        return .fetch(OriginRequest(url: url, headers: []), use: .master)
    }

    /// The job for `plan`, and the file of this machine that it begins with, if it does.
    fileprivate func job(for plan: RoutePlan, of site: Site) -> (FetchJob, [UInt8]?)? {
        if let job = router.job(for: plan) { return (job, nil) }
        let index: Int
        switch plan {
        case .subtitlePlaylist(let track), .subtitleFile(let track): index = track
        default: return nil
        }
        guard let file = site.files[index] else { return nil }
        // What begins with WEBVTT is taken for WebVTT all the same.
        let track = FetchTrack(
            url: FetchRun.fileURL, format: .subRip, duration: router.tracks[index].configuration.duration)
        guard case .subtitleFile = plan else { return (.duration(track), file) }
        let map: FetchMap =
            switch router.policies.map {
            case .none: .own
            case .automatic: .fromVideo(router.master)
            case .given(let map): .always(map)
            }
        return (.content(track, map: map), file)
    }
}

extension Site {
    /// A media playlist of the origin wrapped into a multivariant one, with the tracks; nil if it is multivariant already.
    fileprivate func wrapped(_ playlist: FetchedPlaylist, _ target: String) throws -> Resource? {
        guard let tracks = try tracks(besides: target) else { return nil }
        guard try tracks.sideloaded(into: playlist.bytes).verdict == .media else { return nil }
        let wrapped = try WrappedVariant(uri: target).playlist(around: playlist.bytes)
        return Resource(try tracks.sideloaded(into: wrapped).bytes, .playlist)
    }
}
