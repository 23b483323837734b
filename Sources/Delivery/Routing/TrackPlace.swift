internal import ByteScan
internal import M3U8
internal import Sideload
internal import WebVTT

/// Decides where a player finds what belongs to a track.
struct TrackPlace {
    let addresses: RouteAddresses
    let served: RouteAddresses?
    let master: [UInt8]
    /// Whether requests to the origin at a URL have header fields that the player does not know.
    let hasAppHeaders: (_ url: [UInt8]) -> Bool
    let name: [UInt8]

    /// The track number `index`, with its addresses.
    func routed(
        _ track: TrackConfiguration, _ index: Int, _ policies: RoutePolicies
    ) throws(RouteError) -> RoutedTrack {
        let url = try url(of: track, index)
        let hasAppHeaders = url.map(hasAppHeaders) ?? false
        let ownPlaylist = addresses.trackPrefix + name + Array(ByteView(".m3u8"))
        guard track.format != .playlist else {
            guard let url else { throw RouteError(.trackURI, track: index, name: Array(utf8: track.track.uri)) }
            let rendition = policies.coversGivenPlaylists(at: addresses) ? ownPlaylist : url
            return RoutedTrack(
                name: name, configuration: track, url: url, rendition: rendition, file: nil, address: nil,
                isRedirected: false, hasAppHeaders: hasAppHeaders)
        }
        let address = (served ?? addresses).trackPrefix + name + Array(ByteView(".vtt"))
        let isFit = url != nil && track.format == .webVTT && !track.changesFile
        // Cues that come while the stream goes on are in no file.
        if policies.leavesFilesAsTheyAre, track.cues == nil, !isFit || policies.givenMap != nil {
            throw RouteError(.unfitTrack, track: index)
        }
        var file = address
        if let url, isFit, policies.webVTT == .direct || policies.isFitAsItIs && !hasAppHeaders {
            file = url.escapedForURI
        }
        return RoutedTrack(
            name: name, configuration: track, url: url, rendition: ownPlaylist, file: file,
            address: policies.webVTT == .direct ? file : address, isRedirected: policies.webVTT == .redirect,
            hasAppHeaders: hasAppHeaders)
    }

    /// Where the track is at the origin; nil if a local file is named for it.
    private func url(of track: TrackConfiguration, _ index: Int) throws(RouteError) -> [UInt8]? {
        if track.file != nil || track.cues != nil { return nil }
        let uri = Array(utf8: track.track.uri)
        let url = master.resolving(uri)
        // A track's URI is text, and what is not would be repaired, and so be another URI.
        let isText = Array(utf8: String(utf8: url)) == url
        guard isText, addresses.address(of: url, as: .rendition) != nil else {
            throw RouteError(.trackURI, track: index, name: uri)
        }
        return url
    }
}

extension RoutePolicies {
    /// The map that every file gets, if one is given.
    var givenMap: TimestampMap? { if case .given(let map) = map { map } else { nil } }

    /// Whether nothing can be done to files.
    fileprivate var leavesFilesAsTheyAre: Bool { webVTT == .direct || webVTT == .redirect }

    /// Whether `auto` leaves a WebVTT file of the origin as it is.
    fileprivate var isFitAsItIs: Bool { webVTT == .automatic && map == .none && missingTrack != .empty }

    /// Whether the WebVTT files of subtitle playlists that somebody else made pass by here.
    func coversGivenPlaylists(at addresses: RouteAddresses) -> Bool {
        switch webVTT {
        case .direct, .redirect: false
        // A file of theirs that answers 404 stalls AVPlayer. Below a base only listed origins have addresses, and
        // such files may be anywhere.
        case .automatic:
            map != .none || missingTrack == .empty || missingTrack == .leaveOut && !addresses.areBelowBase
        case .bytes, .served: true
        }
    }
}
