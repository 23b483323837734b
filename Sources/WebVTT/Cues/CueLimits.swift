public import ByteScan

/// How much of a file a cue scanner may keep, and what it does past that.
public struct CueLimits: Equatable, Sendable {
    /// What happens at a block longer than ``CueLimits/largestBlock``.
    public enum Policy: Equatable, Sendable {
        /// The block is reported as skipped, and scanning goes on after it.
        case skip
        /// The block is reported and skipped as well, and when the chunk has been scanned a ``CueLimitError`` is
        /// thrown.
        case fail
    }

    /// The most bytes a block may have: a cue, a note, a style sheet, a region, or the header. 1 MiB unless said
    /// otherwise.
    ///
    /// It counts for blocks that arrive whole too, so that the result never depends on where a chunk ends. Up to twice
    /// as much is carried: a block, and the line after it that may or may not belong to it.
    public let largestBlock: Int

    /// What happens at a longer one.
    public let policy: Policy

    /// Limits with the documented defaults; a block may have from 1 byte to 1 GiB.
    public init(largestBlock: Int = 1 << 20, policy: Policy = .skip) {
        self.largestBlock = min(max(largestBlock, 1), 1 << 30)
        self.policy = policy
    }
}

/// A block is longer than the limits allow.
public struct CueLimitError: Error, Equatable, Sendable {
    /// The stream position, in bytes, at which the block begins.
    public let position: Int
    /// The number of the block's first line.
    public let lineNumber: Int
    /// The limit it exceeds, in bytes.
    public let largestBlock: Int
}

extension CueLimitError: Described {
    /// What happened, in words.
    public var message: Message {
        "at byte \(position), line \(lineNumber): a block is longer than the limit of \(largestBlock) bytes"
    }
}
