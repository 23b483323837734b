public import ByteScan

/// A version of a live playlist, or a saved state, was refused: nothing has changed.
public struct LiveError: Error, Equatable, Sendable {
    /// Why. The set is open: later versions may tell more reasons apart.
    @nonexhaustive
    public enum Reason: Equatable, Sendable {
        /// The text is no playlist, or none of media.
        case notMedia
        /// Each segment is one I-frame: nobody shows subtitles beside them.
        case iFramesOnly
        /// EXT-X-TARGETDURATION is missing.
        case noTargetDuration
        /// A number that the playlist must have has no meaning, or does not fit.
        case malformedNumber
        /// A segment has no EXTINF before it, or one without a duration.
        case malformedDuration
        /// The playlist has more bytes than the limit.
        case playlistTooLong(limit: Int)
        /// The playlist has more segments than the limit.
        case tooManySegments(limit: Int)
        /// The playlist has more parts than the limit.
        case tooManyParts(limit: Int)
        /// Lines that are kept have more bytes than the limit.
        case textTooLong(limit: Int)
        /// The bytes are no saved state, or one of another configuration or version.
        case notState
        /// A saved state would have more bytes than the limit.
        case stateTooLong(limit: Int)
    }

    /// Why.
    public let reason: Reason

    /// The position of the line, or of the state's byte, that is to blame; 0 if it is the whole.
    public let position: Int
}

extension LiveError: Described {
    /// What is wrong, where, and what to do, in one line.
    public var message: Message { "at byte \(position): \(reason)" }
}

extension LiveError.Reason: Described {
    /// What is wrong and what to do.
    public var message: Message {
        switch self {
        case .notMedia: "this is no media playlist; give the URL of a variant's playlist"
        case .iFramesOnly: "the playlist is one of I-frames; give the URL of another variant's playlist"
        case .noTargetDuration: "EXT-X-TARGETDURATION is missing, which a media playlist must have"
        case .malformedNumber: "the number has no meaning; it must be in decimal and below 2 to the 62nd"
        case .malformedDuration: "the segment has no EXTINF with a duration before it"
        case .playlistTooLong(let limit): "the playlist is longer than the limit of \(limit) bytes"
        case .tooManySegments(let limit): "the playlist has more segments than the limit of \(limit)"
        case .tooManyParts(let limit): "the playlist has more parts than the limit of \(limit)"
        case .textTooLong(let limit): "lines that must be kept are longer than the limit of \(limit) bytes"
        case .notState: "this is no state of such a channel; begin without one"
        case .stateTooLong(let limit): "the state is longer than the limit of \(limit) bytes"
        }
    }
}
