import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A request under way, as the player holds it.
package final class PendingLoad: Sendable {
    /// What is not Sendable, but only ever handed to the delegate.
    private struct Handed: @unchecked Sendable { let request: AVAssetResourceLoadingRequest }

    private let handed: Handed
    private let loader: AVAssetResourceLoader

    package var record: LoadingRecord { handed.request.record }

    fileprivate init(_ loader: AVAssetResourceLoader, _ request: AVAssetResourceLoadingRequest) {
        self.loader = loader
        handed = Handed(request: request)
        guard let queue = loader.delegateQueue else {
            record.decline()
            return
        }
        queue.async { [self] in
            guard let delegate = loader.delegate else { return record.decline() }
            let isAccepted = record.ask {
                if let renewal = handed.request as? AVAssetResourceRenewalRequest {
                    delegate.resourceLoader(loader, shouldWaitForRenewalOfRequestedResource: renewal)
                } else {
                    delegate.resourceLoader(loader, shouldWaitForLoadingOfRequestedResource: handed.request)
                }
            }
            if !isAccepted { record.decline() }
        }
    }

    /// The player no longer wants it. The request says so at once, and the delegate is told on its queue.
    package func cancel() {
        guard let queue = loader.delegateQueue else { return }
        let isCancelled = record.cancel()
        queue.async { [self] in
            guard isCancelled || record.cancel() else { return }
            let delegate = loader.delegate
            delegate?.resourceLoader(loader, didCancel: handed.request)
            record.cancelled(isTold: delegate != nil)
        }
    }

    /// What became of it.
    package func outcome() async -> LoadOutcome { await record.outcome() }
}

extension AVAssetResourceLoader {
    /// Asks the delegate for something.
    package func begin(_ load: Load) -> PendingLoad {
        PendingLoad(self, AVAssetResourceLoadingRequest(load, LoadingRecord(load, misuses, knowledge)))
    }

    /// Asks the delegate for something whose renewal date has passed.
    package func renew(_ load: Load) -> PendingLoad {
        PendingLoad(self, AVAssetResourceRenewalRequest(load, LoadingRecord(load, misuses, knowledge)))
    }

    /// Asks the delegate, and waits.
    package func load(_ load: Load) async -> LoadOutcome { await begin(load).outcome() }

    /// Whether the delegate is going to answer a challenge.
    package func challenge(_ challenge: URLAuthenticationChallenge, thenCancel: Bool = false) async -> Bool {
        guard let queue = delegateQueue else { return false }
        let handed = HandedChallenge(challenge: challenge)
        return await withCheckedContinuation { continuation in
            queue.async { [self] in
                let isAccepted = delegate?.resourceLoader(self, shouldWaitForResponseTo: handed.challenge) ?? false
                if isAccepted, thenCancel { delegate?.resourceLoader(self, didCancel: handed.challenge) }
                continuation.resume(returning: isAccepted)
            }
        }
    }

    private struct HandedChallenge: @unchecked Sendable { let challenge: URLAuthenticationChallenge }
}
