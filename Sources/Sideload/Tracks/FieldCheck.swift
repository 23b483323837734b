internal import ByteScan
internal import WebVTT

/// Checks the fields of one track, or the fallback group.
struct FieldCheck {
    /// Whose fields they are; nil for what belongs to no track.
    let track: Int?
    let usesVariables: Bool

    /// The bytes of `text`, fit to stand between quotes (8216bis 4.2).
    func required(_ text: String, _ field: SubtitleTrackError.Field) throws(SubtitleTrackError) -> [UInt8] {
        let bytes = Array(utf8: text)
        guard !bytes.isEmpty else { throw SubtitleTrackError(.empty, track: track, field) }
        var previous = ASCII.space
        for byte in bytes {
            switch byte {
            case ASCII.lineFeed, ASCII.carriageReturn, ASCII.quote:
                throw SubtitleTrackError(.unquotable, track: track, field)
            case UInt8(ascii: "$") where previous == UInt8(ascii: "{") && !usesVariables:
                throw SubtitleTrackError(.variableReference, track: track, field)
            default: previous = byte
            }
        }
        if bytes.withView({ $0.hasControlCharacter }) {
            throw SubtitleTrackError(.controlCharacter, track: track, field)
        }
        return bytes
    }

    /// The bytes of a rendition's URI, which is that of a media playlist (8216bis 4.4.6.1): a subtitle file is none.
    func uri(_ text: String) throws(SubtitleTrackError) -> [UInt8] {
        let bytes = try required(text, .uri)
        let path = Array(bytes.prefix { $0 != ASCII.questionMark && $0 != ASCII.hash })
        let suffix = path.lastIndex(of: ASCII.period).map { Array(path[($0 + 1)...]) }
        let format = suffix.flatMap { $0.withView { SubtitleFormat(suffix: $0) } }
        if let format, format != .playlist { throw SubtitleTrackError(.subtitleFile, track: track, .uri) }
        return bytes
    }

    /// The same for a field that may be left out, which is then empty.
    func optional(_ text: String?, _ field: SubtitleTrackError.Field) throws(SubtitleTrackError) -> [UInt8] {
        guard let text else { return [] }
        return try required(text, field)
    }

    /// The language tag that `text` stands for (BCP 47), or `text` itself if the track uses a variable for it.
    func language(_ text: String?, _ field: SubtitleTrackError.Field) throws(SubtitleTrackError) -> [UInt8] {
        let bytes = try optional(text, field)
        if bytes.isEmpty || (usesVariables && bytes.contains(UInt8(ascii: "{"))) { return bytes }
        guard let tag = LanguageTag(bytes) else { throw SubtitleTrackError(.notALanguage, track: track, field) }
        return tag.bytes
    }

    /// Letters, digits and `+ / = . - _` (8216bis 4.4.6.1).
    static func isStableIDByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || ByteView("+/=.-_").contains(byte)
    }
}
