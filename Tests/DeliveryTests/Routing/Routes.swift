import Delivery
import Sideload
import WebVTT

/// Routers for tests, and plans as text.
enum Routes {
    /// What stands in place of a file that is missing.
    static let empty = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n"

    static let master = "https://origin.example/film/manifest(format=m3u8-aapl)?token=a%2Fb&c"

    /// A track of a file or playlist at `uri`.
    static func track(_ uri: String, _ language: String? = nil, _ source: SubtitleFormat = .webVTT)
        -> TrackConfiguration
    {
        TrackConfiguration(SubtitleTrack(uri: uri, language: language, name: language ?? uri), format: source)
    }

    /// English as WebVTT, Chinese as SubRip, German as a playlist.
    static var tracks: [TrackConfiguration] {
        [
            track("subs/en.vtt?a=b", "en"), track("https://cdn.example/zh.srt", "zh-Hant", .subRip),
            track("/de.m3u8", "de", .playlist),
        ]
    }

    static func router(
        _ tracks: [TrackConfiguration] = tracks, _ change: (inout Configuration) -> Void = { _ in }
    ) throws(RouteError) -> Router {
        var configuration = Configuration(master: master, tracks: tracks)
        change(&configuration)
        return try Router(configuration)
    }

    static func router(_ change: (inout RoutePolicies) -> Void) throws(RouteError) -> Router {
        try router(tracks) { change(&$0.policies) }
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
}

extension Router {
    /// The plan for all of `url`, in words.
    func words(_ url: String) -> String { plan(RouteRequest(url)).description }
}
