internal import ByteScan
internal import M3U8
internal import Sideload

// What a player's request gets.
//
//     request ──▶ plan ─┬─ redirect, decline, fail                                   done
//                       ├─ fetch (the caller does) ──▶ bytes ──▶ master, mediaPlaylist, key …  ─┐
//                       └─ subtitlePlaylist, subtitleFile (the caller finds the duration) ──────┴─▶ resource ──▶ answer
//
// Nothing here does input or output, knows the time or remembers anything: a plan hangs on the request and the
// configuration alone. Request.swift carries a plan out: what is fetched for it, what takes the place of what is
// missing, what the player gets.
//
// How a URL is recognised, in this order:
//
// 1. Requests for content keys are the app's, whatever their URL.
// 2. Below the prefix of tracks: a track's playlist or file, or an error that names the track that there is not.
// 3. With the prefix of a role: what a playlist declared, or the entry. Whether the entry is a multivariant playlist
//    its content tells.
// 4. With a scheme of ours, and none of these: an error. Everything else is not ours.

/// Plans what a player's requests get: checked once, immutable, and shared by all threads.
public struct Router: Sendable {
    /// How each kind of request is answered.
    public let policies: RoutePolicies

    /// What the player sees in place of the origin's URLs.
    public let addresses: RouteAddresses

    /// The multivariant playlist's URL at the origin.
    public let master: [UInt8]

    /// The URL that the player begins with.
    public let entry: [UInt8]

    /// The tracks, in the configuration's order.
    public let tracks: [RoutedTrack]

    /// The addresses of WebVTT files, if they are served elsewhere.
    let served: RouteAddresses?

    /// All tracks as they are sideloaded; nil if there are none.
    let allTracks: SubtitleTracks?

    let headers: [HeaderLine]
    /// What addresses below a base may name.
    let origins: RouteOrigins
    let limits: SideloadLimits
    let replacesDefault: Bool
    /// What a media playlist in place of the entry is wrapped into, but for its URI; nil for what the playlist tells.
    let wrapping: WrappedVariant?
    /// How playlists that are made for files are written.
    let playlistOptions: SubtitlePlaylist.Options
    let edits: PlaylistEdits

    /// A router.
    ///
    /// - Throws: ``RouteError`` without a `master`, for a URL that is no whole http or https URL, for tracks that
    ///   `SubtitleTracks` refuses, and for policies that a track cannot meet.
    public init(_ configuration: Configuration) throws(RouteError) {
        guard let master = configuration.master else { throw RouteError(.noMaster) }
        self.master = master
        policies = configuration.policies
        addresses = configuration.addresses
        headers = configuration.headers
        limits = configuration.limits
        replacesDefault = configuration.replacesDefault
        wrapping = configuration.wrapping
        playlistOptions = configuration.playlistOptions
        guard let entry = addresses.address(of: master, as: .master) else { throw RouteError(.master, name: master) }
        self.entry = entry
        if case .served(let base) = policies.webVTT {
            served = try refusing(try RouteAddresses(base: base)) { (_: URIEditError) in RouteError(.base, name: base) }
        } else {
            served = nil
        }
        guard !addresses.concern(master), served?.concern(master) != true else {
            throw RouteError(.ambiguousMaster, name: master)
        }
        edits = try refusing(try Self.edits.get()) { RouteError(.edits($0)) }
        var routed: [RoutedTrack] = []
        var names = TrackNames()
        for (index, track) in configuration.tracks.enumerated() {
            if track.encoding != nil, !configuration.decodesText { throw RouteError(.encoding, track: index) }
            let place = TrackPlace(
                addresses: addresses, served: served, master: master,
                hasAppHeaders: { [master, policies] url in
                    !configuration.headers.isEmpty && policies.sendsAppHeaders(to: url, of: master)
                }, name: names.next(track.track.language.map { Array(utf8: $0) }))
            routed.append(try place.routed(track, index, policies))
        }
        tracks = routed
        origins =
            switch configuration.origins {
            case .any: .any
            case .listed(let others):
                .listed(others + ([master] + routed.compactMap { $0.url }).compactMap { RouteOrigin(of: $0) })
            }
        allTracks = try Self.sideloaded(routed, replacesDefault)
    }

    /// What lets a rewriter see all URIs: the same for all routers.
    private static let edits = Result { () throws(PlaylistEditError) in
        try PlaylistEdits([], observing: URIMapping.tags, selectsURIs: true)
    }

    /// The tracks for a ``MasterRewriter``; nil if there are none.
    static func sideloaded(_ tracks: [RoutedTrack], _ replacesDefault: Bool) throws(RouteError) -> SubtitleTracks? {
        guard !tracks.isEmpty else { return nil }
        let policy: SubtitleTracks.DefaultPolicy = replacesDefault ? .prefersTracks : .keepsExisting
        return try refusing(try SubtitleTracks(tracks.map { $0.sideloaded }, defaultPolicy: policy)) {
            RouteError(.tracks($0), track: $0.track)
        }
    }
}
