internal import M3U8
internal import Sideload

/// The keys of a SPEC that have been read.
struct TrackFields {
    let number: Int
    var spec = TrackSpec()
    /// What `type=` says, which is known only when all keys have been read.
    var type: TrackSpec.Target?
    var seen: [String] = []
    /// The path with which the SPEC begins.
    var path: SubtitlePath?
    /// What `sdh=` and `kind=` say.
    var isSDH: Bool?
    var isCaptions: Bool?

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
        let name = parts?.before ?? item
        let value = parts?.after
        if name.isEmpty { throw wrong("nothing stands between two commas, or before =; write key=value") }
        if seen.contains(name) { throw wrong("\(name) is there twice; leave one of the two out") }
        guard let key = Self.keys.first(where: { $0.name == name }) else { throw wrong(unknown(name)) }
        seen.append(name)
        guard value?.isEmpty == false || key.isFlag && value == nil else {
            throw wrong("\(name) needs a value: \(key.label)")
        }
        try key.read(&self, value ?? "yes")
    }

    private func unknown(_ key: String) -> String {
        "unknown key \(key)\(Suggestion.hint(for: key, among: Self.keys.map { $0.name })) see the help for the keys, and put "
            + "a backslash before a comma that belongs to a value; a path comes first and ends in .srt, .vtt or .m3u8"
    }

    /// Which of two words the value of the key `name` is: true for the first.
    func choose(_ name: String, _ value: String, _ words: (String, String)) throws(Failure) -> Bool {
        if value == words.0 { return true }
        if value == words.1 { return false }
        throw wrong("\(name) is \(value); use \(words.0) or \(words.1)")
    }

    func yes(_ name: String, _ value: String) throws(Failure) -> Bool { try choose(name, value, ("yes", "no")) }

    /// The track that all keys together describe.
    consuming func finished() throws(Failure) -> TrackSpec {
        if spec.uri.isEmpty, let path { spec.uri = path.uri }
        guard !spec.uri.isEmpty else {
            throw wrong("uri is missing; write uri=URI, or the path of a .vtt or .srt file first")
        }
        if isSDH == false, isCaptions == true {
            throw wrong("kind=captions means sdh, and sdh=no the contrary; leave one of the two out")
        }
        spec.isSDH = isSDH ?? isCaptions.map { $0 || path?.isSDH == true } ?? path?.isSDH ?? false
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
