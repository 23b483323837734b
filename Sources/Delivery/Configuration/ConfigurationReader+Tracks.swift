internal import M3U8
internal import Sideload

extension ConfigurationReader {
    /// The tracks, which are checked as ``SubtitleTracks`` checks them.
    mutating func tracks() throws(ConfigurationError) -> [TrackConfiguration] {
        var tracks: [TrackConfiguration] = []
        var fields: [TrackFields] = []
        try enterArray(next())
        let base = path.count
        while let event = try element() {
            let index = fields.count
            guard index < Configuration.mostTracks else { throw failure(.contradiction("there are too many tracks")) }
            fields.append(TrackFields(start: position))
            try enterObject(event)
            while let key = try key(TrackKey.self) { try read(key, &fields[index]) }
            do {
                tracks.append(try fields[index].track())
            } catch {
                throw failure(error, base, index)
            }
        }
        if tracks.isEmpty { return [] }
        do {
            _ = try SubtitleTracks(tracks.map { $0.checked })
        } catch {
            let index = error.track ?? 0
            throw failure(fields[index].fault(error), base, index)
        }
        return tracks
    }

    /// An error of the track number `index` of the array whose path has `base` bytes.
    private mutating func failure(_ fault: TrackFields.Fault, _ base: Int, _ index: Int) -> ConfigurationError {
        path.removeLast(path.count - base)
        append(index: index)
        if let key = fault.key { append(key) }
        return failure(fault.kind, at: fault.position)
    }

    private mutating func read(_ key: TrackKey, _ fields: inout TrackFields) throws(ConfigurationError) {
        switch key {
        case .uri: fields.uri = try text(next())
        case .language: fields.language = try text(next())
        case .label: fields.name = try text(next())
        case .isDefault: fields.isDefault = try truth()
        case .forced: fields.isForced = try truth()
        case .sdh: fields.isSDH = try truth()
        case .autoselect: fields.isAutoselected = try truth()
        case .file: fields.file = try text(next())
        case .duration: fields.duration = try time()
        case .group: fields.group = try text(next())
        case .stableID: fields.stableID = try text(next())
        case .associatedLanguage: fields.associatedLanguage = try text(next())
        case .kind: fields.kind = try word(orExpect: "\"subtitles\" or \"captions\"")
        case .type: fields.source = try word(orExpect: "\"vtt\", \"srt\" or \"m3u8\"")
        case .mimeType:
            fields.mediaType = TrackConfiguration.Source(mediaType: try text(next()))
            guard fields.mediaType != nil else {
                throw failure(
                    .expected("a type of subtitles: text/vtt, application/x-subrip, application/vnd.apple.mpegurl"))
            }
        }
        fields.places.append((key, position))
    }
}
