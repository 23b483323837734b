/// What a scanner hands out, in the order of the file. Everything in it is valid during the call.
public enum CueEvent {
    /// A line of metadata between the signature and the first blank line.
    case header(HeaderLine)
    /// A comment: everything behind `NOTE`, on the same line and the ones below.
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
