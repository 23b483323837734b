import AVFoundation
import Delivery
import Foundation
import SideloadAVFoundation
import Testing

/// URLSession itself, against a server on this machine.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackTests {
    @Test func aVideoWithSubtitlesBySession() async throws {
        let server = try LoopbackServer([
            "/master.m3u8": .found("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n"),
            "/old.m3u8": .moved(to: "/master.m3u8"), "/sv.srt": .found(Stage.swedishText),
        ])
        let base = "http://127.0.0.1:\(server.port)"
        let loader = try SubtitleLoader(
            try url("\(base)/old.m3u8"),
            subtitles: [
                ExternalSubtitle(try url("\(base)/sv.srt"), language: "sv", name: "Svenska"),
                ExternalSubtitle(try url("\(base)/none.vtt"), language: "en", name: "English"),
            ])
        let asset = loader.makeAsset()
        let master = try #require(await asset.resourceLoader.load(.toEnd(asset.url)).answer)
        #expect(master.error == nil)
        #expect(MediaTags.subtitles(in: master.text).map { $0["NAME"] } == ["Svenska"], "the other one is not there")
        #expect(master.text.contains("\n\(base)/low.m3u8\n"), "relative to where the redirect led")
        let file = await asset.resourceLoader.load(.toEnd(try url("surtitle-track://subtitles/sv.vtt"))).answer
        #expect(file?.text.contains("Hej då") == true)
        #expect(asset.resourceLoader.misuses.allAtEnd() == [])
    }

    @Test func noMoreIsReadThanIsOfUse() async throws {
        let server = try LoopbackServer(["/endless": .endless])
        let transport = URLSessionTransport()
        let address = try url("http://127.0.0.1:\(server.port)/endless")
        let response = try await transport.response(to: TransportRequest(address, byteLimit: 100_000))
        #expect(response.body.count == 100_000 && response.isCutOff)
    }

    @Test func aCancelEndsTheTask() async throws {
        let server = try LoopbackServer(["/silent": .silent])
        let address = try url("http://127.0.0.1:\(server.port)/silent")
        let task = Task {
            try await URLSessionTransport().response(to: TransportRequest(address, byteLimit: 100))
        }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        // One that is cancelled before it begins ends too.
        let early = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await URLSessionTransport().response(to: TransportRequest(address, byteLimit: 100))
        }
        await #expect(throws: (any Error).self) { try await early.value }
    }

    @Test func nobodyListens() async throws {
        let address = try url("http://127.0.0.1:1/")
        await #expect(throws: (any Error).self) {
            try await URLSessionTransport().response(to: TransportRequest(address, byteLimit: 100))
        }
    }
}
