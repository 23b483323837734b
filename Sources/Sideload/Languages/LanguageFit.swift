internal import ByteScan

extension LanguageTag {
    /// How well subtitles are for somebody who wants a language; worse ones come first.
    package enum Fit: UInt8, Comparable, Sendable {
        /// They do not say which kind of the language they are: `sv` for `sv-SE` (RFC 4647 3.4).
        case wider
        /// They are of a kind of the language: `en-GB` for `en` (RFC 4647 3.3.1).
        case narrower
        /// They are what is wanted.
        case exact

        package static func < (one: Fit, other: Fit) -> Bool { one.rawValue < other.rawValue }
    }

    /// How well subtitles in this language are for somebody who wants `wanted`; nil if they are in another one, or in
    /// another kind of it.
    package func fit(for wanted: LanguageTag) -> Fit? {
        // Both are in the recommended form, so that codes and letters are alike: `ger` is `de`.
        if bytes == wanted.bytes { return .exact }
        if Self.isKind(bytes, of: wanted.bytes) { return .narrower }
        return Self.isKind(wanted.bytes, of: bytes) ? .wider : nil
    }

    private static func isKind(_ tag: [UInt8], of range: [UInt8]) -> Bool {
        tag.count > range.count && tag[range.count] == ASCII.hyphen && tag.starts(with: range)
    }
}
