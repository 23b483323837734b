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
    private var assets: AttachedAssets?

    /// From now on `app` is asked, on `queue`, as if the newest of `assets` did.
    func set(_ app: AppDelegate, _ queue: DispatchQueue, _ assets: AttachedAssets) {
        lock.withLock { (self.app, self.queue, self.assets) = (app, queue, assets) }
    }

    /// What is to be asked of the app for `challenge`; nil if nobody is there to be asked.
    func question(
        _ challenge: URLAuthenticationChallenge, _ completion: @escaping Completion
    ) -> AskedChallenge? {
        let (app, queue, loader) = lock.withLock { (self.app, self.queue, assets?.newest) }
        guard let app, let queue, let loader else { return nil }
        return AskedChallenge(challenge, app, loader, queue, completion)
    }
}

/// The challenges of one request: they are void once it has ended.
final class RequestChallenges: @unchecked Sendable {
    private let challenges: Challenges
    private let lock = NSLock()
    private var asked: [AskedChallenge] = []
    private var hasEnded = false

    init(_ challenges: Challenges) { self.challenges = challenges }

    /// Gives `challenge` to the app, or lets the system handle it.
    func answer(_ challenge: URLAuthenticationChallenge, _ completion: @escaping Challenges.Completion) {
        guard let asked = challenges.question(challenge, completion) else {
            return completion(.performDefaultHandling, nil)
        }
        let isWanted = lock.withLock {
            if !hasEnded { self.asked.append(asked) }
            return !hasEnded
        }
        if isWanted { asked.ask() } else { completion(.cancelAuthenticationChallenge, nil) }
    }

    /// Nobody waits for answers any more.
    func end() {
        let asked = lock.withLock {
            hasEnded = true
            return self.asked
        }
        for one in asked { one.end() }
    }
}

/// A challenge that the app's delegate is asked, and takes the answer: the first counts.
final class AskedChallenge: NSObject, URLAuthenticationChallengeSender, @unchecked Sendable {
    private let challenge: URLAuthenticationChallenge
    private let app: AppDelegate
    private let loader: AVAssetResourceLoader
    private let queue: DispatchQueue
    private let lock = NSLock()
    private var completion: Challenges.Completion?
    /// What the app has been asked.
    private var asked: URLAuthenticationChallenge?
    private var isVoid = false

    init(
        _ challenge: URLAuthenticationChallenge, _ app: AppDelegate, _ loader: AVAssetResourceLoader,
        _ queue: DispatchQueue, _ completion: @escaping Challenges.Completion
    ) {
        (self.challenge, self.app, self.loader) = (challenge, app, loader)
        (self.queue, self.completion) = (queue, completion)
    }

    /// Asks the app, unless nobody waits for its answer by then.
    func ask() {
        queue.async { [self] in
            let asked = URLAuthenticationChallenge(
                protectionSpace: challenge.protectionSpace, proposedCredential: challenge.proposedCredential,
                previousFailureCount: challenge.previousFailureCount, failureResponse: challenge.failureResponse,
                error: challenge.error, sender: self)
            let isWanted = lock.withLock {
                if !isVoid { self.asked = asked }
                return !isVoid
            }
            if isWanted, !app.waits(for: asked, of: loader) { performDefaultHandling(for: asked) }
        }
    }

    /// Nobody waits for an answer any more: an app that still has the challenge is told so, after having been asked.
    func end() {
        lock.withLock { isVoid = true }
        queue.async { [self] in
            guard let open = take() else { return }
            open.completion(.cancelAuthenticationChallenge, nil)
            if let asked = open.asked { app.cancel(asked, of: loader) }
        }
    }

    /// Takes out who waits for the answer, so that nobody else can.
    private func take() -> (completion: Challenges.Completion, asked: URLAuthenticationChallenge?)? {
        lock.withLock {
            defer { (completion, asked) = (nil, nil) }
            return completion.map { ($0, asked) }
        }
    }

    private func answer(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential? = nil) {
        take()?.completion(disposition, credential)
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
