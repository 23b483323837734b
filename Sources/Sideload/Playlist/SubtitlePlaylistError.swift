public import ByteScan

/// Why there is no subtitle playlist: what is wrong, with which segment, and where in its URI.
public struct SubtitlePlaylistError: Error, Equatable, Sendable {
    /// What is wrong.
    @nonexhaustive
    public enum Reason: Sendable {
        /// There is no segment.
        case noSegments
        /// The segment's duration is not above zero: players would never ask for it.
        case noDuration
        /// The segment's URI has no bytes.
        case emptyURI
        /// The segment's URI begins with `#`, which makes its line a comment or a tag (RFC 8216 4.1).
        case commentURI
        /// The segment's URI holds CR, LF or NUL, and would end its line there.
        case lineBreakInURI
        /// The segment's URI holds `{$`, which players take for a variable (8216bis 4.3).
        case variableInURI
        /// The date for EXT-X-PROGRAM-DATE-TIME has no bytes, or holds CR, LF or NUL.
        case programDateTime
        /// The segment is longer than the target duration that was given (8216bis 4.4.3.1).
        case longerThanTarget
    }

    /// What is wrong.
    public let reason: Reason
    /// The index of the segment, from 0; nil if it is none of theirs.
    public let segment: Int?
    /// The byte of the URI, from 0, that may not stand there; nil if it is not about one.
    public let position: Int?

    package init(_ reason: Reason, segment: Int? = nil, position: Int? = nil) {
        self.reason = reason
        self.segment = segment
        self.position = position
    }
}

extension SubtitlePlaylistError: Described {
    /// What is wrong and what to do, in words.
    public var message: Message {
        let place: Message = segment.map { "segment \($0): " } ?? ""
        return "\(place)\(words)"
    }

    /// The message without the segment.
    package var words: Message {
        let byte: Message = "byte \(position ?? 0) of the URI"
        return switch reason {
        case .noSegments: "a subtitle playlist needs a segment"
        case .noDuration: "no duration; give the duration of the media, or subtitles with a cue"
        case .emptyURI: "the URI is empty"
        case .commentURI: "the URI begins with #, which makes its line a comment; percent-encode it"
        case .lineBreakInURI: "\(byte) is CR, LF or NUL; percent-encode it"
        case .variableInURI: "\(byte) opens a variable, {$; percent-encode it"
        case .longerThanTarget: "longer than the target duration; cut it into shorter segments"
        case .programDateTime: "the program date and time is empty or holds CR, LF or NUL"
        }
    }
}
