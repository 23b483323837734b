internal import ByteScan

/// What a file is that was given for WebVTT or SubRip, as its first bytes tell, and what to do about it.
///
/// To add a format: a case, what it is called, what to do, and the bytes that tell it.
enum ForeignFormat: String, CaseIterable {
    case empty = "an empty file"
    /// SubRip in a file whose name says that it is WebVTT.
    case subRip = "SubRip"
    case timedText = "TTML"
    case subStation = "ASS"
    case page = "HTML"
    case playlist = "a playlist"
    case gzip
    case zip

    /// What `head` is, the first bytes of a file; nil if they do not tell.
    init?(head: [UInt8], beginsAsSubRip: Bool) {
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
        } else if beginsAsSubRip {
            self = .subRip
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

    /// Whether a file that begins with `head` may turn out to be one that neither is WebVTT nor SubRip.
    static func mayBe(head: [UInt8]) -> Bool {
        guard let first = words(of: head).first else { return true }
        return "<[#P".utf8.contains(first) || first == 0x1F
    }

    /// The bytes of a head after a mark and white space.
    private static func words(of head: [UInt8]) -> [UInt8] {
        let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
        return Array(text.drop { ASCII.isBlank($0) || $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn })
    }

    /// What to do about it.
    var advice: String {
        switch self {
        case .empty: "give a WebVTT or a SubRip file"
        case .subRip: "give it a name that ends in .srt, or pipe it in"
        case .timedText, .subStation: "convert it to WebVTT or SubRip first"
        case .page: "a server sends that in place of a file that it does not have; fetch the file again"
        case .playlist: "give the subtitles that it lists"
        case .gzip, .zip: "unpack it first"
        }
    }
}

extension Failure {
    /// A refusal of the file called `name`, which is neither WebVTT nor SubRip, but perhaps `format`.
    static func notSubtitles(_ name: String, _ format: ForeignFormat?) -> Failure {
        .refused(
            name,
            "at byte 0: no WEBVTT signature"
                + (format.map { ": this is \($0.rawValue); \($0.advice)" }
                    ?? ", so this is not WebVTT; give a WebVTT or a SubRip file"))
    }
}
