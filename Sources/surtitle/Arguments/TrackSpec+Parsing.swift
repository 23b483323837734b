internal import M3U8
internal import Sideload

extension TrackSpec {
    /// Parses a SPEC, `number` being its number among those on the command line, from 1.
    init(_ text: String, number: Int) throws(Failure) {
        var fields = Fields(number: number)
        for (index, item) in Self.items(of: text).enumerated() {
            if index == 0, item.cut(at: "=") == nil, let path = SubtitlePath(item) {
                fields.note(path)
            } else {
                try fields.parse(item)
            }
        }
        self = try fields.finished()
    }

    /// Cuts `text` at its commas. A comma after a backslash is an ordinary character, and that backslash is left out.
    static func items(of text: String) -> [String] {
        var items = [""]
        var rest = text.unicodeScalars[...]
        while var scalar = rest.popFirst() {
            if scalar == "," {
                items.append("")
                continue
            }
            if scalar == "\\", rest.first == "," { scalar = rest.removeFirst() }
            items[items.count - 1].unicodeScalars.append(scalar)
        }
        return items
    }
}

/// The keys of a SPEC that have been read.
private struct Fields {
    let number: Int
    var spec = TrackSpec()
    /// What `type=` says, which is known only when all keys have been read.
    var type: TrackSpec.Target?
    var seen: [String] = []
    /// The path with which the SPEC begins.
    var path: SubtitlePath?
    /// What `sdh=` and `kind=` say.
    var isSDH: Bool?
    var kind: SubtitleTrack.Kind?

    func wrong(_ what: String) -> Failure { .usage("track \(number): \(what)") }

    /// Notes a path. Keys that follow it tell better than the file's name does.
    mutating func note(_ path: SubtitlePath) {
        self.path = path
        spec.language = path.language
        spec.isForced = path.isForced
        if let file = path.file {
            spec.file = file
            seen.append("file")
        }
    }

    /// Parses one `key=value`, or a flag.
    mutating func parse(_ item: String) throws(Failure) {
        let parts = item.cut(at: "=")
        let key = parts?.before ?? item
        let value = parts?.after
        if key.isEmpty { throw wrong("nothing stands between two commas, or before =; write key=value") }
        if seen.contains(key) { throw wrong("\(key) is there twice") }
        seen.append(key)
        switch key {
        case "default": spec.isDefault = try flag(key, value)
        case "forced": spec.isForced = try flag(key, value)
        case "sdh": isSDH = try flag(key, value)
        default:
            guard let value, !value.isEmpty else {
                throw wrong(Self.keys.contains(key) ? "\(key) needs a value" : unknown(key))
            }
            try set(key, to: value)
        }
    }

    /// Whether a flag is set: it is if it has no value.
    private func flag(_ key: String, _ value: String?) throws(Failure) -> Bool {
        guard let value else { return true }
        return try choose(key, value, ["yes": true, "no": false])
    }

    private mutating func set(_ key: String, to value: String) throws(Failure) {
        switch key {
        case "uri": spec.uri = value
        case "language": spec.language = value
        case "assoc-language": spec.associatedLanguage = value
        case "name": spec.name = value
        case "file": spec.file = value
        case "group": spec.group = value
        case "stable-id": spec.stableID = value
        case "duration": spec.duration = try MediaDuration(option: "track \(number): duration", value)
        case "autoselect": spec.isAutoselected = try choose(key, value, ["yes": true, "no": false])
        case "kind": kind = try choose(key, value, ["captions": .captions, "subtitles": .subtitles])
        case "type": type = try choose(key, value, ["vtt": .webVTT, "m3u8": .playlist])
        default: throw wrong(unknown(key))
        }
    }

    private static let keys = [
        "uri", "language", "assoc-language", "name", "file", "group", "stable-id", "duration", "autoselect", "kind",
        "type",
    ]
    private static let flags = ["default", "forced", "sdh"]

    private func unknown(_ key: String) -> String {
        "unknown key \(key)\(Suggestion.hint(for: key, among: Self.keys + Self.flags)) see the help for the keys, and put a backslash before a comma that belongs to a value; a path "
            + "comes first and ends in .srt, .vtt or .m3u8"
    }

    private func choose<Value>(_ key: String, _ value: String, _ choices: [String: Value]) throws(Failure) -> Value {
        guard let choice = choices[value] else {
            let words = choices.keys.sorted(by: >).joined(separator: " or ")
            throw wrong("\(key) is \(value.isEmpty ? "empty" : value); use \(words)")
        }
        return choice
    }

    /// The track that all keys together describe.
    consuming func finished() throws(Failure) -> TrackSpec {
        if spec.uri.isEmpty, let path { spec.uri = path.uri }
        guard !spec.uri.isEmpty else { throw wrong("uri is missing") }
        if isSDH == false, kind == .captions { throw wrong("kind=captions means sdh, and sdh=no the contrary") }
        spec.isSDH = isSDH ?? kind.map { $0 == .captions || path?.isSDH == true } ?? path?.isSDH ?? false
        let last = URIPath(spec.uri).lastComponent
        if let type { spec.target = type } else { spec.target = try target(of: last) }
        try checkFile()
        if spec.name.isEmpty {
            spec.name = languageName ?? path?.stem ?? last.withoutExtension.decoded ?? "subtitles"
        }
        return spec
    }

    /// The track's language: with a path what it is called in itself, if that is known, and its tag as it was given otherwise.
    private var languageName: String? {
        guard let language = spec.language, path != nil else { return spec.language }
        return (try? LanguageTag(language)).flatMap { LanguageNames.name(of: $0.description) } ?? language
    }

    private func target(of component: URIPath.Component) throws(Failure) -> TrackSpec.Target {
        switch component.pathExtension {
        case "vtt", "webvtt": return .webVTT
        case "m3u8", "m3u": return .playlist
        case "srt":
            throw wrong(
                "\(spec.uri) is SubRip, which players do not take; give a uri that ends in .vtt, and the file as file=")
        default: throw wrong("\(spec.uri) ends in neither .vtt nor .m3u8; add type=vtt or type=m3u8")
        }
    }

    private func checkFile() throws(Failure) {
        guard let file = spec.file else { return }
        if spec.target == .playlist { throw wrong("file is for a .vtt URI; \(spec.uri) is a playlist") }
        if file == "-" { throw wrong("file cannot be standard input; name a file") }
    }
}
