#if canImport(AVFoundation) && !os(watchOS)
internal import AVFoundation
internal import Delivery
internal import Foundation

// The requests that are to be answered, and what is made for them.
//
// Requests for one thing share one making of it: the player asks for the master three times, and it is fetched and
// edited once. What they ask for is told by a request's key, which leaves out what belongs to one request alone.
//
//     open ──▶ (a turn of the queue later) start ─┬─ redirect, failure ─▶ answered
//                                                 ├─ kept ──────────────▶ answered of what is there
//                                                 └─ join or begin a making ─▶ made ─▶ all who wait are answered
//     cancel ─▶ closed; the last who waits cancels the making, which cancels what is being fetched
//     release ─▶ all are failed, all makings cancelled
//
// What is made and how, what takes the place of what is missing, and what may be kept, Router.Request says.

/// The open requests of one loader. Used on its queue only, but for `release`.
final class OpenRequests: @unchecked Sendable {
    /// Something that is being made, and who waits for it.
    private struct Making {
        /// Tells this making from a later one of the same thing.
        let number: Int
        /// What it is; nil once that has been forgotten, so that nobody else is to have it.
        var key: [UInt8]?
        let task: Task<Void, Never>
        var waiting: [LoadingExchange]
    }

    private let queue: DispatchQueue
    private let assets: AttachedAssets
    private let router: Router
    private let maker: SubtitleWays
    private let board: TrackBoard
    private let trace: LoadingTrace

    /// By the player's request, which an exchange keeps alive as long as it is here.
    private var exchanges: [ObjectIdentifier: LoadingExchange] = [:]
    private var makings: [Making] = []
    private var makingCount = 0
    private let keptBytes: Int
    private var kept: ResourceCache
    /// The tracks that could not be had.
    private var missing: Set<Int> = []

    init(_ queue: DispatchQueue, _ assets: AttachedAssets, _ maker: SubtitleWays, keeping byteLimit: Int) {
        self.queue = queue
        self.assets = assets
        self.maker = maker
        router = maker.router
        board = maker.board
        trace = maker.trace
        keptBytes = byteLimit
        kept = ResourceCache(bytes: byteLimit)
    }

    // MARK: On the queue, called by AVFoundation

    /// A request that is about to be carried out.
    func request(_ asked: RouteRequest) -> Router.Request {
        Router.Request(router, asked, missing: Array(missing), besideLive: true)
    }

    /// The request `loading` of `loader`, which will be answered, later than in this call.
    func open(
        _ request: Router.Request, _ loading: AVAssetResourceLoadingRequest, of loader: AVAssetResourceLoader
    ) {
        let exchange = LoadingExchange(request, loading, of: assets.number(of: loader))
        let isRenewal = loading is AVAssetResourceRenewalRequest
        exchanges[exchange.id] = exchange
        board.noteAsking(exchange.request)
        queue.async { [self] in start(exchange, isRenewal: isRenewal) }
    }

    /// The player no longer wants it. Nothing is done with the request from here on.
    func cancel(_ loading: AVAssetResourceLoadingRequest) {
        guard let exchange = exchanges.removeValue(forKey: ObjectIdentifier(loading)) else { return }
        exchange.cancel()
        for index in makings.indices { makings[index].waiting.removeAll { $0 === exchange } }
        for making in makings where making.waiting.isEmpty { making.task.cancel() }
        makings.removeAll { $0.waiting.isEmpty }
    }

    // MARK: From anywhere

    /// Nothing that has been made, or is being made, is handed out to requests that come, and no track counts as
    /// missing.
    func forget() {
        queue.async { [self] in
            for index in makings.indices { makings[index].key = nil }
            kept = ResourceCache(bytes: keptBytes)
            missing = []
        }
    }

    /// Nobody will be there to answer: what is open fails.
    func release() {
        queue.async { [self] in
            for making in makings { making.task.cancel() }
            makings = []
            for exchange in Array(exchanges.values) {
                fail(exchange, SubtitleLoaderError(.released, exchange.request.asked.url))
            }
        }
    }

    // MARK: On the queue

    private func start(_ exchange: LoadingExchange, isRenewal: Bool) {
        guard exchange.isOpen else { return }
        let url = exchange.request.asked.url
        switch exchange.request.plan {
        case .redirect(let target): redirect(exchange, to: target)
        case .fail(let error) where exchange.key == nil: fail(exchange, SubtitleLoaderError(.route(error), url))
        case .decline(let reason): fail(exchange, SubtitleLoaderError(.declined(reason), url))
        case .fetch, .subtitlePlaylist, .subtitleFile, .emptyFile, .fail:
            guard let key = exchange.key else { return }
            if isRenewal { kept.drop(for: exchange) }
            if let resource = kept.take(for: exchange) {
                answer(exchange, of: resource)
            } else if let same = makings.firstIndex(where: { $0.key == key }) {
                makings[same].waiting.append(exchange)
            } else {
                make(key, for: exchange)
            }
        }
    }

    private func make(_ key: [UInt8], for exchange: LoadingExchange) {
        makingCount += 1
        let number = makingCount
        let request = exchange.request
        let task = Task { [self] in
            let result = await maker.make(request)
            queue.async { [self] in made(number, result) }
        }
        makings.append(Making(number: number, key: key, task: task, waiting: [exchange]))
    }

    private func made(_ number: Int, _ outcome: Result<ResourceMaker.Outcome, SubtitleLoaderError>) {
        // One that was cancelled is not there any more.
        guard let index = makings.firstIndex(where: { $0.number == number }) else { return }
        let making = makings.remove(at: index)
        let result: Result<Router.Request.Made, SubtitleLoaderError>
        switch outcome {
        case .success(.redirected(let target)):
            for exchange in making.waiting { redirect(exchange, to: target) }
            return
        case .success(.made(let made)): result = .success(made)
        case .failure(let error): result = .failure(error)
        }
        if let request = making.waiting.first?.request { board.note(request, result) }
        if case .success(let made) = result {
            if let track = made.missing, making.key != nil { missing.insert(track) }
            if let variant = made.wrapped, let request = making.waiting.first?.request {
                trace.note(.wrapped(variant), request.asked.url)
            }
            if made.mayBeKept, making.key != nil {
                for exchange in making.waiting {
                    if let place = exchange.place(besideLive: made.isLive) { kept.keep(made.resource, place) }
                }
            }
        }
        for exchange in making.waiting {
            switch result {
            case .success(let made):
                if made.isLive || exchange.request.changes, let place = exchange.place(besideLive: made.isLive) {
                    kept.noteReading(of: place, by: exchange.request.asked)
                }
                answer(exchange, of: made.resource)
            case .failure(let error): fail(exchange, error)
            }
        }
    }

    private func redirect(_ exchange: LoadingExchange, to target: [UInt8]) {
        guard let url = URL(keeping: target) else { return fail(exchange, SubtitleLoaderError(.noURL, target)) }
        end(exchange)
        exchange.redirect(to: url)
        trace.note(.redirected(url), exchange.request.asked.url)
    }

    private func answer(_ exchange: LoadingExchange, of resource: Resource) {
        end(exchange)
        let answer = exchange.request.answer(with: resource)
        exchange.answer(answer, of: resource)
        trace.note(.answered(answer), exchange.request.asked.url)
    }

    private func fail(_ exchange: LoadingExchange, _ error: SubtitleLoaderError) {
        end(exchange)
        exchange.fail(error)
        trace.note(.failed(error), exchange.request.asked.url)
    }

    private func end(_ exchange: LoadingExchange) { exchanges[exchange.id] = nil }
}
#endif
