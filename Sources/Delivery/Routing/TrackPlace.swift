internal import ByteScan
internal import M3U8
internal import Sideload
internal import WebVTT

/// Decides where a player finds what belongs to a track.
struct TrackPlace {
    let addresses: RouteAddresses
    let served: RouteAddresses?
    let master: [UInt8]
    let name: [UInt8]

    /// The track number `index`, with its addresses.
    func routed(
        _ track: TrackConfiguration, _ index: Int, _ policies: RoutePolicies
    ) throws(RouteError) -> RoutedTrack {
        let url = try url(of: track, index)
        let ownPlaylist = addresses.trackPrefix + name + Array(ByteView(".m3u8"))
        guard track.format != .playlist else {
            guard let url else { throw RouteError(.trackURI, track: index, name: Array(utf8: track.track.uri)) }
            let rendition = policies.coversGivenPlaylists(at: addresses) ? ownPlaylist : url
            return RoutedTrack(
                name: name, configuration: track, url: url, rendition: rendition, file: nil, isRedirected: false)
        }
        let file = (served ?? addresses).trackPrefix + name + Array(ByteView(".vtt"))
        let isFit = url != nil && track.format == .webVTT && !track.changesFile
        if policies.webVTT == .redirect, !isFit || policies.givenMap != nil {
            throw RouteError(.redirectedTrack, track: index)
        }
        return RoutedTrack(
            name: name, configuration: track, url: url, rendition: ownPlaylist, file: file,
            isRedirected: isFit && policies.redirectsFitFiles)
    }

    /// Where the track is at the origin; nil if a local file is named for it.
    private func url(of track: TrackConfiguration, _ index: Int) throws(RouteError) -> [UInt8]? {
        if track.file != nil { return nil }
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

    /// Whether a WebVTT file of the origin that may stay as it is goes by a redirect.
    var redirectsFitFiles: Bool {
        switch webVTT {
        case .redirect: true
        case .automatic: map == .none && missingTrack != .empty
        case .bytes, .served: false
        }
    }

    /// Whether the WebVTT files of subtitle playlists that somebody else made pass by here.
    func coversGivenPlaylists(at addresses: RouteAddresses) -> Bool {
        switch webVTT {
        case .redirect: false
        // A file of theirs that answers 404 stalls AVPlayer. Below a base only listed origins have addresses, and
        // such files may be anywhere.
        case .automatic:
            map != .none || missingTrack == .empty || missingTrack == .leaveOut && !addresses.areBelowBase
        case .bytes, .served: true
        }
    }
}
