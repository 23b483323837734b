/// A block that is no cue, no note, no valid style sheet and no valid region: a parser leaves it out.
@safe
public struct UnparsedBlock {
    /// Why a block is left out.
    public enum Reason: Equatable, Sendable {
        /// The line with the arrow is no timing line.
        case malformedTiming
        /// There is no line with an arrow.
        case noTiming
        /// A style sheet behind a cue.
        case styleAfterCue
        /// A region behind a cue.
        case regionAfterCue
        /// `STYLE` without a line below.
        case emptyStyle
        /// `REGION` without a line below.
        case emptyRegion
    }

    /// Why the block is left out.
    public let reason: Reason
    /// The stream position, in bytes, at which the block begins.
    public let position: Int
    /// The number of the block's first line; a file's first line has number 1.
    public let lineNumber: Int
    /// The block.
    public let text: CueText
}
