/// A block longer than the limits allow. Its bytes have not been kept.
public struct SkippedBlock: Equatable, Sendable {
    /// The stream position, in bytes, at which the block begins.
    public let position: Int
    /// The number of the block's first line; a file's first line has number 1.
    public let lineNumber: Int
    /// How many bytes the block has.
    public let byteCount: Int
    /// When the cue is shown first, where the block is a cue whose timing line ends within the limit.
    public let start: Timestamp?
    /// When the cue is no longer shown, where ``start`` is known.
    public let end: Timestamp?
}
