/// How much of a SubRip file a transcoder may keep, and what it does past that.
public struct SubRipLimits: Equatable, Sendable {
    /// What happens at a line longer than ``SubRipLimits/longestLine``.
    public enum Policy: Equatable, Sendable {
        /// The line becomes several lines of text, each as long as the limit allows and none of them cut inside a
        /// character.
        case breakLine
        /// A ``TranscodingError`` is thrown.
        case fail
    }

    /// The longest line, in bytes without its line ending, that is one line of text. 64 KiB unless said otherwise.
    ///
    /// It counts for lines that arrive whole too, so that the result never depends on where a chunk ends. Carried
    /// between chunks are three lines at most: the unfinished one and two numbers. Output is put together 16 KiB at a
    /// time, or as much more as one line becomes, which is at most five times as long as the line.
    public let longestLine: Int

    /// What happens at a longer one.
    public let policy: Policy

    /// Limits with the documented defaults; a line may have from 64 bytes, so that a timing line fits, to 1 GiB.
    public init(longestLine: Int = 64 << 10, policy: Policy = .breakLine) {
        self.longestLine = min(max(longestLine, 64), 1 << 30)
        self.policy = policy
    }
}
