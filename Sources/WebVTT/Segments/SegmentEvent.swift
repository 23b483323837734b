public import ByteScan

/// What a segmenter hands out: segments one after the other, and of each its bytes.
public enum SegmentEvent {
    /// The segment with this number, from 0, begins.
    case began(Int)
    /// Some more bytes of it: a range of the chunk just written, or the library's own. They are valid during the call.
    case bytes(OutputSlice)
    /// It has ended; nothing will be added to it.
    case ended(Segment)
}
