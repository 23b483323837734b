import AVFoundation
import Delivery
import Foundation
import Testing

@testable import SideloadAVFoundation

#if canImport(Glibc)
import Glibc
#endif

/// When something is fetched, kept, stopped and let go.
@Suite(.timeLimit(.minutes(1)))
struct LifetimeTests {
    @Test func requestsAtOnceShareOneFetch() async throws {
        let origin = FakeOrigin(Stage.pages.merging([Stage.master: .slow(20, .file(Stage.masterText))]) { $1 })
        let stage = try Stage(origin)
        let pending = (0..<8).map { _ in stage.requests.begin(.toEnd(stage.asset.url)) }
        var texts: Set<String> = []
        for one in pending { texts.insert(try #require(await one.outcome().answer).text) }
        #expect(texts.count == 1 && texts.first?.contains("English") == true)
        #expect(origin.count(Stage.master) == 1)
        stage.expectNoMisuse()
    }

    @Test func aCancelStopsTheFetch() async throws {
        let origin = FakeOrigin([Stage.master: .stalled, Stage.english: .stalled, Stage.swedish: .stalled])
        let stage = try Stage(origin)
        let first = stage.requests.begin(.probe(stage.asset.url))
        let second = stage.requests.begin(.toEnd(stage.asset.url))
        await wait { origin.asked.count == 3 }
        first.cancel()
        _ = await first.outcome()
        #expect(origin.cancelledCount == 0, "another one still waits for it")
        second.cancel()
        await wait { origin.cancelledCount == 3 }
        guard case .cancelled = await second.outcome() else {
            Issue.record("nobody answers it")
            return
        }
        // And the next request begins anew.
        origin.put(.file(Stage.masterText), at: Stage.master)
        origin.put(.file(Stage.englishText), at: Stage.english)
        origin.put(.file(Stage.swedishText), at: Stage.swedish)
        #expect(try await stage.masterText().contains("Svenska"))
        stage.expectNoMisuse()
    }

    @Test func whenTheLoaderGoesOpenRequestsFail() async throws {
        let origin = FakeOrigin([Stage.master: .stalled])
        let asset: AVURLAsset
        let pending: PendingLoad
        do {
            let stage = try Stage(origin, subtitles: [])
            asset = AVURLAsset(url: stage.loader.entryURL)
            stage.loader.attach(to: asset.resourceLoader)
            pending = asset.resourceLoader.begin(.toEnd(asset.url))
            await wait { origin.asked.count == 1 }
        }
        #expect(await pending.outcome().answer?.loaderError == .released)
        await wait { origin.cancelledCount == 1 }
        #expect(asset.resourceLoader.misuses.allAtEnd() == [])
        #expect(asset.resourceLoader.delegate == nil)
    }

    @Test func whatIsFinishedIsLetGo() async throws {
        let stage = try Stage()
        weak var record: LoadingRecord?
        func load() async {
            let pending = stage.requests.begin(.toEnd(stage.asset.url))
            record = pending.record
            _ = await pending.outcome()
        }
        await load()
        await wait { record == nil }
        #expect(record == nil)
    }

    /// Whatever comes second does nothing.
    @Test(arguments: 0..<4) func anExchangeEndsOnce(_ first: Int) async throws {
        let stage = try Stage()
        let (asset, keeper) = (AVURLAsset(url: stage.loader.entryURL), Keeper())
        asset.resourceLoader.setDelegate(keeper, queue: DispatchQueue(label: "keeper"))
        let address = asset.url.absoluteString
        let resource = Resource(Array("#EXTM3U\n".utf8), .playlist)
        let target = try url(Stage.english)
        let endings: [(LoadingExchange) -> Void] = [
            { $0.answer($0.request.answer(with: resource), of: resource) }, { $0.redirect(to: target) },
            { $0.fail(SubtitleLoaderError(.released, [])) }, { $0.cancel() },
        ]
        for second in endings.indices {
            let pending = asset.resourceLoader.begin(.toEnd(asset.url))
            await wait { keeper.requests.withLock { $0.count } == second + 1 }
            let loading = try #require(keeper.requests.withLock { $0.last })
            let request = Router.Request(stage.loader.router, RouteRequest(address))
            let exchange = LoadingExchange(request, loading, of: nil)
            #expect(exchange.isOpen)
            endings[first](exchange)
            #expect(!exchange.isOpen)
            endings[second](exchange)
            #expect(!exchange.isOpen && loading.isFinished == (first < 3))
            pending.cancel()
            _ = await pending.outcome()
        }
        #expect(asset.resourceLoader.misuses.allAtEnd() == [])
    }

    /// Each request is told to end once: what has ended, and what is given up, are not failed again.
    @Test func whatHasEndedIsNotFailedWhenTheLoaderGoes() async throws {
        let key = "https://example.com/a/k.bin"
        let events = Locked<[String]>([])
        let asset: AVURLAsset
        let pending: PendingLoad
        // What has ended is kept, so that nothing else is where it was.
        var ended: [PendingLoad] = []
        weak var live: LiveAnswers?
        do {
            let stage = try Stage(
                FakeOrigin(Stage.pages.merging([key: .stalled]) { $1 }), subtitles: [Stage.subtitles()[0]]
            ) { options in
                options.webVTT = .redirect
                options.policies.map = .none
                options.policies.keys = .fetch
                options.trace = { event in events.withLock { $0.append("\(event)") } }
            }
            live = stage.loader.live
            asset = AVURLAsset(url: stage.loader.entryURL)
            stage.loader.attach(to: asset.resourceLoader)
            for load in [
                .bytes(asset.url, 0, 7), .bytes(asset.url, .max, .max),
                .toEnd(try url("surtitle-track://subtitles/en.vtt")),
                .toEnd(try url("surtitle-track://subtitles/xx.vtt")),
            ] as [Load] {
                ended.append(asset.resourceLoader.begin(load))
                _ = await ended.last?.outcome()
            }
            pending = asset.resourceLoader.begin(.toEnd(try url("surtitle-key-\(key)")))
            await wait { stage.origin.count(key) == 1 }
        }
        #expect(await pending.outcome().answer?.loaderError == .released)
        await wait { live == nil }
        let told = events.withLock { $0 }
        let entry = asset.url.absoluteString
        #expect(told.contains("\(entry): answered, bytes 0..<7") && told.contains("\(entry): answered, past the end"))
        #expect(told.contains("surtitle-track://subtitles/en.vtt: redirected to \(Stage.english)"))
        let failed = told.filter { $0.contains(": failed: ") }
        #expect(
            failed.map { String($0.prefix { $0 != " " }) } == [
                "surtitle-track://subtitles/xx.vtt:", "surtitle-key-\(key):",
            ])
        #expect(ended.count == 4)
        #expect(asset.resourceLoader.misuses.allAtEnd() == [])
    }

    /// Nothing of what came is kept for as long as it might have taken.
    @Test func aFetchThatHasEndedIsLetGo() async throws {
        final class Why: Error {}
        struct Failing: SubtitleTransport {
            func response(to request: TransportRequest) async throws -> TransportResponse { throw Why() }
        }
        let loader = try Stage.loader(FakeOrigin([:]))
        let maker = SubtitleLoaderOptions(transport: Failing()).maker()
        let request = Router.Request(loader.router, RouteRequest(loader.router.entry))
        weak var why: Why?
        func fetch() async {
            let job = FetchJob.livePlaylist(Array(Stage.master.utf8))
            why = await maker.fetch(job, nil, for: request, within: .seconds(600)).1?.underlyingError as? Why
        }
        await fetch()
        await wait { why == nil }
        #expect(why == nil)
    }

    @Test func theAssetKeepsTheLoader() async throws {
        func make() throws -> AVURLAsset {
            try SubtitleLoader(
                try url(Stage.master), subtitles: [], options: SubtitleLoaderOptions(transport: FakeOrigin(Stage.pages))
            ).makeAsset()
        }
        let asset = try make()
        #expect(await asset.resourceLoader.load(.toEnd(asset.url)).answer?.text.hasPrefix("#EXTM3U") == true)
    }

    @Test func aRenewalFetchesAnew() async throws {
        let stage = try Stage()
        _ = try await stage.masterText()
        let renewed = await stage.requests.renew(.toEnd(stage.asset.url).withInformation).outcome().answer
        #expect(renewed?.text.contains("Svenska") == true)
        #expect(stage.origin.count(Stage.master) == 2)
        stage.expectNoMisuse()
    }

    /// A request that is under way gets what it has asked for; those that come get what is there now.
    @Test func theLoaderForgetsWhileTheMasterComes() async throws {
        let origin = FakeOrigin(Stage.pages.merging([Stage.master: .slow(100, .file(Stage.masterText))]) { $1 })
        let stage = try Stage(origin)
        let first = stage.requests.begin(.toEnd(stage.asset.url))
        await wait { origin.count(Stage.master) == 1 }
        stage.loader.forget()
        origin.put(.file(Stage.masterText + "#new\n"), at: Stage.master)
        #expect(try await stage.masterText().contains("#new"))
        #expect(await first.outcome().answer?.text.contains("#new") == false)
        #expect(try await stage.masterText().contains("#new"), "the old one is not kept")
        #expect(origin.count(Stage.master) == 2)
        stage.expectNoMisuse()
    }

    /// One in the cloud is not there until the system has fetched it, and a read cannot be cancelled.
    @Test func aFileThatCannotBeReadKeepsNobodyWaiting() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).vtt")
        #expect(unsafe mkfifo(file.path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(at: file) }
        let stage = try Stage(subtitles: [ExternalSubtitle(file, language: "en", name: "English")]) {
            $0.patience = .milliseconds(20)
            $0.filePatience = .milliseconds(20)
            $0.webVTT = .bytes
        }
        #expect(try await stage.masterText().contains("English"))
        #expect(try await stage.text(try await stage.file(of: "en")) == Stage.empty)
        let pending = stage.requests.begin(.toEnd(try await stage.file(of: "en")))
        pending.cancel()
        _ = await pending.outcome()
        stage.expectNoMisuse()
        // Now the reads end, which nobody waits for.
        let writer = unsafe open(file.path, O_RDWR | O_NONBLOCK)
        #expect(writer >= 0)
        try await Task.sleep(for: .milliseconds(20))
        close(writer)
    }

    /// A loader may live for long, and make one for each time that the video is played.
    @Test func assetsThatHaveGoneAreForgotten() throws {
        let stage = try Stage(subtitles: [])
        for _ in 0..<10 { _ = stage.loader.makeAsset() }
        let last = stage.loader.makeAsset()
        #expect(stage.loader.assets.count == 2)
        stage.loader.attach(to: last.resourceLoader)
        #expect(stage.loader.assets.count == 2, "the same one once more")
    }

    @Test func nothingOutlivesTheAsset() async throws {
        weak var loader: SubtitleLoader?
        weak var live: LiveAnswers?
        weak var group: LiveGroup?
        weak var listener: LoopbackListener?
        weak var origin: FakeOrigin?
        do {
            let stage = try LiveStage()
            try await stage.expectCues(of: try await stage.listing())
            (loader, live, listener) = (stage.loader, stage.loader.live, stage.loader.listener)
            (group, origin) = (stage.loader.live.groups.first, stage.origin)
            #expect(group != nil)
        }
        await wait { loader == nil && live == nil && group == nil && listener == nil && origin == nil }
        #expect(!Task.isCancelled)
    }
}

/// A delegate that keeps what it is asked for.
private final class Keeper: NSObject, AVAssetResourceLoaderDelegate, @unchecked Sendable {
    let requests = Locked<[AVAssetResourceLoadingRequest]>([])

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool {
        requests.withLock { $0.append(loadingRequest) }
        return true
    }
}
