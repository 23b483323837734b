/// A file cannot be cut into segments.
public struct SegmenterError: Error, Equatable, Sendable {
    /// Why it cannot.
    public enum Reason: Equatable, Sendable {
        /// The file has no signature: it is not WebVTT.
        case notWebVTT
        /// A cue starts in this segment, which has ended; the form for whole files can do it.
        case outOfOrder(segment: Int)
        /// There would be more segments than the limit.
        case tooManySegments(limit: Int)
        /// A block, perhaps a cue, is longer than the limit in bytes.
        case blockTooLong(limit: Int)
        /// The timestamp map, styles and regions together are longer than the limit in bytes.
        case headTooLong(limit: Int)
        /// The cues that go on in the next segment are together longer than the limit in bytes.
        case openCuesTooLong(limit: Int)
    }

    /// Why the file cannot be cut.
    public let reason: Reason

    /// The stream position, in bytes, of the cue or block that is to blame; 0 where it is none.
    public let position: Int
}

#if !hasFeature(Embedded)
extension SegmenterError: CustomStringConvertible {
    /// What is wrong, where, and what to do, in one line.
    public var description: String { "at byte \(position): \(reason)" }
}

extension SegmenterError.Reason: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .notWebVTT: "no WEBVTT signature, so this is not WebVTT; make WebVTT of it first"
        case .outOfOrder(let segment):
            "the cue starts in segment \(segment), which has ended; sort the cues by their start, or take the file whole"
        case .tooManySegments(let limit):
            "there would be more than \(limit) segments; repair the cue's times, or make the segments longer"
        case .blockTooLong(let limit): "the block is longer than the limit of \(limit) bytes; break it up"
        case .headTooLong(let limit):
            "the styles and regions are longer than the limit of \(limit) bytes; every segment would repeat them"
        case .openCuesTooLong(let limit):
            "the cues shown across the segment's end are longer than the limit of \(limit) bytes; end them earlier"
        }
    }
}
#endif
