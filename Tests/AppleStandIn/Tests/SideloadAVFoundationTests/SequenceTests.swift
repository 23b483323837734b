import AVFoundation
import Delivery
import Foundation
import SideloadAVFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Every sequence of requests that has been seen of AVPlayer, with each way of answering its probe.
@Suite(.timeLimit(.minutes(2)))
struct SequenceTests {
    static let scripts = 8

    @Test(arguments: RoutePolicies.Probe.allCases, 0..<scripts)
    func everyAnswerIsThePartThatWasAskedFor(_ probe: RoutePolicies.Probe, _ number: Int) async throws {
        let stage = try Stage { options in
            options.policies.probe = probe
            options.policies.webVTT = .bytes
        }
        // What each resource is, by another loader.
        let oracle = try Stage { $0.policies.webVTT = .bytes }
        for (url, length) in [
            (stage.asset.url, Stage.masterText.utf8.count), (try await oracle.uri(of: "en"), 100),
            (try await oracle.file(of: "sv"), Stage.swedishText.utf8.count),
        ] {
            let script = PlayerScript.seen(url, length: length)[number]
            #expect(PlayerScript.seen(url, length: length).count == Self.scripts)
            let whole = try await oracle.text(url)
            for (load, outcome) in await script.play(on: stage.requests) {
                try check(load, outcome, Data(whole.utf8), probe, "\(script): \(load)")
            }
        }
        stage.expectNoMisuse()
    }

    private func check(
        _ load: Load, _ outcome: LoadOutcome, _ whole: Data, _ probe: RoutePolicies.Probe, _ comment: Comment
    ) throws {
        if case .cancelled = outcome { return }
        let answer = try #require(outcome.answer, comment)
        let isProbe = load.wantsInformation && load.offset == 0 && load.length == 2
        if let target = answer.redirect?.url {
            #expect(probe == .redirect && isProbe && target.scheme == "https", comment)
            return
        }
        guard load.offset <= whole.count else {
            #expect(answer.loaderError == .pastEnd, comment)
            return
        }
        #expect(answer.error == nil, comment)
        let room = whole.count - Int(load.offset)
        let isWhole = load.isToEnd || probe == .redirect && load.url.scheme == "surtitle-master-https"
        let wanted = whole[Int(load.offset)..<Int(load.offset) + (isWhole ? room : min(load.length, room))]
        switch probe {
        case .redirect, .information: #expect(answer.data == (isProbe ? Data() : wanted), comment)
        case .exactRange, .dataOnly: #expect(answer.data == wanted, comment)
        }
        if load.wantsInformation, probe != .dataOnly {
            #expect(answer.information?.contentLength == Int64(whole.count), comment)
        } else {
            #expect(answer.information?.contentType == nil, comment)
        }
    }

    @Test(arguments: 0..<3)
    func keysBeforeAndAfterSegments(_ number: Int) async throws {
        let stage = try Stage { options in
            options.policies.keys = .fetch
            options.policies.segments = .redirect
        }
        let key = try url("surtitle-key-https://example.com/a/k.bin")
        let segments = try (1...3).map { try url("surtitle-segment-https://example.com/a/s\($0).ts") }
        let script = PlayerScript.keys(key, segments: segments)[number]
        for (load, outcome) in await script.play(on: stage.requests) {
            let answer = try #require(outcome.answer, "\(script)")
            if load.url == key {
                #expect(answer.information?.contentType == nil, "AVPlayer wants no type for a key")
                if !load.wantsInformation { #expect(answer.text == "0123456789abcdef") }
            } else {
                let path = try #require(load.url.path.split(separator: "/").last)
                #expect(answer.redirect?.url?.absoluteString == "https://example.com/a/\(path)")
            }
        }
        stage.expectNoMisuse()
    }

    /// A live playlist: each reading is one answer of the origin's, its probe and its pieces included.
    @Test func aLivePlaylistIsFetchedForEachReading() async throws {
        let stage = try Stage { $0.policies.variants = .mapped }
        let playlist = try url("surtitle-variant-https://example.com/a/low.m3u8")
        for number in 1...3 {
            let told = try #require(await stage.requests.load(.probe(playlist)).answer?.information)
            let text = try await stage.text(playlist)
            #expect(told.contentLength == Int64(text.utf8.count))
            #expect(text.contains("#EXT-X-MEDIA-SEQUENCE:\(number)\n"))
            #expect(text.contains("https://example.com/a/s\(number).ts"))
            let rest = try #require(await stage.requests.load(.toEnd(playlist, from: 10)).answer)
            #expect(rest.data == Data(text.utf8.dropFirst(10)))
        }
        #expect(try await stage.text(playlist).contains("#EXT-X-MEDIA-SEQUENCE:4\n"), "without a probe too")
        #expect(stage.origin.count("https://example.com/a/low.m3u8") == 4)
        stage.expectNoMisuse()
    }

    /// What follows the beginning of a version that is too large to be kept is not of the one before.
    @Test func aVersionThatIsTooLargeToBeKept() async throws {
        let stage = try Stage {
            $0.policies.variants = .mapped
            $0.keptBytes = 600
        }
        let playlist = try url("surtitle-variant-https://example.com/a/low.m3u8")
        #expect(try await stage.text(playlist).contains("#EXT-X-MEDIA-SEQUENCE:1\n"))
        let kept = try #require(await stage.requests.load(.toEnd(playlist, from: 10)).answer)
        #expect(kept.text.contains("#EXT-X-MEDIA-SEQUENCE:1\n"))
        let large = Stage.mediaText + "#\(String(repeating: "x", count: 600))\n"
        stage.origin.put(.live(large), at: "https://example.com/a/low.m3u8")
        #expect(try await stage.text(playlist).contains("#EXT-X-MEDIA-SEQUENCE:2\n"))
        let rest = try #require(await stage.requests.load(.toEnd(playlist, from: 10)).answer)
        #expect(rest.text.contains("#EXT-X-MEDIA-SEQUENCE:3\n"))
        stage.expectNoMisuse()
    }
}
