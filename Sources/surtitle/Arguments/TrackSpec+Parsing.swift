internal import M3U8
internal import Sideload

extension TrackSpec {
    /// Parses a SPEC, `number` being its number among those on the command line, from 1.
    init(_ text: String, number: Int) throws(Failure) {
        var fields = Fields(number: number)
        for item in Self.items(of: text) { try fields.parse(item) }
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

    func wrong(_ what: String) -> Failure { .usage("track \(number): \(what)") }

    /// Parses one `key=value`, or a flag.
    mutating func parse(_ item: String) throws(Failure) {
        let parts = item.cut(at: "=")
        let key = parts?.before ?? item
        let value = parts?.after
        if key.isEmpty { throw wrong("nothing stands between two commas, or before =; write key=value") }
        if seen.contains(key) { throw wrong("\(key) is there twice") }
        seen.append(key)
        switch key {
        case "default", "forced", "sdh":
            guard value == nil else { throw wrong("\(key) is a flag and takes no value; leave it out to unset it") }
            set(flag: key)
        default:
            guard let value, !value.isEmpty else {
                throw wrong(Self.isKey(key) ? "\(key) needs a value" : unknown(key))
            }
            try set(key, to: value)
        }
    }

    private mutating func set(flag: String) {
        switch flag {
        case "default": spec.isDefault = true
        case "forced": spec.isForced = true
        default: spec.isSDH = true
        }
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
        case "kind": spec.isSDH = try choose(key, value, ["captions": true, "subtitles": false]) || spec.isSDH
        case "type": type = try choose(key, value, ["vtt": .webVTT, "m3u8": .playlist])
        default: throw wrong(unknown(key))
        }
    }

    private static func isKey(_ key: String) -> Bool {
        [
            "uri", "language", "assoc-language", "name", "file", "group", "stable-id", "duration", "autoselect", "kind",
            "type",
        ].contains(key)
    }

    private func unknown(_ key: String) -> String {
        "unknown key \(key); see the help for the keys, and put a backslash before a comma that belongs to a value"
    }

    private func choose<Value>(_ key: String, _ value: String, _ choices: [String: Value]) throws(Failure) -> Value {
        guard let choice = choices[value] else {
            throw wrong("\(key) is \(value); use \(choices.keys.sorted(by: >).joined(separator: " or "))")
        }
        return choice
    }

    /// The track that all keys together describe.
    consuming func finished() throws(Failure) -> TrackSpec {
        guard !spec.uri.isEmpty else { throw wrong("uri is missing") }
        let last = URIPath(spec.uri).lastComponent
        if let type { spec.target = type } else { spec.target = try target(of: last) }
        try checkFile()
        if spec.name.isEmpty { spec.name = spec.language ?? last.withoutExtension.decoded ?? "subtitles" }
        return spec
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
