package import ByteScan

/// How much a rewriter or a scanner may carry, and what it does past that.
public struct LineLimits: Sendable {
    /// What happens at a line longer than ``LineLimits/longestLine``.
    public enum Policy: Sendable {
        /// The rewriter copies everything from that line on; a scanner hands out the line's beginning.
        case passThrough
        /// A ``LimitError`` is thrown. A rewriter has by then handed out every byte it was given.
        ///
        /// `finish` of a rewriter does not throw: if the limit is exceeded only by a last line without a line ending,
        /// which cannot be decided on before, that is to be seen in `exceededLimit` alone. `finish` of a scanner
        /// throws.
        case fail
    }

    /// The longest line, in bytes up to its LF, that is carried until it is whole. 64 KiB unless said otherwise.
    ///
    /// It counts for lines that arrive whole too, so that the result never depends on where a chunk ends. The CR of a
    /// CRLF counts, the LF does not: a CR is carried before it is known whether an LF follows, and without one it is
    /// data.
    ///
    /// At least 1: what is less becomes 1. A line from which attributes are removed takes up to 11 times its length
    /// besides while it is edited, 32 bytes for each place where something goes: 1 MiB of memory at a limit of 64 KiB,
    /// which is kept for the next line.
    public var longestLine: Int { didSet { longestLine = max(longestLine, 1) } }

    /// What happens at a longer one.
    public var policy: Policy

    /// Limits with the documented defaults.
    public init(longestLine: Int = 64 << 10, policy: Policy = .passThrough) {
        self.longestLine = max(longestLine, 1)
        self.policy = policy
    }

    /// Adds what the limits are to `fingerprint`.
    package func add(to fingerprint: inout Fingerprint) {
        fingerprint.add(longestLine)
        fingerprint.add(policy == .fail)
    }
}
