internal import ByteScan

/// A language as the LANGUAGE and ASSOC-LANGUAGE attributes of EXT-X-MEDIA name it: a well-formed BCP 47 tag.
///
/// An ISO 639-2 code, as subtitle files often have it, becomes the two-letter code that BCP 47 asks for, if there is
/// one, from its bibliographic and from its terminological form: `ger` and `deu` are `de`, `eng-US` is `en-US`. The
/// others stay as they are. Upper and lower case are those that RFC 5646 2.1.1 recommends: `ZH-HANT-tw` is
/// `zh-Hant-TW`. Subtags may be joined by underscores, as locales have them: `en_US` is `en-US`.
///
/// Whether a subtag is registered is not checked: the registry grows, and a library does not.
package struct LanguageTag: Equatable, Sendable {
    /// The tag in its recommended form, in ASCII.
    package let bytes: [UInt8]

    /// The most bytes that a tag may have. RFC 5646 4.4.1 finds 35 enough for all tags without extensions.
    static var longestTag: Int { 255 }

    /// Parses the tag that `bytes` spell; nil if they are not well-formed (RFC 5646 2.1, 2.2.9), repeat a variant or a
    /// singleton (2.2.5, 2.2.6), or are more than 255.
    ///
    /// - Complexity: O(1), because no more bytes are read than that.
    package init?(_ bytes: some Collection<UInt8>) {
        var scanner = LanguageTagScanner(bytes)
        guard scanner.scan() else { return nil }
        self.bytes = scanner.recommendedForm()
    }

    /// Parses the tag that `text` spells; nil if it spells none.
    package init?(_ text: String) { self.init(Array(utf8: text)) }
}

#if !hasFeature(Embedded)
extension LanguageTag: CustomStringConvertible {
    /// The tag in its recommended form.
    package var description: String { String(utf8: bytes) }
}
#endif

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
