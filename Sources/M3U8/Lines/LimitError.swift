public import ByteScan

/// A rewriter or scanner was given more than its limits allow it to carry.
public struct LimitError: Error, Equatable, Sendable {
    /// Which limit it is. The set is open: modules that use this one have limits of their own.
    public struct Limit: Equatable, Sendable {
        package let code: UInt8
        private let excess: StaticString

        /// A limit with a `code` that no other has, and the words that come before "BYTES bytes" if it is exceeded.
        package init(code: UInt8, _ excess: StaticString) {
            self.code = code
            self.excess = excess
        }

        /// The length of one line.
        public static let longestLine = Limit(code: 0, "the line is longer than the limit of")

        /// Whether both are the same limit.
        public static func == (left: Limit, right: Limit) -> Bool { left.code == right.code }
    }

    /// Which limit it is.
    public let limit: Limit
    /// The limit's value, in bytes.
    public let bytes: Int
    /// The stream position, in bytes, at which the line begins that exceeds it.
    public let position: Int

    package init(_ limit: Limit, bytes: Int, position: Int) {
        self.limit = limit
        self.bytes = bytes
        self.position = position
    }
}

extension LimitError.Limit: Described {
    /// What it means that the limit is exceeded, in words.
    public var message: Message { Message(excess) }
}

extension LimitError: Described {
    /// What happened, in words.
    public var message: Message { "at byte \(position): \(words)" }

    /// The message without the position.
    package var words: Message { "\(limit) \(bytes) bytes" }
}
