internal import ByteScan

/// What the fields of a track may hold, and how they are written.
enum FieldSyntax {
    /// The bytes of `text`, fit to stand between quotes (8216bis 4.2).
    static func quotable(
        _ text: String, _ field: SubtitleTrackError.Field, of track: SubtitleTrack, _ index: Int
    ) throws(SubtitleTrackError) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty(track: index, field) }
        var previous = ASCII.space
        for byte in bytes {
            switch byte {
            case ASCII.lineFeed, ASCII.carriageReturn, ASCII.quote: throw .unquotable(track: index, field)
            case UInt8(ascii: "$") where previous == UInt8(ascii: "{") && !track.usesVariables:
                throw .variableReference(track: index, field)
            default: previous = byte
            }
        }
        return bytes
    }

    /// The same for a field that may be left out, which is then empty.
    static func optional(
        _ text: String?, _ field: SubtitleTrackError.Field, of track: SubtitleTrack, _ index: Int
    ) throws(SubtitleTrackError) -> [UInt8] {
        guard let text else { return [] }
        return try quotable(text, field, of: track, index)
    }

    /// The language tag that `text` stands for (BCP 47), or `text` itself where the track uses a variable for it.
    static func language(
        _ text: String?, _ field: SubtitleTrackError.Field, of track: SubtitleTrack, _ index: Int
    ) throws(SubtitleTrackError) -> [UInt8] {
        let bytes = try optional(text, field, of: track, index)
        if bytes.isEmpty || (track.usesVariables && bytes.contains(UInt8(ascii: "{"))) { return bytes }
        do {
            return try LanguageTag(bytes).bytes
        } catch {
            throw .notALanguage(track: index, field)
        }
    }

    /// `,NAME="value"`, or nothing where the value is empty.
    static func attribute(_ name: String, _ value: [UInt8]) -> [UInt8] {
        value.isEmpty ? [] : [ASCII.comma] + Array(name.utf8) + [ASCII.equals, ASCII.quote] + value + [ASCII.quote]
    }

    /// Letters, digits and `+ / = . - _` (8216bis 4.4.6.1).
    static func isStableIDByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), ASCII.zero...ASCII.nine: true
        case UInt8(ascii: "+"), UInt8(ascii: "/"), ASCII.equals, ASCII.period, ASCII.hyphen, UInt8(ascii: "_"): true
        default: false
        }
    }
}
