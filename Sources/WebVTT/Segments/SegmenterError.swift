public import ByteScan

/// A file cannot be cut into segments.
public struct SegmenterError: Error, Equatable, Sendable {
    /// Why a file cannot be cut.
    @nonexhaustive
    public enum Reason: Equatable, Sendable {
        /// The file has no signature: it is not WebVTT.
        case notWebVTT

        /// The whole file has more bytes than an index of its cues can tell.
        case fileTooLong(limit: Int)

        /// A cue starts in this segment, which has ended; `Segmenter.segment(_:_:)` can cut the file.
        case outOfOrder(segment: Int)

        /// There would be more segments than the limit.
        case tooManySegments(limit: Int)

        /// A block, perhaps a cue, is longer than the limit in bytes.
        case blockTooLong(limit: Int)

        /// The timestamp map, styles and regions together are longer than the limit in bytes.
        case headTooLong(limit: Int)

        /// The cues that go on in the next segment are together longer than the limit in bytes.
        case spanningCuesTooLong(limit: Int)

        /// The cues that never show and start behind all that do are together longer than the limit in bytes.
        case hiddenCuesTooLong(limit: Int)

        /// Segments together repeat more bytes of heads and cues than the limit: what the segment before it has, or one
        /// before that.
        case tooManyRepeatedBytes(limit: Int)

        /// The source has broken off, as ``Segmenter/abandon()`` was told.
        case brokenOff

        /// The number of the segment that a cue starts in and that has ended; nil if the order is not the reason.
        public var segment: Int? { if case .outOfOrder(let segment) = self { segment } else { nil } }
    }

    /// Why the file cannot be cut.
    public let reason: Reason

    /// The stream position, in bytes, of the cue or block that is to blame; 0 if there is none.
    public let position: Int
}

extension SegmenterError: Described {
    /// What is wrong, where, and what to do, in one line.
    public var message: Message { "at byte \(position): \(reason)" }
}

extension SegmenterError.Reason: Described {
    /// What is wrong and what to do.
    public var message: Message {
        switch self {
        case .notWebVTT: "no WEBVTT signature, so this is not WebVTT; make WebVTT of it first"
        case .fileTooLong(let limit): "the file is longer than the limit of \(limit) bytes; cut it in two"
        case .outOfOrder(let segment):
            "the cue starts in segment \(segment), which has ended; sort the cues by their start, or take the file whole"
        case .tooManySegments(let limit):
            "there would be more than \(limit) segments; repair the cue's times, or make the segments longer"
        case .blockTooLong(let limit): "the block is longer than the limit of \(limit) bytes; break it up"
        case .headTooLong(let limit):
            "the styles and regions are longer than the limit of \(limit) bytes; every segment would repeat them"
        case .hiddenCuesTooLong(let limit):
            "the cues that end before they start are longer than the limit of \(limit) bytes; repair their times"
        case .tooManyRepeatedBytes(let limit):
            "segments would repeat more than \(limit) bytes of earlier ones; end the cue earlier, or make the segments longer"
        case .brokenOff: "the file has broken off here; fetch it again, and reset the segmenter"
        case .spanningCuesTooLong(let limit):
            "the cues shown across the segment's end are longer than the limit of \(limit) bytes; end them earlier"
        }
    }
}
