public import ByteScan

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
