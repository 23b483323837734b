#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery
internal import Foundation
internal import Sideload

/// Makes what requests are answered with: fetches what the router asks for, and hands it what came. It remembers nothing.
struct ResourceMaker: Sendable {
    /// What was made for a request.
    struct Made: Sendable {
        let resource: Resource
        /// The track of which there is nothing, so that something empty stands for it.
        var missing: Int?
    }

    let router: Router
    let origin: Origin
    /// The app's header fields.
    var headers: [HeaderLine] = []
    /// How long a master waits to learn whether tracks are missing.
    var patience = Duration.zero
    /// The entry, if it was made and is not fetched.
    var entry: Resource?

    init(_ router: Router, _ origin: Origin) {
        self.router = router
        self.origin = origin
    }

    /// What is made for a plan. `player` are the header fields of the player's request.
    func resource(for plan: RoutePlan, _ player: [HeaderLine]) async -> Result<Made, SubtitleLoaderError> {
        do throws(SubtitleLoaderError) {
            return .success(try await make(plan, OriginHeaders.filtered(player, adding: headers)))
        } catch {
            return .failure(error)
        }
    }

    private func make(_ plan: RoutePlan, _ headers: [HeaderLine]) async throws(SubtitleLoaderError) -> Made {
        switch plan {
        case .fetch(let request, let use): return try await make(use, of: request)
        case .subtitlePlaylist(let track): return try await playlist(of: track, headers)
        case .subtitleFile(let track):
            let tracked = router.tracks[track]
            return try await text(tracked.fetched, source(of: tracked), headers, missing: track)
        case .emptyFile(let track):
            guard let empty = router.missingFile() else { throw SubtitleLoaderError(.unexpected, router.entry) }
            return Made(resource: empty, missing: track)
        case .redirect, .decline, .fail: throw SubtitleLoaderError(.unexpected, router.entry)
        }
    }

    private func make(_ use: FetchUse, of request: OriginRequest) async throws(SubtitleLoaderError) -> Made {
        switch use {
        case .master:
            if let entry { return Made(resource: entry) }
            let found = try await masterAndMissing(request)
            return try master(found.master, leavingOut: found.missing)
        case .mediaPlaylist:
            let whole = try await origin.whole(request, limit: origin.limits.playlist)
            return Made(
                resource: try routed(request.url) { () throws(RouteError) in
                    try router.mediaPlaylist(whole.bytes, from: whole.url).resource
                })
        case .subtitlePlaylist(let track): return try await givenPlaylist(of: track, request)
        case .cues:
            return try await text(FetchTrack(url: request.url, format: .webVTT), origin, request.headers, missing: nil)
        case .key:
            let whole = try await origin.whole(request, limit: Self.longestKey)
            return Made(resource: router.key(whole.bytes))
        }
    }

    /// The multivariant playlist with the tracks, or one around the media playlist of a video without one.
    private func master(_ whole: Origin.Whole, leavingOut missing: [Int]) throws(SubtitleLoaderError) -> Made {
        let kept = try routed(whole.url) { () throws(RouteError) in
            try router.master(whole.bytes, from: whole.url, leavingOut: missing)
        }
        guard kept.verdict == .media, missing.count < router.tracks.count else { return Made(resource: kept.resource) }
        let wrapped: [UInt8]
        do throws(WrappedVariantError) {
            wrapped = try WrappedVariant(uri: String(decoding: whole.url, as: UTF8.self)).playlist(around: whole.bytes)
        } catch {
            throw SubtitleLoaderError(.unwrappable(error), whole.url)
        }
        return Made(
            resource: try routed(whole.url) { () throws(RouteError) in
                try router.master(wrapped, from: whole.url, leavingOut: missing).resource
            })
    }

    /// Keys have 16 bytes, those of DRM some thousand.
    private static let longestKey = 64 << 10

    /// What the router makes of something that came from `url`.
    private func routed<Answer>(
        _ url: [UInt8], _ make: () throws(RouteError) -> Answer
    ) throws(SubtitleLoaderError) -> Answer {
        do throws(RouteError) {
            return try make()
        } catch {
            throw SubtitleLoaderError(.route(error), url)
        }
    }

    // MARK: Tracks

    /// The playlist of a track that somebody else made, or one in its place with an empty file.
    private func givenPlaylist(of index: Int, _ request: OriginRequest) async throws(SubtitleLoaderError) -> Made {
        do throws(SubtitleLoaderError) {
            let whole = try await origin.whole(request, limit: origin.limits.playlist)
            return Made(
                resource: try routed(request.url) { () throws(RouteError) in
                    try router.givenPlaylist(whole.bytes, from: whole.url).resource
                })
        } catch {
            // The first error tells more than a second one would.
            guard let made = try? router.missingPlaylist(of: index, lasting: Self.missingDuration) else { throw error }
            return Made(resource: made, missing: index)
        }
    }

