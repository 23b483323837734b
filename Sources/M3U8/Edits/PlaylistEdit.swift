public import ByteScan

/// One edit of a playlist, the same wherever its tag stands.
///
/// Names and values are UTF-8 bytes; values are written as given, so the quotes of a quoted string are the caller's.
public enum PlaylistEdit: Sendable {
    /// Replaces the attribute's value if the name is there, else appends the attribute (RFC 8216 4.2).
    case set(TagSelector, name: [UInt8], value: [UInt8])
    /// Replaces the attribute's value if the name is there, else does nothing.
    case replace(TagSelector, name: [UInt8], value: [UInt8])
    /// Removes every attribute of that name, each with one comma.
    case remove(TagSelector, name: [UInt8])
    /// Leaves out the tag's lines, line endings included.
    case drop(TagSelector)

    /// The tag it is meant for.
    public var tag: TagSelector {
        switch self {
        case .set(let tag, _, _), .replace(let tag, _, _), .remove(let tag, _), .drop(let tag): tag
        }
    }
}

extension PlaylistEdit {
    /// Replaces the attribute's value if the name is there, else appends the attribute.
    public static func set(_ tag: TagSelector, _ name: String, to value: String) -> PlaylistEdit {
        .set(tag, name: Array(utf8: name), value: Array(utf8: value))
    }

    /// Replaces the attribute's value if the name is there, else does nothing.
    public static func replace(_ tag: TagSelector, _ name: String, with value: String) -> PlaylistEdit {
        .replace(tag, name: Array(utf8: name), value: Array(utf8: value))
    }

    /// Removes every attribute of that name.
    public static func remove(_ tag: TagSelector, _ name: String) -> PlaylistEdit {
        .remove(tag, name: Array(utf8: name))
    }
}

/// Why an edit was refused.
public struct PlaylistEditError: Error, Equatable, Sendable {
    /// What is wrong. The set is open.
    @nonexhaustive
    public enum Reason: Sendable {
        /// The tag's name does not begin with EXT, is EXTM3U, or holds a colon, white space, CR or LF.
        case tagName
        /// The attribute's name is empty or holds one of `=`, `,`, `"`, white space, CR, LF.
        case attributeName
        /// The value is empty, holds CR or LF, has an unclosed quote, or a comma outside quotes.
        case value
        /// The line to append is empty or holds CR or LF.
        case appendedLine
    }

    /// What is wrong.
    public let reason: Reason
    /// With which of the edits, or of the appended lines, counted from 0.
    public let index: Int

    package init(_ reason: Reason, index: Int) {
        self.reason = reason
        self.index = index
    }
}

extension PlaylistEditError.Reason: Described {
    /// What is wrong, in words, whichever edit it is wrong with.
    public var message: Message {
        switch self {
        case .tagName: "a tag name begins with EXT, is not EXTM3U, and holds no colon, white space or line break"
        case .attributeName: "an attribute name may not be empty, nor hold = , \" white space or a line break"
        case .value:
            "a value may not be empty, hold a line break, leave a quote open, or hold a comma outside quotes"
        case .appendedLine: "a line may not be empty nor hold a line break"
        }
    }
}

extension PlaylistEditError: Described {
    /// What is wrong, in words.
    public var message: Message { "\(reason == .appendedLine ? "appended line" : "edit") \(index): \(reason)" }
}

/// A tag that edits or a handler are meant for: one with a name in code, or any other by its spelling.
public struct TagSelector: Equatable, Sendable {
    /// The tag's name without the `#`, as UTF-8 bytes.
    public let spelling: [UInt8]

    /// The tag of that name.
    public init(_ name: TagName) { spelling = Array(name.spelling) }

    /// The tag spelled so, without the `#`.
    public init(spelling: some Sequence<UInt8>) { self.spelling = Array(spelling) }
}

extension TagSelector: ExpressibleByStringLiteral {
    /// The tag spelled so, without the `#`.
    public init(stringLiteral spelling: String) { self.init(spelling: spelling.utf8) }
}
