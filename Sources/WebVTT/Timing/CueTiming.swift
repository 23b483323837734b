/// When a cue is shown, and where its timing line stands.
public struct CueTiming: Equatable, Sendable, BitwiseCopyable {
    /// When the cue is shown first.
    public let start: Timestamp
    /// When the cue is no longer shown; it may be earlier than ``start``.
    public let end: Timestamp
    /// The stream position, in bytes, at which the timing line begins.
    public let position: Int
}
