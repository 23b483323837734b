internal import ByteScan
public import M3U8
public import Sideload

extension Router {
    /// The entry as the player gets it, of what the origin has sent for it: with its URIs mapped and the tracks in it.
    ///
    /// Whether it is a multivariant playlist its content says, not its name. A media playlist comes back with its URIs
    /// mapped and without tracks; ``EditedPlaylist/verdict`` tells. One that has been wrapped into a multivariant
    /// playlist can be given to this again.
    ///
    /// It came from `url`, after redirects, to which its URIs are relative. The tracks with the indices `missing` are
    /// left out.
    ///
    /// - Throws: ``RouteError`` if it is no playlist, or if a limit is exceeded whose policy says so.
    public func master(
        _ bytes: [UInt8], from url: [UInt8], leavingOut missing: [Int] = []
    ) throws(RouteError) -> EditedPlaylist {
        let mapping = try mapping(from: url)
        let kept = tracks.indices.filter { !missing.contains($0) }.map { tracks[$0] }
        let chosen = kept.count == tracks.count ? allTracks : try Self.sideloaded(kept, replacesDefault)
        return try edited(bytes, mapping, chosen)
    }

    /// A media playlist as the player gets it: with its URIs mapped.
    ///
    /// It came from `url`, after redirects, to which its URIs are relative.
    ///
    /// - Throws: ``RouteError`` if it is no playlist, or if a limit is exceeded whose policy says so.
    public func mediaPlaylist(_ bytes: [UInt8], from url: [UInt8]) throws(RouteError) -> EditedPlaylist {
        try edited(bytes, mapping(from: url))
    }

    /// The subtitle playlist of a track that somebody else made, as the player gets it: its WebVTT files have addresses
    /// of ours.
    ///
    /// It came from `url`, after redirects, to which its URIs are relative.
    ///
    /// - Throws: ``RouteError`` if it is no playlist, or if a limit is exceeded whose policy says so.
    public func givenPlaylist(_ bytes: [UInt8], from url: [UInt8]) throws(RouteError) -> EditedPlaylist {
        var mapping = try mapping(from: url)
        mapping.setEdits((served ?? addresses).edits(of: .cues), of: .media)
        mapping.setEdits(nil, of: .map)
        return try edited(bytes, mapping)
    }

    /// The subtitle playlist that is made for the track number `index`, whose content plays for `duration`, as
    /// `options` or else the configuration's have it.
    ///
    /// - Throws: ``RouteError`` if there is no such track, or its playlist is somebody else's, or `SubtitlePlaylist`
    ///   refuses.
    public func subtitlePlaylist(
        of index: Int, lasting duration: MediaDuration, options: SubtitlePlaylist.Options? = nil
    ) throws(RouteError) -> Resource {
        try subtitlePlaylist(of: index, lasting: duration, options: options, mayBeMissing: false)
    }

    /// The same; if the file may be missing, it is at an address of ours, where something takes its place.
    func subtitlePlaylist(
        of index: Int, lasting duration: MediaDuration, options: SubtitlePlaylist.Options? = nil, mayBeMissing: Bool
    ) throws(RouteError) -> Resource {
        guard tracks.indices.contains(index),
            let file = mayBeMissing ? tracks[index].address : tracks[index].file
        else { throw RouteError(.noSuchTrack, track: index) }
        return try made(file, duration, options ?? playlistOptions, index)
    }

    private func made(
        _ file: [UInt8], _ duration: MediaDuration, _ options: SubtitlePlaylist.Options, _ index: Int
    ) throws(RouteError) -> Resource {
        let playlist = try refusing(try SubtitlePlaylist(uri: file, duration: duration, options: options)) {
            RouteError(.playlist($0), track: index)
        }
        return Resource(playlist.bytes, .playlist)
    }

