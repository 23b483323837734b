internal import ByteScan
internal import Sideload
public import WebVTT

// What a request asks for if the video is live.
//
//     …/track/en.m3u8?_HLS_msn=17     the rendition's playlist, with what the player waits for
//     …/track/en/17.vtt               its segment 17, or …/en/17.2.vtt a part of it
//     …/cues/en?format=jsonl          where its cues are sent to, if they come by HTTP
//
// Whether it is live nobody sees in a request: a LiveVideo finds it out. Where it is complete the playlist is the one
// that Router.Request makes, and there are no segments.

/// What a request asks for beside a live stream.
public struct LiveRequest: Equatable, Sendable {
    /// The index of the track, from 0.
    public let track: Int

    /// What is asked for of it.
    public let kind: LiveAsk.Kind

    package init(track: Int, kind: LiveAsk.Kind) { (self.track, self.kind) = (track, kind) }
}

/// A whole file of a live track.
public struct LiveFile: Equatable, Sendable {
    /// The job that brings it as WebVTT.
    public let job: FetchJob

    /// The path of the local file; nil if it is at an origin.
    public let path: String?

    /// What becomes of its cues' identifiers: each cue has one that no other has.
    public let naming: CueIndex.Naming
}

/// A request that brings a track's cues while the stream goes on.
public struct CuesRequest: Equatable, Sendable {
    /// The index of the track, from 0.
    public let track: Int

    /// What the bytes are, by `format` in the query, or by Content-Type; nil if neither says.
    public let format: GrowingConfiguration.Format?
}

extension Router {
    /// Which track's cues `request` brings; nil if its address is not one to which cues are sent.
    ///
    /// The track is one with `cues=http`. The address is `cues/NAME` below the base: one by a scheme nobody can send
    /// to.
    public func cuesRequest(_ request: RouteRequest) -> CuesRequest? {
        guard let prefix = addresses.cuesPrefix, RouteAddresses.begins(request.url, with: prefix[...]) else {
            return nil
        }
        let rest = request.url[prefix.count...]
        let name = rest.prefix { $0 != ASCII.questionMark && $0 != ASCII.hash }
        guard let track = liveTrack(name), tracks[track].configuration.takesCuesByHTTP else { return nil }
        var format: GrowingConfiguration.Format?
        Array(rest[name.endIndex...].prefix { $0 != ASCII.hash }.dropFirst()).withView { query in
            query.forEachQueryField { if $0 == "format" { format = format ?? GrowingConfiguration.Format(suffix: $1) } }
        }
        let type = request.headers.first { $0.name.withView { $0.equalsIgnoringCase("content-type") } }
        return CuesRequest(
            track: track,
            format: format ?? type.flatMap { $0.value.withView { GrowingConfiguration.Format(mediaType: $0) } })
    }

    /// Where the cues of a track are sent to; nil if they do not come by HTTP, or addresses are by schemes.
    public func cuesAddress(of track: Int) -> [UInt8]? {
        guard tracks[track].configuration.takesCuesByHTTP else { return nil }
        return addresses.cuesPrefix.map { $0 + tracks[track].name }
    }

    /// What `request` asks for if the video is live; nil if that does not matter for it, or for its track.
    ///
    /// - Complexity: O(*n*) in the bytes of the URL, and in the number of tracks.
    public func liveRequest(_ request: RouteRequest) -> LiveRequest? {
        let prefixes = [addresses.trackPrefix] + (served.map { [$0.trackPrefix] } ?? [])
        guard let prefix = prefixes.first(where: { RouteAddresses.begins(request.url, with: $0[...]) }) else {
            return nil
        }
        let rest = request.url[prefix.count...]
        let path = rest.prefix { $0 != ASCII.questionMark && $0 != ASCII.hash }
        if let slash = path.firstIndex(of: ASCII.slash) {
            guard let track = liveTrack(path[..<slash]) else { return nil }
            return LiveRequest(track: track, kind: .segment(Array(path[(slash + 1)...])))
        }
        guard let dot = path.lastIndex(of: ASCII.period), Array(path[(dot + 1)...]) == Array(ByteView("m3u8")),
            let track = liveTrack(path[..<dot])
        else { return nil }
        let query = Array(rest[path.endIndex...].prefix { $0 != ASCII.hash }.dropFirst())
        return LiveRequest(track: track, kind: .playlist(query.withView { LiveDirectives(query: $0) }))
    }

