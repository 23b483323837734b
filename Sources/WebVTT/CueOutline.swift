/// Where a cue stands in its file and when it is shown, without its bytes.
///
/// Offsets within a cue count from its first byte and fit 32 bits, because a scanner never holds more of a cue.
public struct CueOutline: Equatable, Sendable, BitwiseCopyable {
    /// The stream position, in bytes, of the cue's first byte: of its identifier, or else of its timing line.
    public internal(set) var position = 0

    /// When the cue is shown first.
    public internal(set) var start = Timestamp(milliseconds: 0)

    /// When the cue is no longer shown; it may be earlier than ``start``, and the cue is then kept all the same.
    public internal(set) var end = Timestamp(milliseconds: 0)

    /// How many bytes the identifier has, without its terminator; 0 where the cue has none.
    var identifierCount: UInt32 = 0

    /// From behind the end time to the end of the timing line.
    var settingsStart: UInt32 = 0
    var settingsEnd: UInt32 = 0

    /// Where the text begins.
    var textStart: UInt32 = 0

    /// How many bytes the cue has up to and with the last line's terminator.
    var count: UInt32 = 0

    /// How many bytes the cue has, from its first byte to its last line's terminator, that included.
    public var byteCount: Int { Int(count) }
}
