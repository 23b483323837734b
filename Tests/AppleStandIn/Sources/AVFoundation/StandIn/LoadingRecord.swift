import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// All that happens to one request, from whatever thread, and what the player got of it.
package final class LoadingRecord: @unchecked Sendable {
    private enum Stage {
        /// The delegate has not been asked yet.
        case created
        /// The delegate is being asked, by this thread.
        case asking(Thread)
        /// The delegate will answer.
        case open
        case declined
        /// The delegate may not know yet.
        case cancelled(isTold: Bool)
        case finished
        case raised
    }

    private let lock = NSLock()
    private var stage = Stage.created
    private var answer = LoadAnswer()
    /// What became of it, once that is known.
    private var ending: LoadOutcome?
    private var told = ContentInformation()
    private var waiting: [CheckedContinuation<LoadOutcome, Never>] = []

    private let load: Load
    private let misuses: MisuseLog
    private let knowledge: PlayerKnowledge

    package var url: String { load.url.absoluteString }

    package init(_ load: Load, _ misuses: MisuseLog, _ knowledge: PlayerKnowledge) {
        self.load = load
        self.misuses = misuses
        self.knowledge = knowledge
    }

    // MARK: What the delegate reads

    var response: URLResponse? { lock.withLock { answer.response } }
    var redirect: URLRequest? { lock.withLock { answer.redirect } }
    var information: ContentInformation { lock.withLock { told } }
    var byteCount: Int { lock.withLock { answer.data.count } }

    var isFinished: Bool {
        lock.withLock {
            switch stage {
            case .finished, .raised: true
            case .created, .asking, .open, .declined, .cancelled: false
            }
        }
    }

    var isCancelled: Bool {
        lock.withLock {
            if case .cancelled = stage { true } else { false }
        }
    }

    // MARK: What the delegate does

    func setResponse(_ response: URLResponse?) {
        lock.withLock { if takesAnswers() { answer.response = response } }
    }

    func setRedirect(_ redirect: URLRequest?) {
        lock.withLock { if takesAnswers() { answer.redirect = redirect } }
    }

    func inform(_ change: (inout ContentInformation) -> Void) {
        lock.withLock {
            guard takesAnswers() else { return }
            change(&told)
            // The player was told with the first data, and is not told again.
            if answer.information != nil, answer.information != told { misuses.note(.informedTooLate, url) }
        }
    }

    func receive(_ data: Data) {
        lock.withLock {
            guard takesAnswers() else { return }
            sendInformation()
            answer.data += data
            if !load.isToEnd, answer.data.count > load.length, !knowledge.hasWrongLength(url) {
                misuses.note(.tooManyBytes, url)
            }
        }
    }

    func finish(_ error: (any Error)?) {
        let outcome: LoadOutcome? = lock.withLock {
            switch stage {
            case .finished, .raised:
                misuses.note(.finishedTwice, url)
                return nil
            case .cancelled(let isTold):
                if isTold { misuses.note(.answeredAfterCancel, url) }
                return nil
            case .declined:
                misuses.note(.answeredAfterDecline, url)
                return nil
            case .asking(let thread):
                if thread === Thread.current { misuses.note(.finishedInsideCallback, url) }
            case .created, .open: break
            }
            if let type = told.contentType, let allowed = load.allowedContentTypes, error == nil,
                !allowed.contains(type)
            {
                misuses.note(.contentTypeNotAllowed, url)
                stage = .raised
                return .raised
            }
            if error == nil { sendInformation() }
            answer.error = error.map(Self.handedOn)
            stage = .finished
            if answer.redirect != nil, load.wantsInformation { knowledge.wasRedirected(url) }
            return .finished(answer)
        }
        if let outcome { end(outcome) }
    }

    /// What the player is handed of an error: the deepest underlying one, and of one of a Swift type alone that
    /// type's name.
    private static func handedOn(_ error: any Error) -> NSError {
        var error = error as NSError
        while let deeper = error.userInfo[NSUnderlyingErrorKey] as? any Error { error = deeper as NSError }
        return error
    }

    /// Whether what the delegate says still counts. Notes it if it should have known better.
    private func takesAnswers() -> Bool {
        switch stage {
        case .created, .asking, .open: return true
        case .declined: misuses.note(.answeredAfterDecline, url)
        case .cancelled(let isTold): if isTold { misuses.note(.answeredAfterCancel, url) }
        case .finished, .raised: misuses.note(.answeredAfterFinish, url)
        }
        return false
    }

    private func sendInformation() {
        guard load.wantsInformation, answer.information == nil else { return }
        answer.information = told
        if told != ContentInformation() { knowledge.wasTold(told, of: url) }
    }

    // MARK: What the player does

    /// Asks the delegate, on this thread. It is still to be answered if this is true.
    func ask(_ delegate: () -> Bool) -> Bool {
        lock.withLock { stage = .asking(Thread.current) }
        misuses.began(self)
        let isAccepted = delegate()
        return lock.withLock {
            guard case .asking = stage else { return isAccepted }
            stage = isAccepted ? .open : .declined
            return isAccepted
        }
    }

    func decline() {
        lock.withLock { if case .finished = stage {} else { stage = .declined } }
        end(.declined)
    }

    /// The player loses interest: whether the delegate is to be told.
    func cancel() -> Bool {
        lock.withLock {
            guard case .open = stage else { return false }
            stage = .cancelled(isTold: false)
            return true
        }
    }

    /// The delegate has been told of the cancel, so that from now on it may do nothing; or it has gone by then.
    func cancelled(isTold: Bool) {
        lock.withLock { stage = .cancelled(isTold: isTold) }
        end(.cancelled)
    }

    private func end(_ outcome: LoadOutcome) {
        misuses.ended(self)
        let resumed = lock.withLock {
            defer { waiting = [] }
            ending = ending ?? outcome
            return waiting
        }
        for one in resumed { one.resume(returning: outcome) }
    }

    /// What became of the request, once that is known. If the test that waits for it is ended, because it takes too long, nothing did.
    func outcome() async -> LoadOutcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: LoadOutcome? = lock.withLock {
                    if ending == nil { waiting.append(continuation) }
                    return ending
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let resumed = lock.withLock {
                defer { waiting = [] }
                return waiting
            }
            for one in resumed { one.resume(returning: .unanswered) }
        }
    }
}
