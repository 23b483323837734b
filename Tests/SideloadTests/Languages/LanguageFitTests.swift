import Sideload
import Testing

struct LanguageFitTests {
    static let rows: [(has: String, wanted: String, fit: LanguageTag.Fit?)] = [
        ("sv", "sv", .exact), ("SV", "swe", .exact), ("ger", "de", .exact), ("pt-br", "pt-BR", .exact),
        ("en-GB", "en", .narrower), ("zh-Hant-TW", "zh-Hant", .narrower), ("zh-Hant-TW", "chi", .narrower),
        ("sv", "sv-SE", .wider), ("zh", "zh-Hant", .wider), ("deu", "de-AT", .wider),
        ("pt-BR", "pt-PT", nil), ("en", "sv", nil), ("fil", "fi", nil), ("fi", "fil", nil),
    ]

    @Test(arguments: rows)
    func fits(_ row: (has: String, wanted: String, fit: LanguageTag.Fit?)) throws {
        let (has, wanted) = (try #require(LanguageTag(row.has)), try #require(LanguageTag(row.wanted)))
        #expect(has.fit(for: wanted) == row.fit)
    }

    @Test func worseOnesComeFirst() {
        #expect([.exact, .wider, .narrower].sorted() == [LanguageTag.Fit.wider, .narrower, .exact])
    }
}
