/// Why there is no subtitle playlist; segments and the bytes of their URIs count from 0.
public enum SubtitlePlaylistError: Error, Equatable {
    /// There is no segment.
    case noSegments
    /// The segment's duration is not above zero: players would never ask for it.
    case noDuration(segment: Int)
    /// The segment's URI has no bytes.
    case emptyURI(segment: Int)
    /// The segment's URI begins with `#`, which makes its line a comment or a tag (RFC 8216 4.1).
    case commentURI(segment: Int)
    /// The segment's URI holds CR, LF or NUL at `position`, and would end its line there.
    case lineBreakInURI(segment: Int, position: Int)
    /// The segment's URI holds `{$` at `position`, which players take for a variable (8216bis 4.3).
    case variableInURI(segment: Int, position: Int)
    /// The date for EXT-X-PROGRAM-DATE-TIME has no bytes, or holds CR, LF or NUL.
    case programDateTime
}

#if !hasFeature(Embedded)
extension SubtitlePlaylistError: CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .noSegments:
            "a subtitle playlist needs a segment"
        case .noDuration(let segment):
            "segment \(segment): no duration; give the duration of the media, or subtitles with a cue"
        case .emptyURI(let segment):
            "segment \(segment): the URI is empty"
        case .commentURI(let segment):
            "segment \(segment): the URI begins with #, which makes its line a comment; percent-encode it"
        case .lineBreakInURI(let segment, let position):
            "segment \(segment): byte \(position) of the URI is CR, LF or NUL; percent-encode it"
        case .variableInURI(let segment, let position):
            "segment \(segment): byte \(position) of the URI opens a variable, {$; percent-encode it"
        case .programDateTime:
            "the program date and time is empty or holds CR, LF or NUL"
        }
    }
}
#endif
