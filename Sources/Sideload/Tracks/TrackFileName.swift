internal import ByteScan
internal import M3U8
internal import WebVTT

/// What the name of a track's file tells of the track.
///
///     movie.sv.srt          SubRip, in Swedish
///     movie.pt-BR.cc.vtt    WebVTT, in the Portuguese of Brazil, for those who do not hear: `sdh` or `cc`
///     movie.fr.forced.vtt   WebVTT, in French, for what is said in another language alone
///     movie.final.srt       SubRip
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

    /// The language, as far as it is one that subtitles have, and the flags behind it.
    var words: (language: [UInt8]?, isForced: Bool, isSDH: Bool) {
        var words = stem.split(separator: ASCII.period, omittingEmptySubsequences: false)[...]
        var (isForced, isSDH) = (false, false)
        while words.count > 1, let word = words.last.map({ Array($0) }) {
            if word.withView({ $0.equalsIgnoringCase("forced") }) {
                isForced = true
            } else if word.withView({ $0.equalsIgnoringCase("sdh") || $0.equalsIgnoringCase("cc") }) {
                isSDH = true
            } else {
                break
            }
            words.removeLast()
        }
        return (words.last.flatMap { LanguageTag(fileWord: $0)?.bytes }, isForced, isSDH)
    }

    /// The stem of a URI without percent-encoding: `sv x` for `subs/sv%20x.vtt`.
    ///
    /// Nil if that is empty, `.` or `..`, not UTF-8, or has a slash or a NUL.
    var decodedStem: [UInt8]? { stem.withView(URISyntax.fileName) }

    /// The stem as a step of a URI (RFC 3986 3.3). A colon is encoded too, for no scheme to end there.
    var encodedStem: [UInt8] {
        stem.percentEncoded { ASCII.isComponentByte($0) || $0 == ASCII.at }
    }
}
