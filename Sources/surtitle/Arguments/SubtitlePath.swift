internal import M3U8

/// A SPEC that is just the path of a file, and what the file's name tells of the track.
///
///     subs/movie.sv.srt       file=subs/movie.sv.srt, uri=movie.sv.vtt, language=sv, name=Svenska
///     movie.en.sdh.vtt        file=movie.en.sdh.vtt, uri=movie.en.sdh.vtt, language=en, name=English, sdh
///     movie.final.srt         file=movie.final.srt, uri=movie.final.vtt, name=movie.final
///     subs/sv.m3u8            uri=subs/sv.m3u8, language=sv, name=Svenska
///
/// What has a scheme, or is a playlist, is a URI and no file.
struct SubtitlePath: Equatable {
    let uri: String
    /// The local file; nil if the path is a URI.
    let file: String?
    /// The local file's name without its extension; nil if there is no such file.
    let stem: String?
    let language: String?
    let isForced: Bool
    let isSDH: Bool

    /// What `item` of a SPEC tells; nil if it is no path, because its name does not end like those of subtitles.
    init?(_ item: String) {
        let isURI = item.utf8.firstRange(of: "://".utf8) != nil
        let name = URIPath.Component(encoded: isURI ? URIPath(item).lastComponent.encoded : item.lastStep ?? "")
        switch name.pathExtension {
        case "vtt", "webvtt", "srt":
            file = isURI ? nil : item
            stem = isURI ? nil : name.withoutExtension.encoded
            uri = isURI ? item : Self.encoded(name.withoutExtension.encoded) + ".vtt"
        case "m3u8", "m3u":
            file = nil
            stem = nil
            uri = item
        default: return nil
        }
        var words = name.withoutExtension.encoded.pieces(at: ".")
        var flags: Set<String> = []
        while words.count > 1, let word = words.last?.lowercased(), ["sdh", "cc", "forced"].contains(word) {
            flags.insert(word)
            words.removeLast()
        }
        language = words.last.flatMap { KnownLanguage($0)?.tag }
        isForced = flags.contains("forced")
        isSDH = !flags.isDisjoint(with: ["sdh", "cc"])
    }

    /// A file's name as a step of a URI (RFC 3986 3.3). A colon is encoded too, for no scheme to end there.
    private static func encoded(_ name: String) -> String {
        name.utf8.map { byte in
            if isUnreserved(byte) || "!$&'()*+,;=@".utf8.contains(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "%0\(digits)" : "%\(digits)"
        }
        .joined()
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }
}
