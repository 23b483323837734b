import Testing

@testable import surtitle

/// What there is to say of a LANGUAGE.
@Suite struct LanguageAdviceTests {
    private static let none = "is no tag of a language (BCP 47); write its code, such as en, sv or pt-BR"
    private static let unknown = "is the tag of no language; write its code, such as en, sv or pt-BR"

    @Test(arguments: [
        ("en", nil, nil), ("EN", nil, nil), ("eng", nil, "en"), ("ger-AT", nil, "de-AT"), ("en_US", nil, "en-US"),
        ("gsw", nil, nil), ("engl", unknown, nil), ("english", unknown, nil), ("english-US", unknown, nil),
        ("x-a", nil, nil), ("e", none, nil), ("", none, nil), ("en glish", none, nil),
    ])
    func advice(_ language: String, _ advice: String?, _ shorter: String?) {
        #expect(LanguageAdvice.advice(on: language) == advice)
        #expect(LanguageAdvice.shorter(language) == shorter)
    }
}