    /// The track called `name` that follows live streams.
    private func liveTrack(_ name: ArraySlice<UInt8>) -> Int? {
        let name = name.map(ASCII.lowercased)
        return tracks.firstIndex { $0.name == name && $0.followsLiveStreams }
    }

    /// The playlists of all tracks that follow live streams, each a URI for playlists of the same origin: a path.
    ///
    /// There are none where addresses are by schemes.
    public var liveRenditions: [[UInt8]] {
        let prefix = addresses.trackPrefix
        guard let place = HTTPPlace(of: prefix) else { return [] }
        return tracks.filter { $0.followsLiveStreams }
            .map { prefix[place.authority.upperBound...] + $0.name + Array(ByteView(".m3u8")) }
    }

    /// The names of a track's segments, relative to its playlist.
    public func liveNames(of track: Int) -> LiveNames { LiveNames(prefix: tracks[track].name + [ASCII.slash]) }

    /// What the addresses of a track's segments begin with, where files are served.
    package func liveAddress(of track: Int) -> [UInt8] {
        (served ?? addresses).trackPrefix + tracks[track].name + [ASCII.slash]
    }

    /// How the channel of a track counts: tracks with an equal configuration share one.
    ///
    /// Without `at` cues that come while the stream goes on count from its first version, and a whole file from segment
    /// 0 where the stream began there.
    ///
    /// - Parameters:
    ///   - track: Its index.
    ///   - edits: What becomes of the video's own playlists, with which the rendition agrees.
    public func liveConfiguration(
        of track: Int, with edits: VideoPlaylistEdits = VideoPlaylistEdits()
    ) -> LiveConfiguration {
        let anchor: LiveAnchor =
            switch tracks[track].configuration.anchor {
            case .date(let date): .date(date)
            case .segment(let number): .segment(number)
            case .media: .media
            case nil: tracks[track].configuration.cues == nil ? .automatic : .firstVersion
            }
        return LiveConfiguration(
            anchor: anchor, map: policies.map, lowLatency: edits.lowLatency, heldBack: edits.heldBack)
    }

    /// The whole files of a track, which count in the cue time of the first; none if its cues come while the stream
    /// goes on.
    public func liveFiles(of track: Int) -> [LiveFile] {
        let routed = tracks[track]
        guard routed.configuration.cues == nil else { return [] }
        let first = LiveFile(
            job: .content(routed.fetched, map: .own), path: routed.configuration.file, naming: .ifNone(routed.name))
        guard case .date(let begin) = routed.configuration.anchor else { return [first] }
        let others = routed.configuration.followingFiles.enumerated().map { index, file in
            var configuration = routed.configuration
            configuration.file = file.path
            configuration.shift += (file.date - begin) / 1_000_000
            let fetched = FetchTrack(configuration, at: FetchTrack.localURL, format: configuration.fileFormat)
            let name = routed.name + [ASCII.hyphen] + Array(DecimalDigits(UInt64(index + 2)))
            return LiveFile(job: .content(fetched, map: .own), path: file.path, naming: .always(name))
        }
        return [first] + others
    }

    /// How the cues of a track are read that come while the stream goes on.
    ///
    /// If the track has no `at`, they show when they come.
    ///
    /// - Parameters:
    ///   - track: Its index.
    ///   - format: What the cues are written in.
    ///   - firstNumber: The number of the first cue, above those that players may know.
    public func growingConfiguration(
        of track: Int, _ format: GrowingConfiguration.Format, firstNumber: UInt64 = 1
    ) -> GrowingConfiguration {
        GrowingConfiguration(
            name: tracks[track].name, firstNumber: firstNumber, format: format,
            latency: tracks[track].configuration.anchor == nil ? 0 : nil)
    }
}
