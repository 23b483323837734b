import AVFoundation
import Delivery
import Foundation
import SideloadAVFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is not ours is the app's own delegate's.
@Suite(.timeLimit(.minutes(1)))
struct ForwardingTests {
    private static let others = ["skd://key/1", "https://example.com/a.ts", "app-scheme://x/y", "file:///a.m3u8"]

    @Test(arguments: others)
    func whatIsNotOursIsDeclinedWithoutADelegate(_ address: String) async throws {
        let stage = try Stage()
        guard case .declined = await stage.requests.load(.probe(try url(address))) else {
            Issue.record("it is nobody's")
            return
        }
        stage.expectNoMisuse()
    }

    @Test(arguments: others)
    func whatIsNotOursIsForwarded(_ address: String) async throws {
        let app = AppsDelegate()
        let stage = try Stage(delegate: app)
        #expect(await stage.requests.load(.bytes(try url(address), 0, 20)).answer?.text == "the app's")
        #expect(await stage.requests.renew(.bytes(try url(address), 0, 20)).outcome().answer?.text == "the app's")
        #expect(app.calls == ["load \(address)", "renew \(address)"])
        #expect(stage.origin.asked.isEmpty)
        stage.expectNoMisuse()
    }

    @Test func cancelsOfWhatIsNotOursAreForwarded() async throws {
        let app = AppsDelegate(answers: false)
        let events = Locked<[String]>([])
        let stage = try Stage(FakeOrigin([Stage.master: .stalled]), subtitles: [], delegate: app) { options in
            options.trace = { event in if case .cancelled = event.kind { events.withLock { $0.append("\(event)") } } }
        }
        let theirs = stage.requests.begin(.probe(try url("skd://key/1")))
        let ours = stage.requests.begin(.probe(stage.asset.url))
        await wait { stage.origin.asked.count == 1 && app.calls.count == 1 }
        theirs.cancel()
        ours.cancel()
        _ = await (theirs.outcome(), ours.outcome())
        #expect(app.calls == ["load skd://key/1", "cancel skd://key/1"])
        #expect(events.withLock { $0 } == ["\(stage.asset.url.absoluteString): cancelled"])
        stage.expectNoMisuse()
    }

    @Test(arguments: [AVStreamingKeyDeliveryContentKeyType, AVStreamingKeyDeliveryPersistentContentKeyType])
    func contentKeysAreNeverTouched(_ type: String) async throws {
        let app = AppsDelegate()
        let stage = try Stage(delegate: app)
        var load = Load.probe(stage.asset.url)
        load.allowedContentTypes = [type]
        load.length = 20
        #expect(await stage.requests.load(load).answer?.text == "the app's")
        #expect(stage.origin.asked.isEmpty)
        stage.expectNoMisuse()
    }

    @Test func challengesAreForwarded() async throws {
        let app = AppsDelegate()
        let stage = try Stage(delegate: app)
        #expect(await stage.requests.challenge(Self.challenge(), thenCancel: true))
        #expect(app.calls == ["challenge example.com", "cancel example.com 0"])
        #expect(try await Stage().requests.challenge(Self.challenge()) == false)
    }

    @Test func theAppsDelegateIsHeldWeakly() async throws {
        weak var held: AppsDelegate?
        let stage: Stage
        do {
            let app = AppsDelegate()
            held = app
            stage = try Stage(delegate: app)
        }
        #expect(held == nil)
        guard case .declined = await stage.requests.load(.probe(try url("skd://key/1"))) else {
            Issue.record("it is gone")
            return
        }
    }

    private static func challenge() -> URLAuthenticationChallenge {
        let space = URLProtectionSpace(
            host: "example.com", port: 443, protocol: "https", realm: nil,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        return URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: Sender())
    }

    private final class Sender: NSObject, URLAuthenticationChallengeSender, @unchecked Sendable {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }
}
