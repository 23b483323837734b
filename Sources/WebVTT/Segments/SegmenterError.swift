public import ByteScan

/// A file cannot be cut into segments.
public struct SegmenterError: Error, Equatable, Sendable {
    /// Why a file cannot be cut. Later versions may know more reasons.
    public struct Reason: Equatable, Sendable {
        fileprivate let code: UInt8

        /// The limit that is exceeded, in bytes or segments; nil if none is.
        public let limit: Int?

        /// The number of the segment that a cue starts in and that has ended; nil if the order is not the reason.
        public let segment: Int?

        private init(_ code: UInt8, limit: Int? = nil, segment: Int? = nil) {
            self.code = code
            self.limit = limit
            self.segment = segment
        }

        /// The file has no signature: it is not WebVTT.
        public static var notWebVTT: Reason { Reason(0) }

        /// A cue starts in this segment, which has ended; ``Segmenter/segment(_:_:)`` can cut the file.
        public static func outOfOrder(segment: Int) -> Reason { Reason(1, segment: segment) }

        /// There would be more segments than the limit.
        public static func tooManySegments(limit: Int) -> Reason { Reason(2, limit: limit) }

        /// A block, perhaps a cue, is longer than the limit in bytes.
        public static func blockTooLong(limit: Int) -> Reason { Reason(3, limit: limit) }

        /// The timestamp map, styles and regions together are longer than the limit in bytes.
        public static func headTooLong(limit: Int) -> Reason { Reason(4, limit: limit) }

        /// The cues that go on in the next segment are together longer than the limit in bytes.
        public static func spanningCuesTooLong(limit: Int) -> Reason { Reason(5, limit: limit) }

        /// The cues that never show and start behind all that do are together longer than the limit in bytes.
        public static func hiddenCuesTooLong(limit: Int) -> Reason { Reason(6, limit: limit) }

        /// Segments together repeat more bytes of heads and cues than the limit: what the segment before it has, or one before that.
        public static func tooManyRepeatedBytes(limit: Int) -> Reason { Reason(7, limit: limit) }

        /// The source has broken off, as ``Segmenter/abandon()`` was told.
        public static var brokenOff: Reason { Reason(8) }
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
        switch (code, segment ?? limit ?? 0) {
        case (0, _): "no WEBVTT signature, so this is not WebVTT; make WebVTT of it first"
        case (1, let segment):
            "the cue starts in segment \(segment), which has ended; sort the cues by their start, or take the file whole"
        case (2, let limit):
            "there would be more than \(limit) segments; repair the cue's times, or make the segments longer"
        case (3, let limit): "the block is longer than the limit of \(limit) bytes; break it up"
        case (4, let limit):
            "the styles and regions are longer than the limit of \(limit) bytes; every segment would repeat them"
        case (6, let limit):
            "the cues that end before they start are longer than the limit of \(limit) bytes; repair their times"
        case (7, let limit):
            "segments would repeat more than \(limit) bytes of earlier ones; end the cue earlier, or make the segments longer"
        case (8, _): "the file has broken off here; fetch it again, and reset the segmenter"
        case (_, let limit):
            "the cues shown across the segment's end are longer than the limit of \(limit) bytes; end them earlier"
        }
    }
}
