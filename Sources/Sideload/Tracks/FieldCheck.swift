internal import ByteScan
internal import WebVTT

/// Checks the fields of one track, or the fallback group.
struct FieldCheck {
    typealias Field = SubtitleTrackError.Field

    /// Whose fields they are; nil for what belongs to no track.
    let track: Int?
    let usesVariables: Bool
    /// Whether the track's URI may be that of a file of subtitles, because its playlist has another.
    var namesFile = false

    /// Appends `text`, fit to stand between quotes (8216bis 4.2), and returns where it stands.
    func append(
        _ text: String, _ field: Field, to output: inout TextArena
    ) throws(SubtitleTrackError) -> TextArena.Span {
        let start = output.count
        if let fault = text.withView({ bytes in
            output.append(bytes)
            return self.fault(in: bytes)
        }) {
            throw SubtitleTrackError(fault, track: track, field)
        }
        return output.span(from: start)
    }

    /// The same for a field that may be left out, which is then empty.
    func append(
        _ text: String?, _ field: Field, to output: inout TextArena
    ) throws(SubtitleTrackError) -> TextArena.Span {
        guard let text else { return output.span(from: output.count) }
        return try append(text, field, to: &output)
    }

    /// Checks a rendition's URI, which is that of a media playlist (8216bis 4.4.6.1): a subtitle file is none.
    func check(uri: String) throws(SubtitleTrackError) {
        if let fault = uri.withView({ self.fault(in: $0) ?? faultOfFile($0) }) {
            throw SubtitleTrackError(fault, track: track, .uri)
        }
    }

    /// The language tag that `text` stands for (BCP 47), or `text` itself if the track uses a variable for it; nil if
    /// there is no text.
    func language(_ text: String?, _ field: Field) throws(SubtitleTrackError) -> [UInt8]? {
        guard let text else { return nil }
        let bytes = Array(utf8: text)
        if let fault = bytes.withView({ self.fault(in: $0) }) { throw SubtitleTrackError(fault, track: track, field) }
        if usesVariables && bytes.contains(UInt8(ascii: "{")) { return bytes }
        guard let tag = LanguageTag(bytes) else { throw SubtitleTrackError(.notALanguage, track: track, field) }
        return tag.bytes
    }

    /// Why `bytes` cannot stand between quotes; nil if they can.
    private func fault(in bytes: ByteView) -> SubtitleTrackError.Reason? {
        if bytes.isEmpty { return .empty }
        var previous = ASCII.space
        for byte in bytes {
            switch byte {
            case ASCII.lineFeed, ASCII.carriageReturn, ASCII.quote: return .unquotable
            case UInt8(ascii: "$") where previous == UInt8(ascii: "{") && !usesVariables: return .variableReference
            default: previous = byte
            }
        }
        return bytes.hasControlCharacter ? .controlCharacter : nil
    }

    /// What is wrong with the URI if it is that of a file of subtitles, and may not be.
    private func faultOfFile(_ uri: ByteView) -> SubtitleTrackError.Reason? {
        guard !namesFile, let format = SubtitleFormat(endOf: uri) else { return nil }
        return format == .playlist ? nil : .subtitleFile
    }

    /// Letters, digits and `+ / = . - _` (8216bis 4.4.6.1).
    static func isStableIDByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || ByteView("+/=.-_").contains(byte)
    }
}