    /// What takes the place of the missing subtitle playlist of the track number `index`, whose content plays for
    /// `duration`: one with a WebVTT file without cues. Nil if the policy is that the request fails.
    ///
    /// - Throws: ``RouteError`` if there is no such track, or ``SubtitlePlaylist`` refuses.
    package func missingPlaylist(of index: Int, lasting duration: MediaDuration) throws(RouteError) -> Resource? {
        guard policies.missingTrack != .fail else { return nil }
        guard tracks.indices.contains(index) else { throw RouteError(.noSuchTrack, track: index) }
        let file = (served ?? addresses).trackPrefix + tracks[index].name + Array(ByteView(".vtt"))
        return try made(file, duration, playlistOptions, index)
    }

    // MARK: Mapping

    /// What is done to the URIs of a playlist that came from `url`.
    private func mapping(from url: [UInt8]) throws(RouteError) -> URIMapping {
        guard HTTPPlace(of: url) != nil, var mapping = try? URIMapping(base: url.escapedForURI)
        else { throw RouteError(.address, name: url) }
        let variants = policies.variantsInEffect != .absolute
        mapping.setEdits(variants ? addresses.edits(of: .variant) : nil, of: .variant)
        mapping.setEdits(variants ? addresses.edits(of: .rendition) : nil, of: .rendition)
        let segments = policies.segments == .redirect ? addresses.edits(of: .segment) : nil
        mapping.setEdits(segments, of: .media)
        mapping.setEdits(segments, of: .map)
        mapping.setEdits(policies.keys == .player ? nil : addresses.edits(of: .key), of: .key)
        return mapping
    }

    /// The playlist with its URIs mapped and, unless it is a media playlist, `tracks` in it.
    private func edited(
        _ bytes: [UInt8], _ mapping: URIMapping, _ tracks: SubtitleTracks? = nil
    ) throws(RouteError) -> EditedPlaylist {
        var pipeline = PlaylistPipeline(
            PlaylistRecipe(edits, mapping: mapping, tracks: tracks), limits: PipelineLimits(limits))
        var pieces = OutputPieces(mergingThreshold: .max)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        // Whether a limit is an error depends on what the playlist is, which may show after it.
        unsafe bytes.withUnsafeBufferPointer {
            try? unsafe pipeline.write(UnsafeRawBufferPointer($0), into: &pieces)
        }
        for case .own(let piece) in pieces { unsafe output.append(contentsOf: piece) }
        pipeline.finish(into: &pieces)
        for case .own(let piece) in pieces { unsafe output.append(contentsOf: piece) }
        let mapped = pipeline.editingReport
        let report = mapped.verdict == .media ? mapped : pipeline.report
        if limits.lines.policy == .fail, let error = report.exceededLimit { throw RouteError(.limit(error)) }
        guard mapped.verdict != .notPlaylist else { throw RouteError(.notPlaylist(.notPlaylist)) }
        return EditedPlaylist(
            resource: Resource(output, .playlist), verdict: report.verdict, addedBytes: report.addedBytes,
            uneditableLines: report.uneditableVariants, unresolvedURIs: report.unresolvedURIs,
            exceededLimit: report.exceededLimit)
    }
}

/// A playlist as a player gets it, and what there is to know of it.
public struct EditedPlaylist: Equatable, Sendable {
    /// The playlist.
    public let resource: Resource

    /// What it is. Of the entry: a media playlist has got no tracks, and can be wrapped into a multivariant one.
    public let verdict: PlaylistVerdict

    /// How many bytes of tags were added at its end; 0 for a media playlist.
    public let addedBytes: Int

    /// The number of variants that could not be given a group, or whose group could not be read.
    public let uneditableLines: Int

    /// The number of URIs that were left alone because they refer to a variable without a value.
    public let unresolvedURIs: Int

    /// The limit that was exceeded, if any; editing ended there.
    public let exceededLimit: LimitError?
}

extension EditedPlaylist {
    /// A resource that is no playlist, or one that is made here: there is nothing to know of it.
    package init(_ resource: Resource) {
        self.init(
            resource: resource, verdict: .undecided, addedBytes: 0, uneditableLines: 0, unresolvedURIs: 0,
            exceededLimit: nil)
    }
}
