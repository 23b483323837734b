internal import ByteScan

/// A tag that edits or a handler are meant for: one with a name in code, or any other by its spelling.
public struct TagSelector: Equatable, Sendable {
    /// The tag's name without the `#`, as UTF-8 bytes.
    public let spelling: [UInt8]

    /// The tag of that name.
    public init(_ name: TagName) {
        spelling = Array(name.spelling)
    }

    /// The tag spelled so, without the `#`.
    public init(spelling: some Sequence<UInt8>) { self.spelling = Array(spelling) }
}

extension TagSelector: ExpressibleByStringLiteral {
    /// The tag spelled so, without the `#`.
    public init(stringLiteral spelling: String) { self.init(spelling: spelling.utf8) }
}
