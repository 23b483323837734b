import AVFoundation
import Delivery
import Foundation
import SideloadAVFoundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A video with two tracks, its origin, the loader for it, and the asset that a player has.
struct Stage {
    static let master = "https://example.com/a/master.m3u8"
    static let english = "https://subs.example.com/en.vtt"
    static let swedish = "https://subs.example.com/sv.srt"

    /// What stands in place of a file that is missing.
    static let empty = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n"

    static let masterText = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=1000
        low.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=2000
        high.m3u8?ünïcode

        """
    static let englishText = "WEBVTT\n\n00:00.000 --> 00:02.500\nHello\n\n00:03.000 --> 00:07.250\nGood bye\n"
    static let swedishText = "1\n00:00:00,000 --> 00:00:02,500\nHej\n\n2\n00:00:03,000 --> 00:00:09,000\nHej då\n"
    static let mediaText = """
        #EXTM3U
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:#N
        #EXT-X-KEY:METHOD=AES-128,URI="k.bin"
        #EXTINF:4,
        s#N.ts
        #EXT-X-ENDLIST

        """
    static let pages: [String: FakeOrigin.Page] = [
        master: .file(masterText), english: .file(englishText), swedish: .file(swedishText),
        "https://example.com/a/low.m3u8": .live(mediaText), "https://example.com/a/k.bin": .file("0123456789abcdef"),
    ]

    let origin: FakeOrigin
    let asset: SubtitleAsset
    let loader: SubtitleLoader
    var requests: AVAssetResourceLoader { asset.resourceLoader }

    init(
        _ origin: FakeOrigin = FakeOrigin(pages), subtitles: [ExternalSubtitle]? = nil,
        delegate: (any AVAssetResourceLoaderDelegate)? = nil,
        _ change: (inout SubtitleLoaderOptions) throws -> Void = { _ in }
    ) throws {
        self.origin = origin
        loader = try Self.loader(origin, subtitles: subtitles, delegate: delegate, change)
        asset = loader.makeAsset()
    }

    init(_ origin: FakeOrigin, _ loader: SubtitleLoader) {
        self.origin = origin
        self.loader = loader
        asset = loader.makeAsset()
    }

    static func loader(
        _ origin: FakeOrigin, subtitles: [ExternalSubtitle]? = nil,
        delegate: (any AVAssetResourceLoaderDelegate)? = nil,
        _ change: (inout SubtitleLoaderOptions) throws -> Void = { _ in }
    ) throws -> SubtitleLoader {
        var options = SubtitleLoaderOptions(transport: origin)
        try change(&options)
        return try SubtitleLoader(
            try url(Self.master), subtitles: try subtitles ?? Self.subtitles(), options: options, delegate: delegate)
    }

    static func subtitles() throws -> [ExternalSubtitle] {
        [
            ExternalSubtitle(try url(english), language: "en", name: "English", isDefault: true),
            ExternalSubtitle(try url(swedish), language: "sv", name: "Svenska"),
        ]
    }

    /// All of what is at `url`, as the player gets it.
    func text(_ url: URL) async throws -> String {
        // What is not ours the player fetches by itself.
        if url.host == "127.0.0.1" {
            return String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
        }
        if url.scheme == "https" {
            let response = try await origin.response(to: TransportRequest(url, byteLimit: 1 << 20))
            return String(decoding: response.body, as: UTF8.self)
        }
        let answer = try #require(await requests.load(.toEnd(url)).answer)
        if let error = answer.error { throw error }
        return answer.text
    }

    /// The whole multivariant playlist, as the player gets it.
    func masterText() async throws -> String { try await text(asset.url) }

    /// The URI of a line of the master or of a subtitle playlist.
    func uri(of language: String) async throws -> URL {
        let tags = MediaTags.subtitles(in: try await masterText())
        let tag = try #require(tags.first { $0["LANGUAGE"] == language })
        return try url(try #require(tag["URI"]))
    }

    /// The file that the playlist of a track refers to.
    func file(of language: String) async throws -> URL {
        let playlist = try await text(try await uri(of: language))
        return try url(try #require(playlist.split(separator: "\n").map(String.init).last { !$0.hasPrefix("#") }))
    }

    /// No rule was broken, and nothing is left to be answered.
    func expectNoMisuse(_ place: SourceLocation = #_sourceLocation) {
        #expect(requests.misuses.allAtEnd() == [], sourceLocation: place)
    }
}

extension LoadAnswer {
    /// What AVFoundation has made of a failure.
    var failure: NSError? { error as? NSError }

    /// Which of the loader's errors it is; nil if it is none.
    var loaderError: SubtitleLoaderError.Code? {
        guard let failure, failure.domain == SubtitleLoaderError.errorDomain else { return nil }
        return SubtitleLoaderError.Code(rawValue: failure.code)
    }
}

func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

/// Waits until `condition` holds. A test that waits for too long fails by its time limit, which cancels it.
func wait(until condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
}

/// Whether `body` takes less than `limit` one time of five at least: the machine may be busy.
func takes(lessThan limit: Duration, _ body: () async throws -> Void) async rethrows -> Bool {
    for _ in 0..<5 {
        let begin = ContinuousClock.now
        try await body()
        if ContinuousClock.now - begin < limit { return true }
    }
    return false
}
