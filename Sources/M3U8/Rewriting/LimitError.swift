/// A rewriter or scanner was given more than its limits allow it to hold.
public struct LimitError: Error, Equatable, Sendable {
    /// Which limit it is.
    public enum Limit: Equatable, Sendable {
        /// The length of one line.
        case longestLine
        /// What is remembered of the playlist's subtitle renditions.
        case heldRenditions
        /// The length of the name of one subtitle group.
        case longestGroupID
        /// What is to be appended to the playlist.
        case appendedTags
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

#if !hasFeature(Embedded)
extension LimitError: CustomStringConvertible {
    /// What happened, in words.
    public var description: String {
        switch limit {
        case .longestLine: "at byte \(position): the line is longer than the limit of \(bytes) bytes"
        case .heldRenditions: "at byte \(position): the subtitle renditions take more than the limit of \(bytes) bytes"
        case .longestGroupID: "at byte \(position): the group's name is longer than the limit of \(bytes) bytes"
        case .appendedTags: "at byte \(position): the tags to append take more than the limit of \(bytes) bytes"
        }
    }
}
#endif
