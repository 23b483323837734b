#if canImport(AVFoundation) && !os(watchOS)
internal import AVFoundation
internal import Delivery
internal import Foundation

// The requests that are to be answered, and what is made for them.
//
// Requests for one thing share one making of it: the player asks for the master three times, and it is fetched and edited once. What
// they ask for is told by `ResourceKey`, which is the plan without what belongs to one request alone.
//
//     open ──▶ (a turn of the queue later) start ─┬─ redirect, failure ─▶ answered
//                                                 ├─ kept ──────────────▶ answered of what is there
//                                                 └─ join or begin a making ─▶ made ─▶ all who wait are answered
//     cancel ─▶ closed; the last who waits cancels the making, which cancels what is being fetched
//     release ─▶ all are failed, all makings cancelled
//
// To make something new: a case of RoutePlan, and its branch in ResourceMaker.

/// The open requests of one loader. Used on its queue only, but for `release`.
final class OpenRequests: @unchecked Sendable {
    /// Something that is being made, and who waits for it.
    private struct Making {
        var waiting: [ObjectIdentifier]
        let task: Task<Void, Never>
        let number: Int
    }

    private let queue: DispatchQueue
    private let router: Router
    private let maker: ResourceMaker
    private let trace: LoadingTrace

    private var exchanges: [ObjectIdentifier: Exchange] = [:]
    private var makings: [ResourceKey: Making] = [:]
    private var makingCount = 0
    private var kept: KeptResources

    init(_ queue: DispatchQueue, _ maker: ResourceMaker, keeping byteLimit: Int, _ trace: LoadingTrace) {
        self.queue = queue
        self.maker = maker
        self.trace = trace
        router = maker.router
        kept = KeptResources(byteLimit: byteLimit)
    }

    // MARK: On the queue, called by AVFoundation

    /// A request that will be answered, later than in this call.
    func open(_ exchange: Exchange, for loading: AVAssetResourceLoadingRequest, isRenewal: Bool) {
        let identity = ObjectIdentifier(loading)
        exchanges[identity] = exchange
        queue.async { [self] in start(identity, isRenewal: isRenewal) }
    }

    /// The player no longer wants it. Nothing is done with the request from here on.
    func cancel(_ loading: AVAssetResourceLoadingRequest) {
        let identity = ObjectIdentifier(loading)
        guard let exchange = exchanges.removeValue(forKey: identity) else { return }
        exchange.cancel()
        leave(ResourceKey(exchange.plan), identity)
    }

    // MARK: From anywhere

    /// Nobody will be there to answer: what is open fails.
    func release() {
        queue.async { [self] in
            for making in makings.values { making.task.cancel() }
            makings = [:]
            for identity in Array(exchanges.keys) { fail(identity, SubtitleLoaderError(.released)) }
        }
    }

    // MARK: On the queue

    private func start(_ identity: ObjectIdentifier, isRenewal: Bool) {
        guard let exchange = exchanges[identity] else { return }
        switch exchange.plan {
        case .redirect(let target):
            guard let url = URL(keeping: target) else { return fail(identity, SubtitleLoaderError(.noURL, target)) }
            exchanges[identity] = nil
            exchange.redirect(to: url)
            trace.note(.redirected(url), exchange.request.url)
        case .fail(let error): fail(identity, SubtitleLoaderError(.route(error), exchange.request.url))
        // The delegate has left it to others.
        case .decline: exchanges[identity] = nil
        case .fetch, .subtitlePlaylist, .subtitleFile:
            let key = ResourceKey(exchange.plan)
            if isRenewal { kept.drop(key) }
            if let resource = kept.take(key, for: exchange.request) {
                answer(identity, of: resource)
            } else {
                wait(identity, for: exchange, key)
            }
        }
    }

    private func wait(_ identity: ObjectIdentifier, for exchange: Exchange, _ key: ResourceKey) {
        if makings[key] != nil {
            makings[key]?.waiting.append(identity)
            return
        }
        makingCount += 1
        let number = makingCount
        let (maker, queue, plan, headers) = (maker, queue, exchange.plan, exchange.request.headers)
        let task = Task {
            let result = await maker.resource(for: plan, with: headers)
            queue.async { [self] in made(key, number, result) }
        }
        makings[key] = Making(waiting: [identity], task: task, number: number)
    }

    private func made(_ key: ResourceKey, _ number: Int, _ result: Result<Resource, SubtitleLoaderError>) {
        // One that was cancelled may have been followed by another.
        guard let making = makings[key], making.number == number else { return }
        makings[key] = nil
        if case .success(let resource) = result { kept.keep(resource, key) }
        for identity in making.waiting {
            switch result {
            case .success(let resource):
                if let request = exchanges[identity]?.request { _ = kept.take(key, for: request) }
                answer(identity, of: resource)
            case .failure(let error): fail(identity, error)
            }
        }
    }

    private func leave(_ key: ResourceKey?, _ identity: ObjectIdentifier) {
        guard let key, var making = makings[key] else { return }
        making.waiting.removeAll { $0 == identity }
        makings[key] = making.waiting.isEmpty ? nil : making
        if making.waiting.isEmpty { making.task.cancel() }
    }

    private func answer(_ identity: ObjectIdentifier, of resource: Resource) {
        guard let exchange = exchanges.removeValue(forKey: identity) else { return }
        let answer = router.answer(exchange.request, exchange.plan, with: resource)
        exchange.answer(answer, of: resource)
        trace.note(.answered(answer), exchange.request.url)
    }

    private func fail(_ identity: ObjectIdentifier, _ error: SubtitleLoaderError) {
        guard let exchange = exchanges.removeValue(forKey: identity) else { return }
        exchange.fail(error)
        trace.note(.failed(error), exchange.request.url)
    }
}
#endif
