public import ByteScan

/// What a scanner hands out, in the order of the file. Everything in it is valid during the call.
public enum CueEvent {
    /// A line of metadata between the signature and the first blank line.
    case header(WebVTTHeaderLine)
    /// A comment: everything after `NOTE`, on the same line and the ones below.
    case note(TextBlock)
    /// A style sheet: the lines below `STYLE` (W3C WebVTT, section 6.1; styles count only before the first cue).
    case style(TextBlock)
    /// A region: the lines below `REGION`; regions count only before the first cue.
    case region(RegionBlock)
    /// A cue.
    case cue(Cue)
    /// A block that a parser leaves out, and why.
    case unparsed(UnparsedBlock)
    /// A block, perhaps a cue, that is longer than the limits allow.
    case skipped(SkippedBlock)
}

/// A line of metadata below the signature; a parser gives it no meaning (W3C WebVTT, section 6.1, "in header").
@safe
public struct WebVTTHeaderLine {
    /// The line without its terminator.
    public let bytes: ByteView
    /// The stream position, in bytes, at which the line begins.
    public let position: Int
    /// The line's number; the line of the signature has number 1.
    public let lineNumber: Int

    /// The line as text.
    public var text: CueText { CueText(bytes) }

    /// What the line says, if it is an `X-TIMESTAMP-MAP` (RFC 8216 3.5).
    public var timestampMap: TimestampMap? { TimestampMap(headerLine: bytes) }
}

/// A note or a style sheet.
@safe
public struct TextBlock {
    /// The block as it stands in the file, from the line that says what it is to the terminator of its last line.
    public let bytes: ByteView
    /// The stream position, in bytes, of the line that says what the block is.
    public let position: Int
    /// What the block holds, without the word that says what it is.
    public let text: CueText
}

/// The definition of a region (W3C WebVTT, section 4.3).
@safe
public struct RegionBlock {
    /// The block as it stands in the file, from the line that says `REGION` to the terminator of its last line.
    public let bytes: ByteView
    /// The stream position, in bytes, of the line that says `REGION`.
    public let position: Int
    /// The settings as they stand in the file.
    public let text: CueText

    /// The settings as a parser understands them.
    public var settings: RegionSettings { RegionSettings(text.bytes) }
}

/// A block that is no cue, no note, no valid style sheet and no valid region: a parser leaves it out.
@safe
public struct UnparsedBlock {
    /// Why a block is left out. The set is open: later versions may tell more reasons apart.
    @nonexhaustive
    public enum Reason: Sendable {
        /// The line with the arrow is no timing line.
        case malformedTiming
        /// There is no line with an arrow.
        case noTiming
        /// A style sheet after a cue.
        case styleAfterCue
        /// A region after a cue.
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

extension UnparsedBlock.Reason: Described {
    /// The reason's name.
    public var message: Message {
        switch self {
        case .malformedTiming: "malformedTiming"
        case .noTiming: "noTiming"
        case .styleAfterCue: "styleAfterCue"
        case .regionAfterCue: "regionAfterCue"
        case .emptyStyle: "emptyStyle"
        case .emptyRegion: "emptyRegion"
        }
    }
}

/// A block longer than the limits allow. Its bytes have not been kept.
public struct SkippedBlock: Equatable, Sendable {
    /// The stream position, in bytes, at which the block begins.
    public let position: Int
    /// The number of the block's first line; a file's first line has number 1.
    public let lineNumber: Int
    /// How many bytes the block has.
    public let byteCount: Int
    /// When the cue is shown first, if the block is a cue whose timing line ends within the limit.
    public let start: Timestamp?
    /// When the cue is no longer shown, if ``start`` is known.
    public let end: Timestamp?
    /// Whether a line of the block has an arrow. Without one the block is certainly no cue.
    public let hasArrow: Bool
}
