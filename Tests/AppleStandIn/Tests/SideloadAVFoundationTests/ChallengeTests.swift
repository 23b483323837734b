import AVFoundation
import Delivery
import Foundation
import SideloadAVFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Challenges of the loader's own fetches, by a transport of the app's.
@Suite(.timeLimit(.minutes(1)))
struct ChallengeTests {
    /// Has a challenge answered before it gives the page, and one more when told to.
    private final class Transport: SubtitleTransport {
        let answers = Locked<[String]>([])
        private let request = Locked<TransportRequest?>(nil)
        private let waits: Bool

        /// - Parameter waits: Whether it waits for the answer.
        init(waits: Bool = true) { self.waits = waits }

        func response(to request: TransportRequest) async throws -> TransportResponse {
            self.request.withLock { $0 = request }
            let redirected = try #require(request.redirected(to: request.url))
            let answered = Locked(false)
            challenge(redirected) { answered.withLock { $0 = true } }
            while waits, !answered.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
            return TransportResponse(status: 200, url: request.url, body: Data(Stage.masterText.utf8))
        }

        /// A challenge of the request that came last, though it may have ended.
        func challengeLate() { if let request = request.withLock({ $0 }) { challenge(request) {} } }

        private func challenge(_ request: TransportRequest, _ answered: @escaping @Sendable () -> Void) {
            request.answer(ChallengeTests.challenge) { [answers] disposition, credential in
                let word =
                    switch disposition {
                    case .useCredential: "use"
                    case .performDefaultHandling: "default"
                    case .cancelAuthenticationChallenge: "cancel"
                    case .rejectProtectionSpace: "reject"
                    @unknown default: "?"
                    }
                answers.withLock { $0.append(word + (credential?.user.map { " \($0)" } ?? "")) }
                answered()
            }
        }
    }

    /// What the delegate does with a challenge; nil if it takes none.
    private final class Delegate: NSObject, AVAssetResourceLoaderDelegate, @unchecked Sendable {
        private let body: Act?
        let told = Locked<[String]>([])

        init(_ body: Act?) { self.body = body }

        func resourceLoader(
            _ resourceLoader: AVAssetResourceLoader, shouldWaitForResponseTo challenge: URLAuthenticationChallenge
        ) -> Bool {
            let space = challenge.protectionSpace
            told.withLock {
                $0 = [
                    space.host, space.realm ?? "", "\(challenge.previousFailureCount)",
                    challenge.proposedCredential?.user ?? "", "\((challenge.error as? NSError)?.code ?? 0)",
                    "\((challenge.failureResponse as? HTTPURLResponse)?.statusCode ?? 0)",
                ]
            }
            guard let body, let sender = challenge.sender else { return false }
            body(sender, challenge)
            return true
        }
    }

    private static var challenge: URLAuthenticationChallenge {
        let space = URLProtectionSpace(
            host: "example.com", port: 443, protocol: "https", realm: "films",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let response = URL(string: Stage.master).flatMap {
            HTTPURLResponse(url: $0, statusCode: 401, httpVersion: nil, headerFields: nil)
        }
        return URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: URLCredential(user: "old", password: "x", persistence: .none), previousFailureCount: 2,
            failureResponse: response, error: NSError(domain: "a", code: 7), sender: Nobody())
    }

    private final class Nobody: NSObject, URLAuthenticationChallengeSender, @unchecked Sendable {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }

    private func asset(_ transport: Transport, _ app: (any AVAssetResourceLoaderDelegate)?) throws -> SubtitleAsset {
        try SubtitleLoader(
            try url(Stage.master), subtitles: [], options: SubtitleLoaderOptions(transport: transport), delegate: app
        ).makeAsset()
    }

    /// Waits until what is to be told by now has been.
    private func turn(of asset: SubtitleAsset) async {
        await withCheckedContinuation { waiting in
            guard let queue = asset.resourceLoader.delegateQueue else { return waiting.resume() }
            queue.async { waiting.resume() }
        }
    }

    private typealias Act = @Sendable (any URLAuthenticationChallengeSender, URLAuthenticationChallenge) -> Void

    private static let rows: [(String, Act?)] = [
        ("use me", { $0.use(URLCredential(user: "me", password: "x", persistence: .none), for: $1) }),
        ("use", { $0.continueWithoutCredential(for: $1) }),
        ("cancel", { $0.cancel($1) }),
        ("default", { $0.performDefaultHandling(for: $1) }),
        ("reject", { $0.rejectProtectionSpaceAndContinue(with: $1) }),
        ("default", nil),
        // The first counts.
        (
            "cancel",
            {
                $0.cancel($1)
                $0.continueWithoutCredential(for: $1)
            }
        ),
    ]

    @Test(arguments: rows.indices)
    func whatTheAppAnswersIsWhatTheTransportGets(_ row: Int) async throws {
        let (word, body) = Self.rows[row]
        let (transport, app) = (Transport(), Delegate(body))
        let asset = try asset(transport, app)
        #expect(await asset.resourceLoader.load(.toEnd(asset.url)).answer?.error == nil)
        #expect(transport.answers.withLock { $0 } == [word])
        #expect(app.told.withLock { $0 } == ["example.com", "films", "2", "old", "7", "401"])
    }

    @Test func withoutADelegateTheSystemAnswers() async throws {
        let transport = Transport()
        let asset = try asset(transport, nil)
        #expect(await asset.resourceLoader.load(.toEnd(asset.url)).answer?.error == nil)
        #expect(transport.answers.withLock { $0 } == ["default"])
    }

    /// The player wants the playlist no longer, so that nobody waits for the app's answer.
    @Test func aChallengeOfAFetchThatIsCancelledIsVoid() async throws {
        let (transport, app) = (Transport(), AppsDelegate(answers: false))
        let asset = try asset(transport, app)
        let pending = asset.resourceLoader.begin(.toEnd(asset.url))
        await wait { app.calls == ["challenge example.com"] }
        pending.cancel()
        await wait { app.calls.count == 2 }
        #expect(app.calls == ["challenge example.com", "cancel example.com 0"])
        #expect(transport.answers.withLock { $0 } == ["cancel"])
        // What it answers now counts for nothing.
        let challenge = try #require(app.challenges.first)
        challenge.sender?.continueWithoutCredential(for: challenge)
        #expect(transport.answers.withLock { $0 } == ["cancel"])
    }

    /// A transport that goes on without the answer.
    @Test func aChallengeOfAFetchThatHasEndedIsVoid() async throws {
        let (transport, app) = (Transport(waits: false), AppsDelegate(answers: false))
        let asset = try asset(transport, app)
        #expect(await asset.resourceLoader.load(.toEnd(asset.url)).answer?.error == nil)
        await wait { transport.answers.withLock { $0 } == ["cancel"] }
        await turn(of: asset)
        // Whether it was asked before that, or never.
        #expect([[], ["challenge example.com", "cancel example.com 0"]].contains(app.calls))
        let before = app.calls
        transport.challengeLate()
        await wait { transport.answers.withLock { $0 } == ["cancel", "cancel"] }
        await turn(of: asset)
        #expect(app.calls == before, "nobody is asked what nobody wants to know")
    }

    @Test func anAnsweredChallengeIsNotVoid() async throws {
        let (transport, app) = (Transport(), AppsDelegate(password: "secret"))
        let asset = try asset(transport, app)
        #expect(await asset.resourceLoader.load(.toEnd(asset.url)).answer?.error == nil)
        await turn(of: asset)
        #expect(app.calls == ["challenge example.com"])
        #expect(transport.answers.withLock { $0 } == ["use me"])
    }
}
