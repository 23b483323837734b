import Foundation
import Testing

@testable import AVFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the stand-in does with delegates that keep the rules, and with those that break them.
@Suite(.timeLimit(.minutes(1)))
struct StandInTests {
    private let asset: AVURLAsset
    private let queue = DispatchQueue(label: "delegate")
    private let url: URL

    init() throws {
        url = try #require(URL(string: "made://host/a.m3u8"))
        asset = AVURLAsset(url: url)
    }

    private var loader: AVAssetResourceLoader { asset.resourceLoader }

    /// What became of a request that a delegate handles so.
    private func outcome(_ load: Load, _ act: @escaping RecordingDelegate.Act) async -> LoadOutcome {
        let delegate = RecordingDelegate(act)
        loader.setDelegate(delegate, queue: queue)
        let outcome = await loader.load(load)
        // What the delegate does after the end is noted too.
        await settle()
        withExtendedLifetime(delegate) {}
        return outcome
    }

    private func settle() async {
        for _ in 0..<3 { await withCheckedContinuation { done in queue.async { done.resume() } } }
    }

    /// Carries a request to where it is answered.
    private struct Carried: @unchecked Sendable { let request: AVAssetResourceLoadingRequest }

    private func later(
        _ request: AVAssetResourceLoadingRequest, _ act: @escaping @Sendable (AVAssetResourceLoadingRequest) -> Void
    ) -> Bool {
        let carried = Carried(request: request)
        queue.async { act(carried.request) }
        return true
    }

    @Test func theDelegateIsHeldWeakly() async {
        do {
            let delegate = RecordingDelegate { _ in true }
            loader.setDelegate(delegate, queue: queue)
            #expect(loader.delegate === delegate)
        }
        #expect(loader.delegate == nil)
        guard case .declined = await loader.load(.probe(url)) else {
            Issue.record("nobody is there to answer")
            return
        }
    }

    @Test func callsComeOnTheGivenQueue() async {
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let outcome = await outcome(.probe(url)) { request in
            let isOnQueue = DispatchQueue.getSpecific(key: key) == true
            return later(request) { $0.finishLoading(with: isOnQueue ? nil : CancellationError()) }
        }
        #expect(outcome.answer != nil && outcome.answer?.error == nil)
    }

    @Test func informationIsSentWithTheFirstData() async {
        let outcome = await outcome(.bytes(url, 0, 4).withInformation) { request in
            later(request) {
                $0.contentInformationRequest?.contentType = "public.m3u-playlist"
                $0.contentInformationRequest?.contentLength = 4
                $0.dataRequest?.respond(with: Data("ab".utf8))
                $0.contentInformationRequest?.contentLength = 5
                $0.dataRequest?.respond(with: Data("cd".utf8))
                $0.finishLoading()
            }
        }
        #expect(outcome.answer?.text == "abcd")
        #expect(outcome.answer?.information?.contentLength == 4)
        #expect(loader.knowledge.information(of: "made://host/a.m3u8")?.contentLength == 4)
        #expect(loader.misuses.allAtEnd().map(\.kind) == [.informedTooLate])
    }

    @Test func informationIsSentWithTheFinish() async {
        let outcome = await outcome(.probe(url)) { request in
            later(request) {
                $0.contentInformationRequest?.renewalDate = Date()
                $0.finishLoading()
            }
        }
        #expect(outcome.answer?.information?.renewalDate != nil)
        // What has to be renewed is not remembered.
        #expect(loader.knowledge.information(of: "made://host/a.m3u8") == nil)
        #expect(loader.misuses.allAtEnd().isEmpty)
    }

    static let misuses: [(Misuse.Kind, @Sendable (AVAssetResourceLoadingRequest) -> Void)] = [
        (
            .finishedTwice,
            {
                $0.finishLoading(); $0.finishLoading(with: CancellationError())
            }
        ),
        (
            .answeredAfterFinish,
            {
                $0.finishLoading(); $0.dataRequest?.respond(with: Data([1]))
            }
        ),
        (
            .answeredAfterFinish,
            {
                $0.finishLoading(); $0.response = nil
            }
        ),
        (
            .answeredAfterFinish,
            {
                $0.finishLoading(); $0.redirect = nil
            }
        ),
        (
            .answeredAfterFinish,
            {
                $0.finishLoading(); $0.contentInformationRequest?.contentLength = 2
            }
        ),
        (
            .tooManyBytes,
            {
                $0.dataRequest?.respond(with: Data([1, 2, 3])); $0.finishLoading()
            }
        ),
        (
            .informedTooLate,
            {
                $0.dataRequest?.respond(with: Data([1])); $0.contentInformationRequest?.contentLength = 2;
                $0.finishLoading()
            }
        ),
    ]

