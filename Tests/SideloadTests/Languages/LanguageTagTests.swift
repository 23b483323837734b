import Sideload
import Support
import Testing

@Suite struct LanguageTagTests {
    /// No tag is read further than that, which makes its time a constant.
    @Test func tagsEndAt255Bytes() throws {
        let tag = { (count: Int) in "en-" + String(repeating: "x-", count: count).prefix(count - 3).dropLast() + "a" }
        #expect(LanguageTag(tag(255))?.bytes.count == 255)
        #expect(LanguageTag(tag(256)) == nil)
        var variants = "en"
        for number in 100_000..<200_000 { variants += "-\(number)" }
        #expect(LanguageTag(variants) == nil)
        #expect(throws: SubtitleTrackError(.notALanguage, track: 0, .language)) {
            try SubtitleTracks([SubtitleTrack(uri: "u", language: variants, name: "n")])
        }
    }

    @Test(
        arguments: [
            // Languages, scripts, regions.
            ("en", "en"), ("EN", "en"), ("en-us", "en-US"), ("EN-US", "en-US"), ("es-419", "es-419"),
            ("zh-hant", "zh-Hant"),
            ("ZH-HANT-tw", "zh-Hant-TW"), ("sr-latn-rs", "sr-Latn-RS"), ("SR-LATN-419", "sr-Latn-419"),
            ("abcd", "abcd"), ("en_US", "en-US"), ("zh_hant-TW", "zh-Hant-TW"),
            ("abcde", "abcde"), ("ABCDEFGH", "abcdefgh"), ("qaa-Qaaa-QM", "qaa-Qaaa-QM"),
            // ISO 639-2.
            ("eng", "en"), ("ENG", "en"), ("eng-US", "en-US"), ("ger", "de"), ("deu", "de"), ("fre", "fr"),
            ("fra", "fr"),
            ("fre-ca", "fr-CA"), ("chi", "zh"), ("zho-Hans-CN", "zh-Hans-CN"), ("zho-min-nan", "zh-min-nan"),
            ("swe", "sv"),
            ("alb", "sq"), ("arm", "hy"), ("baq", "eu"), ("bur", "my"), ("cze", "cs"), ("dut", "nl"), ("geo", "ka"),
            ("gre", "el"), ("ice", "is"), ("mac", "mk"), ("mao", "mi"), ("may", "ms"), ("per", "fa"), ("rum", "ro"),
            ("slo", "sk"), ("tib", "bo"), ("wel", "cy"), ("aar", "aa"), ("zul", "zu"), ("scc", "sr"), ("scr", "hr"),
            ("mol", "ro"), ("spa-419", "es-419"), ("nob", "nb"), ("heb", "he"), ("ind", "id"), ("yid", "yi"),
            // No two-letter code, or not a language's place.
            ("fil", "fil"), ("FIL-ph", "fil-PH"), ("und", "und"), ("mul", "mul"), ("zxx", "zxx"), ("mis", "mis"),
            ("yue", "yue"), ("cmn-Hans", "cmn-Hans"), ("haw", "haw"), ("gsw-CH", "gsw-CH"),
            ("zh-yue-eng", "zh-yue-eng"),
            ("x-eng", "x-eng"),
            // Extended languages, variants, extensions, private use.
            ("zh-cmn-hans-cn", "zh-cmn-Hans-CN"), ("sgn-ase", "sgn-ase"), ("aa-bbb-ccc-ddd", "aa-bbb-ccc-ddd"),
            ("sl-ROZAJ-biske-1994", "sl-rozaj-biske-1994"), ("de-ch-1901", "de-CH-1901"),
            ("hy-LATN-IT-arevela", "hy-Latn-IT-arevela"),
            ("de-1ABC", "de-1abc"), ("ca-valencia", "ca-valencia"), ("en-a-myext-b-another", "en-a-myext-b-another"),
            ("DE-u-CO-phonebk", "de-u-co-phonebk"), ("en-U-CA-BUDDHIST-NU-THAI", "en-u-ca-buddhist-nu-thai"),
            ("en-0-ab-9-cd-p-ef-z-gh", "en-0-ab-9-cd-p-ef-z-gh"), ("en-9-ab-a-cd-b-ef", "en-9-ab-a-cd-b-ef"),
            ("en-CA-X-CA", "en-CA-x-ca"),
            ("az-LATN-X-LATN", "az-Latn-x-latn"),
            ("en-x-a-b-cd", "en-x-a-b-cd"), ("x-whatever", "x-whatever"), ("X-A-1", "x-a-1"), ("x-x-x", "x-x-x"),
            ("X-UK-LATN", "x-uk-latn"),
            ("de-x-u-u", "de-x-u-u"), ("qaa-x-private-private", "qaa-x-private-private"),
            // Grandfathered.
            ("en-gb-oed", "en-GB-oed"), ("I-KLINGON", "i-klingon"), ("i-default", "i-default"), ("i-hak", "i-hak"),
            ("i-ami", "i-ami"), ("i-tsu", "i-tsu"), ("sgn-be-fr", "sgn-BE-FR"), ("SGN-CH-DE", "sgn-CH-DE"),
            ("art-lojban", "art-lojban"), ("cel-gaulish", "cel-gaulish"), ("zh-min-nan", "zh-min-nan"),
            ("zh-min", "zh-min"),
            ("no-bok", "no-bok"), ("zh-xiang", "zh-xiang"),
        ] as [(String, String)])
    func isWellFormed(_ text: String, _ recommended: String) throws {
        let tag = try #require(LanguageTag(text))
        #expect(tag.description == recommended)
        #expect(LanguageTag(recommended) == tag)
        #expect(LanguageTag(Array(text.uppercased().utf8)) == tag)
        #expect(LanguageTag(Array(text.lowercased().utf8)) == tag)
    }

    @Test(
        arguments: [
            ("", "empty"),
            ("en+US", "invalidByte"), ("_", "subtagLength"), ("en__US", "subtagLength"),
            (" en", "invalidByte"),
            ("en ", "invalidByte"),
            ("en\"", "invalidByte"),
            ("en-\u{0}", "invalidByte"),
            ("é", "invalidByte"),
            ("{$lang}", "invalidByte"),
            ("en,sv", "invalidByte"),
            ("en\n", "invalidByte"),
            ("-", "subtagLength"), ("-en", "subtagLength"),
            ("en-", "subtagLength"),
            ("en--US", "subtagLength"),
            ("abcdefghi", "subtagLength"),
            ("en-abcdefghi", "subtagLength"),
            ("x-abcdefghi", "subtagLength"),
            ("English-", "subtagLength"),
            ("e", "language"), ("1", "language"),
            ("e1", "language"),
            ("419", "language"), ("a-en", "language"),
            ("i-unknown", "language"),
            ("i", "language"), ("12345", "language"),
            ("1-en", "language"),
            ("en-US-Latn", "misplacedSubtag"),
            ("en-US-GB", "misplacedSubtag"),
            ("en-Latn-Cyrl", "misplacedSubtag"),
            ("en-12", "misplacedSubtag"),
            ("en-a1", "misplacedSubtag"),
            ("en-abc1", "misplacedSubtag"),
            ("en-1234-US", "misplacedSubtag"),
            ("abcd-efg", "misplacedSubtag"),
            ("aa-bbb-ccc-ddd-eee", "misplacedSubtag"),
            ("en-variant-Latn", "misplacedSubtag"),
            ("en-GB-oed-x-a", "misplacedSubtag"),
            ("x", "missingSubtag"),
            ("en-x", "missingSubtag"),
            ("en-u", "missingSubtag"),
            ("en-a-b-cd", "missingSubtag"),
            ("en-a-x-bc", "missingSubtag"),
            ("en-u-c", "missingSubtag"),
            ("de-1901-1901", "repeatedSubtag"),
            ("sl-rozaj-biske-ROZAJ", "repeatedSubtag"),
            ("en-a-bb-a-cc", "repeatedSubtag"),
            ("en-z-bb-Z-cc", "repeatedSubtag"),
            ("en-0-bb-0-cc", "repeatedSubtag"),
        ] as [(String, String)])
    func isRefused(_ text: String, _ reason: String) {
        #expect(LanguageTag(text) == nil, "\(reason)")
    }

    /// All 17576 codes of three letters: those of ISO 639-2 that have a two-letter code change, and no other.
    @Test func theTableIsWhole() throws {
        let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
        var changed = 0
        var languages: Set<[UInt8]> = []
        for first in letters {
            for second in letters {
                for third in letters {
                    let code = [first, second, third]
                    let form = LanguageTag(code)?.bytes ?? []
                    guard form != code else { continue }
                    #expect(form.count == 2)
                    changed += 1
                    languages.insert(form)
                }
            }
        }
        // 184 languages, 20 of them with two codes, and 3 withdrawn codes.
        #expect(languages.count == 184)
        #expect(changed == 184 + 20 + 3)
    }

    /// What is accepted has the recommended form of itself, and nothing traps.
    @Test func anyBytesAreATagOrAnError() {
        var generator = SeededGenerator(seed: 5646)
        let alphabet = Array("abexuAX01-----".utf8) + [0, 0x7F, 0xFF]
        var accepted = 0
        for _ in 0..<5000 {
            let count = Int.random(in: 0...14, using: &generator)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            guard let tag = LanguageTag(bytes) else { continue }
            accepted += 1
            #expect(LanguageTag(tag.bytes) == tag)
        }
        #expect(accepted > 50)
    }
}
