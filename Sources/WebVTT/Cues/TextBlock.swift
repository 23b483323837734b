public import ByteScan

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