    @Test(arguments: misuses.indices)
    func isNoted(_ index: Int) async {
        let (kind, act) = Self.misuses[index]
        let outcome = await outcome(.probe(url)) { later($0, act) }
        #expect(outcome.answer?.error == nil, "the first finish counts")
        #expect(loader.misuses.allAtEnd() == [Misuse(kind: kind, url: "made://host/a.m3u8")])
    }

    @Test func finishingInsideTheCallbackIsNoted() async {
        _ = await outcome(.probe(url)) { request in
            request.finishLoading()
            return true
        }
        #expect(loader.misuses.allAtEnd().map(\.kind) == [.finishedInsideCallback])
    }

    @Test func answeringWhatWasDeclinedIsNoted() async {
        _ = await outcome(.probe(url)) { request in
            _ = later(request) { $0.finishLoading() }
            return false
        }
        #expect(loader.misuses.allAtEnd().map(\.kind) == [.answeredAfterDecline])
    }

    @Test func neverFinishingIsNoted() async {
        let delegate = RecordingDelegate { _ in true }
        loader.setDelegate(delegate, queue: queue)
        let pending = loader.begin(.probe(url))
        await settle()
        #expect(loader.misuses.all.isEmpty)
        #expect(loader.misuses.allAtEnd().map(\.kind) == [.neverFinished])
        pending.cancel()
        _ = await pending.outcome()
        #expect(loader.misuses.allAtEnd().isEmpty)
    }

    @Test func aTypeThatIsNotAllowedRaises() async {
        var load = Load.probe(url)
        load.allowedContentTypes = ["public.data"]
        let outcome = await outcome(load) { request in
            later(request) {
                $0.contentInformationRequest?.contentType = "org.w3.webvtt"
                $0.finishLoading()
            }
        }
        guard case .raised = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(loader.misuses.allAtEnd().map(\.kind) == [.contentTypeNotAllowed])
    }

    @Test func noTypeIsAllowed() async {
        var load = Load.probe(url)
        load.allowedContentTypes = ["public.data"]
        let outcome = await outcome(load) { request in later(request) { $0.finishLoading() } }
        #expect(outcome.answer != nil)
        #expect(loader.misuses.allAtEnd().isEmpty)
    }

    @Test func whatComesAfterACancelIsDropped() async {
        let kept = Kept()
        let delegate = RecordingDelegate { request in
            kept.request = request
            return true
        }
        loader.setDelegate(delegate, queue: queue)
        let pending = loader.begin(.probe(url))
        await settle()
        pending.cancel()
        guard case .cancelled = await pending.outcome() else {
            Issue.record("it was cancelled")
            return
        }
        #expect(delegate.called == ["load", "cancel"])
        #expect(kept.request?.isCancelled == true)
        kept.request?.dataRequest?.respond(with: Data([1]))
        kept.request?.finishLoading()
        #expect(kept.request?.dataRequest?.currentOffset == 0)
        #expect(loader.misuses.allAtEnd().map(\.kind) == [.answeredAfterCancel, .answeredAfterCancel])
    }

    /// What the delegate cannot know is not held against it.
    @Test func betweenCancelAndItsCallbackAnAnswerIsNoMisuse() async {
        let kept = Kept()
        let delegate = RecordingDelegate { request in
            kept.request = request
            return true
        }
        loader.setDelegate(delegate, queue: queue)
        let pending = loader.begin(.probe(url))
        await settle()
        queue.suspend()
        pending.cancel()
        kept.request?.dataRequest?.respond(with: Data([1]))
        kept.request?.finishLoading()
        queue.resume()
        guard case .cancelled = await pending.outcome() else {
            Issue.record("it was cancelled")
            return
        }
        #expect(loader.misuses.allAtEnd().isEmpty)
    }

    @Test func aRedirectedProbeMakesLongAnswersRight() async throws {
        let real = try #require(URL(string: "https://host/a.m3u8"))
        let first = await outcome(.probe(url)) { request in
            later(request) {
                $0.redirect = URLRequest(url: real)
                $0.finishLoading()
            }
        }
        #expect(first.answer?.redirect?.url == real)
        _ = await outcome(.bytes(url, 0, 2)) { request in
            later(request) {
                $0.dataRequest?.respond(with: Data([1, 2, 3]))
                $0.finishLoading()
            }
        }
        #expect(loader.misuses.allAtEnd().isEmpty)
    }

    @Test func aRenewalIsARequestOfItsOwn() async {
        let delegate = RecordingDelegate { request in
            later(request) { $0.finishLoading() }
        }
        loader.setDelegate(delegate, queue: queue)
        _ = await loader.renew(.probe(url)).outcome()
        #expect(delegate.called == ["renew"])
    }

    private final class Kept: @unchecked Sendable {
        private let lock = NSLock()
        private var kept: AVAssetResourceLoadingRequest?
        var request: AVAssetResourceLoadingRequest? {
            get { lock.withLock { kept } }
            set { lock.withLock { kept = newValue } }
        }
    }
}
