public import ByteScan

/// What a segmenter hands out: segments one after the other, and of each its bytes.
public enum SegmentPart<Bytes> {
    /// The segment with this number, from 0, begins.
    case began(Int)
    /// Some more bytes of it: a range of the chunk just written, or the library's own.
    case bytes(Bytes)
    /// It has ended; nothing will be added to it.
    case ended(Segment)
}

extension SegmentPart: Sendable where Bytes: Sendable {}

/// What a segmenter hands out, slice by slice. Slices are valid during the call.
public typealias SegmentEvent = SegmentPart<OutputSlice>

/// What a segmenter has handed out, collected.
public typealias SegmentPiece = SegmentPart<OutputPiece>

/// A segment of a WebVTT file, as a playlist needs to know it (RFC 8216 3.5).
public struct Segment: Equatable, Sendable {
    /// The segment's number, from 0.
    public let index: Int

    /// When it begins, in nanoseconds: the sum of all durations before.
    public let start: UInt64

    /// How long it lasts, in nanoseconds, above 0. All together come to the end of the content, exactly.
    public let duration: UInt64

    /// How many cues are in it, those among them that are in other segments too.
    public let cueCount: Int
}
