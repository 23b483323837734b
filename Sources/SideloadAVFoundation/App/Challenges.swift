#if canImport(AVFoundation) && !os(watchOS)
internal import AVFoundation
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Hands challenges of the loader's own fetches to the app's delegate, as AVFoundation does with those of the player's.
final class Challenges: @unchecked Sendable {
    typealias Completion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    private let lock = NSLock()
    private var app: AppDelegate?
    private var queue: DispatchQueue?
    private var loaders: [Weak] = []

    /// From now on `app` is asked, on `queue`.
    func set(_ app: AppDelegate, _ queue: DispatchQueue) {
        lock.withLock { (self.app, self.queue) = (app, queue) }
    }

    /// From now on it is asked as if `loader` did; once that is gone, as if those did that came before.
    func add(_ loader: AVAssetResourceLoader) {
        lock.withLock {
            loaders.removeAll { $0.loader == nil || $0.loader === loader }
            loaders.append(Weak(loader: loader))
        }
    }

    /// Gives `challenge` to the app, or lets the system handle it.
    func answer(_ challenge: URLAuthenticationChallenge, _ completion: @escaping Completion) {
        let (app, queue, loader) = lock.withLock {
            (self.app, self.queue, loaders.lazy.compactMap(\.loader).last)
        }
        guard let app, let queue, let loader else { return completion(.performDefaultHandling, nil) }
        let carried = Carried(challenge: challenge, loader: loader)
        queue.async {
            let sender = ChallengeSender(completion)
            let asked = carried.challenge
            let challenge = URLAuthenticationChallenge(
                protectionSpace: asked.protectionSpace, proposedCredential: asked.proposedCredential,
                previousFailureCount: asked.previousFailureCount, failureResponse: asked.failureResponse,
                error: asked.error, sender: sender)
            if !app.waits(for: challenge, of: carried.loader) { sender.performDefaultHandling(for: challenge) }
        }
    }

    /// An asset's loader, which may go at any time.
    private struct Weak { weak var loader: AVAssetResourceLoader? }

    /// What is handed to the app's delegate alone.
    private struct Carried: @unchecked Sendable {
        let challenge: URLAuthenticationChallenge
        let loader: AVAssetResourceLoader
    }
}

/// Takes the app's answer to a challenge: the first counts.
private final class ChallengeSender: NSObject, URLAuthenticationChallengeSender, @unchecked Sendable {
    private let lock = NSLock()
    private var completion: Challenges.Completion?

    init(_ completion: @escaping Challenges.Completion) { self.completion = completion }

    private func answer(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential? = nil) {
        let completion = lock.withLock {
            defer { self.completion = nil }
            return self.completion
        }
        completion?(disposition, credential)
    }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
        answer(.useCredential, credential)
    }

    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { answer(.useCredential) }

    func cancel(_ challenge: URLAuthenticationChallenge) { answer(.cancelAuthenticationChallenge) }

    func performDefaultHandling(for challenge: URLAuthenticationChallenge) { answer(.performDefaultHandling) }

    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
        answer(.rejectProtectionSpace)
    }
}
#endif
