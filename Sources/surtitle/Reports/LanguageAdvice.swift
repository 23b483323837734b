internal import ByteScan
internal import Sideload

/// What there is to say of a LANGUAGE that no player knows (BCP 47).
enum LanguageAdvice {
    /// What is wrong with `language`, and what to write; nil if it looks like a language.
    ///
    /// A tag of five to eight letters is well-formed, but none has ever been registered (RFC 5646 2.2.1).
    static func advice(on language: String) -> String? {
        guard let tag = LanguageTag(language) else {
            return "is no tag of a language (BCP 47); write its code, such as en, sv or pt-BR"
        }
        let primary = tag.bytes.prefix { $0 != ASCII.hyphen }
        guard primary.count > 3, primary.allSatisfy(ASCII.isLetter) else { return nil }
        return "is the tag of no language; write its code, such as en, sv or pt-BR"
    }

    /// The tag that BCP 47 asks for in the place of `language`, which is one: `de` for `ger`; nil if that is it.
    static func shorter(_ language: String) -> String? {
        guard let tag = LanguageTag(language)?.description, tag.lowercased() != language.lowercased() else {
            return nil
        }
        return tag
    }
}
