import AVFoundation
import Delivery
import Foundation
import SideloadAVFoundation
import Testing

/// EXT-X-DEFINE: a stream that plays from its origin plays through the loader. The player substitutes, here as on a device.
@Suite(.timeLimit(.minutes(1)))
struct DefineTests {
    private static let address = "https://example.com/a/master.m3u8?token=abc"
    private static let master = """
        #EXTM3U
        #EXT-X-DEFINE:QUERYPARAM="token"
        #EXT-X-DEFINE:NAME="folder",VALUE="low"
        #EXT-X-STREAM-INF:BANDWIDTH=1000
        {$folder}/video.m3u8?token={$token}

        """
    private static let media = """
        #EXTM3U
        #EXT-X-DEFINE:IMPORT="token"
        #EXT-X-DEFINE:IMPORT="folder"
        #EXT-X-TARGETDURATION:4
        #EXT-X-KEY:METHOD=AES-128,URI="../keys/{$folder}?token={$token}"
        #EXTINF:4,
        {$token}/1.ts
        #EXT-X-ENDLIST

        """
    private static let variant = "https://example.com/a/low/video.m3u8?token=abc"
    private static let key = "https://example.com/a/keys/low?token=abc"
    private static let segment = "https://example.com/a/low/abc/1.ts"

    private func stage(_ change: (inout RoutePolicies) -> Void = { _ in }) throws -> Stage {
        let origin = FakeOrigin(
            Stage.pages.merging([
                Self.address: .whole(Self.master), Self.variant: .whole(Self.media),
                Self.key: .file("0123456789abcdef"), Self.segment: .bytes([0x47, 1, 2, 3]),
            ]) { $1 })
        var options = SubtitleLoaderOptions(transport: origin)
        change(&options.policies)
        return Stage(
            origin, try SubtitleLoader(try url(Self.address), subtitles: Stage.subtitles(), options: options))
    }

    /// What a player makes of a reference in the playlist that it has from `place`.
    private func target(of reference: String, in place: URL) throws -> URL {
        let substituted = reference.replacingOccurrences(of: "{$token}", with: "abc").replacingOccurrences(
            of: "{$folder}", with: "low")
        return try #require(URL(string: substituted, relativeTo: place)?.absoluteURL)
    }

    /// What a player gets at `place`: what the loader hands over, or the origin has where the loader or nobody sends it.
    private func load(_ place: URL, _ stage: Stage) async throws -> (bytes: Data, place: URL) {
        if place.scheme == "https" {
            return (try await stage.origin.response(to: TransportRequest(place, byteLimit: 1 << 20)).body, place)
        }
        let answer = try #require(await stage.requests.load(.toEnd(place)).answer)
        if let error = answer.error { throw error }
        if let target = answer.redirect?.url { return try await load(target, stage) }
        return (answer.data, place)
    }

    @Test func aVariableOfTheAddressStaysTheClients() async throws {
        let stage = try stage()
        #expect(stage.asset.url.query == "token=abc", "where the client takes the value from")
        let text = try await stage.masterText()
        #expect(text.contains("QUERYPARAM=\"token\""))
        #expect(text.contains("\nhttps://example.com/a/low/video.m3u8?token={$token}\n"))
        #expect(MediaTags.subtitles(in: text).count == 2)
    }

    /// By the addresses of each policy a player comes to the same playlist, key and segment.
    @Test(arguments: [
        (RoutePolicies.Variants.absolute, RoutePolicies.Keys.player, RoutePolicies.Segments.absolute),
        (.redirect, .player, .absolute), (.mapped, .player, .absolute), (.mapped, .fetch, .redirect),
        (.mapped, .redirect, .redirect),
    ])
    func whatPlaysFromItsOriginPlaysThroughIt(
        _ variants: RoutePolicies.Variants, _ keys: RoutePolicies.Keys, _ segments: RoutePolicies.Segments
    ) async throws {
        let stage = try stage { ($0.variants, $0.keys, $0.segments) = (variants, keys, segments) }
        let lines = try await stage.masterText().split(separator: "\n").map(String.init)
        let variant = try target(of: try #require(lines.last { !$0.hasPrefix("#") }), in: stage.asset.url)
        let playlist = try await load(variant, stage)
        let media = String(decoding: playlist.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let quoted = try #require(media.first { $0.contains("EXT-X-KEY") }).split(separator: "\"")
        let key = try target(of: String(quoted[1]), in: playlist.place)
        #expect((keys == .player) == (key.absoluteString == Self.key))
        #expect(String(decoding: try await load(key, stage).bytes, as: UTF8.self) == "0123456789abcdef")
        let segment = try target(of: try #require(media.last { !$0.hasPrefix("#") }), in: playlist.place)
        let bytes = try await load(segment, stage)
        #expect(bytes.place.absoluteString == Self.segment && bytes.bytes == Data([0x47, 1, 2, 3]))
        stage.expectNoMisuse()
    }

    /// The video's map is found behind variables too.
    @Test func theMapIsFound() async throws {
        let stage = try stage { $0.map = .auto }
        _ = try await stage.file(of: "en")
        #expect(stage.origin.count(Self.variant) > 0)
    }
}