    /// How long the playlist of a track lasts of which nothing is known: as little as players take for a duration.
    private static let missingDuration = MediaDuration(milliseconds: 1000)

    /// The playlist that is made for a track. What cannot be had is no reason for the video to stop, unless the policy is that it fails.
    private func playlist(of index: Int, _ headers: [HeaderLine]) async throws(SubtitleLoaderError) -> Made {
        let track = router.tracks[index]
        var duration = Self.missingDuration
        var missing: Int?
        do throws(SubtitleLoaderError) {
            let answer = try await source(of: track).answer(to: .duration(track.fetched), headers)
            guard case .duration(let found) = answer else { throw SubtitleLoaderError(.unexpected, track.fetched.url) }
            duration = found.duration
        } catch {
            if router.policies.missingTrack == .fail { throw error }
            missing = index
        }
        let lasting = duration
        return Made(
            resource: try routed(router.entry) { () throws(RouteError) in
                try router.subtitlePlaylist(of: index, lasting: lasting)
            }, missing: missing)
    }

    /// A WebVTT file, or an empty one in place of one that is missing.
    private func text(
        _ track: FetchTrack, _ source: Origin, _ headers: [HeaderLine], missing: Int?
    ) async throws(SubtitleLoaderError) -> Made {
        do throws(SubtitleLoaderError) {
            let answer = try await source.answer(to: .content(track, map: map), headers)
            guard case .text(let text) = answer else { throw SubtitleLoaderError(.unexpected, track.url) }
            return Made(resource: router.subtitleFile(text.bytes))
        } catch {
            guard let empty = router.missingFile() else { throw error }
            return Made(resource: empty, missing: missing)
        }
    }

    private var map: FetchMap {
        switch router.policies.map {
        case .none: .own
        case .given(let map): .always(map)
        case .automatic: .fromVideo(router.master)
        }
    }

    /// Where the track's file is read.
    private func source(of track: RoutedTrack) -> Origin {
        guard let path = track.configuration.file else { return origin }
        let file = LocalFile(path: String(decoding: path, as: UTF8.self))
        return Origin(transport: file, limits: origin.limits, trace: origin.trace)
    }

    // MARK: The multivariant playlist, and the tracks that it does not get

    private enum Finding: Sendable {
        case master(Result<Origin.Whole, SubtitleLoaderError>)
        case track(Int, isMissing: Bool)
        case late
    }

    private func masterAndMissing(
        _ request: OriginRequest
    ) async throws(SubtitleLoaderError) -> (master: Origin.Whole, missing: [Int]) {
        let checked =
            router.policies.missingTrack == .leaveOut
            ? router.tracks.indices.filter { router.tracks[$0].url != nil } : []
        let found = await withTaskGroup(of: Finding.self) { group in
            group.addTask { .master(await master(request)) }
            for index in checked {
                group.addTask { .track(index, isMissing: await isMissing(router.tracks[index], request.headers)) }
            }
            var result: Result<Origin.Whole, SubtitleLoaderError>?
            var missing: [Int] = []
            var unknownCount = checked.count
            while result == nil || unknownCount > 0, let finding = await group.next() {
                switch finding {
                case .master(let master):
                    result = master
                    if case .failure = master { unknownCount = 0 }
                    group.addTask {
                        try? await Task.sleep(for: patience)
                        return .late
                    }
                case .track(let index, let isMissing):
                    unknownCount -= 1
                    if isMissing { missing.append(index) }
                case .late: unknownCount = 0
                }
            }
            group.cancelAll()
            return (result, missing)
        }
        guard let result = found.0 else { throw SubtitleLoaderError(.unexpected, request.url) }
        return (try result.get(), found.1)
    }

    private func master(_ request: OriginRequest) async -> Result<Origin.Whole, SubtitleLoaderError> {
        do throws(SubtitleLoaderError) {
            return .success(try await origin.whole(request, limit: origin.limits.playlist))
        } catch {
            return .failure(error)
        }
    }

    /// Whether the origin says that there is no such file or playlist. If there is no answer nobody knows.
    private func isMissing(_ track: RoutedTrack, _ headers: [HeaderLine]) async -> Bool {
        do throws(SubtitleLoaderError) {
            _ = try await origin.answer(to: .presence(track.fetched), headers)
            return false
        } catch {
            return error.fetch?.reason.category == .missing
        }
    }
}

extension RoutedTrack {
    /// The track as it is fetched.
    fileprivate var fetched: FetchTrack {
        let format: FetchTrack.Format =
            switch configuration.source {
            case .webVTT: .webVTT
            case .subRip: .subRip
            case .playlist: .playlist
            }
        return FetchTrack(url: url ?? LocalFile.address, format: format, duration: configuration.duration)
    }
}
#endif
