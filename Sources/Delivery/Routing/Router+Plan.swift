internal import ByteScan
internal import M3U8

extension Router {
    /// What `request` gets.
    ///
    /// - Complexity: O(*n*) in the bytes of the URL and of the header fields, and in the number of tracks.
    public func plan(_ request: RouteRequest) -> RoutePlan { plan(request, missing: []) }

    /// What `request` gets, where the tracks at the indices in `missing` could not be had before: the player is not
    /// sent to their files.
    func plan(_ request: RouteRequest, missing: [Int]) -> RoutePlan {
        if request.contentTypes.contains(where: Self.isContentKey), !isKeyOfOurs(request.url) {
            return .decline(.contentKey)
        }
        for addresses in [addresses, served] {
            guard let addresses else { continue }
            let prefix = addresses.trackPrefix
            if RouteAddresses.begins(request.url, with: prefix[...]) {
                return plan(request, trackPath: request.url[prefix.count...], missing)
            }
            if let recognised = addresses.recognise(request.url) {
                guard !addresses.areBelowBase || mayBeNamed(recognised.url) else {
                    return .fail(RouteError(.origin, name: recognised.url))
                }
                return plan(request, recognised)
            }
            if addresses.concern(request.url) { return .fail(RouteError(.address, name: request.url)) }
        }
        let isKeySystem = RouteAddresses.begins(request.url, with: Array(ByteView("skd:"))[...])
        return .decline(isKeySystem ? .keySystem : .otherURL)
    }

    /// Whether an address below a base may name `url`.
    private func mayBeNamed(_ url: [UInt8]) -> Bool {
        guard case .listed(let origins) = origins else { return true }
        return RouteOrigin(of: url).map { origins.contains($0) } ?? false
    }

    /// Whether `url` is the multivariant playlist's, however a player's URL type spells it: with other bytes encoded,
    /// say.
    private func isMaster(_ url: [UInt8]) -> Bool {
        if url == master { return true }
        guard let (origin, place) = RouteOrigin(of: url).flatMap({ origin in HTTPPlace(of: url).map { (origin, $0) } }),
            let own = HTTPPlace(of: master), origin == RouteOrigin(of: master)
        else { return false }
        func rest(_ url: [UInt8], _ place: HTTPPlace) -> [UInt8] {
            let rest = Array(url[place.authority.upperBound...]).withoutFragment.escapedForURI
            return rest.first == ASCII.slash ? rest : [ASCII.slash] + rest
        }
        return rest(url, place) == rest(master, own)
    }

    private func plan(_ request: RouteRequest, _ recognised: RouteAddresses.Recognised) -> RoutePlan {
        let redirect = RoutePlan.redirect(to: recognised.url)
        switch recognised.role {
        case .master:
            return planPlaylist(request, recognised.url, isMaster(recognised.url) ? .master : .playlist)
        case .variant, .rendition:
            return policies.variantsInEffect == .mapped
                ? planPlaylist(request, recognised.url, .mediaPlaylist) : redirect
        case .segment: return redirect
        case .key:
            switch policies.keys {
            // No playlist has had such an address.
            case .player: return .fail(RouteError(.address, name: request.url))
            case .fetch: return fetch(recognised.url, for: request, .key)
            case .redirect: return redirect
            case .decline: return .decline(.key)
            }
        case .cues:
            return policies.coversGivenPlaylists(at: addresses) ? fetch(recognised.url, for: request, .cues) : redirect
        }
    }

    /// A playlist is fetched; its probe is redirected where the policy says so.
    private func planPlaylist(_ request: RouteRequest, _ url: [UInt8], _ use: FetchUse) -> RoutePlan {
        policies.probe == .redirect && request.isProbe ? .redirect(to: url) : fetch(url, for: request, use)
    }

    private func fetch(_ url: [UInt8], for request: RouteRequest, _ use: FetchUse) -> RoutePlan {
        .fetch(OriginRequest(url: url, headers: originHeaders(for: request, to: url)), use: use)
    }

    /// A track's playlist or file: `sv.m3u8`, `zh-Hant.vtt?x`.
    private func plan(
        _ request: RouteRequest, trackPath path: ArraySlice<UInt8>, _ missing: [Int]
    ) -> RoutePlan {
        let step = path.prefix { $0 != UInt8(ascii: "?") && $0 != ASCII.hash }
        let unknown = RoutePlan.fail(RouteError(.unknownTrack, name: Array(step)))
        guard let dot = step.lastIndex(of: ASCII.period) else { return unknown }
        let name = step[..<dot].map(ASCII.lowercased)
        guard let index = tracks.firstIndex(where: { $0.name == name }) else { return unknown }
        let track = tracks[index]
        switch step[(dot + 1)...].map(ASCII.lowercased) {
        case Array(ByteView("m3u8")):
            guard track.file == nil else { return .subtitlePlaylist(track: index) }
            guard policies.coversGivenPlaylists(at: addresses), let url = track.url else { return unknown }
            return planPlaylist(request, url, .subtitlePlaylist(track: index))
        case Array(ByteView("vtt")):
            // Only the playlist that is made in place of a missing one refers to it.
            guard track.file != nil else {
                return policies.coversGivenPlaylists(at: addresses) ? .emptyFile(track: index) : unknown
            }
            if track.isRedirected, !missing.contains(index), let url = track.url { return .redirect(to: url) }
            return .subtitleFile(track: index)
        default: return unknown
        }
    }

    /// Whether `url` is our address of a key that is fetched or redirected to. For offline use Apple's systems ask for
    /// AES-128 keys as for those of DRM.
    private func isKeyOfOurs(_ url: [UInt8]) -> Bool {
        (policies.keys == .fetch || policies.keys == .redirect) && addresses.recognise(url)?.role == .key
    }

    /// Whether `type` is what Apple's systems ask for content keys with.
    private static func isContentKey(_ type: [UInt8]) -> Bool {
        let types: [StaticString] = [
            "AVStreamingKeyDeliveryContentKeyType", "com.apple.streamingkeydelivery.contentkey",
        ]
        return isPersistentKey(type) || types.contains { name in type.withView { $0.equalsIgnoringCase(name) } }
    }

    /// Whether `type` is what Apple's systems ask for content keys with that they keep.
    static func isPersistentKey(_ type: [UInt8]) -> Bool {
        let types: [StaticString] = [
            "AVStreamingKeyDeliveryPersistentContentKeyType", "com.apple.streamingkeydelivery.persistentcontentkey",
        ]
        return types.contains { name in type.withView { $0.equalsIgnoringCase(name) } }
    }
}
