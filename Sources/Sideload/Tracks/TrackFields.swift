package import ByteScan
import M3U8
package import WebVTT

/// The keys of a track that have been read, in any order, and what they come to.
package struct TrackFields {
    var configuration: TrackConfiguration
    /// What `mime-type` says.
    var mediaType: String?
    /// The names of the keys that have been read.
    private var seen: [StaticString] = []

    /// No key has been read.
    package init() { self.init(TrackConfiguration(SubtitleTrack(uri: "", name: ""), format: .playlist)) }

    /// The keys that would describe `configuration`.
    init(_ configuration: TrackConfiguration) { self.configuration = configuration }

    /// What the URI's end tells.
    var end: TrackFileName { TrackFileName(uri: Array(utf8: configuration.track.uri)) }

    /// Whether the key called `name` has been read.
    package func has(_ name: StaticString) -> Bool { seen.contains { ByteView($0) == name } }

    /// Reads the key called `name`, whose `value` is a text; without one it is a flag that is set.
    package mutating func read(_ name: ByteView, _ value: [UInt8]?) throws(TrackKeyError) {
        guard !name.isEmpty else { throw TrackKeyError(.noName) }
        guard let key = TrackKey(name) else { throw TrackKeyError(.unknown, name) }
        if has(key.name) { throw TrackKeyError(.repeated, name) }
        let value = value ?? (key.isFlag ? Array(ByteView("yes")) : [])
        if value.isEmpty { throw TrackKeyError(.noValue, name) }
        try value.withView { (value) throws(TrackKeyError) in try read(key, value) }
    }

    /// Reads `key`, whose value is `text`.
    package mutating func read(_ key: TrackKey, text: String) throws(TrackKeyError) {
        try Array(utf8: text).withView { (text) throws(TrackKeyError) in try read(key, text) }
    }

    /// Reads `key`, whose `value` is a text.
    package mutating func read(_ key: TrackKey, _ value: ByteView) throws(TrackKeyError) {
        switch key.form {
        case .text(_, let field): _ = field(&self, String(utf8: value))
        case .flag(_, let field): _ = field(&self, try number(of: value, key) == 0)
        case .word(_, let field): _ = field(&self, try number(of: value, key))
        case .shift(let field):
            guard let shift = ShiftSpelling.milliseconds(value) else {
                throw Self.refusal(.shift, of: value, key)
            }
            _ = field(&self, shift)
        case .anchor(let field):
            guard let anchor = TrackAnchor(value) else {
                throw Self.refusal(.anchor, of: value, key)
            }
            _ = field(&self, anchor)
        case .time(let field):
            guard let time = DecimalSeconds(clock: value), time > .zero else {
                throw Self.refusal(.time, of: value, key)
            }
            _ = field(&self, time)
        }
        seen.append(key.name)
    }

    private func number(of value: ByteView, _ key: TrackKey) throws(TrackKeyError) -> Int {
        guard let number = key.words.firstIndex(where: { value == $0 }) else {
            throw Self.refusal(.word, of: value, key)
        }
        return number
    }

    private static func refusal(
        _ reason: TrackKeyError.Reason, of value: ByteView, _ key: TrackKey
    ) -> TrackKeyError { TrackKeyError(reason, ByteView(key.name), Array(value)) }

    /// Takes the local file with which a SPEC begins: `uri` tells better than its `name` what it becomes.
    mutating func take(_ file: [UInt8], called name: TrackFileName) {
        configuration.file = String(utf8: file)
        configuration.track.uri = String(utf8: name.encodedStem + Array(ByteView(".vtt")))
        seen.append("file")
    }

    /// Reads `key` if it is a flag.
    package mutating func read(_ key: TrackKey, _ isSet: Bool) {
        guard case .flag(_, let field) = key.form else { return }
        _ = field(&self, isSet)
        seen.append(key.name)
    }

    /// The track that all keys together describe.
    ///
    /// - Parameter format: What the URI refers to if nothing tells; nil if something must.
    package func finished(otherwise format: SubtitleFormat? = nil) throws(TrackKeyError) -> TrackConfiguration {
        var configuration = configuration
        if !has("uri"), configuration.track.uri.isEmpty { configuration.track.uri = try String(utf8: derivedURI) }
        let isCaptions = configuration.track.kind == .captions
        if !has("sdh") {
            if isCaptions { configuration.track.isSDH = true }
        } else if isCaptions, !configuration.track.isSDH {
            throw TrackKeyError(.captions, ByteView("kind"))
        }
        if !has("type") { configuration.format = try self.format(of: configuration, otherwise: format) }
        try checkFile(configuration)
        if !has("name") { configuration.track.name = String(utf8: derivedName(configuration)) }
        return configuration
    }

    /// What the track of `configuration` is called if nothing says so: by its language, or else by what the name of its
    /// file tells, that of the local one if there is any. So the same track has the same name however it is written.
    private func derivedName(_ configuration: TrackConfiguration) -> [UInt8] {
        let track = configuration.track
        let file = (configuration.file ?? configuration.cuesFile).map { TrackFileName(path: Array(utf8: $0)) }
        if let language = track.language {
            return LanguageNames.name(of: Array(utf8: language), isForced: track.isForced, isSDH: track.isSDH)
        }
        let words = (file ?? end).words
        if let language = words.language {
            return LanguageNames.name(
                of: language, isForced: has("forced") ? track.isForced : track.isForced || words.isForced,
                isSDH: has("sdh") ? track.isSDH : track.isSDH || words.isSDH)
        }
        return file?.stem ?? end.decodedStem ?? Array(ByteView("subtitles"))
    }

    /// The URI of a track of which only a local file is told, or where its cues come from.
    private var derivedURI: [UInt8] {
        get throws(TrackKeyError) {
            if let file = configuration.file ?? configuration.cuesFile {
                let name = TrackFileName(path: Array(utf8: file))
                if !name.stem.isEmpty { return name.encodedStem + Array(ByteView(".vtt")) }
            }
            guard configuration.cues != nil else { throw TrackKeyError(.noURI, ByteView("uri")) }
            let name =
                (configuration.track.language.map { Array(utf8: $0) } ?? Array(ByteView("cues"))) + ByteView(".vtt")
            return TrackFileName(path: name).encodedStem + Array(ByteView(".vtt"))
        }
    }

    private func format(of configuration: TrackConfiguration, otherwise format: SubtitleFormat?) throws(TrackKeyError)
        -> SubtitleFormat
    {
        if let mediaType {
            if let format = Array(utf8: mediaType).withView({ SubtitleFormat(mediaType: $0) }) { return format }
            throw TrackKeyError(.mediaType, ByteView("mime-type"), Array(utf8: mediaType))
        }
        if let format = SubtitleFormat(endOf: configuration.track.uri) ?? format { return format }
        throw TrackKeyError(.format, ByteView("uri"))
    }

    private func checkFile(_ configuration: TrackConfiguration) throws(TrackKeyError) {
        if configuration.format == .playlist {
            for key in ["file", "encoding", "shift", "at", "then", "cues"] as [StaticString] where has(key) {
                throw TrackKeyError(.fileOfPlaylist, ByteView(key))
            }
        }
        if has("cues") {
            for key in ["file", "encoding", "duration", "then"] as [StaticString] where has(key) {
                throw TrackKeyError(.cues, ByteView(key))
            }
            if !configuration.followsLiveStreams { throw TrackKeyError(.cues, ByteView("live")) }
        }
        if let then = configuration.then {
            guard case .date = configuration.anchor, FollowingFile.list(then) != nil else {
                throw TrackKeyError(.following, ByteView("then"), Array(utf8: then))
            }
        }
        guard let file = (configuration.file ?? configuration.cuesFile).map({ Array(utf8: $0) }) else { return }
        if file.isEmpty || file.contains(0) || file == [ASCII.hyphen] {
            throw TrackKeyError(.file, ByteView(has("cues") ? "cues" : "file"), file)
        }
    }

    /// The key whose value `error` is about, which a list of tracks with this one was refused for; nil if it is not a
    /// matter of one.
    package func key(of error: SubtitleTrackError) -> StaticString? {
        // A track without a name is called by its language, or by its file.
        guard error.field == .name, !has("name") else { return error.field?.key }
        return has("language") ? "language" : has("file") ? "file" : "uri"
    }
}

extension SubtitleTrackError.Field {
    /// The name of the key that gives the field its value.
    package var key: StaticString {
        switch self {
        case .uri: "uri"
        case .name: "name"
        case .language: "language"
        case .associatedLanguage: "assoc-language"
        case .stableRenditionID: "stable-id"
        default: "group"
        }
    }
}
