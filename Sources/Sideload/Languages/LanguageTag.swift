package import ByteScan

/// A language as the LANGUAGE and ASSOC-LANGUAGE attributes of EXT-X-MEDIA name it: a well-formed BCP 47 tag.
///
/// An ISO 639-2 code, as subtitle files often have it, becomes the two-letter code that BCP 47 asks for, if there is
/// one, from its bibliographic and from its terminological form: `ger` and `deu` are `de`, `eng-US` is `en-US`. The
/// others stay as they are. Upper and lower case are those that RFC 5646 2.1.1 recommends: `ZH-HANT-tw` is
/// `zh-Hant-TW`.
///
/// Whether a subtag is registered is not checked: the registry grows, and a library does not.
package struct LanguageTag: Equatable, Sendable {
    /// The tag in its recommended form, in ASCII.
    package let bytes: [UInt8]

    /// The most bytes that a tag may have. RFC 5646 4.4.1 finds 35 enough for all tags without extensions.
    static var longestTag: Int { 255 }

    /// Parses the tag that `bytes` spell.
    ///
    /// - Throws: ``LanguageTagError`` if they are not well-formed (RFC 5646 2.1, 2.2.9), repeat a variant or a
    ///   singleton (2.2.5, 2.2.6), or are more than 255.
    /// - Complexity: O(1), because no more bytes are read than that.
    package init(_ bytes: some Collection<UInt8>) throws(LanguageTagError) {
        var scanner = LanguageTagScanner(bytes)
        try scanner.scan()
        self.bytes = scanner.recommendedForm()
    }

    /// Parses the tag that `text` spells.
    ///
    /// - Throws: ``LanguageTagError``.
    package init(_ text: String) throws(LanguageTagError) { try self.init(text.utf8) }
}

/// Why some bytes are no language tag: what is wrong, and where.
package struct LanguageTagError: Error, Equatable, Sendable {
    /// What is wrong.
    package enum Reason: Sendable {
        /// There are no bytes.
        case empty
        /// A byte that is no letter, no digit and no hyphen; subtags are not joined by underscores.
        case invalidByte
        /// A subtag of no bytes, or of more than eight.
        case subtagLength
        /// The tag does not begin with a language: two to eight letters, or `x`, or a grandfathered tag.
        case language
        /// A subtag that no tag may have there.
        case misplacedSubtag
        /// A singleton or an `x` with nothing after it.
        case missingSubtag
        /// A variant or a singleton that the tag has already.
        case repeatedSubtag
        /// The tag has more than 255 bytes.
        case tooLong
    }

    /// What is wrong.
    package let reason: Reason
    /// The byte of the tag, from 0, at which it is wrong.
    package let position: Int

    package init(_ reason: Reason, position: Int) {
        self.reason = reason
        self.position = position
    }
}

#if !hasFeature(Embedded)
extension LanguageTag: CustomStringConvertible {
    /// The tag in its recommended form.
    package var description: String { String(utf8: bytes) }
}
#endif

extension LanguageTagError: Described {
    /// What is wrong, in words.
    package var message: Message {
        if reason == .empty { return "a language tag may not be empty" }
        if reason == .tooLong { return "a language tag may have no more than \(LanguageTag.longestTag) bytes" }
        let words: Message =
            switch reason {
            case .invalidByte: "expected a letter, a digit or a hyphen"
            case .subtagLength: "a subtag has one to eight letters and digits"
            case .language: "expected a language code such as en or deu"
            case .misplacedSubtag: "expected script, region, variants, extensions, in this order"
            case .missingSubtag: "expected a subtag after the single letter"
            case .empty, .tooLong, .repeatedSubtag: "this subtag stands in it twice"
            }
        return "byte \(position) of the language tag: \(words)"
    }
}
