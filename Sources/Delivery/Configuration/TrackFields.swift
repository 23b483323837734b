internal import ByteScan
internal import M3U8
internal import Sideload

/// The keys of a track that have been read, and where the value of each begins.
struct TrackFields {
    /// What is wrong with a track, and with the value of which key; nil if it is not a matter of one.
    struct Fault: Error {
        let kind: ConfigurationError.Reason.Kind
        let key: TrackKey?
        let position: Int
    }

    /// Where the track's object begins.
    let start: Int
    var places: [(key: TrackKey, position: Int)] = []

    var uri: [UInt8]?
    var language: [UInt8]?
    var name: [UInt8]?
    var isDefault = false
    var isForced = false
    var isSDH: Bool?
    var isAutoselected = true
    var file: [UInt8]?
    var duration: DecimalSeconds?
    var group: [UInt8]?
    var stableID: [UInt8]?
    var associatedLanguage: [UInt8]?
    var kind: TrackConfiguration.Kind?
    var source: TrackConfiguration.Source?
    /// What the media type says that the URI refers to.
    var mediaType: TrackConfiguration.Source?

    init(start: Int) { self.start = start }

    /// The track that all keys together describe.
    func track() throws(Fault) -> TrackConfiguration {
        guard let uri else { throw fault(.missing("uri"), nil) }
        let end = TrackURI(uri)
        if isSDH == false, kind == .captions {
            throw fault(.contradiction("captions means sdh, and \"sdh\": false the contrary"), .kind)
        }
        let source = if let source = source ?? mediaType { source } else { try self.source(of: end) }
        try checkFile(source)
        let name = name ?? language ?? end.name ?? Array("subtitles".utf8)
        let track = SubtitleTrack(
            uri: Self.string(uri), language: language.map(Self.string), name: Self.string(name), isDefault: isDefault,
            isAutoselected: isAutoselected, isForced: isForced, isSDH: isSDH ?? (kind == .captions),
            associatedLanguage: associatedLanguage.map(Self.string), stableRenditionID: stableID.map(Self.string),
            groupID: group.map(Self.string))
        var configuration = TrackConfiguration(track, source: source)
        configuration.kind = kind ?? .subtitles
        configuration.duration = duration
        configuration.file = file
        return configuration
    }

    /// The fault that `error` is, which a list of tracks with this one was refused for.
    func fault(_ error: SubtitleTrackError) -> Fault {
        let kind = ConfigurationError.Reason.Kind.track(error.reason, error.field)
        switch error.field {
        case .uri: return fault(kind, .uri)
        // A track without a name is called by its language, or by its file.
        case .name: return fault(kind, name != nil ? .label : language != nil ? .language : .uri)
        case .language: return fault(kind, .language)
        case .associatedLanguage: return fault(kind, .associatedLanguage)
        case .stableRenditionID: return fault(kind, .stableID)
        case .groupID: return fault(kind, .group)
        default: return fault(kind, nil)
        }
    }

    /// A fault of the value of `key`, or of the track.
    private func fault(_ kind: ConfigurationError.Reason.Kind, _ key: TrackKey?) -> Fault {
        var position = start
        for place in places where place.key == key { position = place.position }
        return Fault(kind: kind, key: key, position: position)
    }

    private func source(of uri: TrackURI) throws(Fault) -> TrackConfiguration.Source {
        if let source = uri.source { return source }
        throw fault(
            .contradiction("the uri ends in none of .vtt, .srt and .m3u8; add \"type\": \"vtt\", \"srt\" or \"m3u8\""),
            .uri)
    }

    private func checkFile(_ source: TrackConfiguration.Source) throws(Fault) {
        guard let file else { return }
        if source == .playlist {
            throw fault(.contradiction("file is for a .vtt uri, and this one is a playlist"), .file)
        }
        if file.isEmpty || file.contains(0) || file == [ASCII.hyphen] {
            throw fault(.expected("the path of a file; it cannot be standard input"), .file)
        }
    }

    private static func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension TrackConfiguration {
    /// The track as it is checked: a subtitle file's URI is written like no such, because its playlist has another.
    var checked: SubtitleTrack {
        guard source != .playlist else { return track }
        var checked = track
        let bytes = Array(track.uri.utf8)
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == ASCII.hash } ?? bytes.count
        // No other URI looks so: a space is in none.
        checked.uri = String(decoding: bytes[..<end] + [ASCII.space] + bytes[end...], as: UTF8.self)
        return checked
    }
}
