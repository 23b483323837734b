internal import ByteScan
internal import M3U8
internal import WebVTT

/// What the name of a track's file tells of the track.
///
///     movie.sv.srt            SubRip, in Swedish
///     movie.pt_BR.cc.vtt      WebVTT, in the Portuguese of Brazil, for those who do not hear: `sdh`, `cc` or `hi`
///     movie.hi.srt            SubRip, in Hindi; `hi` means hard of hearing only after a language
///     movie.fr.forced.vtt     WebVTT, in French, for what is said in another language alone: `forced` or `foreign`
///     movie.en.default.srt    SubRip, in English, shown unless the viewer chooses otherwise
///     movie.final.srt         SubRip
struct TrackFileName {
    /// The name up to its last period.
    let stem: [UInt8]

    /// What the file is; nil if the end of its name does not tell.
    let format: SubtitleFormat?

    /// The name of the file at `path`, whose steps have slashes between them.
    init(path: [UInt8]) { self.init(Array(path.split(separator: ASCII.slash).last ?? [])) }

    /// The name of the file that `uri` refers to, percent-encoded as there.
    init(uri: [UInt8]) {
        let path = uri.withView { URIReference($0).path }
        self.init(Array(uri[path].split(separator: ASCII.slash, omittingEmptySubsequences: false).last ?? []))
    }

    private init(_ name: [UInt8]) {
        let period = name.lastIndex(of: ASCII.period)
        stem = period.map { $0 > 0 ? Array(name[..<$0]) : name } ?? name
        format = period.flatMap { Array(name[($0 + 1)...]).withView { SubtitleFormat(suffix: $0) } }
    }

    /// The language, as far as it is one that subtitles have, and the flags after it.
    struct Words {
        /// The tag in its recommended form; nil if no word names a language.
        var language: [UInt8]?
        var isDefault = false
        var isForced = false
        var isSDH = false
    }

    /// What the words of the name tell. The first of them is never a flag.
    var words: Words {
        var parts = stem.split(separator: ASCII.period, omittingEmptySubsequences: false)[...]
        var words = Words()
        // What is told if the last `hi` to be read is the language after all, because none stands before it.
        var wordsInHindi: Words?
        while parts.count > 1, let part = parts.last.map({ Array($0) }) {
            func isOne(of flags: StaticString...) -> Bool {
                flags.contains { flag in part.withView { $0.equalsIgnoringCase(flag) } }
            }
            if isOne(of: "forced", "foreign") {
                words.isForced = true
            } else if isOne(of: "sdh", "cc") {
                words.isSDH = true
            } else if isOne(of: "default") {
                words.isDefault = true
            } else if isOne(of: "hi") {
                wordsInHindi = words
                wordsInHindi?.language = Array(ByteView("hi"))
                words.isSDH = true
            } else {
                break
            }
            parts = parts.dropLast()
        }
        words.language = parts.last.flatMap { LanguageTag(fileWord: $0)?.bytes }
        return words.language == nil ? wordsInHindi ?? words : words
    }

    /// The stem of a URI without percent-encoding: `sv x` for `subs/sv%20x.vtt`.
    ///
    /// Nil if that is empty, `.` or `..`, not UTF-8, or has a slash or a NUL.
    var decodedStem: [UInt8]? { stem.withView(URISyntax.fileName) }

    /// The stem as a step of a URI (RFC 3986 3.3). A colon is encoded too, for no scheme to end there.
    var encodedStem: [UInt8] { stem.percentEncoded { ASCII.isComponentByte($0) || $0 == ASCII.at } }
}

extension SubtitleFormat {
    /// What `uri` refers to by the end of its path; nil if that does not tell.
    @inline(never)
    init?(endOf uri: ByteView) {
        let path = uri[URIReference(uri).path]
        guard let period = path.lastOffset(of: ASCII.period, before: path.count) else { return nil }
        self.init(suffix: path.suffix(from: period + 1))
    }

    init?(endOf uri: String) {
        guard let format = uri.withView({ SubtitleFormat(endOf: $0) }) else { return nil }
        self = format
    }
}
