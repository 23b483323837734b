/// A language as the LANGUAGE and ASSOC-LANGUAGE attributes of EXT-X-MEDIA name it: a well-formed BCP 47 tag.
///
/// ISO 639-2 codes, which subtitle files often bring along, become the two-letter code that BCP 47 asks for where there
/// is one, in their bibliographic and in their terminological form: `ger` and `deu` are `de`, `eng-US` is `en-US`. The
/// others stay as they are. Upper and lower case are those that RFC 5646 2.1.1 recommends: `ZH-HANT-tw` is `zh-Hant-TW`.
///
/// Whether a subtag is registered is not looked at: registries grow, libraries stay.
public struct LanguageTag: Equatable, Sendable {
    /// The tag in its recommended form, in ASCII.
    public let bytes: [UInt8]

    /// The tag that `bytes` spell.
    ///
    /// - Throws: ``LanguageTagError``, where they are not well-formed (RFC 5646 2.1, 2.2.9) or repeat a variant or a
    ///   singleton (2.2.5, 2.2.6).
    public init(_ bytes: some Collection<UInt8>) throws(LanguageTagError) {
        var scanner = LanguageTagScanner(bytes)
        try scanner.scan()
        self.bytes = scanner.recommendedForm()
    }

    /// The tag that `text` spells.
    public init(_ text: String) throws(LanguageTagError) { try self.init(text.utf8) }
}

/// Why some bytes are no language tag; positions count the bytes of the tag from 0.
public enum LanguageTagError: Error, Equatable {
    /// There are no bytes.
    case empty
    /// A byte that is no letter, no digit and no hyphen; subtags are not joined by underscores.
    case invalidByte(position: Int)
    /// A subtag of no bytes, or of more than eight.
    case subtagLength(position: Int)
    /// The tag does not begin with a language: two to eight letters, or `x`, or a grandfathered tag.
    case language(position: Int)
    /// A subtag that no tag has at this place.
    case misplacedSubtag(position: Int)
    /// A singleton or an `x` with nothing behind it.
    case missingSubtag(position: Int)
    /// A variant or a singleton that the tag has already.
    case repeatedSubtag(position: Int)
}

#if !hasFeature(Embedded)
extension LanguageTag: CustomStringConvertible {
    /// The tag in its recommended form.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension LanguageTagError: CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .empty:
            "a language tag may not be empty"
        case .invalidByte(let position):
            "byte \(position) of the language tag: expected a letter, a digit or a hyphen"
        case .subtagLength(let position):
            "byte \(position) of the language tag: a subtag has one to eight letters and digits"
        case .language(let position):
            "byte \(position) of the language tag: expected a language code such as en or deu"
        case .misplacedSubtag(let position):
            "byte \(position) of the language tag: expected script, region, variants, extensions, in this order"
        case .missingSubtag(let position):
            "byte \(position) of the language tag: expected a subtag behind the single letter"
        case .repeatedSubtag(let position):
            "byte \(position) of the language tag: this subtag stands in it twice"
        }
    }
}
#endif
