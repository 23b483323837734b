import AVFoundation
import Delivery
import Foundation
import SideloadAVFoundation
import Support
import Testing
import WebVTT

/// Random requests, cancels, failures and releases, at random times: whatever happens, each request ends once.
@Suite(.timeLimit(.minutes(5)))
struct RandomTests {
    /// Each is a loader of its own with some twenty requests. SURTITLE_LONG makes ten times as many.
    static let seedCount: UInt64 = ProcessInfo.processInfo.environment["SURTITLE_LONG"] == "1" ? 20_000 : 2_000
    private static let chunk: UInt64 = 100

    @Test(arguments: 0..<(seedCount / chunk))
    func everyRequestEndsOnce(_ number: UInt64) async throws {
        var endings: Set<String> = []
        for seed in number * Self.chunk..<(number + 1) * Self.chunk { endings.formUnion(try await play(seed)) }
        #expect(
            endings.isSuperset(of: ["finished", "cancelled", "declined", "failed", "released"]),
            "the seeds reach every ending")
    }

    /// Beside a live video too, for two players, with an origin that fails and a loader that forgets.
    @Test(.serialized, arguments: 0..<2 as Range<UInt64>)
    func everyLiveRequestEndsOnce(_ seed: UInt64) async throws {
        let live = try LiveStage { $0.webVTT = .bytes }
        let players = [live.stage.requests, live.loader.makeAsset().resourceLoader]
        let segments = try await live.listing().segments.map { try url($0.uri) }
        let urls = try [LiveStage.playlist("en"), LiveStage.playlist("sv"), live.stage.asset.url] + segments
        let events = Task {
            var random = SplitMix(seed)
            while !Task.isCancelled {
                switch random.next(below: 4) {
                case 0: live.loader.forget()
                case 1: live.origin.put(.broken, at: LiveStage.media)
                case 2: live.origin.put(.slow(10, .whole(live.version)), at: LiveStage.media)
                default: live.advance()
                }
                try? await Task.sleep(for: .milliseconds(40))
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for (number, player) in players.enumerated() {
                group.addTask {
                    _ = await PlayerScript.random(urls, seed: seed * 2 + UInt64(number), count: 20).play(on: player)
                }
            }
        }
        events.cancel()
        await events.value
        for player in players { #expect(player.misuses.allAtEnd() == [], "seed \(seed)") }
        live.publish()
        live.pass(10_000)
        // A probe may have come last: what it was told of is read first.
        _ = try? await live.listing()
        live.expectSame(try await live.listing())
    }

    private func play(_ seed: UInt64) async throws -> Set<String> {
        let random = Locked(SplitMix(seed))
        let pages = Stage.pages.mapValues { page -> FakeOrigin.Page in
            switch random.withLock({ $0.next(below: 12) }) {
            case 0: .status(404)
            case 1: .broken
            case 2: .whole("WEBVTT\n\nbut a very long way from being anything at all")
            default: page
            }
        }
        let origin = FakeOrigin(pages) {
            for _ in 0..<random.withLock({ $0.next(below: 6) }) { await Task.yield() }
            if random.withLock({ $0.next(below: 8) }) == 0 { try? await Task.sleep(for: .microseconds(100)) }
        }
        let policies = random.withLock { RoutePolicies(random: &$0) }
        let (patience, keptBytes) = random.withLock { ($0.next(below: 3) * 100, $0.next(below: 2) * 4000) }
        // Half of them lose their loader in the middle.
        let delay = random.withLock { $0.next(below: 2) == 0 ? $0.next(below: 20) * 100 : nil }
        let held = Locked<SubtitleLoader?>(
            try Stage.loader(origin) { options in
                options.policies = policies
                options.patience = .microseconds(patience)
                options.keptBytes = keptBytes
            })
        let asset = try held.withLock { loader in try Self.asset(loader, keepsLoader: delay == nil) }
        let urls = try Self.urls(asset.url)
        async let release: Void = Self.release(held, after: delay ?? 0)
        // A player learns a length from its probe. It asks for more than that of no resource.
        let probed = await PlayerScript("probes", [.together(urls.map(Load.probe))]).play(on: asset.resourceLoader)
        let played = await PlayerScript.random(urls, seed: seed, count: 6).play(on: asset.resourceLoader)
        await release
        #expect(asset.resourceLoader.misuses.allAtEnd() == [], "seed \(seed)")
        await wait { (asset.resourceLoader.delegate == nil) == (delay != nil) }
        return Set((probed + played).map { word($0.outcome) })
    }

    private static func asset(_ loader: SubtitleLoader?, keepsLoader: Bool) throws -> AVURLAsset {
        let loader = try #require(loader)
        if keepsLoader { return loader.makeAsset() }
        let asset = AVURLAsset(url: loader.entryURL)
        loader.attach(to: asset.resourceLoader)
        return asset
    }

    private static func release(_ held: Locked<SubtitleLoader?>, after microseconds: Int) async {
        try? await Task.sleep(for: .microseconds(microseconds))
        held.withLock { $0 = nil }
    }

    private static func urls(_ entry: URL) throws -> [URL] {
        try [
            entry, url("surtitle-track://subtitles/en.m3u8"), url("surtitle-track://subtitles/en.vtt"),
            url("surtitle-track://subtitles/sv.m3u8"), url("surtitle-track://subtitles/sv.vtt"),
            url("surtitle-track://subtitles/xx.vtt"), url("surtitle-variant-https://example.com/a/low.m3u8"),
            url("surtitle-key-https://example.com/a/k.bin"), url("surtitle-segment-https://example.com/a/s1.ts"),
            url("skd://key/1"),
        ]
    }

    private func word(_ outcome: LoadOutcome) -> String {
        switch outcome {
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .raised: "raised"
        case .unanswered: "unanswered"
        case .finished(let answer):
            answer.error == nil ? "finished" : answer.loaderError == .released ? "released" : "failed"
        }
    }
}

extension RoutePolicies {
    fileprivate init(random: inout SplitMix) {
        self.init()
        func pick<Value>(_ values: [Value]) -> Value { values[random.next(below: values.count)] }
        probe = pick(Probe.allCases)
        segments = pick(Segments.allCases)
        variants = pick(Variants.allCases)
        keys = pick(Keys.allCases)
        webVTT = pick([.automatic, .bytes])
        missingTrack = pick(MissingTrack.allCases)
        map = pick([.none, .auto])
    }
}
