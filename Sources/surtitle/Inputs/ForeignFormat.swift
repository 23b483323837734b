internal import ByteScan
internal import WebVTT

/// What a file is that does not begin as WebVTT does, as its first bytes tell, and what to do about it.
///
/// To add one: a case, what it is called, what to do, and the bytes that tell it.
enum ForeignFormat: Equatable {
    case empty, timedText, subStation, page, playlist, gzip, zip
    /// A format of which WebVTT is made, in a file whose name says something else.
    case subtitles(SubtitleFormat)

    /// What it is called.
    var name: String {
        switch self {
        case .empty: "an empty file"
        case .timedText: "TTML"
        case .subStation: "ASS"
        case .page: "HTML"
        case .playlist: "a playlist"
        case .gzip: "gzip"
        case .zip: "zip"
        case .subtitles(let format): "\(format.title)"
        }
    }

    /// What `head` is, the first bytes of a file; nil if they do not tell.
    init?(head: [UInt8]) {
        let words = Self.words(of: head)
        func begins(_ prefix: StaticString) -> Bool { words.withView { $0.hasPrefixIgnoringCase(ByteView(prefix)) } }
        func has(_ word: StaticString) -> Bool {
            words.indices.contains { start in
                Array(words[start...]).withView { $0.hasPrefixIgnoringCase(ByteView(word)) }
            }
        }
        if head.isEmpty {
            self = .empty
        } else if head.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if head.starts(with: [0x50, 0x4B, 3, 4]) {
            self = .zip
        } else if let format = head.withView({ SubtitleFormat(head: $0) }) {
            self = .subtitles(format)
        } else if begins("[Script Info]") || begins("[V4+ Styles]") {
            self = .subStation
        } else if begins("<tt") || begins("<?xml") && (has("<tt") || has("ns/ttml")) {
            self = .timedText
        } else if begins("<!doctype html") || begins("<html") {
            self = .page
        } else if begins("#EXTM3U") {
            self = .playlist
        } else {
            return nil
        }
    }

    /// Whether a file that begins with `head` may turn out to be something else than subtitles.
    static func mayBe(head: [UInt8]) -> Bool {
        guard let first = words(of: head).first else { return true }
        return "<[#P".utf8.contains(first) || first == 0x1F
    }

    /// The bytes of a head after a mark and white space.
    private static func words(of head: [UInt8]) -> [UInt8] {
        let text = head.withView { Array($0.withoutMark) }
        return Array(text.drop { ASCII.isBlank($0) || $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn })
    }

    /// What to do about it.
    var advice: String {
        switch self {
        case .empty: "give a \(SubtitleFormat.files) file"
        case .subtitles(let format):
            "give it a name that ends in \(SubtitleFormat.endings(of: [format])), or pipe it in"
        case .timedText, .subStation: "convert it to \(SubtitleFormat.files) first"
        case .page: "a server sends that in place of a file that it does not have; fetch the file again"
        case .playlist: "give the subtitles that it lists"
        case .gzip, .zip: "unpack it first"
        }
    }
}

extension Failure {
    /// A refusal of the file called `name`, which is of no known format, but perhaps `format`.
    static func notSubtitles(_ name: String, _ format: ForeignFormat?) -> Failure {
        .refused(
            name,
            "at byte 0: no WEBVTT signature"
                + (format.map { ": this is \($0.name); \($0.advice)" }
                    ?? ", so this is not WebVTT; give a \(SubtitleFormat.files) file"))
    }
}
